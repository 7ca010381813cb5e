#include "inference/scope.hpp"

#include "base/assert.hpp"

namespace neurasp::inference {

Scope::Scope(std::shared_ptr<const Grounding> grounding, std::uint32_t number, ScopeQueries queries)
    : grounding_(std::move(grounding)),
      violated_(grounding_->helper(language::violated_helper, number)), asked_(std::move(queries)) {
    for (const ScopeQuery &query : asked_.list) {
        queries_.push_back(query.text);
        query_atoms_.push_back(query.atom);
    }
}

Scope::Scope(const Scope &other, std::nullptr_t)
    : grounding_(other.grounding_), asked_(other.asked_), queries_(other.queries_),
      query_atoms_(other.query_atoms_) {}

std::shared_ptr<const Scope> Scope::without_constraints() const {
    return std::shared_ptr<const Scope>(new Scope(*this, nullptr));
}

std::vector<Literal> Scope::evidence() const {
    if (!violated_) return {};
    return {Literal(*violated_, false)};
}

asp::Relevance Scope::relevance() const {
    std::vector<AtomId> roots;
    if (violated_) roots.push_back(*violated_);
    for (const auto &query : query_atoms_) {
        if (query) roots.push_back(*query);
    }
    return grounding_->relevance(roots);
}

const SearchProblem &Scope::focus() const {
    const auto &slice = slice_.get([&] { return grounding_->slice(relevance()); });
    NEURASP_ASSERT(!slice || slice->determined(), "a slice is determined, or there is none");
    return slice ? *slice : grounding_->problem();
}

} // namespace neurasp::inference
