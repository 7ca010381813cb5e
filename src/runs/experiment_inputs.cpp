// Looks up inputs by the terms of network calls.
#include "runs/experiment_inputs.hpp"

#include "base/without_blanks.hpp"
#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <utility>

namespace neurasp::runs {

InputTable::InputTable(const data::Dataset &dataset) {
    for (std::size_t i = 0; i < dataset.inputs().size(); ++i) {
        places_.emplace(base::without_blanks(dataset.inputs()[i].terms), i);
    }
}

std::size_t InputTable::find(const std::string &network, const std::string &terms) const {
    const auto found = places_.find(base::without_blanks(terms));
    if (found != places_.end()) return found->second;
    std::string known;
    for (const auto &[name, place] : places_) known += (known.empty() ? "" : ", ") + name;
    Diagnostic diagnostic;
    diagnostic.code = "missing-input";
    diagnostic.message =
        fmt::format("the program calls {}({}), but [example.inputs] has nothing for '{}'", network,
                    terms, terms);
    diagnostic.hint = known.empty() ? "add it there" : "available: " + known;
    throw InputError(std::move(diagnostic));
}

} // namespace neurasp::runs
