// Pieces for programs about positive cycles and large sets of rules, where a compiler to circuits needs
// more than completion.
#include "program_builder.hpp"

#include <algorithm>
#include <array>

namespace neurasp::property {

std::string ProgramBuilder::outcome_literal() {
    return (dice_.chance(75) ? "" : "not ") + dice_.pick(outcomes_);
}

// An atom that later pieces and observations use.
void ProgramBuilder::announce(const std::string &atom) {
    targets_.push_back(atom);
    derived_.push_back(atom);
}

// The edges of a connected graph, most of them random, plus some more.
std::string ProgramBuilder::add_graph(std::size_t nodes, std::size_t more) {
    const std::string name = fresh() + "_e";
    const auto edge = [&](std::size_t from, std::size_t to) {
        const std::string condition =
            dice_.chance(15)
                ? ""
                : " :- " + outcome_literal() + (dice_.chance(15) ? ", " + literal() : "");
        add(name + "(" + number(from) + "," + number(to) + ")" + condition + ".");
    };
    for (std::size_t node = 2; node <= nodes; ++node) edge(dice_.between(1, node - 1), node);
    for (std::size_t i = 0; i < more; ++i) edge(dice_.between(1, nodes), dice_.between(1, nodes));
    if (dice_.chance(50)) {
        add(name + "u(X,Y) :- " + name + "(X,Y). " + name + "u(Y,X) :- " + name + "(X,Y).");
        return name + "u";
    }
    return name;
}

void ProgramBuilder::add_reachability() {
    const std::size_t nodes = dice_.between(4, 6);
    const std::string edge = add_graph(nodes, dice_.between(2, 4));
    const std::string reach = fresh() + "_r";
    add(reach + "(1). " + reach + "(Y) :- " + reach + "(X), " + edge + "(X,Y).");
    if (dice_.chance(30))
        add(reach + "(" + number(dice_.between(2, nodes)) + ") :- " + literal() + ".");
    announce(reach + "(" + number(nodes) + ")");
    announce(reach + "(" + number(dice_.between(2, nodes)) + ")");
    if (dice_.chance(35)) add_second_relation(reach, edge, nodes);
}

// A relation on another graph that starts with steps of the first: separate cycles that share bodies.
void ProgramBuilder::add_second_relation(const std::string &first, const std::string &edge,
                                         std::size_t nodes) {
    const std::string other = add_graph(nodes, 1);
    const std::string second = fresh() + "_q";
    add(second + "(Y) :- " + first + "(X), " + edge + "(X,Y).");
    add(second + "(Y) :- " + second + "(X), " + other + "(X,Y).");
    announce(second + "(" + number(dice_.between(1, nodes)) + ")");
}

// All pairs; linear or not, with or without a node that blocks.
void ProgramBuilder::add_paths() {
    const std::size_t nodes = dice_.between(3, 4);
    const std::string edge = add_graph(nodes, dice_.between(1, 3));
    const std::string path = fresh() + "_p";
    const std::string blocked = dice_.chance(40) ? ", not " + path + "_block(Z)" : "";
    if (!blocked.empty())
        add(path + "_block(" + number(dice_.between(2, nodes)) + ") :- " + outcome_literal() + ".");
    add(path + "(X,Y) :- " + edge + "(X,Y).");
    add(path + "(X,Y) :- " + path + "(X,Z), " + (dice_.chance(50) ? path : edge) + "(Z,Y)" +
        blocked + ".");
    announce(path + "(1," + number(nodes) + ")");
    announce(path + "(" + number(nodes) + "," + number(dice_.between(1, nodes)) + ")");
}

// One strongly connected component of four to six atoms whose rules share bodies.
void ProgramBuilder::add_tangle() {
    std::vector<std::string> atoms;
    const std::size_t count = dice_.between(4, 6);
    for (std::size_t i = 0; i < count; ++i) atoms.push_back(fresh());
    std::vector<std::string> bodies;
    for (std::size_t i = 0; i < count; ++i) {
        std::string text = atoms[i];
        if (dice_.chance(40)) text += ", " + dice_.pick(atoms);
        if (dice_.chance(50)) text += ", " + literal();
        bodies.push_back(std::move(text));
    }
    for (std::size_t i = 0; i < count; ++i) {
        add(atoms[(i + 1) % count] + " :- " + bodies[i] + ".");
        if (dice_.chance(60)) add(dice_.pick(atoms) + " :- " + dice_.pick(bodies) + ".");
    }
    for (std::size_t i = 0; i < dice_.between(1, 3); ++i)
        add(dice_.pick(atoms) + " :- " + body(dice_.between(1, 2)) + ".");
    targets_.push_back(dice_.pick(atoms));
}

// Two cycles that meet in a body and in an atom.
void ProgramBuilder::add_interleaved_cycles() {
    const std::string x = fresh();
    const std::string y = fresh();
    const std::string z = fresh();
    const std::string w = fresh();
    const std::string common = outcome_literal();
    add(x + " :- " + y + ", " + common + ". " + y + " :- " + x + ", " + literal() + ".");
    add(z + " :- " + w + ", " + common + ". " + w + " :- " + z + ", " + y + ".");
    if (dice_.chance(60)) add(x + " :- " + z + ", " + w + ", " + outcome_literal() + ".");
    for (const std::string &atom : {x, z}) add(atom + " :- " + body(dice_.between(1, 2)) + ".");
    targets_.push_back(dice_.chance(50) ? w : x);
}

// Nodes that become active when enough of their neighbours are (monotone, so that its meaning is
// beyond doubt).
void ProgramBuilder::add_threshold_network() {
    const std::size_t nodes = dice_.between(3, 5);
    const std::string x = fresh() + "_t";
    for (std::size_t node = 1; node <= nodes; ++node) {
        std::string elements;
        for (std::size_t i = 0; i < dice_.between(2, 4); ++i) {
            const std::string condition = dice_.chance(60)
                                              ? x + "(" + number(dice_.between(1, nodes)) + ")"
                                              : dice_.pick(outcomes_);
            elements += (elements.empty() ? "" : "; ") + number(dice_.between(1, 3)) + "," +
                        number(i) + " : " + condition;
        }
        add(x + "(" + number(node) + ") :- #sum{" + elements +
            "} >= " + number(dice_.between(1, 3)) + ".");
    }
    add(x + "(1) :- " + outcome_literal() + ".");
    announce(x + "(" + number(nodes) + ")");
}

// A cardinality or weight body over many outcomes, with one bound or two.
void ProgramBuilder::add_weight_body() {
    const bool count = dice_.chance(40);
    std::string elements;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        if (dice_.chance(25)) continue;
        const std::string weight =
            count ? "" : (dice_.chance(20) ? "-" : "") + number(dice_.between(1, 4)) + ",";
        elements += (elements.empty() ? "" : "; ") + weight + number(i) + " : " +
                    (dice_.chance(80) ? "" : "not ") + outcomes_[i];
    }
    if (dice_.chance(30))
        elements += (elements.empty() ? "" : "; ") + std::string("2,99 : ") + derived();
    const std::size_t low = dice_.between(1, 4);
    const std::string aggregate = std::string(count ? "#count{" : "#sum{") + elements + "}";
    const std::string upper = dice_.chance(40) ? " <= " + number(low + dice_.below(4)) : "";
    const std::string x = fresh();
    add(x + " :- " + number(low) + " <= " + aggregate + upper + ".");
    targets_.push_back(x);
}

// Rules of a few heads for most combinations of the outcomes of two or three variables, as in a sum.
void ProgramBuilder::add_cube_set() {
    std::vector<std::size_t> chosen;
    for (std::size_t v = 0; v < program_.variables.size(); ++v) chosen.push_back(v);
    dice_.shuffle(chosen);
    chosen.resize(std::min<std::size_t>(chosen.size(), dice_.between(2, 4)));
    std::vector<std::vector<std::string>> cubes{{}};
    std::vector<std::size_t> sums{0};
    for (const std::size_t v : chosen) {
        std::vector<std::vector<std::string>> longer;
        std::vector<std::size_t> totals;
        for (std::size_t i = 0; i < cubes.size(); ++i)
            for (std::size_t o = 0; o < program_.variables[v].atoms.size(); ++o) {
                longer.push_back(cubes[i]);
                if (!dice_.chance(10)) longer.back().push_back(program_.variables[v].atoms[o]);
                totals.push_back(sums[i] + o);
            }
        cubes = std::move(longer);
        sums = std::move(totals);
    }
    const std::string x = fresh() + "_s";
    const std::size_t heads = dice_.between(1, 3);
    const std::string rest = dice_.chance(40) ? literal() : "";
    for (std::size_t i = 0; i < cubes.size() && i < 40; ++i) {
        if (dice_.chance(20)) continue;
        std::vector<std::string> parts = cubes[i];
        if (dice_.chance(15)) parts.push_back("not " + dice_.pick(outcomes_));
        if (!rest.empty() && dice_.chance(50)) parts.push_back(rest);
        std::string text;
        for (const std::string &part : parts) text += (text.empty() ? " :- " : ", ") + part;
        add(x + "(" + number(sums[i] % heads) + ")" + text + ".");
    }
    announce(x + "(0)");
}

// A choice that a cycle enables, and that feeds the cycle.
void ProgramBuilder::add_choice_on_cycle() {
    ++freedom_;
    const std::string x = fresh();
    const std::string y = fresh();
    const std::string z = fresh();
    const std::string enabler = dice_.chance(50) && !targets_.empty() ? dice_.pick(targets_) : x;
    add("{" + y + "} :- " + enabler + (dice_.chance(40) ? ", " + literal() : "") + ".");
    add(x + " :- " + y + ". " + x + " :- " + body(dice_.between(1, 2)) + ".");
    add(z + " :- " + y + ", " + outcome_literal() + ". " + y + " :- " + z + ".");
    if (dice_.chance(40)) add(":- " + z + ", not " + literal_atom() + ".");
    targets_.push_back(dice_.chance(50) ? z : y);
}

// Disjunctions whose atoms lie on different cycles.
void ProgramBuilder::add_disjunction_in_cycles() {
    ++freedom_;
    const std::string x = fresh();
    const std::string y = fresh();
    const std::string z = fresh();
    const std::string w = fresh();
    add(x + " | " + y + " :- " + body(dice_.between(1, 2)) + ".");
    add(z + " :- " + x + ". " + x + " :- " + z + ", " + literal() + ".");
    add(w + " :- " + y + ", " + literal() + ". " + y + " :- " + w + ".");
    if (dice_.chance(40)) add(w + " | " + z + " :- " + outcome_literal() + ".");
    targets_.push_back(dice_.chance(50) ? z : w);
}

// Several models below an atom of a cycle.
void ProgramBuilder::add_even_loop_below() {
    ++freedom_;
    const std::string x = fresh();
    const std::string y = fresh();
    const std::string from = targets_.empty() ? derived() : dice_.pick(targets_);
    add(x + " :- not " + y + ", " + from + ". " + y + " :- not " + x + ", " + from + ".");
    if (dice_.chance(50)) add(y + " :- " + x + ", " + outcome_literal() + ".");
    targets_.push_back(x);
}

std::string ProgramBuilder::literal_atom() {
    return targets_.empty() || dice_.chance(30) ? positive() : dice_.pick(targets_);
}

void ProgramBuilder::add_cycle_piece() {
    using Piece = void (ProgramBuilder::*)();
    static const std::array<Piece, 14> pieces = {
        &ProgramBuilder::add_reachability,
        &ProgramBuilder::add_reachability,
        &ProgramBuilder::add_paths,
        &ProgramBuilder::add_tangle,
        &ProgramBuilder::add_tangle,
        &ProgramBuilder::add_interleaved_cycles,
        &ProgramBuilder::add_interleaved_cycles,
        &ProgramBuilder::add_threshold_network,
        &ProgramBuilder::add_weight_body,
        &ProgramBuilder::add_cube_set,
        &ProgramBuilder::add_cube_set,
        &ProgramBuilder::add_choice_on_cycle,
        &ProgramBuilder::add_disjunction_in_cycles,
        &ProgramBuilder::add_even_loop_below,
    };
    const std::size_t number = dice_.below(pieces.size());
    constexpr std::size_t first_that_multiplies = 11;
    if (number >= first_that_multiplies && freedom_ >= 2) return add_tangle();
    (this->*pieces[number])();
}

// Variables with two outcomes, so that each can be an edge, and sometimes one with more.
void ProgramBuilder::add_cycle_variables() {
    const std::size_t coins = dice_.between(3, 6);
    for (std::size_t i = 0; i < coins; ++i) {
        const std::string name = "coin" + number(i);
        VariableSpec variable;
        variable.network = name;
        variable.terms = "x";
        variable.atoms = {name + "(0,x,yes)", name + "(0,x,no)"};
        add("nn(" + name + "(1,x),[yes,no]).", "");
        program_.variables.push_back(std::move(variable));
    }
    total_choices_ = std::size_t{1} << coins;
    if (coins <= 5 && dice_.chance(60)) add_network(0);
    if (coins <= 4 && dice_.chance(50)) add_probabilistic_rule(7);
    for (const VariableSpec &variable : program_.variables)
        outcomes_.insert(outcomes_.end(), variable.atoms.begin(), variable.atoms.end());
}

// One or more cycles with everything else around them; the observations are about them.
void ProgramBuilder::build_cycles() {
    add_cycle_variables();
    for (std::size_t i = 0; i < 3; ++i) fresh();
    const std::size_t pieces = dice_.between(1, 3);
    for (std::size_t i = 0; i < pieces; ++i) add_cycle_piece();
    for (std::size_t i = 0; i < dice_.below(3); ++i) add_piece();
    const std::size_t observations = dice_.between(2, 3);
    for (std::size_t i = 0; i < observations; ++i) {
        ObservationSpec observation;
        observation.constraints.push_back((dice_.chance(65) ? "not " : "") + literal_atom());
        if (dice_.chance(40))
            observation.constraints.push_back((dice_.chance(40) ? "not " : "") + literal_atom());
        if (dice_.chance(20)) observation.constraints.push_back(body(2));
        observation.queries.push_back(literal_atom());
        program_.observations.push_back(std::move(observation));
    }
}

} // namespace neurasp::property
