#include "runs/experiment_inputs.hpp"

#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <utility>

namespace neurasp::runs {

namespace {

std::string without_blanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
    return text;
}

} // namespace

InputTable::InputTable(const data::Dataset &dataset) {
    for (std::size_t i = 0; i < dataset.inputs().size(); ++i) {
        places_.emplace(without_blanks(dataset.inputs()[i].terms), i);
    }
}

std::size_t InputTable::find(const std::string &network, const std::string &terms) const {
    const auto found = places_.find(without_blanks(terms));
    if (found != places_.end()) return found->second;
    std::string known;
    for (const auto &[name, place] : places_) known += (known.empty() ? "" : ", ") + name;
    Diagnostic diagnostic;
    diagnostic.code = "missing-input";
    diagnostic.message =
        fmt::format("the program calls {}({}), but [example.inputs] has nothing for '{}'", network,
                    terms, terms);
    diagnostic.hint = known.empty() ? "add it there" : "there is: " + known;
    throw InputError(std::move(diagnostic));
}

} // namespace neurasp::runs
