// The warning about queries that ask for a call that no neural rule makes.
#include "inference/unknown_call.hpp"

#include "asp/clingo_call.hpp"
#include "base/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neurasp::inference {

namespace {

using Terms = std::vector<Symbol>;

// The terms of all calls of the network with so many terms, each once.
std::vector<Terms> calls_of(const Grounding &grounding, std::string_view network,
                            std::size_t terms) {
    std::vector<Terms> calls;
    for (const RandomVariable &variable : grounding.variables()) {
        if (!variable.network || variable.network->event != 0) continue;
        if (variable.network->network != network || variable.network->terms.size() != terms) {
            continue;
        }
        calls.push_back(variable.network->terms);
    }
    return calls;
}

std::string calls_hint(const std::string &terms, const std::vector<Terms> &called) {
    constexpr std::size_t most = 6;
    std::vector<std::string> calls;
    for (const Terms &call : called) calls.push_back(terms_text(call));
    const auto close = base::closest_name(terms, calls);
    const auto shown = static_cast<std::ptrdiff_t>(std::min(calls.size(), most));
    return fmt::format(
        "{}it is called for {}{}", close ? fmt::format("did you mean '{}'? ", *close) : "",
        fmt::join(calls.begin(), calls.begin() + shown, "; "), calls.size() > most ? "; ..." : "");
}

// A query `m(i,t)=v` as the atom m(i,t,v) that it stands for; other texts as they are.
std::string plain_atom(const std::string &query) {
    bool quoted = false;
    int depth = 0;
    for (std::size_t i = 0; i < query.size(); ++i) {
        const char c = query[i];
        if (quoted && c == '\\') {
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && c == '(') {
            ++depth;
        } else if (!quoted && c == ')') {
            --depth;
        } else if (!quoted && depth == 0 && c == '=') {
            const std::size_t last = query.find_last_not_of(" \t\r\n", i - (i > 0 ? 1 : 0));
            if (last == std::string::npos || query[last] != ')') return query;
            const std::size_t value = query.find_first_not_of("= \t\r\n", i);
            if (value == std::string::npos) return query;
            return query.substr(0, last) + "," + query.substr(value) + ")";
        }
    }
    return query;
}

} // namespace

std::optional<Diagnostic> unknown_call(const Grounding &grounding, const std::string &query) {
    Symbol atom;
    try {
        atom = grounding.with_constants(Symbol::parse(plain_atom(query)));
    } catch (const asp::ClingoError &) {
        return std::nullopt; // several literals, or one with variables
    }
    const std::vector<Symbol> arguments = atom.arguments(); // event, terms, outcome
    if (arguments.size() < 3 || !atom.positive()) return std::nullopt;
    const Terms asked(arguments.begin() + 1, arguments.end() - 1);
    const std::vector<Terms> calls = calls_of(grounding, atom.name(), asked.size());
    if (calls.empty() || std::find(calls.begin(), calls.end(), asked) != calls.end()) {
        return std::nullopt;
    }
    const std::string terms = terms_text(asked);
    Diagnostic diagnostic;
    diagnostic.severity = Severity::warning;
    diagnostic.code = "unknown-call";
    diagnostic.message =
        fmt::format("no neural rule calls the network '{}' for '{}', so this is never true",
                    atom.name(), terms);
    diagnostic.location = {"<query>", 1, 1, 1, static_cast<std::uint32_t>(query.size() + 1)};
    diagnostic.source_line = query.find('\n') == std::string::npos ? query : "";
    diagnostic.hint = calls_hint(terms, calls);
    return diagnostic;
}

} // namespace neurasp::inference
