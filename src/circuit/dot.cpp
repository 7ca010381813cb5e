// Writes circuits as Graphviz drawings.
#include "circuit/dot.hpp"

#include "circuit/exact_evaluation.hpp"
#include "circuit/outcome_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>

namespace neurasp::circuit {

namespace {

using base::ScaledReal;

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        case '\n': result += "\\n"; break;
        default: result += c;
        }
    }
    return result;
}

// Four digits: drawings are for reading, not for reckoning.
std::string shown(const ScaledReal &value) {
    const double plain = value.to_double();
    if (plain != 0.0 || value.is_zero()) return fmt::format("{:.4g}", plain);
    return fmt::format("1e{:.0f}", value.log() / std::numbers::ln10);
}

// Outcomes of a sum that lead to the same node. Those of cases are of one variable as well, or there is only one, which
// may be `one`.
struct Cell {
    std::vector<InputId> outcomes;
    NodeId child;
};

std::vector<Cell> cells_of(const NodeView &sum) {
    std::vector<Cell> cells;
    for (const Edge &edge : sum.edges) {
        const auto same = std::find_if(cells.begin(), cells.end(),
                                       [&](const Cell &cell) { return cell.child == edge.child; });
        if (same == cells.end()) {
            cells.push_back({{edge.input}, edge.child});
        } else {
            same->outcomes.push_back(edge.input);
        }
    }
    return cells;
}

class DotWriter {
  public:
    DotWriter(const Circuit &circuit, const Names &names) : circuit_(circuit), names_(names) {
        for (std::uint32_t v = 0; v < circuit.variable_count(); ++v) {
            std::vector<std::string> atoms;
            for (std::uint32_t o = 0; o < circuit.signature().outcomes[v]; ++o) {
                atoms.push_back(names.outcome(circuit, v, o));
            }
            labels_.push_back(shorten(std::move(atoms)));
        }
    }

    void weigh(std::span<const ScaledReal> weights) {
        weights_ = weights;
        values_.emplace(circuit_, weights);
        passed_.assign(circuit_.node_count(), ScaledReal());
        passed_[circuit_.root().index()] = ScaledReal(1.0L);
    }

    std::string run() {
        text_ = "digraph circuit {\n"
                "    graph [nodesep=0.3, ranksep=0.45, fontname=\"Helvetica\", fontsize=11];\n"
                "    node [shape=plain, fontname=\"Helvetica\", fontsize=12];\n"
                "    edge [arrowsize=0.6];\n";
        print("    label=\"{}\";\n", caption());
        for (std::size_t i = circuit_.node_count(); i-- > 0;) { // from the root down
            const NodeId id(i);
            if (id == true_node && circuit_.root() != true_node) continue;
            const NodeView node = circuit_.node(id);
            if (node.edges.empty()) {
                print("    n{} [shape=box, width=0.3, height=0.3, label=\"{}\"];\n", i,
                      node.adds() ? 0 : 1);
            } else if (node.adds() && node.edges.size() > 1) {
                write_sum(id, node);
            } else {
                write_product(id, node);
            }
        }
        return text_ + "}\n";
    }

  private:
    template <class... Args> void print(fmt::format_string<Args...> format, Args &&...args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    }

    std::string caption() const {
        std::string reading = "A table: one of its cells holds. A box: all of it holds. "
                              "Grey: nothing more is needed.";
        if (!values_) return reading;
        return fmt::format("P = {}\\n{}", shown(values_->value()), reading);
    }

    // " = 0.41" in smaller letters, if there are probabilities.
    std::string value_of(NodeId id) const {
        if (!values_) return "";
        return fmt::format("<FONT POINT-SIZE=\"10\">= {}</FONT>", shown(values_->node_value(id)));
    }

    ScaledReal weight(InputId input) const {
        if (circuit_.is_constant(input)) {
            return circuit_.constants()[input.value - circuit_.first_constant()];
        }
        const bool weighs = input != one_input && input.value <= circuit_.random_input_count();
        return weighs ? weights_[input.index() - 1] : ScaledReal(1.0L);
    }

    // The text with the probability of the outcome below it or beside it.
    std::string with_weight(const std::string &text, InputId input, const char *between) const {
        if (!values_ || input == one_input || circuit_.is_constant(input)) return text;
        if (input.value > circuit_.random_input_count()) return text; // a free atom
        return fmt::format("{}{}<FONT POINT-SIZE=\"10\">{}</FONT>", text, between,
                           shown(weight(input)));
    }

    std::string atom(InputId input) const {
        if (circuit_.is_constant(input)) return shown(weight(input));
        const std::uint32_t variable = circuit_.variable_of(input);
        const std::string outcome = names_.outcome(circuit_, variable, circuit_.outcome_of(input));
        const bool named = variable < names_.outcomes.size();
        return escaped(named ? outcome : names_.variable(variable) + " = " + outcome);
    }

    // "digit(0,i1,?)", or the name of a variable whose outcomes do not say it.
    std::string header(std::uint32_t variable) const {
        if (variable >= names_.outcomes.size()) return escaped(names_.variable(variable));
        return escaped(labels_[variable].pattern);
    }

    // Cases name whole atoms, because no header says of which variable they are.
    std::string label(NodeKind kind, InputId input) const {
        if (input == one_input) return "case";
        if (kind == NodeKind::cases) return atom(input);
        return escaped(labels_[circuit_.variable_of(input)].labels[circuit_.outcome_of(input)]);
    }

    std::string cell_text(NodeKind kind, const Cell &cell) const {
        constexpr std::size_t most_lines = 6;
        std::string text;
        for (std::size_t i = 0; i < cell.outcomes.size(); ++i) {
            if (i == most_lines - 1 && cell.outcomes.size() > most_lines) {
                return text + fmt::format("<BR/>and {} more", cell.outcomes.size() - i);
            }
            const InputId input = cell.outcomes[i];
            const bool alone = cell.outcomes.size() == 1;
            text += (i == 0 ? "" : "<BR/>") +
                    with_weight(label(kind, input), input, alone ? "<BR/>" : "  ");
        }
        return text;
    }

    void write_sum(NodeId id, const NodeView &node) {
        const std::vector<Cell> cells = cells_of(node);
        const std::string name = node.kind == NodeKind::cases ? "" : header(node.variable);
        const std::string value = value_of(id);
        print("    n{} [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" "
              "CELLPADDING=\"4\">",
              id.value);
        if (!name.empty() || !value.empty()) {
            const std::string bold = name.empty() ? "" : "<B>" + name + "</B>";
            print("<TR><TD COLSPAN=\"{}\">{}{}{}</TD></TR>", cells.size(), bold,
                  name.empty() || value.empty() ? "" : "  ", value);
        }
        text_ += "<TR>";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            print("<TD PORT=\"c{}\"{}>{}</TD>", i,
                  cells[i].child == true_node ? " BGCOLOR=\"#d8d8d8\"" : "",
                  cell_text(node.kind, cells[i]));
        }
        text_ += "</TR></TABLE>>];\n";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Cell &cell = cells[i];
            if (cell.child == true_node) continue;
            ScaledReal sum;
            for (const InputId input : cell.outcomes) sum += weight_if_known(input);
            write_arrow(fmt::format("n{}:c{}:s", id.value, i), id, cell.child,
                        values_ ? sum * values_->node_value(cell.child) : ScaledReal());
        }
    }

    ScaledReal weight_if_known(InputId input) const {
        return values_ ? weight(input) : ScaledReal();
    }

    void write_product(NodeId id, const NodeView &node) {
        std::string factors;
        bool leaf = true;
        for (const Edge &edge : node.edges) {
            leaf = leaf && edge.child == true_node;
            if (edge.input == one_input) continue;
            factors +=
                (factors.empty() ? "" : "<BR/>") + with_weight(atom(edge.input), edge.input, "  ");
        }
        if (factors.empty()) factors = "and";
        const bool says_more = values_ && (!leaf || node.edges.size() > 1);
        print("    n{} [label=<<TABLE BORDER=\"1\" STYLE=\"ROUNDED\" CELLBORDER=\"0\" "
              "CELLSPACING=\"0\" CELLPADDING=\"4\"{}><TR><TD>{}{}{}</TD></TR></TABLE>>];\n",
              id.value, leaf ? " BGCOLOR=\"#d8d8d8\"" : "", factors, says_more ? "<BR/>" : "",
              says_more ? value_of(id) : "");
        for (const Edge &edge : node.edges) {
            if (edge.child == true_node) continue;
            write_arrow(fmt::format("n{}", id.value), id, edge.child,
                        values_ ? values_->node_value(id) : ScaledReal());
        }
    }

    // `part` is what the arrow adds to the value of the node that it leaves; for a product, all of it.
    void write_arrow(const std::string &tail, NodeId from, NodeId to, const ScaledReal &part) {
        print("    {} -> n{}", tail, to.value);
        if (values_) {
            ScaledReal passed;
            if (!part.is_zero()) {
                passed = passed_[from.index()] * part / values_->node_value(from);
            }
            passed_[to.index()] += passed;
            constexpr double widest = 4.0;
            if (passed.is_zero()) {
                text_ += " [style=dashed, color=\"#808080\"]";
            } else {
                print(" [penwidth={:.2f}]", 0.5 + widest * std::min(1.0, passed.to_double()));
            }
        }
        text_ += ";\n";
    }

    const Circuit &circuit_;
    const Names &names_;
    std::vector<OutcomeLabels> labels_; // by variable
    std::span<const ScaledReal> weights_;
    std::optional<ExactEvaluation> values_; // if there are probabilities
    std::vector<ScaledReal> passed_; // by node: the share of the root's value that goes through it
    std::string text_;
};

} // namespace

std::string to_dot(const Circuit &circuit, const Names &names) {
    const Circuit needed = pruned(circuit);
    return DotWriter(needed, names).run();
}

std::string to_dot(const Circuit &circuit, const Names &names,
                   std::span<const base::ScaledReal> random_weights) {
    const Circuit needed = pruned(circuit);
    DotWriter writer(needed, names);
    writer.weigh(random_weights);
    return writer.run();
}

} // namespace neurasp::circuit
