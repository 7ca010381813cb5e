// The common beginning ends behind a '(' or ',', the common end begins at a ')' or ',', so that no name or
// number is torn apart.
#include "circuit/outcome_labels.hpp"

#include <algorithm>

namespace neurasp::circuit {

namespace {

std::size_t common_beginning(const std::vector<std::string> &atoms) {
    const std::string &first = atoms.front();
    std::size_t length = first.size();
    for (const std::string &atom : atoms) {
        const auto [here, there] =
            std::mismatch(first.begin(), first.end(), atom.begin(), atom.end());
        length = std::min(length, static_cast<std::size_t>(here - first.begin()));
    }
    while (length > 0 && first[length - 1] != '(' && first[length - 1] != ',') --length;
    return length;
}

std::size_t common_end(const std::vector<std::string> &atoms) {
    const std::string &first = atoms.front();
    std::size_t length = first.size();
    for (const std::string &atom : atoms) {
        const auto [here, there] =
            std::mismatch(first.rbegin(), first.rend(), atom.rbegin(), atom.rend());
        length = std::min(length, static_cast<std::size_t>(here - first.rbegin()));
    }
    while (length > 0 && first[first.size() - length] != ')' && first[first.size() - length] != ',')
        --length;
    return length;
}

} // namespace

OutcomeLabels shorten(std::vector<std::string> atoms) {
    if (atoms.size() < 2) return {"", std::move(atoms)};
    const std::size_t begin = common_beginning(atoms);
    const std::size_t end = common_end(atoms);
    const bool leaves_something = std::all_of(
        atoms.begin(), atoms.end(), [&](const auto &atom) { return begin + end < atom.size(); });
    if (begin == 0 || end == 0 || !leaves_something) return {"", std::move(atoms)};
    const std::string &first = atoms.front();
    OutcomeLabels result{first.substr(0, begin) + "?" + first.substr(first.size() - end), {}};
    for (const std::string &atom : atoms) {
        result.labels.push_back(atom.substr(begin, atom.size() - begin - end));
    }
    return result;
}

} // namespace neurasp::circuit
