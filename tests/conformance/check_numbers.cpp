// Questions whose answer is numbers: prob, marginals, gradient.
#include "checker.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace neurasp::conformance {

namespace {

void check_interval(const Asked &asked, std::size_t line, const std::string &what,
                    const Number &expected, const Probability &actual) {
    if (!actual.exact) asked.failures.add(line, what + " is only bounded");
    asked.failures.compare(line, what, expected, actual.value);
    if (actual.lower != actual.value)
        asked.failures.compare(line, what + " (lower end)", expected, actual.lower);
    if (actual.upper != actual.value)
        asked.failures.compare(line, what + " (upper end)", expected, actual.upper);
    const double value = actual.value;
    if (value > 1e-300 && std::fabs(std::log(value) - actual.log) > 1e-9)
        asked.failures.add(line, what + ": its logarithm " + std::to_string(actual.log) +
                                     " does not belong to it");
}

void check_optional(const Asked &asked, std::size_t line, const std::string &what,
                    const std::string &expected, const std::optional<Probability> &actual) {
    const bool undefined = expected == "undefined";
    if (undefined != !actual)
        asked.failures.add(line, what + (actual ? " is defined" : " is undefined"));
    else if (!undefined)
        check_interval(asked, line, what, parse_number(expected, asked.failures.where(line)),
                       *actual);
}

// `each BODY => INSTANCE`, or `each BODY` alone.
std::pair<std::string, std::string> split_each(const std::string &left) {
    const std::size_t arrow = std::min(left.find(" => "), left.size());
    return {trimmed(left.substr(5, arrow - 5)),
            arrow == left.size() ? "" : trimmed(left.substr(arrow + 4))};
}

// The texts after `query `, `joint ` and `each `, in order of first appearance.
std::vector<Query> queries_of(const Asked &asked) {
    std::vector<Query> queries;
    for (const Line &line : asked.step.body) {
        const std::string left = split_equation(line, asked.failures.where(line.number)).first;
        const bool is_each = left.starts_with("each ");
        if (!is_each && !left.starts_with("query ") && !left.starts_with("joint ")) continue;
        const std::string query = is_each ? split_each(left).first : trimmed(left.substr(6));
        const auto same = [&](const Query &other) {
            return other.text == query && other.each == is_each;
        };
        if (std::none_of(queries.begin(), queries.end(), same))
            queries.emplace_back(query, is_each);
    }
    return queries;
}

// One instance, or `none`.
void check_each(const Asked &asked, const ProbabilityAnswer &answer, const Line &line,
                const std::string &left, const std::string &right) {
    const auto [query, instance] = split_each(left);
    const auto found = std::find_if(answer.queries.begin(), answer.queries.end(),
                                    [&](const QueryAnswer &candidate) {
                                        return candidate.instance_of == query &&
                                               (instance.empty() || candidate.query == instance);
                                    });
    if (instance.empty()) {
        if (right != "none") asked.failures.misuse(line.number, "only 'none' has no instance");
        if (found != answer.queries.end())
            asked.failures.add(line.number, "there is the instance '" + found->query + "'");
        return;
    }
    if (found == answer.queries.end())
        return asked.failures.add(line.number, "there is no instance '" + instance + "'");
    check_optional(asked, line.number, left, right, found->conditional);
}

// Every instance must be listed.
void check_instances_listed(const Asked &asked, const ProbabilityAnswer &answer) {
    std::set<std::pair<std::string, std::string>> listed;
    for (const Line &line : asked.step.body) {
        const std::string left = split_equation(line, asked.failures.where(line.number)).first;
        if (left.starts_with("each ")) listed.insert(split_each(left));
    }
    for (const QueryAnswer &query : answer.queries) {
        if (query.instance_of.empty() || listed.contains({query.instance_of, query.query}))
            continue;
        asked.failures.add(asked.step.line, "the instance '" + query.query + "' is not listed");
    }
}

void check_query(const Asked &asked, const ProbabilityAnswer &answer, const Line &line,
                 const std::string &left, const std::string &right) {
    const std::string query = trimmed(left.substr(6));
    const auto found =
        std::find_if(answer.queries.begin(), answer.queries.end(), [&query](const QueryAnswer &a) {
            return a.query == query && a.instance_of.empty();
        });
    if (found == answer.queries.end())
        return asked.failures.add(line.number, "no answer to the query '" + query + "'");
    if (left.starts_with("query "))
        check_optional(asked, line.number, left, right, found->conditional);
    else
        check_interval(asked, line.number, left,
                       parse_number(right, asked.failures.where(line.number)), found->joint);
}

std::string join(const std::vector<std::string> &atoms) {
    std::string text;
    for (const std::string &atom : atoms) text += (text.empty() ? "" : " ") + atom;
    return text;
}

void compare_values(const Asked &asked, const Line &line, const std::string &right,
                    const std::vector<std::string> &atoms, const std::vector<double> &values) {
    const std::vector<Number> expected = parse_numbers(right, asked.failures.where(line.number));
    if (expected.size() != atoms.size())
        asked.failures.misuse(line.number, "as many numbers as atoms are expected");
    if (values.size() != atoms.size())
        return asked.failures.add(line.number, "a wrong number of values");
    for (std::size_t i = 0; i < atoms.size(); ++i)
        asked.failures.compare(line.number, atoms[i], expected[i], values[i]);
}

template <class Variables>
const typename Variables::value_type *find_variable(const Variables &variables,
                                                    const std::vector<std::string> &atoms) {
    for (const auto &variable : variables)
        if (variable.atoms == atoms) return &variable;
    return nullptr;
}

} // namespace

void check_prob(const Asked &asked) {
    if (!asked.step.arguments.empty())
        asked.failures.misuse(asked.step.line, "'prob' takes no arguments");
    const Question question = asked.question(queries_of(asked));
    const ProbabilityAnswer answer = question.probability(asked.outputs, asked.settings);
    require_exact(asked, answer.how);
    for (const Line &line : asked.step.body) {
        const std::string where = asked.failures.where(line.number);
        const auto [left, right] = split_equation(line, where);
        if (left == "P")
            check_interval(asked, line.number, left, parse_number(right, where),
                           answer.probability);
        else if (left == "log P")
            asked.failures.compare(line.number, left, parse_number(right, where),
                                   answer.probability.log);
        else if (left == "mass")
            check_interval(asked, line.number, left, parse_number(right, where), answer.mass);
        else if (left == "given-consistency")
            check_optional(asked, line.number, left, right, answer.given_consistency);
        else if (left.starts_with("query ") || left.starts_with("joint "))
            check_query(asked, answer, line, left, right);
        else if (left.starts_with("each "))
            check_each(asked, answer, line, left, right);
        else
            asked.failures.misuse(line.number, "unknown key '" + left + "'");
    }
    check_instances_listed(asked, answer);
}

void check_marginals(const Asked &asked) {
    if (!asked.step.arguments.empty())
        asked.failures.misuse(asked.step.line, "'marginals' takes no arguments");
    const MarginalsAnswer answer = asked.question().marginals(asked.outputs, asked.settings);
    require_exact(asked, answer.how);
    std::set<std::string> listed;
    for (const Line &line : asked.step.body) {
        if (line.text == "none") {
            if (!answer.atoms.empty() || !answer.variables.empty())
                asked.failures.add(line.number, "there are marginals although P(O) = 0");
            continue;
        }
        const std::string where = asked.failures.where(line.number);
        const auto [left, right] = split_equation(line, where);
        if (left == "P") {
            check_interval(asked, line.number, left, parse_number(right, where),
                           answer.probability);
        } else if (left.starts_with("variable ")) {
            const std::vector<std::string> atoms = split_words(left.substr(9));
            const VariableMarginal *variable = find_variable(answer.variables, atoms);
            if (variable == nullptr)
                asked.failures.add(line.number, "no such random variable");
            else
                compare_values(asked, line, right, atoms, variable->values);
        } else {
            listed.insert(left);
            const auto found =
                std::find_if(answer.atoms.begin(), answer.atoms.end(),
                             [&left = left](const auto &a) { return a.first == left; });
            asked.failures.compare(line.number, left, parse_number(right, where),
                                   found == answer.atoms.end() ? 0.0 : found->second);
        }
    }
    // Every atom that can be true must be expected; impossible ones need not be.
    for (const auto &[atom, value] : answer.atoms)
        if (!listed.contains(atom) && !(value <= 1e-12))
            asked.failures.add(asked.step.line, "unexpected atom " + atom);
}

// `[fixed] atoms = numbers`, one line per random variable; with `partial`, some may be left out.
void check_gradient(const Asked &asked) {
    GradientConvention convention = GradientConvention::plain;
    bool partial = false;
    bool named = false;
    for (const std::string &word : asked.step.arguments) {
        if (word == "plain" || word == "proposition1") {
            named = true;
            convention =
                word == "plain" ? GradientConvention::plain : GradientConvention::proposition1;
        } else if (word == "partial") {
            partial = true;
        } else {
            asked.failures.misuse(asked.step.line, "unknown argument '" + word + "'");
        }
    }
    if (!named)
        asked.failures.misuse(asked.step.line, "'gradient plain' or 'gradient proposition1'");
    const GradientAnswer answer =
        asked.question().gradient(asked.outputs, convention, asked.settings);
    require_exact(asked, answer.how);
    std::set<std::string> listed;
    bool undefined = false;
    for (const Line &line : asked.step.body) {
        if (line.text == "undefined") {
            undefined = true;
            continue;
        }
        const std::string where = asked.failures.where(line.number);
        auto [left, right] = split_equation(line, where);
        if (left == "P") {
            check_interval(asked, line.number, left, parse_number(right, where),
                           answer.probability);
            continue;
        }
        const bool fixed = left.starts_with("fixed ");
        const std::vector<std::string> atoms = split_words(fixed ? left.substr(6) : left);
        listed.insert(join(atoms));
        const VariableGradient *variable = find_variable(answer.variables, atoms);
        if (variable == nullptr) {
            asked.failures.add(line.number, "no such random variable");
            continue;
        }
        compare_values(asked, line, right, atoms, variable->values);
        if (variable->learnable == fixed)
            asked.failures.add(line.number,
                               fixed ? "is reported as learnable" : "is reported as fixed");
    }
    if (undefined == answer.defined)
        asked.failures.add(asked.step.line,
                           undefined ? "the gradient should not exist" : "no gradient");
    for (const VariableGradient &variable : answer.variables)
        if (!partial && !undefined && !listed.contains(join(variable.atoms)))
            asked.failures.add(asked.step.line, "unexpected variable " + join(variable.atoms));
}

} // namespace neurasp::conformance
