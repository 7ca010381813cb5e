// Tables of the directives that clingo and NeurASP know, and suggestions for misspelt ones.
#include "language/directives.hpp"

#include "base/suggest.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace neurasp::language {

namespace {

constexpr std::array<std::string_view, 11> term_directives{
    "#true",  "#false", "#inf",  "#infimum", "#sup", "#supremum",
    "#count", "#sum",   "#sum+", "#min",     "#max"};

constexpr std::array<std::string_view, 15> statement_directives{
    "#const",    "#show",     "#external", "#minimize",  "#maximize",
    "#minimise", "#maximise", "#defined",  "#heuristic", "#edge",
    "#project",  "#program",  "#script",   "#include",   "#event_base"};

} // namespace

bool is_term_directive(std::string_view name) {
    return std::find(term_directives.begin(), term_directives.end(), name) != term_directives.end();
}

bool is_statement_directive(std::string_view name) {
    return name == "#theory" || std::find(statement_directives.begin(), statement_directives.end(),
                                          name) != statement_directives.end();
}

std::string directive_hint(std::string_view name) {
    if (name == "#end") return "'#end' closes a '#script', and none is open here";
    if (name == "#disjoint") return "clingo's constraint terms are not supported";
    std::vector<std::string> names(statement_directives.begin(), statement_directives.end());
    names.insert(names.end(), term_directives.begin(), term_directives.end());
    const auto closest = base::closest_name(name, names);
    return closest ? "did you mean '" + *closest + "'?" : std::string();
}

} // namespace neurasp::language
