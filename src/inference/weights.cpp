// Matches network outputs with random variables, and checks them.
//
// Outputs come as a table: network, terms as text, and rows of numbers. Random variables come from grounding:
// network, terms as symbols, and an event. A key is parsed by clingo and its #const names are replaced, so that
// keys are compared as terms, not as text. Two spellings of one key are a mistake.
//
// All mistakes are collected before the first is thrown: outputs that are missing, that no neural rule asks for,
// or that have the wrong size. Only then are rows read and checked, since a row of an output of the wrong size
// means nothing.
//
// Rows. With two outcomes, one column is enough: the probability of the first outcome. Logits become
// probabilities by a softmax, shifted by the largest so that nothing overflows; one column of logits is a
// sigmoid, that is, a softmax against 0, which stays exact for small probabilities. Probabilities must be
// finite, not negative, and sum to 1 within the tolerance of base/distribution.hpp. They are not rescaled:
// variables that a sum over models leaves out contribute their row sums as factors.
//
// Probabilistic rules take their numbers from the program, unless the caller replaces them
// (NetworkOutputs::set_rule).
//
// Numbers are kept twice: as doubles for samples and costs, and as ScaledReal for products, which may be far
// below the least double (docs/adr/0011-scaled-real.md).
#include "inference/weights.hpp"

#include "asp/clingo_call.hpp"
#include "base/counted.hpp"
#include "base/distribution.hpp"
#include "base/option_names.hpp"
#include "base/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace neurasp::inference {

namespace {

using Key = std::pair<std::string, std::vector<std::uint64_t>>; // network and terms

Key key_of(const std::string &network, const std::vector<Symbol> &terms) {
    Key key{network, {}};
    for (const Symbol term : terms) key.second.push_back(term.handle());
    return key;
}

// For a JSON string; clingo's terms hold no control characters.
std::string json_escaped(const std::string &text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

// "file:2:5" as a location; anything else is a file name.
SourceLocation parse_origin(const std::string &origin) {
    SourceLocation location{origin, 0, 0, 0, 0};
    const std::size_t second = origin.rfind(':');
    if (second == std::string::npos || second == 0) return location;
    const std::size_t first = origin.rfind(':', second - 1);
    if (first == std::string::npos) return location;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    const char *text = origin.data();
    const auto read_line = std::from_chars(text + first + 1, text + second, line);
    const auto read_column = std::from_chars(text + second + 1, text + origin.size(), column);
    if (read_line.ec != std::errc() || read_line.ptr != text + second ||
        read_column.ec != std::errc() || read_column.ptr != text + origin.size()) {
        return location;
    }
    return {origin.substr(0, first), line, column, line, column + 1};
}

class OutputMatcher {
  public:
    OutputMatcher(const Grounding &grounding, const NetworkOutputs &outputs)
        : grounding_(grounding), outputs_(outputs) {}

    Weights match() {
        collect_calls();
        for (const auto &[network, entries] : outputs_.table()) {
            for (const auto &[terms, entry] : entries) match_entry(network, terms, entry);
        }
        for (const RandomVariable &variable : grounding_.variables()) {
            if (!variable.network || variable.network->event != 0) continue;
            const Call &call =
                calls_.at(key_of(variable.network->network, variable.network->terms));
            if (!call.entry) report_missing(call);
        }
        diagnostics_.throw_if_errors();
        Weights weights;
        for (const RandomVariable &variable : grounding_.variables())
            weights.add_variable(row(variable));
        diagnostics_.throw_if_errors();
        return weights;
    }

  private:
    struct Call {
        const RandomVariable *variable = nullptr; // its first event
        const NetworkOutputs::Entry *entry = nullptr;
        std::string terms; // as the caller wrote them
    };

    void collect_calls() {
        for (const RandomVariable &variable : grounding_.variables()) {
            if (!variable.network) continue;
            calls_.try_emplace(key_of(variable.network->network, variable.network->terms),
                               Call{&variable, nullptr, {}});
            networks_.insert(variable.network->network);
        }
    }

    void match_entry(const std::string &network, const std::string &terms,
                     const NetworkOutputs::Entry &entry);
    void check_size(const Call &call);
    void report_missing(const Call &call);
    std::vector<double> row(const RandomVariable &variable);
    void check_row(const RandomVariable &variable, const NetworkOutputs::Entry &entry,
                   const std::vector<double> &row);
    void error(const char *code, const std::string &origin, std::string message,
               std::string hint = {}) {
        diagnostics_.add(
            {Severity::error, code, std::move(message), parse_origin(origin), {}, std::move(hint)});
    }

    const Grounding &grounding_;
    const NetworkOutputs &outputs_;
    base::DiagnosticSink diagnostics_;
    std::map<Key, Call> calls_;
    std::set<std::string> networks_;
};

// Keys come from files and may be arbitrarily long.
std::string shortened(const std::string &key) {
    constexpr std::size_t longest = 80;
    return key.size() <= longest ? key : key.substr(0, longest) + "...";
}

void OutputMatcher::match_entry(const std::string &network, const std::string &terms,
                                const NetworkOutputs::Entry &entry) {
    if (!networks_.contains(network)) {
        const std::vector<std::string> names(networks_.begin(), networks_.end());
        const auto guess = base::closest_name(network, names);
        error("extra-output", entry.origin,
              fmt::format("there is an output for network '{}', but no neural rule calls it",
                          network),
              guess ? fmt::format("did you mean '{}'?", *guess) : "");
        return;
    }
    std::vector<Symbol> symbols;
    try {
        symbols = grounding_.with_constants(Symbol::parse("(" + terms + ",)")).arguments();
    } catch (const asp::ClingoError &) {
        error("extra-output", entry.origin,
              fmt::format("the key '{}' of network '{}' is not a list of ground terms",
                          shortened(terms), network),
              "a key is the terms of the neural rule joined by commas, e.g. \"i1\" or \"i1,b2\"");
        return;
    }
    const auto found = calls_.find(key_of(network, symbols));
    if (found == calls_.end()) {
        error(
            "extra-output", entry.origin,
            fmt::format("there is an output of network '{}' for '{}', but no neural rule calls it "
                        "for these terms",
                        network, shortened(terms)));
        return;
    }
    if (found->second.entry != nullptr) {
        error("extra-output", entry.origin,
              fmt::format("network '{}' has two outputs for the same terms: '{}' and '{}'", network,
                          shortened(found->second.terms), shortened(terms)));
        return;
    }
    found->second.entry = &entry;
    found->second.terms = terms;
    check_size(found->second);
}

void OutputMatcher::check_size(const Call &call) {
    const NetworkEvent &event = *call.variable->network;
    const std::size_t outcomes = call.variable->atoms.size();
    const std::size_t size = call.entry->values.size();
    if (size == event.events * outcomes || (outcomes == 2 && size == event.events)) return;
    error("output-shape", call.entry->origin,
          fmt::format("the output of network '{}' for '{}' has {}, expected {} x {} = {}{}",
                      event.network, call.terms, base::counted(size, "number"), event.events,
                      outcomes, event.events * outcomes,
                      outcomes == 2 ? fmt::format(" (or {} x 1)", event.events) : ""));
}

void OutputMatcher::report_missing(const Call &call) {
    const NetworkEvent &event = *call.variable->network;
    const std::string terms = terms_text(event.terms);
    diagnostics_.add(grounding_.sources().diagnose(
        Severity::error, "missing-output", call.variable->span,
        fmt::format("there is no output of network '{}' for '{}'", event.network, terms),
        fmt::format("give {} x {} numbers, e.g. {{\"{}\": {{\"{}\": [[...]]}}}}", event.events,
                    call.variable->atoms.size(), event.network, json_escaped(terms))));
}

std::vector<double> OutputMatcher::row(const RandomVariable &variable) {
    if (!variable.network) {
        const auto replaced = outputs_.rules().find(variable.rule);
        if (replaced == outputs_.rules().end()) return variable.probabilities;
        if (replaced->second.size() != variable.probabilities.size()) {
            throw ContractError("NetworkOutputs::set_rule: wrong number of probabilities");
        }
        return replaced->second;
    }
    const NetworkEvent &event = *variable.network;
    const NetworkOutputs::Entry &entry = *calls_.at(key_of(event.network, event.terms)).entry;
    const std::size_t outcomes = variable.atoms.size();
    const bool one_column = outcomes == 2 && entry.values.size() == event.events;
    const std::size_t columns = one_column ? 1 : outcomes;
    const auto begin = entry.values.begin() + static_cast<std::ptrdiff_t>(event.event * columns);
    std::vector<double> row(begin, begin + static_cast<std::ptrdiff_t>(columns));
    if (entry.kind == OutputKind::logits &&
        std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) {
        if (one_column) row.push_back(0.0); // a sigmoid is a softmax against 0
        const double largest = *std::max_element(row.begin(), row.end());
        double sum = 0.0;
        for (double &x : row) sum += x = std::exp(x - largest);
        for (double &x : row) x /= sum;
        check_row(variable, entry, row);
        return row;
    }
    check_row(variable, entry, row);
    if (one_column) row.push_back(1.0 - row[0]);
    return row;
}

void OutputMatcher::check_row(const RandomVariable &variable, const NetworkOutputs::Entry &entry,
                              const std::vector<double> &row) {
    const NetworkEvent &event = *variable.network;
    const auto report = [&](const std::string &what) {
        Diagnostic diagnostic;
        diagnostic.code = "output-not-distribution";
        diagnostic.message =
            fmt::format("row {} of the output of network '{}' for '{}' is not a distribution: {}",
                        event.event, event.network, terms_text(event.terms), what);
        diagnostic.location = parse_origin(entry.origin);
        diagnostic.hint = "rows must be non-negative and sum to 1 (tolerance 0.001); raw scores "
                          "must be declared as logits";
        diagnostic.option = base::option::logits;
        diagnostic.option_value = event.network;
        diagnostics_.add(std::move(diagnostic));
    };
    double sum = 0.0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (!std::isfinite(row[i])) return report(fmt::format("entry {} is {}", i, row[i]));
        if (row[i] < 0.0) return report(fmt::format("entry {} is negative ({})", i, row[i]));
        sum += row[i];
    }
    if (row.size() == 1) {
        if (row[0] > 1.0) report(fmt::format("{} is not a probability", row[0]));
        return;
    }
    if (!base::sums_to_one(sum)) report(fmt::format("it sums to {:.6g}", sum));
}

} // namespace

void Weights::add_variable(std::vector<double> probabilities) {
    std::vector<ScaledReal> scaled;
    ScaledReal sum;
    for (const double p : probabilities) {
        const double usable =
            std::isfinite(p) && p > 0.0 ? p : 0.0; // mistakes are reported elsewhere
        scaled.emplace_back(static_cast<long double>(usable));
        sum += scaled.back();
        has_zero_ = has_zero_ || scaled.back().is_zero();
    }
    probabilities_.push_back(std::move(probabilities));
    scaled_.push_back(std::move(scaled));
    row_sums_.push_back(sum);
}

ScaledReal Weights::total() const {
    ScaledReal product(1.0L);
    for (const ScaledReal &sum : row_sums_) product *= sum;
    return product;
}

ScaledReal Weights::greatest() const {
    ScaledReal product(1.0L);
    for (const auto &row : scaled_) product *= *std::max_element(row.begin(), row.end());
    return product;
}

Weights make_weights(const Grounding &grounding, const NetworkOutputs &outputs) {
    return OutputMatcher(grounding, outputs).match();
}

} // namespace neurasp::inference
