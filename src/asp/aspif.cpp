// Writes ground programs as aspif, the text format that gringo writes and clasp reads.
#include "asp/aspif.hpp"

#include <fmt/format.h>

#include <iterator>

namespace neurasp::asp {

namespace {

class AspifWriter {
  public:
    std::string text = "asp 1 0 0\n";

    void rule(bool choice, std::span<const AtomId> head, std::span<const Literal> body) {
        begin_rule(choice, head);
        print(" 0");
        literals(body);
        text += '\n';
    }

    void weight_rule(bool choice, std::span<const AtomId> head, std::int32_t bound,
                     std::span<const Literal> body, std::span<const std::int32_t> weights) {
        begin_rule(choice, head);
        print(" 1 {} {}", bound, body.size());
        for (std::size_t i = 0; i < body.size(); ++i) print(" {} {}", body[i].value(), weights[i]);
        text += '\n';
    }

    void minimize(const Minimize &statement) {
        print("2 {} {}", statement.priority, statement.literals.size());
        for (const WeightedLiteral &element : statement.literals) {
            print(" {} {}", element.literal.value(), element.weight);
        }
        text += '\n';
    }

    void show(const ShownTerm &term) {
        const std::string name = term.symbol.text();
        print("4 {} {}", name.size(), name);
        literals(term.condition);
        text += '\n';
    }

    void external(const External &external) {
        const int value = external.value == ExternalValue::free      ? 0
                          : external.value == ExternalValue::is_true ? 1
                                                                     : 2;
        print("5 {} {}\n", external.atom.value, value);
    }

    void edge(const AcyclicityEdge &edge) {
        print("8 {} {}", edge.from, edge.to);
        literals(edge.condition);
        text += '\n';
    }

  private:
    template <class... Args> void print(fmt::format_string<Args...> format, Args &&...args) {
        fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    }
    void begin_rule(bool choice, std::span<const AtomId> head) {
        print("1 {} {}", choice ? 1 : 0, head.size());
        for (const AtomId atom : head) print(" {}", atom.value);
    }
    void literals(std::span<const Literal> body) {
        print(" {}", body.size());
        for (const Literal literal : body) print(" {}", literal.value());
    }
};

} // namespace

std::string to_aspif(const GroundProgram &program, const std::vector<std::vector<AtomId>> &groups,
                     std::span<const ShownTerm> shown, std::span<const Literal> required) {
    AspifWriter writer;
    for (std::size_t i = 0; i < program.rule_count(); ++i) {
        const RuleView rule = program.rule(i);
        if (rule.weighted()) {
            writer.weight_rule(rule.choice, rule.head, rule.bound, rule.body, rule.weights);
        } else {
            writer.rule(rule.choice, rule.head, rule.body);
        }
    }
    for (const std::vector<AtomId> &group : groups) {
        std::vector<Literal> positive;
        std::vector<Literal> negative;
        for (const AtomId atom : group) {
            positive.emplace_back(atom);
            negative.emplace_back(atom, false);
        }
        writer.rule(true, group, {});
        writer.rule(false, {}, negative);
        writer.weight_rule(false, {}, 2, positive, std::vector<std::int32_t>(group.size(), 1));
    }
    for (const Literal literal : required) {
        const Literal violated = ~literal;
        writer.rule(false, {}, std::span(&violated, 1));
    }
    for (const Minimize &statement : program.minimize()) writer.minimize(statement);
    for (const External &external : program.externals()) writer.external(external);
    for (const AcyclicityEdge &edge : program.edges()) writer.edge(edge);
    for (const ShownTerm &term : shown) writer.show(term);
    return writer.text + "0\n";
}

} // namespace neurasp::asp
