// Random programs without positive cycles and free choices, compiled with every combination of the compiler's switches and
// compared with brute force over total choices.
//
// The programs are small Bayesian networks with rules around them: tables of two to four values whose parents are random
// variables or other tables, rows without an outcome, noisy ors, negation, aggregates, constraints, and observations that
// are outcomes, values and their negations. NEURASP_SWITCHES_PROGRAMS and NEURASP_SWITCHES_SEED ask for other ones.
#include "base/random_stream.hpp"
#include "circuit/compiler.hpp"
#include "circuit/exact_evaluation.hpp"
#include "circuit_support.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace neurasp::circuit {
namespace {

using test::Example;

struct RandomText {
    std::string program;
    std::vector<std::vector<std::string>> variables; // names of outcomes
    std::vector<std::string> atoms;                  // that may be observed
};

class TextBuilder {
  public:
    explicit TextBuilder(std::uint64_t seed) : random_(seed) {}

    RandomText run() {
        const std::uint64_t roots = 1 + random_.below(3);
        for (std::uint64_t i = 0; i < roots; ++i) {
            nodes_.push_back(new_variable("r" + std::to_string(i), 2 + random_.below(4)));
        }
        const std::uint64_t tables = 1 + random_.below(3);
        for (std::uint64_t i = 0; i < tables && has_room(); ++i) add_table(i);
        const std::uint64_t rules = random_.below(4);
        for (std::uint64_t i = 0; i < rules; ++i) add_rule(i);
        if (chance(2)) text_.program += ":- " + literal() + ", " + literal() + ".\n";
        for (const auto &node : nodes_) {
            text_.atoms.insert(text_.atoms.end(), node.begin(), node.end());
        }
        return std::move(text_);
    }

  private:
    using Names = std::vector<std::string>;

    bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }
    // Brute force goes over all total choices.
    bool has_room() const { return choices_ <= 300; }

    Names new_variable(const std::string &name, std::uint64_t outcomes) {
        Names names;
        for (std::uint64_t o = 0; o < outcomes; ++o) {
            names.push_back(name + "(" + std::to_string(o) + ")");
        }
        text_.program += "{" + name + "(0.." + std::to_string(outcomes - 1) + ")}.\n";
        text_.variables.push_back(names);
        choices_ *= outcomes;
        return names;
    }

    // A node with one or two parents and, for each of their joint values, a row with a random variable of its own, one
    // that several rows share, or a fixed value.
    void add_table(std::uint64_t number) {
        const std::string name = "t" + std::to_string(number);
        const std::uint64_t values = 2 + random_.below(3);
        const Names first = nodes_[random_.below(nodes_.size())];
        const Names second = chance(2) ? nodes_[random_.below(nodes_.size())] : Names{};
        const std::string shared = name + "s";
        bool has_shared = false;
        std::uint64_t row = 0;
        for (const std::string &a : first) {
            for (std::size_t b = 0; b < std::max<std::size_t>(second.size(), 1); ++b) {
                std::string body = a;
                if (!second.empty() && second[b] != a) body += ", " + second[b];
                if (chance(8)) continue; // no row
                if (chance(6) || !has_room()) {
                    text_.program +=
                        name + "(" + std::to_string(random_.below(values)) + ") :- " + body + ".\n";
                    continue;
                }
                const bool share = chance(3);
                const std::string source = share ? shared : name + "_" + std::to_string(row++);
                if (!share || !has_shared) new_variable(source, values);
                has_shared = has_shared || share;
                for (std::uint64_t v = 0; v < values; ++v) {
                    const std::string value = "(" + std::to_string(v) + ")";
                    text_.program += name + value + " :- " + body + ", " + source + value + ".\n";
                }
            }
        }
        Names names;
        for (std::uint64_t v = 0; v < values; ++v) {
            names.push_back(name + "(" + std::to_string(v) + ")");
            text_.program += "mentioned :- " + names.back() + ".\n"; // so that it is known
        }
        nodes_.push_back(std::move(names));
    }

    std::string atom() {
        const Names &node = nodes_[random_.below(nodes_.size())];
        return node[random_.below(node.size())];
    }
    std::string literal() { return (chance(3) ? "not " : "") + atom(); }

    void add_rule(std::uint64_t number) {
        const std::string name = "a" + std::to_string(number);
        if (chance(3)) {
            text_.program += name + " :- " + std::to_string(1 + random_.below(3)) + " {" + atom() +
                             "; " + atom() + "; " + atom() + "; " + atom() + "}.\n";
        } else if (chance(2)) {
            text_.program += name + " :- #sum{2 : " + atom() + "; -1 : " + atom() +
                             "; 1 : " + literal() + "} > 0.\n";
        } else {
            for (std::uint64_t i = 0; i <= random_.below(3); ++i) {
                text_.program += name + " :- " + literal() + ", " + literal() + ".\n";
            }
        }
        text_.program += name + " :- " + atom() + ", " + atom() + ".\n"; // so that it is known
        nodes_.push_back({name});
    }

    base::RandomStream random_;
    RandomText text_;
    std::vector<Names> nodes_; // what later rules may mention
    std::uint64_t choices_ = 1;
};

std::uint64_t number_from(const char *name, std::uint64_t otherwise) {
    const char *text = std::getenv(name); // NOLINT(concurrency-mt-unsafe): before any thread starts
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Whether atoms of the text are known: the grounder drops those that can never hold.
std::vector<std::string> known_atoms(const Example &example, const RandomText &text) {
    std::vector<std::string> known;
    for (const std::string &name : text.atoms) {
        if (example.program().find(asp::Symbol::parse(name))) known.push_back(name);
    }
    return known;
}

void expect_right_with_all(const Example &example, const RandomText &text,
                           const std::vector<std::string> &evidence) {
    const auto weights = test::some_weights(example);
    const double expected = example.probability(evidence, weights);
    const Theory theory = translate(example.input(evidence)).theory.value();
    const auto rows = test::weights_of(theory, weights);
    // P(outcome and evidence) for the outcomes of the first choice
    std::vector<double> joint;
    if (!theory.choices().empty()) {
        for (const std::string &outcome : text.variables[theory.choices()[0].source]) {
            auto with = evidence;
            with.push_back(outcome);
            joint.push_back(example.probability(with, weights));
        }
    }
    for (const NamedSwitches &named : all_compiler_switches()) {
        SCOPED_TRACE(named.name);
        base::Budget budget;
        const auto result = compile(theory, Below::ratios, {}, budget, named.switches);
        ASSERT_TRUE(result.circuit) << result.limit;
        const Circuit &circuit = *result.circuit;
        circuit.verify();
        EXPECT_NEAR(test::plain_value(circuit, rows), expected, test::rounding);
        const Circuit smooth = smoothed(circuit);
        smooth.verify();
        EXPECT_NEAR(test::plain_value(smooth, rows), expected, test::rounding);
        for (std::size_t o = 0; o < joint.size(); ++o) {
            EXPECT_NEAR(rows[o] * test::plain_derivative(smooth, rows, o), joint[o],
                        test::rounding);
        }
    }
}

// The derivative of a circuit with respect to a shown literal is the probability of the evidence and the literal.
void expect_right_marginals(const Example &example, const std::vector<std::string> &evidence,
                            const std::vector<std::string> &shown) {
    const auto weights = test::some_weights(example);
    std::vector<double> expected;
    TranslationInput input = example.input(evidence);
    for (const std::string &text : shown) {
        auto with = evidence;
        with.push_back(text);
        expected.push_back(example.probability(with, weights));
        input.shown.push_back({{example.literal(text)}});
    }
    const Theory theory = translate(input).theory.value();
    const auto rows = test::scaled(test::weights_of(theory, weights));
    for (const NamedSwitches &named : all_compiler_switches()) {
        SCOPED_TRACE(named.name);
        base::Budget budget;
        const auto result = compile(theory, Below::ratios, {}, budget, named.switches);
        ASSERT_TRUE(result.circuit) << result.limit;
        const Circuit &circuit = *result.circuit;
        circuit.verify();
        ExactEvaluation evaluation(circuit, rows);
        evaluation.differentiate();
        EXPECT_NEAR(evaluation.value().to_double(), example.probability(evidence, weights),
                    test::rounding);
        for (std::uint32_t i = 0; i < shown.size(); ++i) {
            if (theory.shown[i].var() == 0) continue;
            const auto first = std::find(theory.shown.begin(), theory.shown.end(), theory.shown[i]);
            const auto variable = static_cast<std::uint32_t>(
                theory.choices().size() + static_cast<std::size_t>(first - theory.shown.begin()));
            EXPECT_NEAR(evaluation.derivative(circuit.input(variable, 0)).to_double(), expected[i],
                        test::rounding)
                << shown[i];
        }
    }
}

TEST(Switches, random_programs_agree_with_brute_force) {
    const std::uint64_t programs = number_from("NEURASP_SWITCHES_PROGRAMS", 150);
    const std::uint64_t first = number_from("NEURASP_SWITCHES_SEED", 1);
    for (std::uint64_t seed = first; seed < first + programs; ++seed) {
        const RandomText text = TextBuilder(seed).run();
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text.program);
        const Example example(text.program, text.variables);
        const auto known = known_atoms(example, text);
        base::RandomStream random(seed + 1'000'000'007);
        std::vector<std::string> evidence;
        for (std::uint64_t i = 0; i <= random.below(3) && !known.empty(); ++i) {
            evidence.push_back((random.below(4) == 0 ? "not " : "") +
                               known[random.below(known.size())]);
        }
        expect_right_with_all(example, text, evidence);
        std::vector<std::string> shown;
        for (int i = 0; i < 4 && !known.empty(); ++i) {
            shown.push_back((random.below(4) == 0 ? "not " : "") +
                            known[random.below(known.size())]);
        }
        expect_right_marginals(example, evidence, shown);
        if (HasFatalFailure() || HasNonfatalFailure()) return; // the first is enough to read
    }
}

} // namespace
} // namespace neurasp::circuit
