// Batches of numbers: finding the rows of each example, checking them, and running the circuits.
#include "core/steps.hpp"

#include "base/distribution.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>

namespace neurasp::python {

Layout::Layout(std::shared_ptr<const TrainingProgram> program,
               const std::vector<std::vector<std::string>> &terms)
    : program_(std::move(program)), terms_(terms), blocks_(terms.size()) {
    for (std::size_t network = 0; network < terms.size(); ++network) {
        for (std::uint32_t block = 0; block < terms[network].size(); ++block) {
            blocks_[network].emplace(terms[network][block], block);
        }
    }
}

const std::vector<std::uint32_t> &Layout::blocks(std::uint32_t id) {
    const auto [place, is_new] = known_.try_emplace(id);
    if (!is_new) return place->second;
    const PreparedObservation &prepared = program_->at(ObservationId{id});
    for (std::size_t c = 0; c < prepared.relevant_calls; ++c) {
        const NetworkCall &call = prepared.calls[c];
        const auto &blocks = blocks_.at(call.network);
        const auto found = blocks.find(call.terms);
        if (found == blocks.end()) {
            known_.erase(place);
            throw py::key_error(program_->networks()[call.network].name + "(" + call.terms + ")");
        }
        place->second.push_back(found->second);
    }
    return place->second;
}

namespace {

struct RowPlace {
    std::size_t network = 0;
    std::size_t row = 0;
    std::size_t event = 0;
};

// The place of a row that is not a distribution, and what it adds up to (NaN: one of its numbers is).
InputError not_a_distribution(const Layout &layout, const Step &step, const RowPlace &at,
                              bool negative, double sum) {
    const NetworkShape &shape = layout.program().networks()[at.network];
    const std::size_t size = std::max<std::size_t>(step.block_size, 1);
    Diagnostic diagnostic;
    diagnostic.code = "output-not-distribution";
    diagnostic.message = fmt::format(
        "the output of network '{}' for '{}' is not a distribution in example {}, row {}: {}",
        shape.name, layout.term(at.network, at.row / size), at.row % size, at.event,
        std::isnan(sum) ? "it has a number that is NaN"
        : negative      ? "it has a negative number"
                        : fmt::format("it sums to {:.6g}", sum));
    if (std::isnan(sum)) {
        diagnostic.hint = "look for NaN and infinity in the inputs and the weights of the network; "
                          "a smaller learning rate keeps weights finite";
        return InputError(std::move(diagnostic));
    }
    diagnostic.hint =
        fmt::format("rows must be non-negative and sum to 1 (tolerance {:g}); raw scores "
                    "must be declared as logits",
                    base::row_sum_tolerance);
    diagnostic.option = "logits";
    diagnostic.option_value = shape.name;
    return InputError(std::move(diagnostic));
}

// Throws: InputError that names the first row that is not a distribution.
template <class Real> void check_rows(const Layout &layout, const Step &step) {
    const TrainingProgram &program = layout.program();
    const auto places = rows_at<const Real>(program, step.outputs);
    for (std::size_t m = 0; m < places.size(); ++m) {
        const NetworkShape &shape = program.networks()[m];
        for (std::size_t row = 0; row < places[m].count; ++row) {
            for (std::size_t event = 0; event < shape.events; ++event) {
                double sum = 0.0;
                bool negative = false;
                for (std::size_t outcome = 0; outcome < shape.outcomes; ++outcome) {
                    const double number = places[m].at(row, event, outcome);
                    negative = negative || number < 0.0;
                    sum += number;
                }
                if (!negative && base::sums_to_one(sum)) continue;
                throw not_a_distribution(layout, step, {m, row, event}, negative, sum);
            }
        }
    }
}

} // namespace

template <class Real>
std::vector<ExampleStatus> run(Layout &layout, const Step &step, std::uintptr_t logs,
                               const CallLimits &limits) {
    const TrainingProgram &program = layout.program();
    std::vector<std::vector<std::uint32_t>> rows(step.observations.size());
    std::vector<BatchExample> examples(step.observations.size());
    for (std::size_t e = 0; e < examples.size(); ++e) {
        const std::uint32_t member =
            step.members.empty() ? static_cast<std::uint32_t>(e) : step.members[e];
        for (const std::uint32_t block : layout.blocks(step.observations[e])) {
            rows[e].push_back(block * static_cast<std::uint32_t>(step.block_size) + member);
        }
        examples[e] = {ObservationId{step.observations[e]}, rows[e]};
        if (!step.weights.empty()) examples[e].weight = step.weights[e];
    }
    check_rows<Real>(layout, step);
    TrainingBatch<Real> batch;
    batch.outputs = rows_at<const Real>(program, step.outputs);
    const std::size_t rule_count = program.rule_numbers().size();
    if (step.rule_numbers != 0) {
        batch.rule_numbers = {reinterpret_cast<const double *>(step.rule_numbers), rule_count};
    }
    batch.examples = examples;
    batch.seed = step.seed;
    batch.step = step.step;
    std::vector<ExampleStatus> status(examples.size());
    TrainingResult<Real> result;
    result.log_probability = {reinterpret_cast<double *>(logs), examples.size()};
    result.status = status;
    result.output_gradients = rows_at<Real>(program, step.gradients);
    if (step.rule_gradients != 0) {
        result.rule_gradients = {reinterpret_cast<double *>(step.rule_gradients),
                                 step.weights.empty() ? rule_count * examples.size() : rule_count};
    }
    const Limits watched = limits.watched();
    {
        const py::gil_scoped_release unlock;
        program.run(batch, result, watched);
    }
    return status;
}

template std::vector<ExampleStatus> run<float>(Layout &, const Step &, std::uintptr_t,
                                               const CallLimits &);
template std::vector<ExampleStatus> run<double>(Layout &, const Step &, std::uintptr_t,
                                                const CallLimits &);

py::bytes as_bytes(const std::vector<ExampleStatus> &status) {
    return {reinterpret_cast<const char *>(status.data()), status.size()};
}

namespace {

template <class Real>
py::bytes run_for_python(Layout &layout, const Step &step, std::uintptr_t logs,
                         const CallLimits &limits) {
    return as_bytes(run<Real>(layout, step, logs, limits));
}

} // namespace

void add_steps(py::module_ &module) {
    py::class_<Step, std::shared_ptr<Step>>(module, "Step")
        .def(py::init<>())
        .def_readwrite("observations", &Step::observations)
        .def_readwrite("members", &Step::members)
        .def_readwrite("block_size", &Step::block_size)
        .def_readwrite("outputs", &Step::outputs)
        .def_readwrite("gradients", &Step::gradients)
        .def_readwrite("rule_numbers", &Step::rule_numbers)
        .def_readwrite("rule_gradients", &Step::rule_gradients)
        .def_readwrite("weights", &Step::weights)
        .def_readwrite("seed", &Step::seed)
        .def_readwrite("step", &Step::step);

    py::class_<Layout, std::shared_ptr<Layout>>(module, "Layout")
        .def(py::init([](std::shared_ptr<TrainingProgram> program,
                         const std::vector<std::vector<std::string>> &terms) {
            return std::make_shared<Layout>(std::move(program), terms);
        }))
        .def("run_float", &run_for_python<float>)
        .def("run_double", &run_for_python<double>);
}

} // namespace neurasp::python
