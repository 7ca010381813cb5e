// Pieces of answer set programming, each a small pattern filled with random literals.
#include "program_builder.hpp"

#include <array>

namespace neurasp::property {

namespace {

const std::vector<std::string> &comparisons() {
    static const std::vector<std::string> all = {"<", "<=", ">", ">=", "=", "!="};
    return all;
}

} // namespace

void ProgramBuilder::add(std::string text) { program_.statements.push_back({text, text}); }

void ProgramBuilder::add(std::string neurasp, std::string plain) {
    program_.statements.push_back({std::move(neurasp), std::move(plain)});
}

std::string ProgramBuilder::derived() { return dice_.pick(derived_); }

std::string ProgramBuilder::fresh() {
    derived_.push_back("g" + number(derived_.size()));
    return derived_.back();
}

std::string ProgramBuilder::positive() {
    return dice_.chance(60) ? dice_.pick(outcomes_) : derived();
}

std::string ProgramBuilder::literal() {
    const std::size_t kind = dice_.below(100);
    return kind < 60 ? positive() : kind < 95 ? "not " + positive() : "not not " + positive();
}

std::string ProgramBuilder::body(std::size_t count) {
    std::string text = literal();
    for (std::size_t i = 1; i < count; ++i) text += ", " + literal();
    return text;
}

void ProgramBuilder::add_normal_rule() {
    add(derived() + " :- " + body(dice_.between(1, 3)) + ".");
}

void ProgramBuilder::add_positive_loop() {
    std::vector<std::string> atoms = {derived(), derived(), derived()};
    atoms.resize(dice_.between(2, 3));
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const std::string extra = dice_.chance(40) ? ", " + literal() : "";
        add(atoms[i] + " :- " + atoms[(i + 1) % atoms.size()] + extra + ".");
    }
    add(dice_.pick(atoms) + " :- " + body(dice_.between(1, 2)) + ".");
}

// Atoms of one component that share a body, with two external supports.
void ProgramBuilder::add_shared_loop() {
    const std::string x = fresh();
    const std::string y = fresh();
    const std::string z = derived();
    add(x + " :- " + y + ", " + z + ".");
    add(y + " :- " + x + ", " + z + ". " + z + " :- " + x + ".");
    add(x + " :- " + body(2) + ".");
    add(y + " :- " + body(2) + ".");
}

void ProgramBuilder::add_even_loop() {
    ++freedom_;
    const std::string x = fresh();
    const std::string y = fresh();
    const std::string condition = body(dice_.between(1, 2));
    add(x + " :- not " + y + ", " + condition + ".");
    add(y + " :- not " + x + ", " + (dice_.chance(70) ? condition : body(1)) + ".");
}

void ProgramBuilder::add_constraint() {
    if (dice_.chance(20)) {
        const std::string x = fresh();
        add(x + " :- not " + x + ", " + body(2) + ".");
    } else {
        add(":- " + body(dice_.between(2, 3)) + ".");
    }
}

void ProgramBuilder::add_choice() {
    ++freedom_;
    const std::string x = fresh();
    switch (dice_.below(4)) {
    case 0: return add("{" + x + "; " + derived() + "} :- " + body(1) + ".");
    case 1: return add("1 {" + x + "; " + fresh() + "; " + derived() + "} 2 :- " + body(1) + ".");
    case 2:
        return add("{" + x + "(X) : X = 1..3} = 1 :- " + body(1) + ". " + x + " :- " + x + "(2).");
    default: return add("{" + x + " : " + literal() + "}.");
    }
}

void ProgramBuilder::add_disjunction() {
    ++freedom_;
    const std::string separator = dice_.chance(50) ? " | " : " ; ";
    add(fresh() + separator + derived() + (dice_.chance(30) ? separator + fresh() : "") + " :- " +
        body(dice_.between(1, 2)) + ".");
}

void ProgramBuilder::add_head_cycle() {
    ++freedom_;
    const std::string x = fresh();
    const std::string y = fresh();
    add(x + " | " + y + ".");
    add(x + " :- " + y + ", " + literal() + ".");
    add(y + " :- " + x + ", " + literal() + ".");
}

void ProgramBuilder::add_count() {
    add(derived() + " :- #count{1 : " + literal() + "; 2 : " + literal() + "; 3 : " + positive() +
        ", " + literal() + "} " + dice_.pick(comparisons()) + " " + number(dice_.below(4)) + ".");
}

void ProgramBuilder::add_sum() {
    static const std::vector<std::string> weights = {"-3", "-2", "-1", "1", "2", "3", "4"};
    const std::string name = dice_.chance(20) ? "#sum+" : "#sum";
    std::string elements;
    for (std::size_t i = 0; i < dice_.between(2, 4); ++i)
        elements += (elements.empty() ? "" : "; ") + dice_.pick(weights) + "," + number(i) + " : " +
                    literal();
    const std::string bound = dice_.pick(weights);
    if (dice_.chance(25))
        add(":- " + bound + " < " + name + "{" + elements + "}.");
    else
        add(derived() + " :- " + name + "{" + elements + "} " + dice_.pick(comparisons()) + " " +
            bound + ".");
}

void ProgramBuilder::add_min_max() {
    add(derived() + " :- " + (dice_.chance(50) ? "#min" : "#max") + "{1 : " + literal() +
        "; 2 : " + literal() + "; 4 : " + positive() + "} " + dice_.pick(comparisons()) + " " +
        number(dice_.between(1, 4)) + ".");
}

// Monotone, so that clingo and the definition of stable models agree on it without doubt.
void ProgramBuilder::add_recursive_aggregate() {
    const std::string x = fresh();
    const std::string y = fresh();
    add(x + " :- #sum{1 : " + y + "; 1,2 : " + positive() + "; 2 : " + positive() + "} >= 2.");
    add(y + " :- " + x + ".");
    if (dice_.chance(50)) add(y + " :- " + body(2) + ".");
}

void ProgramBuilder::add_strong_negation() {
    const std::string x = derived();
    const std::string condition = body(dice_.between(1, 2));
    const bool tilde = dice_.chance(30);
    add((tilde ? "~" : "-") + x + " :- " + condition + ".", "-" + x + " :- " + condition + ".");
    if (dice_.chance(60)) add(fresh() + " :- -" + x + ", not " + derived() + ".");
}

void ProgramBuilder::add_weak_constraint() {
    static const std::vector<std::string> weights = {"-2", "-1", "1", "1", "2", "3"};
    static const std::vector<std::string> priorities = {"", "", "@1", "@2", "@-1"};
    const std::string tuple = dice_.chance(50) ? "," + derived() : "";
    add(":~" + std::string(dice_.chance(70) ? " " : "") + body(dice_.between(1, 2)) + ". [" +
        dice_.pick(weights) + dice_.pick(priorities) + tuple + "]");
}

void ProgramBuilder::add_minimize() {
    add(std::string(dice_.chance(50) ? "#minimize" : "#maximize") + "{1@2,a : " + literal() +
        "; 2,b : " + literal() + "; 3,c : " + positive() + ", " + literal() + "}.");
}

void ProgramBuilder::add_conditional_literal() {
    const std::string x = fresh();
    add(x + "(1) :- " + literal() + ". " + x + "(2) :- " + literal() + ". " + x + "_dom(1..2).");
    if (dice_.chance(70)) {
        add(derived() + " :- " + x + "(X) : " + x + "_dom(X).");
    } else {
        ++freedom_;
        add(fresh() + " | " + fresh() + "(X) : " + x + "_dom(X) :- " + literal() + ".");
    }
}

void ProgramBuilder::add_interval() {
    const std::string x = fresh();
    add(x + "_lvl(1..3).");
    add(x + "(X) :- " + x + "_lvl(X), X > " + number(dice_.below(3)) + ", " + literal() + ".");
    add(x + "(X+1) :- " + x + "(X), X < 3, " + literal() + ".");
    add(x + " :- " + x + "(3), not " + x + "(1).");
}

// Joins the atoms of one network by a variable, or names its outcomes.
void ProgramBuilder::add_network_join() {
    for (const VariableSpec &variable : program_.variables) {
        if (variable.network.empty() || dice_.chance(30)) continue;
        const bool two_terms = variable.terms.find(',') != std::string::npos;
        const std::string left = two_terms ? "(I,T,S,V)" : "(I,T,V)";
        const std::string right = two_terms ? "(J,U,W,V)" : "(J,U,V)";
        const std::string x = fresh();
        add(x + "(V) :- " + variable.network + left + ".");
        add(x + " :- " + variable.network + left + ", " + variable.network + right +
            ", (I,T) < (J,U).");
        return;
    }
}

void ProgramBuilder::add_constant() {
    const std::string x = fresh();
    add("#const k" + x + " = " + number(dice_.between(1, 3)) + ".");
    add(x + "(k" + x + ") :- " + literal() + ".");
    add(x + " :- " + x + "(X), X = (1;2).");
}

void ProgramBuilder::add_external() {
    const std::string x = fresh();
    add("#external " + x + "_ext.");
    add(x + " :- " + x + "_ext. " + x + " :- not " + x + "_ext, " + literal() + ".");
}

// The appendix's multi-valued constants: at most one value in every stable model.
void ProgramBuilder::add_valued_constant() {
    const std::string x = fresh() + "_size";
    const std::string first = body(dice_.between(1, 2));
    const std::string second = body(dice_.between(1, 2));
    add(x + "(a)=big :- " + first + ".", x + "(a,big) :- " + first + ".");
    add(x + "(a)=small :- " + second + ".",
        x + "(a,small) :- " + second + ".\n:- 2 { " + x + "(a,big); " + x + "(a,small) }.");
    add(derived() + " :- " + x + "(a,V), V != small.");
}

void ProgramBuilder::add_show() {
    for (const std::string &atom : {derived(), derived()}) {
        add("#show " + atom + "/0.", "");
        program_.shown.insert(atom + "/0");
    }
    const VariableSpec &variable = dice_.pick(program_.variables);
    if (!variable.network.empty()) {
        const std::string arity = variable.terms.find(',') == std::string::npos ? "/3" : "/4";
        add("#show " + variable.network + arity + ".", "");
        program_.shown.insert(variable.network + arity);
    }
}

void ProgramBuilder::add_piece() {
    using Piece = void (ProgramBuilder::*)();
    // Repeated entries are more frequent.
    static const std::array<Piece, 24> pieces = {
        &ProgramBuilder::add_normal_rule,     &ProgramBuilder::add_normal_rule,
        &ProgramBuilder::add_normal_rule,     &ProgramBuilder::add_positive_loop,
        &ProgramBuilder::add_positive_loop,   &ProgramBuilder::add_shared_loop,
        &ProgramBuilder::add_even_loop,       &ProgramBuilder::add_constraint,
        &ProgramBuilder::add_constraint,      &ProgramBuilder::add_choice,
        &ProgramBuilder::add_disjunction,     &ProgramBuilder::add_head_cycle,
        &ProgramBuilder::add_count,           &ProgramBuilder::add_sum,
        &ProgramBuilder::add_min_max,         &ProgramBuilder::add_recursive_aggregate,
        &ProgramBuilder::add_strong_negation, &ProgramBuilder::add_weak_constraint,
        &ProgramBuilder::add_minimize,        &ProgramBuilder::add_conditional_literal,
        &ProgramBuilder::add_interval,        &ProgramBuilder::add_network_join,
        &ProgramBuilder::add_external,        &ProgramBuilder::add_valued_constant,
    };
    const Piece piece = pieces[dice_.below(pieces.size())];
    const bool multiplies =
        piece == &ProgramBuilder::add_even_loop || piece == &ProgramBuilder::add_choice ||
        piece == &ProgramBuilder::add_disjunction || piece == &ProgramBuilder::add_head_cycle;
    if (multiplies && freedom_ >= 2) return add_normal_rule();
    (this->*piece)();
}

} // namespace neurasp::property
