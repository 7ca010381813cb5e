// Programs about tables: small Bayesian networks, with rows of outputs that several tables share, next to a few other pieces.
// With so few random variables the compiler still decides on these; tests/circuit/switches_test.cpp has circuits that
// decide on the values of nodes.
#include "program_builder.hpp"

#include <algorithm>

namespace neurasp::property {

namespace {

constexpr std::size_t most_table_choices = 160; // times Num: what clingo lists in milliseconds

} // namespace

// The sources of rows: networks of two or three outcomes.
void ProgramBuilder::add_row_variables() {
    for (std::size_t i = 0; total_choices_ * 2 <= most_table_choices && i < 7; ++i) {
        const bool three = total_choices_ * 3 <= most_table_choices && dice_.chance(30);
        const std::string name = "row" + number(i);
        VariableSpec variable;
        variable.network = name;
        variable.terms = "x";
        for (std::size_t o = 0; o < (three ? 3 : 2); ++o)
            variable.atoms.push_back(name + "(0,x," + number(o) + ")");
        add("nn(" + name + "(1,x),[" + (three ? "0,1,2" : "0,1") + "]).", "");
        total_choices_ *= variable.atoms.size();
        program_.variables.push_back(std::move(variable));
    }
    for (const VariableSpec &variable : program_.variables)
        outcomes_.insert(outcomes_.end(), variable.atoms.begin(), variable.atoms.end());
}

// A node that has one value for each value of its parents: a row gives the value, or it is fixed. Few rows are missing or have
// another condition; then the node is not quite a table.
void ProgramBuilder::add_table(std::vector<std::vector<std::string>> &nodes, std::size_t &row) {
    const std::string name = "t" + number(nodes.size());
    const std::vector<std::string> &first = dice_.chance(60) ? nodes.back() : dice_.pick(nodes);
    const std::vector<std::string> &second = dice_.pick(nodes);
    const bool two_parents = &first != &second && dice_.chance(30);
    std::size_t values = 2;
    const auto rule = [&](std::size_t value, const std::string &condition) {
        add(name + "(" + number(value) + ") :- " + condition + ".");
        values = std::max(values, value + 1);
    };
    for (const std::string &a : first) {
        for (std::size_t b = 0; b < (two_parents ? second.size() : 1); ++b) {
            const std::string parents = two_parents ? a + ", " + second[b] : a;
            if (dice_.chance(4)) continue;
            if (dice_.chance(15)) {
                rule(dice_.below(3), parents);
                continue;
            }
            const bool is_new = row < program_.variables.size() && dice_.chance(75);
            const VariableSpec &source =
                is_new ? program_.variables[row++] : dice_.pick(program_.variables);
            for (std::size_t o = 0; o < source.atoms.size(); ++o) {
                const std::string more = dice_.chance(2) ? ", " + literal() : "";
                rule(o, parents + ", " + source.atoms[o] + more);
            }
        }
    }
    nodes.emplace_back();
    for (std::size_t v = 0; v < values; ++v) nodes.back().push_back(name + "(" + number(v) + ")");
}

void ProgramBuilder::build_tables() {
    add_row_variables();
    for (std::size_t i = 0; i < 2; ++i) fresh();
    std::vector<std::vector<std::string>> nodes{program_.variables.front().atoms};
    std::size_t row = 1;
    const std::size_t tables = dice_.between(2, 4);
    for (std::size_t i = 0; i < tables; ++i) add_table(nodes, row);
    for (std::size_t i = 1; i < nodes.size(); ++i)
        for (const std::string &atom : nodes[i]) {
            derived_.push_back(atom);
            targets_.push_back(atom);
        }
    for (std::size_t i = dice_.below(3); i > 0; --i) add_piece();
    const std::size_t observations = dice_.between(2, 3);
    for (std::size_t i = 0; i < observations; ++i) {
        ObservationSpec observation;
        observation.constraints.push_back((dice_.chance(75) ? "not " : "") +
                                          dice_.pick(nodes.back()));
        if (dice_.chance(40))
            observation.constraints.push_back((dice_.chance(40) ? "not " : "") + literal_atom());
        observation.queries.push_back(literal_atom());
        program_.observations.push_back(std::move(observation));
    }
}

} // namespace neurasp::property
