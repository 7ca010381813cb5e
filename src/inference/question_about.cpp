// Question: what can be said about it without answering it.
#include "asp/aspif.hpp"
#include "inference/access.hpp"
#include "inference/engine.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp {

using inference::Grounding;

const std::vector<std::string> &Question::queries() const { return state_->scope->queries(); }

Question Question::without_constraints() const {
    State state = *state_;
    state.scope = state_->scope->without_constraints();
    return Question(std::make_shared<const State>(std::move(state)));
}

std::vector<RandomVariableInfo> Question::variables() const {
    const Grounding &grounding = state_->scope->grounding();
    const auto lock = grounding.reading();
    std::vector<RandomVariableInfo> result;
    for (std::size_t v = 0; v < grounding.variables().size(); ++v) {
        const inference::RandomVariable &variable = grounding.variables()[v];
        const Grounding::OutcomeTexts &texts = grounding.outcome_texts(v);
        result.push_back({variable.name, texts.atoms, texts.values, source_of(variable),
                          variable.probabilities});
    }
    return result;
}

ProgramSummary Question::summary() const {
    const Grounding &grounding = state_->scope->grounding();
    const auto lock = grounding.reading();
    ProgramSummary summary;
    summary.neural_rules = grounding.program().neural_rules.size();
    summary.probabilistic_rules = grounding.program().probabilistic_rules.size();
    summary.random_variables = grounding.variables().size();
    for (const auto &variable : grounding.variables()) {
        summary.log10_total_choices += std::log10(static_cast<double>(variable.atoms.size()));
    }
    summary.ground_atoms = grounding.rules().named_atoms().size();
    summary.ground_rules = grounding.program_rule_count();
    summary.constraints = grounding.analysis().constraints;
    for (const auto &minimize : grounding.rules().minimize()) {
        summary.weak_constraints += minimize.literals.size();
    }
    summary.largest_scc = grounding.analysis().largest_scc;
    summary.tight = grounding.analysis().tight;
    summary.determined = grounding.analysis().determined;
    summary.coherent = grounding.consistency().coherent;
    const asp::Relevance relevance = state_->scope->relevance();
    summary.relevant_rules = relevance.rule_count;
    for (const auto &variable : grounding.variables()) {
        const bool relevant =
            std::any_of(variable.atoms.begin(), variable.atoms.end(),
                        [&](inference::AtomId atom) { return relevance.atoms[atom.index()]; });
        if (relevant) ++summary.relevant_variables;
    }
    for (const auto &engine : inference::engines()) {
        if (engine->name() != "auto") summary.engines.emplace_back(engine->name());
    }
    return summary;
}

std::string Question::aspif() const {
    const Grounding &grounding = state_->scope->grounding();
    const auto lock = grounding.reading();
    std::vector<asp::ShownTerm> shown;
    for (const inference::Shown &entry : grounding.shown(false)) {
        for (const auto &condition : entry.conditions) shown.push_back({entry.symbol, condition});
    }
    return asp::to_aspif(grounding.rules(), grounding.problem().groups(), shown,
                         state_->scope->evidence());
}

std::vector<Diagnostic> Question::diagnostics() const {
    std::vector<Diagnostic> all = state_->warnings;
    const std::vector<Diagnostic> remarks = state_->remarks.all();
    all.insert(all.end(), remarks.begin(), remarks.end());
    return all;
}

} // namespace neurasp
