// Ground rules as text; definitions of atoms without a name stand in their place.
#include "inference/rule_text.hpp"

#include "language/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace neurasp::inference {

using asp::AtomId;
using asp::Literal;

namespace {

constexpr std::size_t most_parts = 8; // of a head, an aggregate, a list of alternatives
constexpr int deepest = 6;            // of definitions in definitions, which may be recursive

std::string joined(std::vector<std::string> parts, std::string_view separator) {
    if (parts.size() > most_parts) {
        const std::size_t more = parts.size() - (most_parts - 1);
        parts.resize(most_parts - 1);
        parts.push_back(fmt::format("... {} more", more));
    }
    return fmt::format("{}", fmt::join(parts, separator));
}

} // namespace

bool is_auxiliary(const asp::GroundProgram &program, AtomId atom) {
    const auto symbol = program.symbol(atom);
    return !symbol || symbol->name().starts_with(language::helper_prefix) ||
           symbol->name().starts_with('#');
}

std::vector<Literal> in_order(const asp::GroundProgram &program, std::vector<Literal> literals) {
    const auto rank = [&](Literal literal) {
        return is_auxiliary(program, literal.atom()) ? 1 : literal.positive() ? 0 : 2;
    };
    std::stable_sort(literals.begin(), literals.end(), [&](Literal a, Literal b) {
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return rank(a) != 1 && *program.symbol(a.atom()) < *program.symbol(b.atom());
    });
    return literals;
}

std::string RuleText::text(Literal literal, int depth) const {
    const AtomId atom = literal.atom();
    const bool auxiliary = is_auxiliary(program_, atom);
    std::string text = auxiliary ? definition(atom, depth) : program_.symbol(atom)->text();
    if (literal.positive()) return text;
    const bool simple = !auxiliary || by_head_.of(atom).size() == 1;
    const bool conjunction =
        simple && text.find(", ") != std::string::npos && auxiliary && !text.starts_with('#');
    return conjunction || text.starts_with("not ") ? fmt::format("not ({})", text) : "not " + text;
}

// The body of its only rule, or the bodies of all of them.
std::string RuleText::definition(AtomId atom, int depth) const {
    const auto rules = by_head_.of(atom);
    if (rules.empty()) return "#false";
    if (depth >= deepest) return "...";
    if (rules.size() == 1) return body(program_.rule(rules.front()), depth + 1);
    std::vector<std::string> alternatives;
    for (const std::size_t rule : rules) {
        alternatives.push_back(body(program_.rule(rule), depth + 1));
    }
    return fmt::format("({})", joined(std::move(alternatives), " or "));
}

std::string RuleText::body(const asp::RuleView &rule, int depth) const {
    if (rule.weighted()) return aggregate(rule, depth);
    if (rule.body.empty()) return "#true";
    std::vector<std::string> literals;
    for (const Literal literal : in_order(program_, {rule.body.begin(), rule.body.end()})) {
        literals.push_back(text(literal, depth));
    }
    return fmt::format("{}", fmt::join(literals, ", "));
}

std::string RuleText::aggregate(const asp::RuleView &rule, int depth) const {
    const bool counts = std::all_of(rule.weights.begin(), rule.weights.end(),
                                    [](std::int32_t weight) { return weight == 1; });
    std::vector<std::string> elements;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        const std::string element = text(rule.body[i], depth);
        elements.push_back(counts ? element : fmt::format("{} : {}", rule.weights[i], element));
    }
    return fmt::format("{} {{ {} }} >= {}", counts ? "#count" : "#sum",
                       joined(std::move(elements), "; "), rule.bound);
}

std::string RuleText::head(const asp::RuleView &rule, AtomId first) const {
    std::vector<std::string> atoms;
    for (const AtomId atom : rule.head) {
        if (is_auxiliary(program_, atom)) continue;
        const auto place = atom == first ? atoms.begin() : atoms.end();
        atoms.insert(place, program_.symbol(atom)->text());
    }
    if (!rule.choice) return joined(std::move(atoms), " | ");
    return fmt::format("{{ {} }}", joined(std::move(atoms), "; "));
}

std::string RuleText::rule(std::size_t index, AtomId first) const {
    const asp::RuleView rule = program_.rule(index);
    const std::string head_text = head(rule, first);
    if (!rule.weighted() && rule.body.empty() && !head_text.empty()) return head_text + ".";
    return fmt::format("{}{}:- {}.", head_text, head_text.empty() ? "" : " ", body(rule, 0));
}

} // namespace neurasp::inference
