// ModelView: asks a model of clasp about our atoms.
#include "asp/clasp_ids.hpp"
#include "asp/clingo_call.hpp"
#include "asp/solver.hpp"

namespace neurasp::asp {

bool ModelView::is_true(Literal literal) const {
    bool result = false;
    check(clingo_model_is_true(model_, translate(literal, ids_), &result));
    return result;
}

void ModelView::add_clause(std::span<const Literal> clause) const {
    clingo_solve_control *control = nullptr;
    check(clingo_model_context(model_, &control));
    const auto literals = translate(clause, ids_);
    check(clingo_solve_control_add_clause(control, literals.data(), literals.size()));
}

std::vector<std::int64_t> ModelView::cost() const {
    std::size_t size = 0;
    check(clingo_model_cost_size(model_, &size));
    std::vector<std::int64_t> cost(size);
    if (size > 0) check(clingo_model_cost(model_, cost.data(), size));
    return cost;
}

} // namespace neurasp::asp
