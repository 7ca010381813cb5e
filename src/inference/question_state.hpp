// What a prepared question holds.
#pragma once

#include "inference/world.hpp"

namespace neurasp {

struct Question::State {
    std::shared_ptr<inference::World> world;
    inference::QuestionAtoms atoms;
    std::vector<std::string> queries;
    std::vector<Diagnostic> warnings; // of reading observations and queries
    // What P(O) and the queries depend on; made when first asked for.
    mutable bool focus_ready = false;
    mutable std::unique_ptr<inference::Slice> slice;

    asp::Relevance relevance() const {
        std::vector<inference::AtomId> roots;
        if (atoms.violated) roots.push_back(*atoms.violated);
        for (const auto &query : atoms.queries) {
            if (query) roots.push_back(*query);
        }
        return world->relevance(roots);
    }
    inference::Problem &focus() const {
        if (!focus_ready) {
            slice = world->slice(relevance());
            focus_ready = true;
        }
        return slice ? *slice->problem : world->problem();
    }
};

} // namespace neurasp
