// Families of observations, and observations that share a grounding only, against the observations one by one: random programs with facts, constraints and costs that
// differ between the observations of one kind. The numbers to compare with come from the enumeration of stable models.
#include "dice.hpp"
#include "neurasp/training.hpp"
#include "settings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

namespace neurasp::property {
namespace {

// Both sums have few terms, but their terms are added in different orders.
constexpr double tolerance = 1e-12;

// A program over two networks and two probabilistic rules, with predicates that only observations have facts for.
class FamilyBuilder {
  public:
    explicit FamilyBuilder(std::uint64_t seed) : dice_(seed) {}

    std::string program() {
        std::string text = "nn(m(1,a),[x,y,z]). nn(m(1,b),[x,y,z]). nn(n(2,c),[t,f]).\n"
                           "0.3 : r(1). 0.2 : s=u | 0.5 : s=v | 0.3 : s=w.\n"
                           "p(0). q(0).\n";
        for (int d = 1; d <= 6; ++d) {
            const std::size_t rules = 1 + dice_.below(2);
            for (std::size_t i = 0; i < rules; ++i) {
                text += "d(" + std::to_string(d) + ") :- " + body(d, 1 + dice_.below(3)) + ".\n";
            }
        }
        if (dice_.below(2) == 0) text += ":- " + outcome() + ", ban(K), K = 1..2.\n";
        if (dice_.below(3) == 0) text += ":- " + outcome() + ", " + outcome() + ".\n";
        if (dice_.below(3) == 0)
            text += ":- ban(K), " + outcome() + ", not d(" + number(6) + ").\n";
        if (dice_.below(4) == 0)
            text += "{e(1)} :- d(" + number(6) + ").\nd(1) :- e(1), " + outcome() + ".\n";
        if (dice_.below(5) == 0)
            text += "e(2) :- not e(3). e(3) :- not e(2). d(2) :- e(2), " + outcome() + ".\n";
        if (dice_.below(4) == 0) text += "p(X) :- d(X), p(" + number(3) + ").\n";
        if (dice_.below(3) == 0) {
            text += "d(" + number(6) + ") :- " + number(2) +
                    " #count{X : p(X); X,Y : d(X), q(Y)} " + number(4) + ".\n";
        }
        if (dice_.below(3) == 0) {
            // a positive cycle: models are listed before the compiler is tried
            text += "c(1) :- c(2). c(2) :- c(1). c(1) :- " + body(1, 2) + ". c(2) :- " + outcome() +
                    ". d(" + number(6) + ") :- c(" + number(2) + "), " + body(1, 1) + ".\n";
        }
        optimal_ = dice_.below(3) == 0;
        if (optimal_) {
            const std::size_t costs = 1 + dice_.below(3);
            for (std::size_t i = 0; i < costs; ++i) {
                const std::string at = "@" + number(2) + "," + std::to_string(i);
                switch (dice_.below(7)) {
                case 0: text += ":~ " + outcome() + ". [" + number(3) + at + "]\n"; break;
                case 1: text += ":~ " + outcome() + ", cost(C). [C" + at + "]\n"; break;
                case 2: text += ":~ cost(C). [C" + at + "]\n"; break;
                case 3: text += ":~ d(" + number(6) + "). [" + number(3) + at + "]\n"; break;
                case 4: text += ":~ not d(" + number(6) + "). [" + number(3) + at + "]\n"; break;
                case 5: text += ":~ d(" + number(6) + "), cost(C). [C" + at + "]\n"; break;
                default: text += ":~ not " + outcome() + ", cost(C). [-C" + at + "]\n"; break;
                }
            }
        }
        return text;
    }

    bool optimal() const { return optimal_; }

    std::vector<Observation> observations(std::size_t count) {
        const std::size_t form = dice_.below(5);
        const bool fixed_number = dice_.below(2) == 0;
        std::vector<Observation> result;
        for (std::size_t i = 0; i < count; ++i) {
            std::string text;
            const auto facts = [&](const std::string &name, std::size_t most) {
                const std::size_t size = fixed_number ? most : dice_.below(most + 1);
                for (std::size_t k = 0; k < size; ++k) text += name + "(" + number(4) + "). ";
            };
            facts("p", 2);
            facts("q", 1);
            facts("ban", 2);
            facts("cost", 2);
            if (optimal_) add_costs(i, text);
            if (form == 4)
                text += ":- not m(0,b," + pick("xyz") + "). "; // decides an outcome alone
            if (form != 0 && form != 4) text += ":- not d(" + number(6) + "). ";
            if (form == 2) text += ":- d(" + number(6) + "), m(0,a," + pick("xyz") + "). ";
            if (form == 3) text += "not d(" + number(6) + ") :- n(0,c," + pick("tf") + "). ";
            result.push_back({text, {}});
        }
        return result;
    }

  private:
    // Weak constraints of the observation, of few forms, so that kinds have more than one member.
    void add_costs(std::size_t i, std::string &text) {
        const std::string tuple = "@1," + std::to_string(i) + "]";
        if (dice_.below(2) == 0) return;
        text += ":~ m(0,a," + pick("xyz") + "). [" + number(3) + tuple + " ";
        if (dice_.below(2) == 0) return;
        text += ":~ d(" + number(6) + "). [-" + number(2) + tuple + " ";
    }

    std::string number(std::size_t most) { return std::to_string(1 + dice_.below(most)); }
    std::string pick(const std::string &letters) {
        return std::string(1, letters[dice_.below(letters.size())]);
    }
    std::string outcome() {
        switch (dice_.below(5)) {
        case 0: return "m(0,a," + pick("xyz") + ")";
        case 1: return "m(0,b," + pick("xyz") + ")";
        case 2: return "n(" + std::to_string(dice_.below(2)) + ",c," + pick("tf") + ")";
        case 3: return dice_.below(2) == 0 ? "r(1)" : "-r(1)";
        default: return "s(" + pick("uvw") + ")";
        }
    }
    std::string body(int head, std::size_t size) {
        std::string text;
        for (std::size_t i = 0; i < size; ++i) {
            if (i > 0) text += ", ";
            if (dice_.below(4) == 0) text += "not ";
            const auto lower = static_cast<std::size_t>(head) - 1;
            switch (dice_.below(4)) {
            case 0: text += lower == 0 ? outcome() : "d(" + number(lower) + ")"; break;
            case 1: text += "p(" + number(4) + ")"; break;
            case 2: text += "q(" + number(4) + ")"; break;
            default: text += outcome(); break;
            }
        }
        return text;
    }

    Dice dice_;
    bool optimal_ = false;
};

std::vector<double> random_row(Dice &dice, std::size_t events, std::size_t outcomes) {
    std::vector<double> row;
    for (std::size_t e = 0; e < events; ++e) {
        std::vector<double> numbers;
        double sum = 0.0;
        for (std::size_t o = 0; o < outcomes; ++o) {
            sum += numbers.emplace_back(0.05 + static_cast<double>(dice.below(1000)) / 1000.0);
        }
        for (const double x : numbers) row.push_back(x / sum);
    }
    return row;
}

struct Counts {
    std::size_t compared = 0;
    std::size_t impossible = 0;
    std::size_t shared = 0; // prepared from a family or a common grounding
};

// A circuit may lack variables that make no difference. Then all derivatives of a variable lack the same constant, so they are
// compared as a softmax in front of them would see them.
void expect_same_derivatives(const VariableGradient &expected, const std::vector<double> &found,
                             const std::vector<double> &probabilities) {
    double mean_found = 0.0;
    double mean_expected = 0.0;
    for (std::size_t o = 0; o < found.size(); ++o) {
        mean_found += probabilities[o] * found[o];
        mean_expected += probabilities[o] * expected.values[o];
    }
    for (std::size_t o = 0; o < found.size(); ++o) {
        const double right = expected.values[o] - mean_expected;
        EXPECT_NEAR(found[o] - mean_found, right, tolerance * (1.0 + std::abs(expected.values[o])))
            << expected.name << " " << o;
    }
}

void check_family(std::uint64_t seed, FamilyUse use, Counts &counts) {
    FamilyBuilder builder(seed);
    const std::string text = builder.program();
    const std::vector<Observation> observations = builder.observations(6);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    TrainingOptions options;
    options.optimal = builder.optimal();
    options.families = use;
    TrainingProgram program(Program::from_text(text), options);
    const auto ids = program.prepare(observations);
    ASSERT_EQ(ids.size(), observations.size());
    counts.shared += use == FamilyUse::always ? program.statistics().in_families
                                              : program.statistics().grounded_together;

    Dice dice(seed + 1);
    std::vector<std::vector<double>> outputs;
    std::vector<std::vector<double>> gradients;
    TrainingBatch<double> batch;
    TrainingResult<double> result;
    for (const NetworkShape &shape : program.networks()) {
        auto &rows = outputs.emplace_back();
        for (int call = 0; call < 2; ++call) {
            const auto row = random_row(dice, shape.events, shape.outcomes);
            rows.insert(rows.end(), row.begin(), row.end());
        }
        gradients.emplace_back(rows.size(), 0.0);
    }
    for (std::size_t m = 0; m < outputs.size(); ++m) {
        batch.outputs.push_back(Rows<const double>::contiguous(outputs[m], program.networks()[m]));
    }
    for (std::size_t i = 0; i < observations.size(); ++i) {
        SCOPED_TRACE(observations[i].text);
        const PreparedObservation &facts = program.at(ids[i]);
        std::vector<std::uint32_t> rows;
        for (const NetworkCall &call : facts.calls) {
            rows.push_back(call.terms == "b" ? 1 : 0);
        }
        const BatchExample example{ids[i], rows, 1.0};
        batch.examples = {&example, 1};
        double log = 0.0;
        ExampleStatus status{};
        for (auto &gradient : gradients) std::fill(gradient.begin(), gradient.end(), 0.0);
        result.output_gradients.clear();
        for (std::size_t m = 0; m < outputs.size(); ++m) {
            result.output_gradients.push_back(
                Rows<double>::contiguous(gradients[m], program.networks()[m]));
        }
        result.log_probability = {&log, 1};
        result.status = {&status, 1};
        program.run(batch, result);

        Settings settings;
        settings.engine = "enumerate";
        settings.optimal = builder.optimal();
        const Question question = program.ask({observations[i]});
        const GradientAnswer expected =
            question.gradient(program.outputs_of(batch, 0), options.convention, settings);
        ++counts.compared;
        if (!expected.defined) {
            ++counts.impossible;
            EXPECT_EQ(status, ExampleStatus::impossible) << "log " << log;
            continue;
        }
        ASSERT_EQ(status, ExampleStatus::exact);
        EXPECT_NEAR(log, expected.probability.log, tolerance);
        for (const VariableGradient &variable : expected.variables) {
            if (variable.source.network.empty()) continue;
            const std::size_t m = program.network_index(variable.source.network);
            const std::uint32_t row = variable.source.terms == "b" ? 1 : 0;
            std::vector<double> found;
            std::vector<double> probabilities;
            for (std::size_t o = 0; o < variable.values.size(); ++o) {
                found.push_back(result.output_gradients[m].at(row, variable.source.event, o));
                probabilities.push_back(batch.outputs[m].at(row, variable.source.event, o));
            }
            expect_same_derivatives(variable, found, probabilities);
        }
    }
}

void check_families(FamilyUse use) {
    Counts counts;
    for (const std::uint64_t seed : seeds_to_try()) {
        check_family(seed, use, counts);
        if (testing::Test::HasFailure()) break;
    }
    // otherwise little was tested
    EXPECT_GT(counts.shared, counts.compared / 2);
    EXPECT_LT(counts.impossible, counts.compared * 3 / 4);
    std::cout << counts.compared << " observations, " << counts.shared << " prepared together, "
              << counts.impossible << " impossible\n";
}

TEST(Families, GiveTheNumbersOfEnumeration) { check_families(FamilyUse::always); }

TEST(SharedGroundings, GiveTheNumbersOfEnumeration) { check_families(FamilyUse::only_grounding); }

} // namespace
} // namespace neurasp::property
