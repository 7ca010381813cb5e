// The random variables of a random program: networks and probabilistic rules in all their syntaxes.
#include "program_builder.hpp"

namespace neurasp::property {

namespace {

constexpr std::size_t most_total_choices = 100; // times Num: what clingo lists in milliseconds

std::string join(const std::vector<std::string> &parts, const std::string &separator) {
    std::string text;
    for (const std::string &part : parts) text += (text.empty() ? "" : separator) + part;
    return text;
}

// Hundredths as people write them, in one of several spellings.
std::string spell(std::size_t hundredths, Dice &dice) {
    if (hundredths == 100) return dice.chance(50) ? "1.0" : "1.00";
    const std::string digits = (hundredths < 10 ? "0" : "") + std::to_string(hundredths);
    if (dice.chance(10)) return std::to_string(hundredths) + ".0e-2";
    return (dice.chance(20) ? "." : "0.") + digits;
}

// Positive or zero hundredths that sum to 100.
std::vector<std::size_t> split_hundred(std::size_t count, Dice &dice) {
    std::vector<std::size_t> parts;
    std::size_t rest = 100;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const std::size_t part = dice.chance(10) ? 0 : dice.below(rest + 1);
        parts.push_back(part);
        rest -= part;
    }
    parts.push_back(rest);
    return parts;
}

} // namespace

bool ProgramBuilder::fits(std::size_t outcomes, std::size_t instances) const {
    std::size_t total = total_choices_;
    for (std::size_t i = 0; i < instances; ++i) total *= outcomes;
    return total <= most_total_choices;
}

void ProgramBuilder::count_choices(std::size_t outcomes, std::size_t instances) {
    for (std::size_t i = 0; i < instances; ++i) total_choices_ *= outcomes;
}

std::vector<std::string> ProgramBuilder::make_outcomes(std::size_t count, std::size_t number) {
    static const std::vector<std::vector<std::string>> domains = {
        {"a", "b", "c", "d"},
        {"0", "1", "2", "3"},
        {"-1", "0", "1", "2"},
        {"\"big car\"", "\"a;b\"", "\"%\"", "\"]\""},
        {"f(1,x)", "f(2,y)", "g", "(1,2)"},
        {"true", "false", "maybe", "never"},
    };
    std::vector<std::string> outcomes = domains[(number + dice_.below(2) * 3) % domains.size()];
    outcomes.resize(count);
    return outcomes;
}

void ProgramBuilder::add_events(const std::string &network, const std::string &terms,
                                std::size_t events, const std::vector<std::string> &outcomes,
                                bool one_column, std::vector<VariableSpec> &variables) const {
    for (std::size_t event = 0; event < events; ++event) {
        VariableSpec variable;
        variable.network = network;
        variable.terms = terms;
        variable.event = event;
        variable.one_column = one_column;
        for (const std::string &outcome : outcomes)
            variable.atoms.push_back(network + "(" + number(event + (event_base_one_ ? 1 : 0)) +
                                     "," + terms + "," + outcome + ")");
        variables.push_back(std::move(variable));
    }
}

void ProgramBuilder::add_network(std::size_t index) {
    const std::string name = "net" + number(index);
    std::size_t count = dice_.between(2, 4);
    std::size_t events = dice_.chance(25) ? 2 : 1;
    if (!fits(count, events)) {
        count = 2;
        events = 1;
    }
    const std::vector<std::string> outcomes = make_outcomes(count, index);
    const bool one_column = count == 2 && dice_.chance(40);
    const std::string list = ",[" + join(outcomes, ",") + "])";
    const std::string head = "nn(" + name + "(" + number(events);
    const std::size_t form = dice_.below(4);
    if (form == 0 && fits(count, 2 * events)) {
        // Two instances from a body; a third on demand of an observation.
        add("img" + number(index) + "(i1;i2).");
        add(head + ",X)" + list + " :- img" + number(index) + "(X).", "");
        for (const char *terms : {"i1", "i2"})
            add_events(name, terms, events, outcomes, one_column, program_.variables);
        count_choices(count, 2 * events);
    } else if (form == 1) {
        add(head + ",img,X)" + list + " :- X = " + number(index) + ".." + number(index) + ".", "");
        add_events(name, "img," + number(index), events, outcomes, one_column, program_.variables);
        count_choices(count, events);
    } else if (form == 2 && on_demand_.empty() && fits(count, events * 2)) {
        // The body holds for x already; the fact img(extra) of an observation brings another instance.
        add("img(x).");
        add(head + ",X)" + list + "\n    :- img(X).", "");
        add_events(name, "x", events, outcomes, one_column, program_.variables);
        add_events(name, "extra", events, outcomes, one_column, on_demand_);
        count_choices(count, events);
    } else {
        add(head + ",x)" + list + ".", "");
        add_events(name, "x", events, outcomes, one_column, program_.variables);
        count_choices(count, events);
    }
}

void ProgramBuilder::add_probabilistic_rule(std::size_t index) {
    const std::string name = "pr" + number(index);
    const bool short_form = dice_.chance(35);
    std::size_t count = short_form ? 2 : dice_.between(2, 3);
    const bool two_instances = dice_.chance(25) && fits(count, 2);
    if (!fits(count, 1)) count = 2;
    const std::vector<std::size_t> hundredths = split_hundred(count, dice_);
    const bool learnable = dice_.chance(40);
    const bool equals = !short_form && dice_.chance(40);
    const bool semicolons = !short_form && !equals && dice_.chance(50);
    const std::string argument = two_instances ? "(X)" : "";
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < (short_form ? 1 : count); ++i) {
        const std::string mark = learnable ? "@" : "";
        const std::string atom = short_form ? name + argument
                                 : equals   ? name + argument + "=v" + number(i)
                                            : name + "_" + number(i) + argument;
        parts.push_back(mark + spell(hundredths[i], dice_) + (semicolons ? " " : " : ") + atom);
    }
    std::string rule = join(parts, semicolons ? "; " : " | ");
    if (two_instances) {
        add("coin" + number(index) + "(1..2).");
        rule += " :- coin" + number(index) + "(X)";
    }
    add(rule + ".", "");
    for (const std::string instance : {"1", "2"}) {
        if (!two_instances && instance == "2") break;
        const std::string ground = two_instances ? "(" + instance + ")" : "";
        VariableSpec variable;
        variable.learnable = learnable;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string value = two_instances ? "(" + instance + ",v" : "(v";
            variable.atoms.push_back(short_form ? (i == 0 ? "" : "-") + name + ground
                                     : equals   ? name + value + number(i) + ")"
                                                : name + "_" + number(i) + ground);
            variable.fixed.push_back(static_cast<double>(hundredths[i]) / 100.0);
        }
        if (short_form) variable.fixed[1] = 1.0 - variable.fixed[0];
        program_.variables.push_back(std::move(variable));
    }
    count_choices(count, two_instances ? 2 : 1);
}

void ProgramBuilder::add_random_variables() {
    if (dice_.chance(25)) {
        event_base_one_ = true;
        add("#event_base 1.", "");
    }
    const std::size_t sources = dice_.between(1, 3);
    for (std::size_t i = 0; i < sources; ++i) {
        if (dice_.chance(65))
            add_network(i);
        else
            add_probabilistic_rule(i);
    }
    while (program_.variables.size() < 2) add_probabilistic_rule(7 + program_.variables.size());
    for (const VariableSpec &variable : program_.variables)
        outcomes_.insert(outcomes_.end(), variable.atoms.begin(), variable.atoms.end());
}

} // namespace neurasp::property
