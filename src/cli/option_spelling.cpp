// The flags of the options that the library names by identifiers.
#include "cli/option_spelling.hpp"

#include "base/option_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace neurasp::cli {

namespace {

namespace option = base::option;

struct Spelling {
    std::string_view option;
    std::string_view flag;
};

constexpr std::array<Spelling, option::all.size()> spellings{{
    {option::allow_include, "--allow-include"},
    {option::allow_script, "--allow-script"},
    {option::assignments, "--set"},
    {option::constants, "-c"},
    {option::convert_inputs, "--convert-inputs"},
    {option::ground_limit, "--ground-limit"},
    {option::logits, "--logits"},
    {option::overwrite, "--overwrite"},
    {option::resume, "--resume"},
}};

} // namespace

std::string spell_option(const std::string &option, const std::string &value) {
    const auto known =
        std::find_if(spellings.begin(), spellings.end(),
                     [&](const Spelling &spelling) { return spelling.option == option; });
    std::string flag(known == spellings.end() ? std::string_view(option) : known->flag);
    return value.empty() ? flag : flag + " " + value;
}

} // namespace neurasp::cli
