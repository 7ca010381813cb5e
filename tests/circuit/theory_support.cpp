// Programs and theories made by hand, counted in the simplest way.
#include "theory_support.hpp"

#include "asp/solver.hpp"

#include <algorithm>

namespace neurasp::circuit::test {

Example::Example(const std::string &text, const std::vector<std::vector<std::string>> &variables) {
    grounder_.ground(text);
    for (const auto &names : variables) {
        variables_.emplace_back();
        for (const std::string &name : names) variables_.back().push_back(atom(name));
    }
}

asp::AtomId Example::atom(const std::string &name) const {
    return program().find(asp::Symbol::parse(name)).value();
}

asp::Literal Example::literal(const std::string &text) const {
    const bool negative = text.starts_with("not ");
    return asp::Literal(atom(negative ? text.substr(4) : text), !negative);
}

std::vector<bool> Example::is_random() const {
    std::vector<bool> result(program().atom_limit(), false);
    for (const auto &atoms : variables_) {
        for (const asp::AtomId atom : atoms) result[atom.index()] = true;
    }
    return result;
}

TranslationInput Example::input(const std::vector<std::string> &evidence, bool whole) const {
    TranslationInput input{program(), variables_, {}, {}, {}, {}, whole};
    for (const std::string &text : evidence) input.evidence.push_back(literal(text));
    return input;
}

std::uint64_t Example::count(const std::vector<asp::Literal> &literals) const {
    asp::Solver solver(program(), variables_, {});
    base::Budget budget;
    std::uint64_t models = 0;
    solver.search({literals, nullptr, false, std::nullopt}, budget, [&](const asp::ModelView &) {
        ++models;
        return true;
    });
    return models;
}

std::map<std::vector<std::size_t>, Example::Models>
Example::models_by_choice(const std::vector<std::string> &evidence) const {
    std::map<std::vector<std::size_t>, Models> by_choice;
    std::vector<asp::Literal> literals;
    for (const std::string &text : evidence) literals.push_back(literal(text));
    asp::Solver solver(program(), variables_, {});
    base::Budget budget;
    solver.search({}, budget, [&](const asp::ModelView &model) {
        std::vector<std::size_t> choice;
        for (const auto &atoms : variables_) {
            const auto chosen = std::find_if(atoms.begin(), atoms.end(),
                                             [&](asp::AtomId atom) { return model.is_true(atom); });
            choice.push_back(static_cast<std::size_t>(chosen - atoms.begin()));
        }
        const bool observed =
            std::all_of(literals.begin(), literals.end(),
                        [&](asp::Literal literal) { return model.is_true(literal); });
        Models &models = by_choice[choice];
        models.all += 1.0;
        models.observed += observed ? 1.0 : 0.0;
        return true;
    });
    return by_choice;
}

double Example::probability(const std::vector<std::string> &evidence,
                            const std::vector<std::vector<double>> &weights) const {
    double sum = 0.0;
    for (const auto &[choice, models] : models_by_choice(evidence)) {
        double weight = models.observed / models.all;
        for (std::size_t v = 0; v < choice.size(); ++v) weight *= weights[v][choice[v]];
        sum += weight;
    }
    return sum;
}

std::vector<std::vector<double>> some_weights(const Example &example) {
    std::vector<std::vector<double>> weights;
    for (std::size_t v = 0; v < example.variables().size(); ++v) {
        weights.emplace_back();
        double sum = 0.0;
        for (std::size_t o = 0; o < example.variables()[v].size(); ++o) {
            weights[v].push_back(static_cast<double>(1 + (3 * v + 5 * o) % 7));
            sum += weights[v].back();
        }
        for (double &weight : weights[v]) weight /= sum;
    }
    return weights;
}

std::vector<double> weights_of(const Theory &theory,
                               const std::vector<std::vector<double>> &weights) {
    std::vector<double> result;
    for (std::size_t c = 0; c < theory.random_count(); ++c) {
        const auto &row = weights[theory.choices()[c].source];
        result.insert(result.end(), row.begin(), row.end());
    }
    return result;
}

bool propagate_all(Propagator &propagator, UnfoundedSets &unfounded) {
    while (true) {
        if (!propagator.propagate()) return false;
        const std::size_t before = propagator.trail().size();
        if (!unfounded.check()) return false;
        if (propagator.trail().size() == before) return true;
    }
}

namespace {

std::uint64_t count_from(const Theory &theory, Propagator &propagator, UnfoundedSets &unfounded,
                         Var var) {
    while (var < theory.variable_limit() && !propagator.is_open(var)) ++var;
    if (var == theory.variable_limit()) {
        return std::all_of(theory.evidence.begin(), theory.evidence.end(),
                           [&](Lit lit) { return propagator.is_true(lit); })
                   ? 1
                   : 0;
    }
    std::uint64_t models = 0;
    for (const bool value : {true, false}) {
        propagator.decide(Lit(var, value));
        if (propagate_all(propagator, unfounded)) {
            models += count_from(theory, propagator, unfounded, var + 1);
        }
        propagator.undo_level();
        unfounded.undone();
    }
    return models;
}

} // namespace

std::uint64_t count_models(const Theory &theory) {
    Propagator propagator(theory);
    UnfoundedSets unfounded(theory, propagator);
    if (!propagate_all(propagator, unfounded)) return 0;
    return count_from(theory, propagator, unfounded, 1);
}

std::vector<Lit> add_choice(Theory &theory, std::uint32_t count) {
    Choice choice{{}, static_cast<std::uint32_t>(theory.choices().size())};
    if (count == 2) {
        const Var var = theory.add_variable(VarKind::outcome);
        choice.outcomes = {Lit(var), Lit(var, false)};
    } else {
        for (std::uint32_t o = 0; o < count; ++o) {
            choice.outcomes.emplace_back(theory.add_variable(VarKind::outcome));
        }
    }
    const std::vector<Lit> outcomes = choice.outcomes;
    theory.add_choice(std::move(choice));
    return outcomes;
}

void add_clause(Theory &theory, const std::vector<Lit> &literals, Var owner) {
    theory.add_clause(literals, owner);
}

} // namespace neurasp::circuit::test
