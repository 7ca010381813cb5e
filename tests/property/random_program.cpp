// Puts a random program together: pieces, observations and rows of outputs.
#include "random_program.hpp"

#include "program_builder.hpp"

#include <algorithm>

namespace neurasp::property {

ProgramBuilder::ProgramBuilder(std::uint64_t seed) : dice_(seed) { program_.seed = seed; }

RandomProgram ProgramBuilder::build() {
    if (program_.seed >= first_table_seed) {
        build_tables();
        return std::move(program_);
    }
    if (program_.seed >= first_cycle_seed) {
        build_cycles();
        return std::move(program_);
    }
    add_random_variables();
    for (std::size_t i = 0; i < 3; ++i) fresh();
    const std::size_t pieces = dice_.between(3, 8);
    for (std::size_t i = 0; i < pieces; ++i) add_piece();
    if (dice_.chance(15)) add_constant();
    if (dice_.chance(25)) add_show();
    const std::size_t observations = dice_.between(2, 3);
    for (std::size_t i = 0; i < observations; ++i)
        program_.observations.push_back(make_observation());
    return std::move(program_);
}

std::string ProgramBuilder::make_query() {
    if (dice_.chance(15) && !program_.variables.front().network.empty() &&
        program_.variables.front().terms.find(',') == std::string::npos)
        return program_.variables.front().network + "(I,T,V), " + literal();
    return body(dice_.between(1, 2));
}

void ProgramBuilder::add_observation_rules(ObservationSpec &observation) {
    const auto rule = [&observation](std::string text) {
        observation.rules.push_back({text, text});
    };
    const std::string x = "o" + number(dice_.below(3));
    switch (dice_.below(7)) {
    case 0: rule(x + "."); break;
    case 1: rule(derived() + "."); break;
    case 2:
        rule(x + " :- " + body(2) + ".");
        rule(derived() + " :- " + x + ".");
        break;
    case 3: rule("{" + x + "} :- " + body(1) + "."); break;
    case 4: rule(x + " :- not " + derived() + ", not " + x + "."); break;
    case 5: rule(":~ " + body(1) + ". [1@3]"); break;
    default: break;
    }
    if (!on_demand_.empty() && dice_.chance(60)) {
        rule("img(extra).");
        observation.variables = on_demand_;
        observation.queries.push_back(dice_.pick(on_demand_.front().atoms));
    }
    observation.queries.push_back(x);
}

ObservationSpec ProgramBuilder::make_observation() {
    ObservationSpec observation;
    const std::size_t constraints = dice_.below(4);
    for (std::size_t i = 0; i < constraints; ++i)
        observation.constraints.push_back(body(dice_.between(1, 2)));
    const std::size_t queries = dice_.between(1, 3);
    for (std::size_t i = 0; i < queries; ++i) observation.queries.push_back(make_query());
    if (dice_.chance(35)) add_observation_rules(observation);
    return observation;
}

RandomProgram make_program(std::uint64_t seed) { return ProgramBuilder(seed).build(); }

namespace {

std::vector<double> make_row(std::size_t count, Dice &dice) {
    std::vector<double> row(count, 0.0);
    const std::size_t kind = dice.below(10);
    if (kind < 4) { // twentieths: exact ties happen
        std::size_t rest = 20;
        for (std::size_t i = 0; i + 1 < count; ++i) {
            const std::size_t part = dice.below(rest + 1);
            row[i] = static_cast<double>(part) / 20.0;
            rest -= part;
        }
        row.back() = static_cast<double>(rest) / 20.0;
    } else if (kind < 8) {
        double sum = 0.0;
        for (double &value : row) sum += value = dice.real() + 1e-3;
        for (double &value : row) value /= sum;
    } else if (kind == 8) { // certain
        row[dice.below(count)] = 1.0;
    } else { // tiny next to nearly 1
        for (double &value : row)
            value = dice.chance(50) ? 1e-200 * (1.0 + dice.real()) : 1e-9 * dice.real();
        row[dice.below(count)] = 1.0;
    }
    return row;
}

std::string join_plain(const std::vector<Statement> &statements) {
    std::string text;
    for (const Statement &statement : statements) text += statement.plain + "\n";
    return text;
}

// `name/arity` of an atom as clingo prints it.
std::string signature(const std::string &atom) {
    const std::size_t open = atom.find('(');
    if (open == std::string::npos) return atom + "/0";
    std::size_t depth = 0;
    std::size_t arity = 1;
    bool quoted = false;
    for (std::size_t i = open; i < atom.size(); ++i) {
        if (atom[i] == '"' && atom[i - 1] != '\\') quoted = !quoted;
        if (quoted) continue;
        depth += atom[i] == '(' ? 1U : 0U;
        depth -= atom[i] == ')' ? 1U : 0U;
        arity += atom[i] == ',' && depth == 1 ? 1U : 0U;
    }
    return atom.substr(0, open) + "/" + std::to_string(arity);
}

} // namespace

oracle::Probabilities make_probabilities(const std::vector<VariableSpec> &variables, Dice &dice) {
    oracle::Probabilities result;
    for (const VariableSpec &variable : variables) {
        std::vector<double> row =
            variable.network.empty() ? variable.fixed : make_row(variable.atoms.size(), dice);
        if (variable.one_column) row[1] = 1.0 - row[0];
        result.emplace_back(row.begin(), row.end());
    }
    return result;
}

std::vector<VariableSpec> variables_of(const RandomProgram &program,
                                       const ObservationSpec &observation) {
    std::vector<VariableSpec> result = program.variables;
    result.insert(result.end(), observation.variables.begin(), observation.variables.end());
    return result;
}

std::string neurasp_text(const RandomProgram &program) {
    std::string text;
    for (const Statement &statement : program.statements) text += statement.neurasp + "\n";
    return text;
}

std::string observation_text(const ObservationSpec &observation) {
    std::string text;
    for (const Statement &rule : observation.rules) text += rule.neurasp + "\n";
    for (const std::string &body : observation.constraints) text += ":- " + body + ".\n";
    return text;
}

oracle::Input oracle_input(const RandomProgram &program, const ObservationSpec &observation) {
    oracle::Input input;
    input.program = join_plain(program.statements);
    input.rules = join_plain(observation.rules);
    input.constraints = observation.constraints;
    input.queries = observation.queries;
    for (const VariableSpec &variable : variables_of(program, observation))
        input.variables.push_back(variable.atoms);
    return input;
}

NetworkOutputs network_outputs(const std::vector<VariableSpec> &variables,
                               const oracle::Probabilities &probabilities) {
    std::map<std::pair<std::string, std::string>, std::vector<double>> rows;
    for (std::size_t v = 0; v < variables.size(); ++v) {
        if (variables[v].network.empty()) continue;
        std::vector<double> &values = rows[{variables[v].network, variables[v].terms}];
        for (const long double p : probabilities[v]) {
            values.push_back(static_cast<double>(p));
            if (variables[v].one_column) break;
        }
    }
    NetworkOutputs outputs;
    for (auto &[key, values] : rows) outputs.set(key.first, key.second, std::move(values));
    return outputs;
}

std::vector<std::string> shown_atoms(const RandomProgram &program,
                                     const std::vector<std::string> &atoms) {
    std::vector<std::string> result;
    for (const std::string &atom : atoms)
        if (program.shown.empty() || program.shown.contains(signature(atom)))
            result.push_back(atom);
    return result;
}

} // namespace neurasp::property
