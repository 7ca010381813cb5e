// The dependency graph in compressed rows, and its strongly connected components.
//
// There is an edge from every head of a rule to every atom of its body (only to positive ones for Edges::positive), so
// the successors of an atom are what it depends on. The edges are counted in a first pass over the rules and written
// in a second one, into one array; an edge that occurs in several rules is stored several times, which costs less than
// removing it would.
//
// Components are found by Tarjan's algorithm (1972). `number` is the order of the first visit, `low` the smallest
// number that is reachable through the subtree and at most one edge back onto the stack. An atom with low == number is
// the root of a component, which then lies on top of the stack. A component is complete before the components that
// depend on it, so numbering components in this order puts children before parents, and callers can define atoms
// in a single pass.
//
// Ours keeps its own stack of frames instead of recursing: ground programs contain chains of hundreds of thousands of
// atoms, which would overflow the call stack.
//
// Cost: time and memory linear in atoms and edges.
#include "asp/dependency_graph.hpp"

#include <algorithm>

namespace neurasp::asp {

DependencyGraph::DependencyGraph(const GroundProgram &program, Edges edges,
                                 const std::vector<bool> &rules)
    : begin_(program.atom_limit() + 1, 0) {
    const auto counts = [&](Literal literal) { return edges == Edges::all || literal.positive(); };
    const auto for_each_edge = [&](auto &&visit) {
        for (std::size_t i = 0; i < program.rule_count(); ++i) {
            if (!rules.empty() && !rules[i]) continue;
            const RuleView rule = program.rule(i);
            for (const AtomId head : rule.head) {
                for (const Literal literal : rule.body) {
                    if (counts(literal)) visit(head.value, literal.atom().value);
                }
            }
        }
    };
    for_each_edge([&](std::uint32_t from, std::uint32_t) { ++begin_[from + 1]; });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    targets_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for_each_edge([&](std::uint32_t from, std::uint32_t to) { targets_[next[from]++] = to; });
}

std::vector<std::uint32_t> DependencyGraph::components() const {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Frame {
        std::uint32_t atom;
        std::size_t next;
    };
    std::vector<std::uint32_t> component(size(), none);
    std::vector<std::uint32_t> number(size(), 0); // 0 means not visited
    std::vector<std::uint32_t> low(size(), 0);
    std::vector<std::uint32_t> stack;
    std::vector<Frame> frames;
    std::uint32_t numbers = 0;
    std::uint32_t components = 0;
    for (std::uint32_t root = 0; root < size(); ++root) {
        if (number[root] != 0) continue;
        frames.push_back({root, 0});
        while (!frames.empty()) {
            Frame &frame = frames.back();
            const std::uint32_t atom = frame.atom;
            if (frame.next == 0 && number[atom] == 0) {
                number[atom] = low[atom] = ++numbers;
                stack.push_back(atom);
            }
            const auto next = successors(atom);
            if (frame.next < next.size()) {
                const std::uint32_t child = next[frame.next++];
                if (number[child] == 0) {
                    frames.push_back({child, 0});
                } else if (component[child] == none) {
                    low[atom] = std::min(low[atom], number[child]);
                }
                continue;
            }
            if (low[atom] == number[atom]) {
                for (;;) {
                    const std::uint32_t member = stack.back();
                    stack.pop_back();
                    component[member] = components;
                    if (member == atom) break;
                }
                ++components;
            }
            frames.pop_back();
            if (!frames.empty()) {
                const std::uint32_t parent = frames.back().atom;
                low[parent] = std::min(low[parent], low[atom]);
            }
        }
    }
    return component;
}

} // namespace neurasp::asp
