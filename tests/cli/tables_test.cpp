// The command on a Bayesian network, whose circuit has sums that branch on what the outcomes define. The reference is a sum
// over all total choices.
#include "cli/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr double tolerance = 1e-9; // relative to 1; sums of up to 2^18 products

// Nodes with the values y and n. A row of a table is a random variable; it says how probable y is.
struct Node {
    std::string name;
    std::vector<std::size_t> parents;
    std::vector<int> hundredths; // of y, for each joint value of the parents: yy, yn, ny, nn
};

const std::vector<Node> &nodes() {
    static const std::vector<Node> all = {
        {"visit", {}, {19}},     {"smoker", {}, {24}},       {"tub", {0}, {15, 70}},
        {"lung", {1}, {68, 91}}, {"bronc", {1}, {60, 30}},   {"either", {3, 2}, {88, 56}},
        {"xray", {5}, {98, 5}},  {"dysp", {5, 4}, {90, 70}},
    };
    return all;
}

std::vector<std::string> rows_of(const Node &node) {
    std::vector<std::string> rows{node.name};
    for (std::size_t i = 0; i < node.parents.size(); ++i) {
        std::vector<std::string> longer;
        for (const std::string &row : rows) {
            longer.push_back(row + ",y");
            longer.push_back(row + ",n");
        }
        rows = longer;
    }
    return rows;
}

// Tables of two parents list two numbers; the other two are these turned round.
int hundredths(const Node &node, std::size_t row) {
    const std::size_t count = node.hundredths.size();
    return row < count ? node.hundredths[row] : 100 - node.hundredths[row - count];
}

std::string program() {
    std::string text;
    for (const Node &node : nodes()) {
        const auto rows = rows_of(node);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const double yes = hundredths(node, r) / 100.0;
            text += std::to_string(yes) + " : t(" + rows[r] + ",y) | " + std::to_string(1.0 - yes) +
                    " : t(" + rows[r] + ",n).\nis(" + node.name + ",V) :- ";
            for (std::size_t p = 0; p < node.parents.size(); ++p) {
                const char value = rows[r][rows[r].size() - 2 * (node.parents.size() - p) + 1];
                text += "is(" + nodes()[node.parents[p]].name + "," + value + "), ";
            }
            text += "t(" + rows[r] + ",V).\n";
        }
    }
    return text;
}

// All total choices with xray = y and dysp = n. An atom of a row or a node has a number; a world is the set of its true atoms.
class Worlds {
  public:
    Worlds() {
        for (const Node &node : nodes()) {
            const auto names = rows_of(node);
            for (std::size_t r = 0; r < names.size(); ++r) {
                yes_.push_back(hundredths(node, r) / 100.0);
                atoms_.push_back("t(" + names[r] + ",y)");
                atoms_.push_back("t(" + names[r] + ",n)");
            }
        }
        for (std::uint64_t choice = 0; choice < std::uint64_t{1} << yes_.size(); ++choice) {
            add(choice);
        }
        for (const Node &node : nodes()) {
            atoms_.push_back("is(" + node.name + ",y)");
            atoms_.push_back("is(" + node.name + ",n)");
        }
    }

    // P(all of these atoms and the observation)
    double joint(const std::vector<std::string> &atoms) const {
        double sum = 0.0;
        const std::uint64_t wanted = set_of(atoms);
        for (const auto &[world, probability] : observed_) {
            if ((world & wanted) == wanted) sum += probability;
        }
        return sum;
    }
    // The most probable world with this atom.
    double best(const std::string &atom) const {
        double most = 0.0;
        const std::uint64_t wanted = set_of({atom});
        for (const auto &[world, probability] : observed_) {
            if ((world & wanted) != 0) most = std::max(most, probability);
        }
        return most;
    }

  private:
    // Bit r of the choice: row r says n.
    void add(std::uint64_t choice) {
        std::uint64_t world = 0;
        double probability = 1.0;
        for (std::size_t r = 0; r < yes_.size(); ++r) {
            const std::uint64_t no = (choice >> r) & 1U;
            probability *= no != 0 ? 1.0 - yes_[r] : yes_[r];
            world |= std::uint64_t{1} << (2 * r + no);
        }
        std::vector<std::uint64_t> values; // of nodes; 1: n
        std::size_t first = 0;             // row of the node
        for (const Node &node : nodes()) {
            std::size_t row = 0;
            for (const std::size_t parent : node.parents) row = 2 * row + values[parent];
            values.push_back((choice >> (first + row)) & 1U);
            world |= std::uint64_t{1} << (2 * (yes_.size() + values.size() - 1) + values.back());
            first += std::size_t{1} << node.parents.size();
        }
        if (values[6] == 0 && values[7] == 1) observed_.emplace_back(world, probability);
    }
    std::uint64_t set_of(const std::vector<std::string> &atoms) const {
        std::uint64_t set = 0;
        for (const std::string &atom : atoms) {
            const auto place = std::find(atoms_.begin(), atoms_.end(), atom);
            if (place == atoms_.end()) throw std::logic_error("there is no atom " + atom);
            set |= std::uint64_t{1} << static_cast<std::size_t>(place - atoms_.begin());
        }
        return set;
    }

    std::vector<double> yes_; // by row
    std::vector<std::string> atoms_;
    std::vector<std::pair<std::uint64_t, double>> observed_;
};

class Tables : public testing::Test {
  protected:
    json answer(Words arguments) {
        arguments.insert(arguments.begin() + 1, {network_, "-o", observation, "--format", "json"});
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return json::parse(result.out);
    }
    static constexpr auto observation = ":- not is(xray,y). :- not is(dysp,n).";
    Folder folder_;
    std::string network_ = folder_.file("network.lp", program());
    Worlds worlds_;
};

// Otherwise the other tests test nothing new.
TEST_F(Tables, the_circuit_has_sums_without_a_variable) {
    const std::string file = folder_.path("network.circuit");
    ASSERT_EQ(neurasp({"compile", network_, "--observe", observation, "-o", file}).exit_code, 0);
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(text, HasSubstr("\n| "));
}

TEST_F(Tables, explanations_have_the_probabilities_of_the_network) {
    const json found = answer({"explain", "-q", "is(lung,y)", "--engine", "circuit"});
    const double observed = worlds_.joint({});
    const double with = worlds_.joint({"is(lung,y)"});
    EXPECT_NEAR(found["observation"].get<double>(), observed, tolerance);
    EXPECT_NEAR(found["probability"].get<double>(), with / observed, tolerance);
    ASSERT_FALSE(found["reasons"].empty());
    for (const json &reason : found["reasons"]) {
        std::vector<std::string> atoms;
        for (const json &outcome : reason["outcomes"]) atoms.push_back(outcome["atom"]);
        const double given = worlds_.joint(atoms);
        atoms.emplace_back("is(lung,y)");
        EXPECT_NEAR(reason["probability"].get<double>(), worlds_.joint(atoms) / observed,
                    tolerance);
        EXPECT_NEAR(reason["share"].get<double>(), worlds_.joint(atoms) / with, tolerance);
        EXPECT_NEAR(reason["certainty"].get<double>(), worlds_.joint(atoms) / given, tolerance);
    }
    EXPECT_NEAR(found["with_query"]["probability"].get<double>(), worlds_.best("is(lung,y)"),
                tolerance);
    EXPECT_NEAR(found["without_query"]["probability"].get<double>(), worlds_.best("is(lung,n)"),
                tolerance);
}

TEST_F(Tables, marginals_are_those_of_the_network) {
    const json found = answer({"marginals", "--engine", "circuit"});
    const double observed = worlds_.joint({});
    std::size_t compared = 0;
    for (const auto &[atom, probability] : found["atoms"].items()) {
        EXPECT_NEAR(probability.get<double>(), worlds_.joint({atom}) / observed, tolerance) << atom;
        ++compared;
    }
    EXPECT_GE(compared, 2 * nodes().size() - 2);
}

} // namespace
} // namespace neurasp::test
