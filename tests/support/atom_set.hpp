// A stable model as a sorted list of atoms, to compare and to show.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace neurasp::test {

using AtomSet = std::vector<std::string>; // sorted

inline AtomSet sorted(AtomSet atoms) {
    std::sort(atoms.begin(), atoms.end());
    return atoms;
}

inline std::string show(const AtomSet &atoms) {
    std::string text = "{";
    for (const std::string &atom : atoms) text += (text.size() > 1 ? " " : "") + atom;
    return text + "}";
}

} // namespace neurasp::test
