// Writes circuits in the nnf format of c2d.
#include "circuit/nnf.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>

namespace neurasp::circuit {

namespace {

class NnfWriter {
  public:
    explicit NnfWriter(const Circuit &circuit) : circuit_(circuit) {}

    std::string run() {
        std::vector<std::size_t> line_of; // by node
        // true_node needs a line only if it is the root; no other line refers to it
        line_of.push_back(circuit_.root() == true_node ? write_and({}) : 0);
        for (std::size_t i = 1; i < circuit_.node_count(); ++i) {
            line_of.push_back(write(circuit_.node(NodeId(i)), line_of));
        }
        const std::size_t root = line_of[circuit_.root().index()];
        if (root + 1 != lines_) write_and({&root, 1}); // the last line must be the root
        return fmt::format("nnf {} {} {}\n", lines_, edges_, variables()) + text_;
    }

    std::string comments(const Names &names) const {
        std::string text;
        const auto print = [&]<class... Args>(fmt::format_string<Args...> format, Args &&...args) {
            fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
        };
        const Signature &signature = circuit_.signature();
        for (std::uint32_t v = 0; v < circuit_.variable_count(); ++v) {
            if (!circuit_.is_random(v)) {
                print("c {} is the atom {}\n", literal(circuit_.input(v, 0)),
                      one_line(names.variable(v)));
                continue;
            }
            for (std::uint32_t o = 0; o < signature.outcomes[v]; ++o) {
                print("c {} is outcome {} of {}\n", literal(circuit_.input(v, o)),
                      one_line(names.outcome(circuit_, v, o)), one_line(names.variable(v)));
            }
        }
        for (std::size_t i = 0; i < circuit_.constants().size(); ++i) {
            print("c {} is true and weighs {}\n", literal(InputId(circuit_.first_constant() + i)),
                  circuit_.constants()[i].to_double());
        }
        return text;
    }

  private:
    static std::string one_line(std::string text) {
        for (char &c : text) c = c == '\n' || c == '\r' ? ' ' : c;
        return text;
    }

    std::size_t free_atoms() const {
        return circuit_.variable_count() - circuit_.random_variable_count();
    }
    std::size_t variables() const {
        return circuit_.random_input_count() + free_atoms() + circuit_.constants().size();
    }

    std::int64_t literal(InputId input) const {
        const auto random = static_cast<std::int64_t>(circuit_.random_input_count());
        if (input.value <= circuit_.random_input_count()) return input.value;
        if (circuit_.is_constant(input)) {
            const auto constant =
                static_cast<std::int64_t>(input.value - circuit_.first_constant());
            return random + static_cast<std::int64_t>(free_atoms()) + constant + 1;
        }
        const std::size_t atom = circuit_.variable_of(input) - circuit_.random_variable_count();
        const std::int64_t variable = random + static_cast<std::int64_t>(atom) + 1;
        return circuit_.outcome_of(input) == 0 ? variable : -variable;
    }

    template <class... Args> std::size_t line(fmt::format_string<Args...> format, Args &&...args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        return lines_++;
    }

    std::size_t write_literal(InputId input) {
        const auto place = literals_.find(input);
        if (place != literals_.end()) return place->second;
        return literals_[input] = line("L {}\n", literal(input));
    }

    std::size_t write_and(std::span<const std::size_t> children) {
        edges_ += children.size();
        return line("A {}{}{}\n", children.size(), children.empty() ? "" : " ",
                    fmt::join(children, " "));
    }

    std::size_t write_or(NodeView node, std::span<const std::size_t> children) {
        edges_ += children.size();
        const bool decides = node.kind == NodeKind::sum && node.edges.size() == 2 &&
                             !circuit_.is_random(node.variable);
        return line("O {} {}{}{}\n", decides ? literal(circuit_.input(node.variable, 0)) : 0,
                    children.size(), children.empty() ? "" : " ", fmt::join(children, " "));
    }

    std::size_t write(NodeView node, const std::vector<std::size_t> &line_of) {
        std::vector<std::size_t> children;
        for (const Edge &edge : node.edges) {
            std::vector<std::size_t> factors;
            if (edge.input != one_input) factors.push_back(write_literal(edge.input));
            if (edge.child != true_node) factors.push_back(line_of[edge.child.index()]);
            if (node.kind == NodeKind::product) {
                children.insert(children.end(), factors.begin(), factors.end());
            } else {
                children.push_back(factors.size() == 1 ? factors.front() : write_and(factors));
            }
        }
        return node.kind == NodeKind::product ? write_and(children) : write_or(node, children);
    }

    const Circuit &circuit_;
    std::string text_;
    std::size_t lines_ = 0;
    std::size_t edges_ = 0;
    std::map<InputId, std::size_t> literals_;
};

} // namespace

std::string to_nnf(const Circuit &circuit, const Names *names) {
    const Circuit needed = pruned(circuit);
    NnfWriter writer(needed);
    const std::string comments = names == nullptr ? std::string() : writer.comments(*names);
    return comments + writer.run();
}

} // namespace neurasp::circuit
