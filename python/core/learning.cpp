// Checks before training: what observations can teach.
#include "core/parts.hpp"

#include "neurasp/learning_check.hpp"
#include "protocol/learning_check.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <memory>

namespace neurasp::python {

void add_learning(py::module_ &module) {
    // Examples are the number of their observation, and the outcomes that are known: network, terms, an outcome for each event.
    using Known = std::tuple<std::size_t, std::string, std::vector<std::uint32_t>>;
    using Example = std::pair<std::size_t, std::vector<Known>>;
    module.def("check_learning",
               [](TrainingProgram &program, const std::vector<Observation> &observations,
                  const std::vector<Example> &given, std::uint64_t choices, std::uint64_t steps,
                  const CallLimits &limits) {
                   std::vector<LearningExample> examples;
                   for (const auto &[observation, known] : given) {
                       examples.push_back({observation, {}});
                       for (const auto &[network, terms, outcomes] : known) {
                           examples.back().known.push_back({network, terms, outcomes});
                       }
                   }
                   const Limits watched = limits.watched();
                   const py::gil_scoped_release unlock;
                   return protocol::line(protocol::to_json(
                       check_learning(program, observations, examples, {choices, steps}, watched)));
               });
}

} // namespace neurasp::python
