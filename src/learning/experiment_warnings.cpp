// ExperimentWarnings: reading all observations is put off until there is something to warn about.
#include "learning/experiment_warnings.hpp"

namespace neurasp::learning {

std::vector<Diagnostic> ExperimentWarnings::take() {
    if (step_.diagnostics().empty()) return {};
    for (const data::Dataset *dataset : datasets_) {
        std::vector<Observation> observations;
        for (const std::string &text : dataset->observations().texts()) {
            observations.push_back({text, {}});
        }
        step_.expect(observations);
    }
    datasets_.clear();
    std::vector<Diagnostic> found = step_.diagnostics();
    std::erase_if(
        found, [&](const Diagnostic &warning) { return !taken_.insert(render(warning)).second; });
    return found;
}

} // namespace neurasp::learning
