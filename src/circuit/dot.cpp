// Writes circuits as Graphviz drawings.
#include "circuit/dot.hpp"

#include <fmt/format.h>

#include <iterator>

namespace neurasp::circuit {

namespace {

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') {
            result += "\\n";
        } else {
            result += c;
        }
    }
    return result + '"';
}

class DotWriter {
  public:
    DotWriter(const Circuit &circuit, const Names &names) : circuit_(circuit), names_(names) {}

    std::string run() {
        text_ = "digraph circuit {\n    node [fontname=\"sans-serif\"];\n"
                "    edge [fontname=\"sans-serif\", fontsize=10, arrowsize=0.6];\n";
        for (std::size_t i = circuit_.node_count(); i-- > 0;) { // from the root down
            write_node(NodeId(i));
            for (const Edge &edge : circuit_.node(NodeId(i)).edges) write_edge(NodeId(i), edge);
        }
        return text_ + "}\n";
    }

  private:
    template <class... Args> void print(fmt::format_string<Args...> format, Args &&...args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    }

    void write_node(NodeId id) {
        const NodeView node = circuit_.node(id);
        if (node.edges.empty()) {
            print("    n{} [shape=box, width=0.2, height=0.2, label=\"{}\"];\n", id.value,
                  node.kind == NodeKind::sum ? 0 : 1);
        } else if (node.kind == NodeKind::sum) {
            print("    n{} [label={}];\n", id.value, quoted(names_.variable(node.variable)));
        } else {
            print("    n{} [shape=circle, width=0.15, fixedsize=true, label=\"\"];\n", id.value);
        }
    }

    void write_edge(NodeId from, const Edge &edge) {
        print("    n{} -> n{}", from.value, edge.child.value);
        if (edge.input != one_input)
            print(" [label={}]", quoted(label(circuit_.node(from).kind, edge.input)));
        text_ += ";\n";
    }

    std::string label(NodeKind kind, InputId input) const {
        if (circuit_.is_constant(input)) {
            const std::size_t constant = input.value - circuit_.first_constant();
            return fmt::format("{:.6g}", circuit_.constants()[constant].to_double());
        }
        const std::uint32_t variable = circuit_.variable_of(input);
        const std::string outcome = names_.outcome(circuit_, variable, circuit_.outcome_of(input));
        return kind == NodeKind::sum ? outcome : names_.variable(variable) + " = " + outcome;
    }

    const Circuit &circuit_;
    const Names &names_;
    std::string text_;
};

} // namespace

std::string to_dot(const Circuit &circuit, const Names &names) {
    const Circuit needed = pruned(circuit);
    return DotWriter(needed, names).run();
}

} // namespace neurasp::circuit
