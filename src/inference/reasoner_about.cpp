// What a reasoner tells about a question without answering it.
#include "asp/aspif.hpp"
#include "inference/engine.hpp"
#include "inference/enumeration.hpp"
#include "inference/question_state.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp {

using inference::World;

std::vector<RandomVariableInfo> Reasoner::variables(const Question &question) const {
    const World &world = *question.state().world;
    std::vector<RandomVariableInfo> result;
    for (std::size_t v = 0; v < world.variables().size(); ++v) {
        const inference::RandomVariable &variable = world.variables()[v];
        const World::OutcomeTexts &texts = world.outcome_texts(v);
        result.push_back({variable.name, texts.atoms, texts.values, source_of(variable),
                          variable.probabilities});
    }
    return result;
}

ProgramSummary Reasoner::summary(const Question &question) {
    const Question::State &state = question.state();
    World &world = *state.world;
    ProgramSummary summary;
    summary.neural_rules = world.text().neural_rules.size();
    summary.probabilistic_rules = world.text().probabilistic_rules.size();
    summary.random_variables = world.variables().size();
    for (const auto &variable : world.variables()) {
        summary.log10_total_choices += std::log10(static_cast<double>(variable.atoms.size()));
    }
    summary.ground_atoms = world.rules().named_atoms().size();
    summary.ground_rules = world.program_rule_count();
    summary.constraints = world.analysis().constraints;
    for (const auto &minimize : world.rules().minimize()) {
        summary.weak_constraints += minimize.literals.size();
    }
    summary.largest_scc = world.analysis().largest_scc;
    summary.tight = world.analysis().tight;
    summary.determined = world.analysis().determined;
    summary.coherent = world.consistency().coherent;
    const asp::Relevance relevance = state.relevance();
    summary.relevant_rules = relevance.rule_count;
    for (const auto &variable : world.variables()) {
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

std::string Reasoner::aspif(const Question &question) {
    const Question::State &state = question.state();
    World &world = *state.world;
    std::vector<asp::ShownTerm> shown;
    for (const inference::Shown &entry : world.shown(false)) {
        for (const auto &condition : entry.conditions) shown.push_back({entry.symbol, condition});
    }
    return asp::to_aspif(world.rules(), world.problem().groups(), shown,
                         inference::observed(state.atoms));
}

} // namespace neurasp
