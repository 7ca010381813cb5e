// Training: observations prepared once, then batches of numbers at memory addresses.
//
// A batch has the same number of examples for every input term. The outputs of a network are blocks, one for each
// term that it is called with, and each block has one row for each example: row `block * size + example`. A
// layout fixes which block belongs to which call, so that a step hands over ids and addresses and nothing else.
#include "core/parts.hpp"

#include "base/distribution.hpp"
#include "neurasp/training.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>
#include <map>
#include <memory>
#include <mutex>

namespace neurasp::python {

namespace {

// Which block of its network's outputs a call reads.
class Layout {
  public:
    // `terms`: for each network, the terms of its blocks in their order.
    Layout(std::shared_ptr<const TrainingProgram> program,
           const std::vector<std::vector<std::string>> &terms)
        : program_(std::move(program)), terms_(terms), blocks_(terms.size()) {
        for (std::size_t network = 0; network < terms.size(); ++network) {
            for (std::uint32_t block = 0; block < terms[network].size(); ++block) {
                blocks_[network].emplace(terms[network][block], block);
            }
        }
    }

    // The blocks of the calls of an observation. Throws: py::key_error that names a call without a block.
    const std::vector<std::uint32_t> &blocks(std::uint32_t id) {
        const auto [place, is_new] = known_.try_emplace(id);
        if (!is_new) return place->second;
        const PreparedObservation &prepared = program_->at(ObservationId{id});
        for (std::size_t c = 0; c < prepared.relevant_calls; ++c) {
            const NetworkCall &call = prepared.calls[c];
            const auto &blocks = blocks_.at(call.network);
            const auto found = blocks.find(call.terms);
            if (found == blocks.end()) {
                known_.erase(place);
                throw py::key_error(program_->networks()[call.network].name + "(" + call.terms +
                                    ")");
            }
            place->second.push_back(found->second);
        }
        return place->second;
    }

    const TrainingProgram &program() const { return *program_; }
    const std::string &term(std::size_t network, std::size_t block) const {
        return terms_[network][block];
    }

  private:
    std::shared_ptr<const TrainingProgram> program_;
    std::vector<std::vector<std::string>> terms_;
    std::vector<std::map<std::string, std::uint32_t>> blocks_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> known_; // by observation
};

// Where the numbers of one network are: (address, rows). An address of 0 has none.
using Place = std::pair<std::uintptr_t, std::size_t>;

struct Step {
    std::vector<std::uint32_t> observations; // of each example
    std::vector<std::uint32_t> members;      // which row of each block; empty: one after the other
    std::size_t block_size = 0;              // rows of a block
    std::vector<Place> outputs;
    std::vector<Place> gradients;
    std::uintptr_t rule_numbers = 0;
    std::uintptr_t rule_gradients = 0; // for each example; with weights, their weighted sum
    std::vector<double> weights;       // of the examples' gradients; empty: 1
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
};

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

template <class Number>
std::vector<Rows<Number>> rows_at(const TrainingProgram &program,
                                  const std::vector<Place> &places) {
    std::vector<Rows<Number>> rows;
    for (std::size_t m = 0; m < places.size(); ++m) {
        const NetworkShape &shape = program.networks()[m];
        auto *data = reinterpret_cast<Number *>(places[m].first);
        rows.push_back(Rows<Number>::contiguous({data, places[m].second * shape.size()}, shape));
    }
    return rows;
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

// One status a byte, and log P(O) at `logs`.
template <class Real>
py::bytes run(Layout &layout, const Step &step, std::uintptr_t logs, const CallLimits &limits) {
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
    return {reinterpret_cast<const char *>(status.data()), status.size()};
}

TrainingOptions options_of(const std::string &method, std::size_t samples, std::size_t k,
                           bool proposition1, bool optimal, std::optional<double> compile_seconds,
                           std::string folder, std::size_t threads) {
    TrainingOptions options;
    if (method == "sampling") {
        options.method = GradientMethod::sampling;
    } else if (method == "top_k") {
        options.method = GradientMethod::top_k;
    } else if (method != "exact") {
        throw py::value_error("method is 'exact', 'sampling' or 'top_k', not '" + method + "'");
    }
    options.samples = samples;
    options.k = k;
    options.convention =
        proposition1 ? GradientConvention::proposition1 : GradientConvention::plain;
    options.optimal = optimal;
    options.compile_seconds = compile_seconds;
    options.circuit_folder = std::move(folder);
    options.threads = threads;
    return options;
}

py::dict prepared_dict(const TrainingProgram &program, std::uint32_t id) {
    const PreparedObservation &prepared = program.at(ObservationId{id});
    std::vector<std::pair<std::string, std::string>> calls;
    for (const NetworkCall &call : prepared.calls) {
        calls.emplace_back(program.networks()[call.network].name, call.terms);
    }
    py::dict result;
    result["calls"] = calls;
    result["relevant_calls"] = prepared.relevant_calls;
    result["has_circuit"] = prepared.has_circuit;
    result["obstacle"] = prepared.obstacle;
    result["nodes"] = prepared.nodes;
    result["edges"] = prepared.edges;
    return result;
}

} // namespace

void add_training(py::module_ &module) {
    py::class_<TrainingProgram, std::shared_ptr<TrainingProgram>>(module, "Training")
        .def(py::init([](const Program &program, const std::string &method, std::size_t samples,
                         std::size_t k, bool proposition1, bool optimal,
                         std::optional<double> compile_seconds, std::string folder,
                         std::size_t threads, const CallLimits &limits) {
            const TrainingOptions options = options_of(method, samples, k, proposition1, optimal,
                                                       compile_seconds, std::move(folder), threads);
            const Limits watched = limits.watched();
            const py::gil_scoped_release unlock;
            return std::make_shared<TrainingProgram>(program, options, watched);
        }))
        .def("networks",
             [](const TrainingProgram &self) {
                 std::vector<
                     std::tuple<std::string, std::size_t, std::size_t, std::vector<std::string>>>
                     result;
                 for (const NetworkShape &shape : self.networks()) {
                     result.emplace_back(shape.name, shape.events, shape.outcomes, shape.values);
                 }
                 return result;
             })
        .def("rules",
             [](const TrainingProgram &self) {
                 std::vector<std::tuple<std::string, std::vector<std::string>, std::vector<double>,
                                        std::size_t>>
                     result;
                 for (const LearnableRule &rule : self.rules()) {
                     result.emplace_back(rule.name, rule.atoms, rule.probabilities, rule.rule);
                 }
                 return result;
             })
        .def("prepare",
             [](TrainingProgram &self, const std::vector<Observation> &observations,
                const CallLimits &limits) {
                 const Limits watched = limits.watched();
                 std::vector<ObservationId> ids;
                 {
                     const py::gil_scoped_release unlock;
                     ids = self.prepare(observations, watched);
                 }
                 std::vector<std::uint32_t> result;
                 for (const ObservationId id : ids) result.push_back(id.value);
                 return result;
             })
        .def("at", &prepared_dict)
        .def("statistics", [](const TrainingProgram &self) {
            const TrainingStatistics statistics = self.statistics();
            py::dict result;
            result["observations"] = statistics.observations;
            result["without_circuit"] = statistics.without_circuit;
            result["largest_circuit"] = statistics.largest_circuit;
            result["prepare_seconds"] = statistics.prepare_seconds;
            return result;
        });

    py::class_<Step>(module, "Step")
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

    py::class_<Layout>(module, "Layout")
        .def(py::init([](std::shared_ptr<TrainingProgram> program,
                         const std::vector<std::vector<std::string>> &terms) {
            return std::make_unique<Layout>(std::move(program), terms);
        }))
        .def("run_float", &run<float>)
        .def("run_double", &run<double>);

    module.def("project_to_simplex", [](std::vector<double> numbers, double least) {
        project_to_simplex(numbers, least);
        return numbers;
    });
}

} // namespace neurasp::python
