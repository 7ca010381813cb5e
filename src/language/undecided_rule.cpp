// Splits a probabilistic rule into a random variable and a rule that uses it; see undecided_rule.hpp.
#include "language/undecided_rule.hpp"

#include "language/constants.hpp"
#include "language/probabilistic_rule.hpp"
#include "language/statement_reader.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace neurasp::language {

namespace {

constexpr std::size_t most_lines = 4;
constexpr std::size_t most_values = 6;

using Names = std::set<std::string>;

// A literal, conditional literal or aggregate of a body.
struct Element {
    TokenRange range;
    bool conditional = false; // a colon makes commas part of it
    bool decided = true;
    std::string undecided; // the name of the first atom that is not
    bool chosen = false;   // to stand in the body of the random variable
};

bool contains_all(const Names &names, const Names &wanted) {
    return std::includes(names.begin(), names.end(), wanted.begin(), wanted.end());
}

class RuleSplitter {
  public:
    // `sources` hold the text of the statement, `texts` everything that was read.
    RuleSplitter(const SourceMap &sources, const SourceMap &texts, const Program &program,
                 const UndecidedRule &rule, const Statement &statement,
                 const ParsedProbabilisticRule &parsed)
        : sources_(sources), texts_(texts), known_{program.constants, *program.atoms}, rule_(rule),
          statement_(statement), parsed_(parsed) {}

    DecidedForm split() {
        read_elements();
        const auto open = std::find_if(elements_.begin(), elements_.end(),
                                       [](const Element &element) { return !element.decided; });
        if (open == elements_.end()) return {};
        const std::string values = choose_elements();
        suffix_ = fresh_suffix("_if_" + open->undecided);
        form_.lines.push_back(variable_line(values));
        for (std::string &line : use_lines()) form_.lines.push_back(std::move(line));
        return form_.lines.size() <= most_lines ? form_ : DecidedForm{};
    }

  private:
    void read_elements() {
        const TokenRange body = body_of(statement_);
        Element element{{body.begin, body.end}, false, true, {}, false};
        const auto finish = [&](std::uint32_t end) {
            element.range.end = end;
            if (!element.range.empty()) elements_.push_back(element);
            element = {{end + 1, body.end}, false, true, {}, false};
        };
        for (std::uint32_t i = body.begin; i < body.end; i = statement_.after(i)) {
            const TokenKind kind = statement_.kind_at(i);
            if (kind == TokenKind::colon) element.conditional = true;
            const bool ends =
                kind == TokenKind::semicolon || (kind == TokenKind::comma && !element.conditional);
            if (ends) finish(i);
        }
        finish(body.end);
        for (const LiteralSite &site : find_literals(statement_)) note_atoms(site.range);
    }

    // Marks the element that a literal stands in, if grounding does not decide the literal's atoms.
    void note_atoms(TokenRange literal) {
        const std::optional<LiteralShape> shape = shape_of(statement_, literal);
        const auto element =
            std::find_if(elements_.begin(), elements_.end(), [&](const Element &candidate) {
                return candidate.range.begin <= literal.begin && literal.end <= candidate.range.end;
            });
        if (!shape || element == elements_.end() || !element->decided) return;
        const std::string name(sources_.text(statement_.span(shape->name)));
        for (const std::vector<TokenRange> &tuple : argument_tuples(statement_, *shape)) {
            const Signature signature{name, tuple.size()};
            if (shape->relation && !known_.contains(signature)) continue;
            const Signature atom{name, tuple.size() + (shape->relation ? 1 : 0)};
            if (rule_.is_decided(atom, shape->sign.has_value())) continue;
            element->decided = false;
            element->undecided = name;
            return;
        }
    }

    Names variables_in(TokenRange range) const {
        Names names;
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
            if (statement_.kind_at(i) == TokenKind::variable) {
                names.emplace(sources_.text(statement_.span(i)));
            }
        }
        return names;
    }

    // The variables that an element binds once those in `bound` are: the arguments of a positive atom as
    // they stand there, without arithmetic, and the variable in `X = term`.
    Names bound_by(const Element &element, const Names &bound) const {
        const TokenRange range = element.range;
        if (element.conditional || statement_.find(range, TokenKind::left_brace) != range.end) {
            return {};
        }
        if (statement_.kind_at(range.begin) == TokenKind::variable && range.size() > 2 &&
            statement_.kind_at(range.begin + 1) == TokenKind::equal &&
            contains_all(bound, variables_in({range.begin + 2, range.end}))) {
            return variables_in({range.begin, range.begin + 1});
        }
        const std::optional<LiteralShape> shape = shape_of(statement_, range);
        if (!shape || shape->not_count > 0 || (shape->relation && !is_atom(*shape))) return {};
        Names names;
        const auto stands_alone = [&](std::uint32_t token) {
            const TokenKind before = statement_.kind_at(token - 1);
            const TokenKind after = statement_.kind_at(token + 1);
            return (before == TokenKind::left_paren || before == TokenKind::comma ||
                    token == shape->value.begin) &&
                   (after == TokenKind::right_paren || after == TokenKind::comma ||
                    token + 1 == range.end);
        };
        for (std::uint32_t i = shape->name + 1; i < range.end; ++i) {
            if (statement_.kind_at(i) == TokenKind::variable && stands_alone(i)) {
                names.emplace(sources_.text(statement_.span(i)));
            }
        }
        return names;
    }

    bool is_atom(const LiteralShape &shape) const {
        const auto constant = compared_constant(sources_, statement_, shape);
        return statement_.kind_at(*shape.relation) == TokenKind::equal && constant &&
               known_.contains(*constant);
    }

    // Chooses the decided elements whose variables are bound. Returns what binds the rest of the head's
    // variables.
    std::string choose_elements() {
        Names bound;
        for (bool changed = true; changed;) {
            changed = false;
            for (Element &element : elements_) {
                if (element.chosen || !element.decided) continue;
                Names after = bound;
                after.merge(bound_by(element, bound));
                if (!contains_all(after, variables_in(element.range))) continue;
                element.chosen = changed = true;
                bound = std::move(after);
            }
        }
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < parsed_.variables.size(); ++i) {
            if (!bound.contains(parsed_.variables[i])) open.push_back(i);
        }
        return open.empty() ? "" : values_of(open);
    }

    std::string tuple(const std::vector<std::string> &row,
                      const std::vector<std::size_t> &columns) const {
        std::string text;
        for (const std::size_t i : columns) text += (text.empty() ? "" : ",") + row.at(i);
        return columns.size() == 1 ? text : "(" + text + ")";
    }

    // `X=(a;b)` or `(X,Y)=((a,b);(c,d))`; if the list is too long, an atom for it.
    std::string values_of(const std::vector<std::size_t> &variables) {
        std::vector<std::string> rows;
        for (const std::vector<std::string> &instance : rule_.instances) {
            std::string row = tuple(instance, variables);
            if (std::find(rows.begin(), rows.end(), row) != rows.end()) continue;
            rows.push_back(std::move(row));
            if (rows.size() <= most_values) continue;
            std::string name = "domain";
            for (int number = 2; occurs(name); ++number) name = "domain" + std::to_string(number);
            const std::string arguments = tuple(parsed_.variables, variables);
            form_.facts = name + (variables.size() == 1 ? "(" + arguments + ")" : arguments);
            return form_.facts;
        }
        std::string text;
        for (const std::string &row : rows) text += (text.empty() ? "" : ";") + row;
        return tuple(parsed_.variables, variables) + "=" +
               (rows.size() == 1 ? text : "(" + text + ")");
    }

    // The outcomes' names with the suffix do not occur anywhere.
    std::string fresh_suffix(const std::string &wanted) const {
        std::string suffix = wanted;
        const auto clashes = [&](const ParsedOutcome &outcome) {
            return occurs(std::string(sources_.text(statement_.span(outcome.shape.name))) + suffix);
        };
        for (int number = 2; std::any_of(parsed_.outcomes.begin(), parsed_.outcomes.end(), clashes);
             ++number) {
            suffix = wanted + std::to_string(number);
        }
        return suffix;
    }

    bool occurs(const std::string &name) const {
        for (std::uint32_t source = 0; source < texts_.size(); ++source) {
            if (texts_.text(source).find(name) != std::string_view::npos) return true;
        }
        return false;
    }

    // An outcome as it is written, with another name and value.
    std::string outcome_text(const LiteralShape &shape, const std::string &suffix,
                             const std::string &value) const {
        std::string text = shape.sign ? "-" : "";
        text += sources_.text(statement_.span(shape.name));
        text += suffix;
        if (shape.has_parentheses) {
            text += "(" + joined_text(sources_, statement_, shape.arguments) + ")";
        }
        return shape.relation ? text + "=" + value : text;
    }

    std::string value_text(const LiteralShape &shape) const {
        return shape.relation ? joined_text(sources_, statement_, shape.value) : std::string();
    }

    std::string variable_line(const std::string &values) const {
        std::string line;
        for (const ParsedOutcome &outcome : parsed_.outcomes) {
            if (!line.empty()) line += " | ";
            if (statement_.kind_at(outcome.part.begin) == TokenKind::at) line += "@";
            line += joined_text(sources_, statement_, outcome.probability) + " : " +
                    outcome_text(outcome.shape, suffix_, value_text(outcome.shape));
        }
        const std::string body =
            body_text([](const Element &element) { return element.chosen; }, values);
        return line + (body.empty() ? "." : " :- " + body + ".");
    }

    std::vector<std::string> use_lines() const {
        const auto use = [&](const LiteralShape &shape, const std::string &value) {
            return outcome_text(shape, "", value) + " :- " +
                   body_text([](const Element &) { return true; },
                             outcome_text(shape, suffix_, value)) +
                   ".";
        };
        std::vector<std::string> lines;
        if (is_one_constant()) {
            std::string value = "V";
            const Names used = variables_in({0, statement_.size()});
            while (used.contains(value)) value += "V";
            return {use(parsed_.outcomes.front().shape, value)};
        }
        for (const ParsedOutcome &outcome : parsed_.outcomes) {
            lines.push_back(use(outcome.shape, value_text(outcome.shape)));
        }
        return lines;
    }

    // Whether the outcomes are values of one constant.
    bool is_one_constant() const {
        const auto constant = [&](const ParsedOutcome &outcome) {
            return outcome_text(outcome.shape, "", "");
        };
        return parsed_.outcomes.size() > 1 &&
               std::all_of(parsed_.outcomes.begin(), parsed_.outcomes.end(),
                           [&](const ParsedOutcome &outcome) {
                               return outcome.shape.relation &&
                                      constant(outcome) == constant(parsed_.outcomes.front());
                           });
    }

    // The chosen elements and, unless it is empty, `last`.
    template <class Choice> std::string body_text(Choice choice, const std::string &last) const {
        std::string text;
        const char *separator = "";
        for (const Element &element : elements_) {
            if (!choice(element)) continue;
            text += separator + joined_text(sources_, statement_, element.range);
            separator = element.conditional ? "; " : ", ";
        }
        return last.empty() ? text : text + separator + last;
    }

    const SourceMap &sources_;
    const SourceMap &texts_;
    ValuedTerms known_;
    const UndecidedRule &rule_;
    const Statement &statement_;
    const ParsedProbabilisticRule &parsed_;
    std::vector<Element> elements_;
    DecidedForm form_;
    std::string suffix_;
};

} // namespace

DecidedForm decided_form(const SourceMap &sources, const Program &program,
                         const UndecidedRule &rule) {
    // The statement is read anew, from its own text: only this message needs its tokens.
    SourceMap own;
    const std::uint32_t source = own.add("rule", std::string(sources.text(rule.span)));
    Reporter reporter(own);
    const ReadOptions options;
    StatementReader reader(own, {source, Role::program, 0}, options, reporter);
    const std::optional<Statement> statement = reader.next();
    if (!statement || statement->kind != StatementKind::probabilistic) return {};
    const auto parsed = parse_probabilistic_rule(own, *statement, reporter);
    if (!parsed) return {};
    return RuleSplitter(own, sources, program, rule, *statement, *parsed).split();
}

} // namespace neurasp::language
