// Tables: sets of atoms of which at most one holds, found in the rules that define them.
#pragma once

#include "circuit/theory.hpp"

#include <vector>

namespace neurasp::circuit {

// Literals of defined variables of which at most one is true, and exactly one if the table is complete: the values of a
// node of a Bayesian network, say. It follows from the clauses.
struct Table {
    std::vector<Lit> values; // of different variables
    bool complete = false;
    // The bodies that derive the values, if each of them excludes all others; otherwise empty.
    std::vector<std::vector<Lit>> rows;
};

// Requires: the theory is determined and has no recursive atoms. No variable is in two tables. Cost: linear in the size of
// the heads; what would take longer is given up.
std::vector<Table> find_tables(const Theory &theory);

} // namespace neurasp::circuit
