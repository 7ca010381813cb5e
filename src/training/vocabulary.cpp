// Networks and learnable rules of a training program.
#include "training/vocabulary.hpp"

#include <algorithm>
#include <thread>

namespace neurasp::training {

namespace {

[[noreturn]] void refuse_two_shapes(const VariableSource &source, const NetworkShape &known) {
    Diagnostic diagnostic;
    diagnostic.code = "network-two-shapes";
    diagnostic.message =
        "the network '" + source.network + "' is called with " + std::to_string(source.events) +
        (source.events == 1 ? " event" : " events") + " for '" + source.terms +
        "', but elsewhere with " + std::to_string(known.events) + " or with other outcomes";
    diagnostic.hint =
        "all calls of a network have the same output; use another name for another one";
    throw InputError(std::move(diagnostic));
}

} // namespace

// Includes rules that have no instance until an observation adds facts.
Vocabulary::Vocabulary(const std::vector<ProbabilisticRule> &rules,
                       const std::vector<RandomVariableInfo> &variables) {
    meet(variables);
    for (std::size_t r = 0; r < rules.size(); ++r) {
        if (!rules[r].learnable) continue;
        const auto &numbers = rules[r].probabilities;
        LearnableRule rule{r, rules[r].text, rules[r].atoms, numbers, written_numbers_.size()};
        const auto instance = std::find_if(variables.begin(), variables.end(), [&](const auto &v) {
            return v.source.network.empty() && v.source.rule == r;
        });
        if (instance != variables.end()) {
            rule.name = instance->name;
            rule.atoms = instance->atoms;
        }
        rules_.push_back(std::move(rule));
        written_numbers_.insert(written_numbers_.end(), numbers.begin(), numbers.end());
    }
}

void Vocabulary::meet(const std::vector<RandomVariableInfo> &variables) {
    for (const RandomVariableInfo &variable : variables) {
        const VariableSource &source = variable.source;
        if (source.network.empty()) continue;
        const std::size_t known = network_index(source.network);
        if (known == networks_.size()) {
            networks_.push_back(
                {source.network, source.events, variable.outcomes.size(), variable.outcomes});
        } else if (networks_[known].events != source.events ||
                   networks_[known].values != variable.outcomes) {
            refuse_two_shapes(source, networks_[known]);
        }
    }
}

std::size_t Vocabulary::network_index(const std::string &name) const {
    const auto found = std::find_if(networks_.begin(), networks_.end(),
                                    [&](const NetworkShape &shape) { return shape.name == name; });
    return static_cast<std::size_t>(found - networks_.begin());
}

const LearnableRule *Vocabulary::rule_of(const VariableSource &source) const {
    if (!source.network.empty()) return nullptr;
    const auto found = std::find_if(rules_.begin(), rules_.end(),
                                    [&](const LearnableRule &r) { return r.rule == source.rule; });
    return found == rules_.end() ? nullptr : &*found;
}

std::size_t thread_count(const TrainingOptions &options) {
    return options.threads > 0 ? options.threads
                               : std::max(1U, std::thread::hardware_concurrency());
}

} // namespace neurasp::training
