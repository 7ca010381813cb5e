// Random variables: ground instances of neural and probabilistic rules.
#pragma once

#include "asp/ground_program.hpp"
#include "base/source.hpp"
#include "neurasp/answers.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp::inference {

using asp::AtomId;
using asp::Literal;
using asp::Symbol;

// One event of one network call.
struct NetworkEvent {
    std::string network;
    std::vector<Symbol> terms;
    std::size_t event = 0;  // row of the output, from 0
    std::size_t events = 1; // rows of the output
};

struct RandomVariable {
    std::vector<AtomId> atoms; // one per outcome, in the order the program lists them
    std::string name;          // for people
    std::optional<NetworkEvent> network;
    // For probabilistic rules: which rule, and its numbers.
    std::size_t rule = 0;
    std::vector<double> probabilities;
    bool learnable = true;
    base::SourceSpan span; // the rule that introduced it
};

// Terms joined by commas, as in the keys of network outputs.
inline std::string terms_text(std::span<const Symbol> terms) {
    std::string text;
    for (const Symbol &term : terms) text += (text.empty() ? "" : ",") + term.text();
    return text;
}

// Its origin, for users.
inline VariableSource source_of(const RandomVariable &variable) {
    VariableSource source;
    source.rule = variable.rule;
    source.learnable = variable.learnable;
    if (!variable.network) return source;
    source.network = variable.network->network;
    source.event = variable.network->event;
    source.events = variable.network->events;
    source.terms = terms_text(variable.network->terms);
    return source;
}

// One outcome for each random variable, as indices.
using TotalChoice = std::vector<std::uint32_t>;

} // namespace neurasp::inference
