// Changes of a program that must not change its answers: each variant is compared with the oracle's
// answers to the original.
#include "settings.hpp"
#include "verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>

namespace neurasp::property {
namespace {

// Replaces `from` + digits by `to` + digits + `end`, where `from` begins a word.
std::string rename_numbered(const std::string &text, const std::string &from, const std::string &to,
                            const std::string &end) {
    const auto in_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    const auto is_digit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t stop = at + from.size();
        const bool begins =
            (at == 0 || !in_word(text[at - 1])) && text.compare(at, from.size(), from) == 0;
        if (!begins || !is_digit(stop)) {
            result += text[at++];
            continue;
        }
        while (is_digit(stop)) ++stop;
        result += to + text.substr(at + from.size(), stop - at - from.size()) + end;
        at = stop;
    }
    return result;
}

// A variant of the question's texts; the answers to compare are those of the original.
struct Texts {
    std::string program;
    std::vector<Observation> observation;
    std::vector<std::string> queries;
    std::function<std::string(std::string)> rename = [](std::string atom) { return atom; };
};

Texts texts_of(const RandomProgram &program, const ObservationSpec &observation) {
    return {neurasp_text(program), {{observation_text(observation), {}}}, observation.queries};
}

// P(O), mass, queries and the marginals of variables, which no variant here may change.
Problems compare_answers(const Trial &trial, const Question &question,
                         const std::function<std::string(std::string)> &rename) {
    Problems problems = verify_probability(question, trial, {"auto", false});
    const long double observed = trial.truth.probability(trial.probabilities, false);
    if (observed == 0.0L) return problems;
    const oracle::Probabilities joint = trial.truth.joint_outcomes(trial.probabilities, false);
    const MarginalsAnswer marginals = question.marginals(trial.outputs);
    for (std::size_t v = 0; v < trial.variables.size(); ++v) {
        std::vector<std::string> atoms = trial.variables[v].atoms;
        std::transform(atoms.begin(), atoms.end(), atoms.begin(), rename);
        const auto found =
            std::find_if(marginals.variables.begin(), marginals.variables.end(),
                         [&atoms](const VariableMarginal &m) { return m.atoms == atoms; });
        if (found == marginals.variables.end()) {
            problems.push_back("no variable with " + atoms.front());
            continue;
        }
        for (std::size_t i = 0; i < atoms.size(); ++i)
            compare(problems, "marginal of " + atoms[i], joint[v][i] / observed, found->values[i]);
    }
    return problems;
}

using Change = std::function<void(Texts &, Trial &, Dice &)>;

void expect_unchanged(const Change &change) {
    for (const std::uint64_t seed : seeds_to_try(6)) {
        const RandomProgram program = make_program(seed);
        const ObservationSpec &observation = program.observations.front();
        const oracle::Oracle truth(oracle_input(program, observation));
        Dice dice(seed);
        Trial trial = make_trial(program, observation, truth, dice);
        Texts texts = texts_of(program, observation);
        change(texts, trial, dice);
        Problems problems;
        try {
            Reasoner reasoner(Program::from_text(texts.program));
            const Question question = reasoner.ask(texts.observation, texts.queries);
            problems = compare_answers(trial, question, texts.rename);
        } catch (const std::exception &error) {
            problems.push_back(std::string("exception: ") + error.what());
        }
        EXPECT_TRUE(problems.empty())
            << "variant of the program:\n"
            << texts.program << describe(trial, {"auto", false}, problems);
    }
}

TEST(Metamorphic, the_order_of_statements_does_not_matter) {
    expect_unchanged([](Texts &texts, Trial &trial, Dice &dice) {
        std::vector<Statement> statements = trial.program.statements;
        dice.shuffle(statements);
        texts.program.clear();
        for (const Statement &statement : statements) texts.program += statement.neurasp + "\n";
    });
}

TEST(Metamorphic, an_observation_may_be_split) {
    expect_unchanged([](Texts &texts, Trial &trial, Dice &) {
        texts.observation.clear();
        for (const Statement &rule : trial.observation.rules)
            texts.observation.push_back({rule.neurasp, {}});
        for (const std::string &body : trial.observation.constraints)
            texts.observation.push_back({":- " + body + ".", {}});
    });
}

// A constraint with the first literal of its body, or something false, in its head. Literals are negated by
// one more `not`; those with several parts stay where they are.
std::string with_a_head(const std::string &body, Dice &dice) {
    const std::size_t comma = body.find(", ");
    const std::string first = body.substr(0, comma);
    const bool is_atom = first.find_first_of("{:=<>;") == std::string::npos;
    const char *nothing[] = {"1 < 0", "not #true", "#false | 2 = 1", "1 { }", "1 < 0 : 1 < 2"};
    if (!is_atom || first.starts_with("not not ") || dice.chance(30)) {
        return std::string(nothing[dice.below(5)]) + " :- " + body + ".";
    }
    const std::string head = "not " + first;
    const char *around[] = {"", "1 { ", "#false | ", "#sum { 2 : "};
    const char *behind[] = {"", " }", "", " : 1 < 2 } > 1"};
    const std::size_t kind = dice.below(4);
    std::string rule = around[kind] + head + behind[kind];
    if (comma != std::string::npos) rule += " :- " + body.substr(comma + 2);
    return rule + ".";
}

TEST(Metamorphic, a_constraint_may_have_a_head_that_derives_nothing) {
    expect_unchanged([](Texts &texts, Trial &trial, Dice &dice) {
        texts.observation.clear();
        for (const Statement &rule : trial.observation.rules)
            texts.observation.push_back({rule.neurasp, {}});
        for (const std::string &body : trial.observation.constraints)
            texts.observation.push_back({with_a_head(body, dice), {}});
    });
}

// A free choice doubles Num everywhere, an independent variable multiplies total choices: P(O) stays.
TEST(Metamorphic, irrelevant_rules_do_not_matter) {
    expect_unchanged([](Texts &texts, Trial &, Dice &dice) {
        texts.program +=
            "irrelevant(1..3). also(X) :- irrelevant(X), X > 1, not irrelevant(X+1).\n";
        if (dice.chance(50)) texts.program += "{irrelevant_choice}.\n";
        if (dice.chance(50)) texts.program += "0.3 : irrelevant_coin.\n";
        if (dice.chance(50)) texts.program += "lonely | alone. company :- lonely, not alone.\n";
    });
}

TEST(Metamorphic, names_do_not_matter) {
    expect_unchanged([](Texts &texts, Trial &trial, Dice &) {
        const auto rename = [](const std::string &text) {
            // Derived atoms sort behind everything now, networks before.
            return rename_numbered(rename_numbered(text, "g", "zebra_", ""), "net", "aNet", "'");
        };
        texts.program = rename(texts.program);
        for (Observation &text : texts.observation) text.text = rename(text.text);
        for (std::string &query : texts.queries) query = rename(query);
        texts.rename = rename;
        NetworkOutputs outputs;
        for (const auto &[network, entries] : trial.outputs.table())
            for (const auto &[terms, entry] : entries)
                outputs.set(rename(network), terms, entry.values);
        trial.outputs = outputs;
    });
}

// Everything on one line, comments and blank lines in between.
TEST(Metamorphic, layout_does_not_matter) {
    expect_unchanged([](Texts &texts, Trial &trial, Dice &dice) {
        texts.program = "%* a block\ncomment :- x. *%";
        for (const Statement &statement : trial.program.statements) {
            texts.program += statement.neurasp;
            texts.program += dice.chance(50)   ? " "
                             : dice.chance(50) ? " % note. 0.5 : x.\n"
                                               : "\n\n\t";
        }
    });
}

} // namespace
} // namespace neurasp::property
