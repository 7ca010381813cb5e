// Puts a prepared observation together: its calls, and where the inputs of its circuit come from.
#include "training/prepared.hpp"

#include <algorithm>
#include <map>

namespace neurasp::training {

namespace {

// The index of a call among those of the observation; a new call is added.
std::size_t call_of(Prepared &prepared, const Vocabulary &vocabulary,
                    const VariableSource &source) {
    const std::size_t network = vocabulary.network_index(source.network);
    const std::size_t place = prepared.find_call(network, source.terms);
    auto &calls = prepared.facts.calls;
    if (place == calls.size()) calls.push_back({network, source.terms});
    return place;
}

using Probabilities = std::map<std::string, const std::vector<double> *>; // by variable

Probabilities written_probabilities(const std::vector<RandomVariableInfo> &variables) {
    Probabilities result;
    for (const RandomVariableInfo &variable : variables) {
        result[variable.name] = &variable.probabilities;
    }
    return result;
}

NumberSource source_of(Prepared &prepared, const Vocabulary &vocabulary,
                       const CircuitVariable &variable, const Probabilities &written) {
    NumberSource source;
    source.first_input = variable.first_input;
    source.outcomes = variable.atoms.size();
    if (!variable.source.network.empty()) {
        source.kind = NumberSource::Kind::output;
        source.call = call_of(prepared, vocabulary, variable.source);
        source.event = variable.source.event;
    } else if (const LearnableRule *rule = vocabulary.rule_of(variable.source)) {
        source.kind = NumberSource::Kind::learnable_rule;
        source.first = rule->first;
    } else {
        source.fixed = *written.at(variable.name);
    }
    return source;
}

void add_inputs(Prepared &prepared, const std::vector<CircuitVariable> &inputs,
                const std::vector<RandomVariableInfo> &variables, const Vocabulary &vocabulary) {
    const Probabilities written = written_probabilities(variables);
    for (const CircuitVariable &input : inputs) {
        prepared.sources.push_back(source_of(prepared, vocabulary, input, written));
    }
    prepared.facts.has_circuit = true;
    prepared.facts.relevant_calls = prepared.facts.calls.size();
}

void add_calls(Prepared &prepared, const std::vector<RandomVariableInfo> &variables,
               const Vocabulary &vocabulary) {
    for (const RandomVariableInfo &variable : variables) {
        if (!variable.source.network.empty()) call_of(prepared, vocabulary, variable.source);
    }
}

} // namespace

std::size_t Prepared::find_call(std::size_t network, const std::string &terms) const {
    const auto found =
        std::find_if(facts.calls.begin(), facts.calls.end(), [&](const NetworkCall &call) {
            return call.network == network && call.terms == terms;
        });
    return static_cast<std::size_t>(found - facts.calls.begin());
}

void refuse_learnable(const Vocabulary &vocabulary,
                      const std::vector<RandomVariableInfo> &variables) {
    for (const RandomVariableInfo &variable : variables) {
        const VariableSource &source = variable.source;
        if (!source.network.empty() || !source.learnable || vocabulary.rule_of(source)) continue;
        Diagnostic diagnostic;
        diagnostic.code = "learnable-in-observation";
        diagnostic.message = "the observation has the learnable rule " + variable.name;
        diagnostic.hint = "move it to the program; all examples share what is learned";
        throw InputError(std::move(diagnostic));
    }
}

Prepared with_inputs(const std::vector<CircuitVariable> &inputs,
                     const std::vector<RandomVariableInfo> &variables,
                     const Vocabulary &vocabulary) {
    Prepared prepared;
    add_inputs(prepared, inputs, variables, vocabulary);
    add_calls(prepared, variables, vocabulary);
    return prepared;
}

Prepared put_together(Parts parts, const Vocabulary &vocabulary, bool keeps_circuit) {
    Prepared prepared;
    if (parts.program) {
        const CompiledQuestion &compiled = *parts.compilation->circuit;
        add_inputs(prepared, compiled.variables(), *parts.variables, vocabulary);
        prepared.facts.nodes = compiled.statistics().nodes;
        prepared.facts.edges = compiled.statistics().edges;
    }
    add_calls(prepared, *parts.variables, vocabulary);
    prepared.program = std::move(parts.program);
    if (!parts.compilation) return prepared;
    if (!prepared.program) {
        prepared.facts.obstacle = parts.compilation->note;
        prepared.facts.relevant_calls = prepared.facts.calls.size();
        prepared.question = std::move(parts.question);
    } else if (keeps_circuit) {
        prepared.compiled = std::move(parts.compilation->circuit);
    }
    return prepared;
}

} // namespace neurasp::training
