// What a question is about: the atoms of a grounding that stand for its observation and its queries, and what
// these depend on.
//
// Invariant: a slice is determined, or there is none.
#pragma once

#include "inference/grounding.hpp"
#include "inference/query_instances.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace neurasp::inference {

class Scope {
  public:
    // The helper atoms of question number `number`.
    Scope(std::shared_ptr<const Grounding> grounding, std::uint32_t number, ScopeQueries queries);

    const std::shared_ptr<const Grounding> &owner() const noexcept { return grounding_; }
    const Grounding &grounding() const noexcept { return *grounding_; }
    // True iff the observation is violated; nothing: it never is.
    const std::optional<AtomId> &violated() const noexcept { return violated_; }
    // As the user wrote them, or instances.
    const std::vector<std::string> &queries() const noexcept { return queries_; }
    // By query; nothing: it never holds.
    const std::vector<std::optional<AtomId>> &query_atoms() const noexcept { return query_atoms_; }
    // By query, with what instances are of.
    const ScopeQueries &asked() const noexcept { return asked_; }
    // Literals that make the observation hold.
    std::vector<Literal> evidence() const;

    // The rules that observation, queries and the existence of stable models depend on.
    asp::Relevance relevance() const;
    // Those as a problem for sums over models: a slice, or the whole.
    const SearchProblem &focus() const;

    // The same without the observation's constraints.
    std::shared_ptr<const Scope> without_constraints() const;

  private:
    Scope(const Scope &other, std::nullptr_t);

    std::shared_ptr<const Grounding> grounding_;
    std::optional<AtomId> violated_;
    ScopeQueries asked_;
    std::vector<std::string> queries_;
    std::vector<std::optional<AtomId>> query_atoms_;
    Lazy<std::shared_ptr<const SearchProblem>> slice_;
};

} // namespace neurasp::inference
