// Measures ground terms; shared parts are measured once.
#include "asp/term_size.hpp"

#include "asp/clingo_abi.hpp"
#include "asp/clingo_call.hpp"

#include <algorithm>
#include <span>

namespace neurasp::asp {

namespace {

std::span<const clingo_symbol_t> arguments_of(clingo_symbol_t term) {
    if (clingo_symbol_type(term) != clingo_symbol_type_function) return {};
    const clingo_symbol_t *arguments = nullptr;
    std::size_t size = 0;
    check(clingo_symbol_arguments(term, &arguments, &size));
    return {arguments, size};
}

} // namespace

bool TermSizes::is_too_large(Symbol term) {
    const TermSize size = measure(term, 0);
    return size.depth > largest_term.depth || size.nodes > largest_term.nodes;
}

// Recurses no deeper than a term may nest; anything below counts as a leaf.
TermSize TermSizes::measure(Symbol term, std::uint32_t level) {
    const auto arguments = arguments_of(term.handle());
    if (arguments.empty()) return {};
    if (level > largest_term.depth) return {1, 1};
    if (const auto found = known_.find(term); found != known_.end()) return found->second;
    TermSize size{1, 1};
    for (const clingo_symbol_t argument : arguments) {
        const TermSize part = measure(Symbol(argument), level + 1);
        size.depth = std::max(size.depth, part.depth + 1);
        size.nodes = std::min(size.nodes + part.nodes, largest_term.nodes + 1);
    }
    if (size.depth > 1) known_.emplace(term, size);
    return size;
}

} // namespace neurasp::asp
