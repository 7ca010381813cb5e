// The scope of a question: the atoms of its observation and queries in a grounding, and the rules that these
// depend on.
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
    // The atom that is true iff the observation is violated; nothing if it never is.
    const std::optional<AtomId> &violated() const noexcept { return violated_; }
    // The texts of the queries, as the user wrote them, or of their instances.
    const std::vector<std::string> &queries() const noexcept { return queries_; }
    // The atom of each query; nothing if the query never holds.
    const std::vector<std::optional<AtomId>> &query_atoms() const noexcept { return query_atoms_; }
    // The queries with all details, such as the query that an instance belongs to.
    const ScopeQueries &asked() const noexcept { return asked_; }
    // Literals that make the observation hold.
    std::vector<Literal> evidence() const;

    // The rules that observation, queries and the existence of stable models depend on.
    asp::Relevance relevance() const;
    // The same rules as a problem for sums over models: a slice, or the whole program.
    const SearchProblem &focus() const;

    // The same scope without the observation's constraints.
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
