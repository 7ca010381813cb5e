// Finds tables.
//
// The idea. A node of a Bayesian network is written as one atom for each of its values, with a rule for each row of its
// conditional table: the values of the parents and an outcome of the row's random variable. That exactly one of these atoms
// holds follows from the rules, but unit propagation does not see it. Without it the search does not know that a node is
// one variable with several values: it decides rows one by one, and a network of 40 nodes has no circuit. With it the
// search decides on nodes, as algorithms for Bayesian networks do.
//
// Candidates are heads whose bodies mention the same random variables, at least one. A decision tree decides whether they
// exclude each other: it splits the bodies by the random variable, known table or other variable that most of them
// mention, and by the next one in each part. They exclude each other if no leaf has bodies of two heads, and one of them
// always holds if every leaf has one. If no leaf has two bodies, the bodies exclude each other as well: then they are rows,
// of which only one matters once the parents have values. A single head with such bodies is a table of one value: an observed
// node, whose other values nothing asks for. Heads are looked at in the order of their dependencies, so the tables of parents are
// known when those of children are tested.
//
// The two atoms of a node with two values may be a gate and its negation (gates.hpp). Then the table has one value, and its
// use is that its rows are known.
//
// Invariants. What is found follows from the theory: it is used to propagate and to branch, never to count. So a table that
// is missed costs time only. No literal is in two tables.
//
// Cost. `most_work_` counts bodies over all nodes of a tree; a candidate whose tree is larger is given up.
//
// In an experiment, the clauses that say "exactly one value" were left out: a grid of 8 x 8 tables had no circuit after 1.8
// million decisions instead of one in 0.16 s; hidden Markov models did not need them. What did not work was to expand bodies
// through other heads: the conjunction of all observations is a head as well, and expanding it spoiled all candidates.
#include "circuit/tables.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace neurasp::circuit {

namespace {

// A head with only random outcomes in its bodies is a function of random variables, which a decision diagram represents
// better than rows do, if it is large (cube_diagram.hpp).
constexpr std::size_t most_random_bodies = 256;
constexpr std::size_t most_bodies = 4096;
constexpr std::size_t work_per_body = 20;

// A decision tree splits by these. A choice and a table have several values, another variable has two.
struct Splitter {
    enum class Kind : std::uint8_t { choice, table, variable };
    Kind kind = Kind::variable;
    std::uint32_t index = 0;
    friend auto operator<=>(const Splitter &, const Splitter &) = default;
};

class TableFinder {
  public:
    explicit TableFinder(const Theory &theory)
        : theory_(theory), heads_(theory.heads), table_of_(theory.variable_limit(), nothing) {}

    std::vector<Table> run() {
        std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> candidates;
        for (std::uint32_t h = 0; h < heads_.size(); ++h) {
            const Var var = heads_[h].literal.var();
            if (var == 0 || theory_.choice_of(var) != nothing) continue;
            auto choices = choices_of(heads_[h]);
            if (!choices.empty()) candidates[std::move(choices)].push_back(h);
        }
        std::vector<const std::vector<std::uint32_t> *> in_order;
        for (const auto &[choices, members] : candidates) {
            in_order.push_back(&members);
        }
        std::sort(in_order.begin(), in_order.end(),
                  [](const auto *a, const auto *b) { return a->back() < b->back(); });
        for (const auto *members : in_order) test(*members);
        return std::move(tables_);
    }

  private:
    struct Cube { // what is left of a body
        std::uint32_t head = 0;
        std::vector<Lit> literals;
    };

    std::vector<std::uint32_t> choices_of(const Head &head) const {
        std::vector<std::uint32_t> choices;
        for (const auto &body : head.bodies) {
            for (const Lit lit : body) {
                const std::uint32_t choice = theory_.choice_of(lit.var());
                if (choice != nothing) choices.push_back(choice);
            }
        }
        std::sort(choices.begin(), choices.end());
        choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
        return choices;
    }

    void test(const std::vector<std::uint32_t> &members) {
        std::vector<Cube> cubes;
        bool random_only = true;
        for (const std::uint32_t h : members) {
            for (const auto &body : heads_[h].bodies) {
                cubes.push_back({h, body});
                random_only = random_only && std::all_of(body.begin(), body.end(), [&](Lit lit) {
                                  return theory_.choice_of(lit.var()) != nothing;
                              });
            }
        }
        if (cubes.size() > (random_only ? most_random_bodies : most_bodies)) return;
        work_ = 0;
        most_work_ = 100 + work_per_body * cubes.size();
        complete_ = true;
        rows_exclude_ = true;
        if (!exclude_each_other(cubes)) return;
        if (members.size() == 1 && !rows_exclude_) return;
        for (const std::uint32_t h : members) {
            if (table_of_[heads_[h].literal.var()] != nothing) return; // in another table already
        }
        Table table;
        table.complete = complete_;
        for (const std::uint32_t h : members) {
            const Var var = heads_[h].literal.var();
            if (table_of_[var] == nothing) {
                table.values.push_back(heads_[h].literal);
            } else { // the negation of the value before it
                table.complete = false;
            }
            if (rows_exclude_) {
                table.rows.insert(table.rows.end(), heads_[h].bodies.begin(),
                                  heads_[h].bodies.end());
            }
            table_of_[var] = static_cast<std::uint32_t>(tables_.size());
        }
        tables_.push_back(std::move(table));
    }

    Splitter splitter_of(Lit lit) const {
        if (const std::uint32_t choice = theory_.choice_of(lit.var()); choice != nothing) {
            return {Splitter::Kind::choice, choice};
        }
        if (const std::uint32_t table = table_of_[lit.var()]; table != nothing) {
            return {Splitter::Kind::table, table};
        }
        return {Splitter::Kind::variable, lit.var()};
    }

    // The values of a splitter; false_lit stands for none of a table's.
    std::vector<Lit> values_of(const Splitter &splitter) const {
        if (splitter.kind == Splitter::Kind::choice) {
            return theory_.choices()[splitter.index].outcomes;
        }
        if (splitter.kind == Splitter::Kind::variable) {
            return {Lit(splitter.index), Lit(splitter.index, false)};
        }
        std::vector<Lit> values = tables_[splitter.index].values;
        if (!tables_[splitter.index].complete) values.push_back(false_lit);
        return values;
    }

    // Whether a literal of a splitter holds if its value is `value`.
    static bool holds(Lit lit, Lit value, std::span<const Lit> values) {
        if (lit.var() == value.var()) return lit == value;
        // another value holds, so the value that `lit` is about does not
        return std::find(values.begin(), values.end(), lit) == values.end();
    }

    // Also sets complete_ to false if there is a case in which none of the heads holds.
    bool exclude_each_other(const std::vector<Cube> &cubes) {
        work_ += cubes.size() + 1;
        if (work_ > most_work_) return false;
        if (cubes.empty()) {
            complete_ = false;
            return true;
        }
        std::map<Splitter, std::size_t> mentions;
        std::optional<std::uint32_t> holding;
        for (const Cube &cube : cubes) {
            for (const Lit lit : cube.literals) ++mentions[splitter_of(lit)];
            if (!cube.literals.empty()) continue;
            if (holding && *holding != cube.head) return false;
            if (holding) rows_exclude_ = false;
            holding = cube.head;
        }
        if (mentions.empty()) return true;
        const auto most =
            std::max_element(mentions.begin(), mentions.end(),
                             [](const auto &a, const auto &b) { return a.second < b.second; });
        const std::vector<Lit> values = values_of(most->first);
        for (const Lit value : values) {
            std::vector<Cube> part;
            for (const Cube &cube : cubes) add_part(cube, most->first, value, values, part);
            if (!exclude_each_other(part)) return false;
        }
        return true;
    }

    void add_part(const Cube &cube, const Splitter &splitter, Lit value,
                  std::span<const Lit> values, std::vector<Cube> &part) const {
        Cube rest{cube.head, {}};
        for (const Lit lit : cube.literals) {
            if (splitter_of(lit) != splitter) {
                rest.literals.push_back(lit);
            } else if (!holds(lit, value, values)) {
                return;
            }
        }
        part.push_back(std::move(rest));
    }

    const Theory &theory_;
    const std::vector<Head> &heads_;
    std::vector<Table> tables_;
    std::vector<std::uint32_t> table_of_; // by variable
    bool complete_ = true;
    bool rows_exclude_ = true;
    std::size_t work_ = 0;
    std::size_t most_work_ = 0;
};

} // namespace

std::vector<Table> find_tables(const Theory &theory) {
    NEURASP_ASSERT(theory.determined && theory.recursive.empty(),
                   "tables are looked for where outcomes determine the model, without cycles");
    return TableFinder(theory).run();
}

} // namespace neurasp::circuit
