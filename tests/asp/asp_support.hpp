// Short ways to write ground programs and searches in tests.
#pragma once

#include "asp/grounder.hpp"
#include "asp/solver.hpp"

#include <set>
#include <string>
#include <vector>

namespace neurasp::asp::test {

using Groups = std::vector<std::vector<AtomId>>;
inline const Groups no_groups; // a Solver refers to its groups, so they must outlive it

inline Limits within(double seconds) {
    Limits limits;
    limits.seconds = seconds;
    return limits;
}

inline Limits at_most_models(std::uint64_t models) {
    Limits limits;
    limits.models = models;
    return limits;
}

inline Grounder grounded(const std::string &text) {
    Grounder grounder;
    grounder.ground(text);
    return grounder;
}

inline AtomId atom(const GroundProgram &program, const std::string &text) {
    return program.find(Symbol::parse(text)).value();
}

// The true named atoms of a model, as text.
inline std::set<std::string> atoms_of(const GroundProgram &program, const ModelView &view) {
    std::set<std::string> atoms;
    for (const AtomId id : program.named_atoms()) {
        if (view.is_true(id)) atoms.insert(program.symbol(id)->text());
    }
    return atoms;
}

// How many models there are under the assumptions.
inline std::uint64_t count(Solver &solver, const std::vector<Literal> &assumptions = {}) {
    base::Budget budget;
    std::uint64_t models = 0;
    const auto end = solver.search({assumptions, nullptr, false, std::nullopt}, budget,
                                   [&](const ModelView &) { return ++models > 0; });
    return end == SearchEnd::exhausted ? models : ~std::uint64_t{0};
}

} // namespace neurasp::asp::test
