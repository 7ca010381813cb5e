// Programs for training: observations are prepared once. Batches of numbers are in steps.cpp.
#include "core/parts.hpp"

#include "neurasp/training.hpp"
#include "protocol/preparation.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <memory>

namespace neurasp::python {

namespace {

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
        .def("expect",
             [](TrainingProgram &self, const std::vector<Observation> &observations) {
                 const py::gil_scoped_release unlock;
                 self.expect(observations);
             })
        .def("at", &prepared_dict)
        .def("statistics", [](const TrainingProgram &self) {
            return protocol::line(protocol::to_json(self.statistics()));
        });

    module.def("project_to_simplex", [](std::vector<double> numbers, double least) {
        project_to_simplex(numbers, least);
        return numbers;
    });
}

} // namespace neurasp::python
