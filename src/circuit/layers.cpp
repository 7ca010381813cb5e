// Puts straight-line code into layers.
//
// The idea. Evaluation of one example after the other is limited by branches that depend on how many terms a step has, and by
// steps that wait for the step before. Evaluation side by side is limited by memory. Both gain from another order of the same
// steps. Steps that are equally far from the root form a layer; within a layer, steps with equally many terms are
// neighbours. So the inner loops have a fixed number of rounds for many rows, neighbouring rows never wait for
// each other, and a term needs eight bytes, because the row that it belongs to follows from its place.
//
// On the way back, adding to the derivatives of both factors of a term reads and writes two rows for each. Instead, each
// derivative gathers its uses: two reads for each use, and one write for each row. So it is a sum of products as well, of
// rows of derivatives and rows of values, and nothing is set to 0 before.
//
// Layers are counted from the root, as late as possible: in circuits of sums and grids, decisions about one variable then
// meet in a layer far more often, which tensors gain from (layer_tables.cpp).
//
// Invariants, checked by verify(): a term of a value refers to rows of earlier layers or to rows that are no steps; a term of a
// derivative refers to derivatives of earlier layers; a run is not empty, and neighbouring runs of a layer differ in width; the
// root's derivative has no uses.
//
// Cost. Linear in the terms, in time and size, except for sorting the rows.
//
// Measured against the order of the circuit and adding to both factors: values and derivatives in float, AVX-512, processor
// time, in turn, seven circuits of 1,149 to 798,141 edges (Bayesian networks, noisy-ors, paths). 256 examples take 0.46 to 0.76 of
// the time, one example takes 0.52 to 0.80. Small circuits with as many inputs as terms gain less (a hidden Markov model: 0.9),
// because there the weights are read and written most of the time. Values alone of the largest circuit got slower, 0.131
// instead of 0.098 ns an edge, because neighbouring layers do not fit into the cache.
#include "circuit/layers.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace neurasp::circuit {

namespace {

constexpr std::uint32_t unused = ~std::uint32_t{0};

// Rows with terms, in compressed form: those of row r are terms[begin[r] .. begin[r + 1]).
struct Rows {
    std::vector<std::uint32_t> begin{0};
    std::vector<SlotPair> terms;

    std::size_t count() const { return begin.size() - 1; }
    std::uint32_t width(std::size_t row) const { return begin[row + 1] - begin[row]; }
    std::span<const SlotPair> of(std::size_t row) const {
        return std::span(terms).subspan(begin[row], width(row));
    }
    void end_row() { begin.push_back(static_cast<std::uint32_t>(terms.size())); }
};

// The rows that have a layer, by layer and by number of terms; otherwise in the order that they had.
std::vector<std::uint32_t> arranged(const Rows &rows, const std::vector<std::uint32_t> &layer) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t row = 0; row < rows.count(); ++row) {
        if (layer[row] != unused) order.push_back(row);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return layer[a] != layer[b] ? layer[a] < layer[b] : rows.width(a) < rows.width(b);
    });
    return order;
}

// Appends the rows in this order. `renamed` translates a term.
template <class Renamed>
LayeredSums sums_of(const Rows &rows, const std::vector<std::uint32_t> &layer,
                    const std::vector<std::uint32_t> &order, const Renamed &renamed) {
    LayeredSums sums;
    sums.terms.reserve(rows.terms.size());
    std::uint32_t last_layer = unused;
    for (const std::uint32_t row : order) {
        const bool starts_layer = layer[row] != last_layer;
        if (starts_layer) sums.layers.push_back(static_cast<std::uint32_t>(sums.runs.size()));
        if (starts_layer || sums.runs.back().width != rows.width(row)) {
            sums.runs.push_back({0, rows.width(row)});
        }
        ++sums.runs.back().rows;
        for (const SlotPair term : rows.of(row)) sums.terms.push_back(renamed(term));
        last_layer = layer[row];
    }
    sums.layers.push_back(static_cast<std::uint32_t>(sums.runs.size()));
    return sums;
}

// How far each slot is from the root, at most; `unused` if the root does not depend on it.
std::vector<std::uint32_t> distances(const StraightLine &program) {
    std::vector<std::uint32_t> distance(program.slot_count(), unused);
    distance[program.root()] = 0;
    for (std::size_t step = program.step_count(); step-- > 0;) {
        const std::uint32_t above = distance[program.slot_of_step(step)];
        if (above == unused) continue;
        const auto lower = [&](Slot slot) {
            if (distance[slot] == unused || distance[slot] <= above) distance[slot] = above + 1;
        };
        for (const Slot single : program.singles(step)) lower(single);
        for (const SlotPair pair : program.pairs(step)) {
            lower(pair.first);
            lower(pair.second);
        }
    }
    return distance;
}

void require(bool condition, const char *what) {
    if (!condition) throw std::logic_error(what);
}

} // namespace

std::size_t LayeredSums::row_count() const {
    return std::accumulate(runs.begin(), runs.end(), std::size_t{0},
                           [](std::size_t sum, const Run &run) { return sum + run.rows; });
}

Layers::Layers(const StraightLine &program)
    : input_count_(program.input_count()), random_input_count_(program.random_input_count()) {
    add_values(program);
    add_derivatives();
    if (base::assertions_are_on) verify();
}

// A step without terms is the row 0.
void Layers::add_values(const StraightLine &program) {
    Rows steps;
    for (std::size_t step = 0; step < program.step_count(); ++step) {
        for (const Slot single : program.singles(step)) {
            steps.terms.push_back({single, one_input.value});
        }
        const auto pairs = program.pairs(step);
        steps.terms.insert(steps.terms.end(), pairs.begin(), pairs.end());
        steps.end_row();
    }
    const std::vector<std::uint32_t> distance = distances(program);
    const std::uint32_t deepest = std::accumulate(
        distance.begin(), distance.end(), 0U, [](std::uint32_t most, std::uint32_t one) {
            return one == unused ? most : std::max(most, one);
        });
    std::vector<std::uint32_t> layer(steps.count(), unused);
    for (std::size_t step = 0; step < steps.count(); ++step) {
        const std::uint32_t above = distance[program.slot_of_step(step)];
        if (above != unused && steps.width(step) > 0) layer[step] = deepest - above;
    }
    const std::vector<std::uint32_t> order = arranged(steps, layer);
    std::vector<Slot> row(program.slot_count(), zero_row());
    std::iota(row.begin(), row.begin() + input_count_, 0U);
    for (std::size_t i = 0; i < order.size(); ++i) {
        row[program.slot_of_step(order[i])] = first_step() + static_cast<Slot>(i);
    }
    values_ = sums_of(steps, layer, order, [&](SlotPair term) {
        return SlotPair{row[term.first], row[term.second]};
    });
    value_count_ = first_step() + order.size();
    root_ = row[program.root()];
}

// The uses of each row. Rows of one layer are used by later layers only, so the layers of derivatives are those of the values in
// reverse, and the inputs last.
void Layers::add_derivatives() {
    const auto is_wanted = [&](Slot row) {
        return (row >= 1 && row <= random_input_count_) || row >= first_step();
    };
    const auto layer_count = static_cast<std::uint32_t>(values_.layers.size());
    std::vector<std::uint32_t> layer(value_count_, unused); // of derivatives
    Rows uses;
    uses.begin.assign(value_count_ + 1, 0);
    const auto for_each_use = [&](const auto &visit) {
        const SlotPair *term = values_.terms.data();
        Slot target = first_step();
        for (const LayeredSums::Run &run : values_.runs) {
            for (std::uint32_t row = 0; row < run.rows; ++row, ++target) {
                for (std::uint32_t i = 0; i < run.width; ++i, ++term) {
                    if (is_wanted(term->first)) visit(term->first, SlotPair{target, term->second});
                    if (is_wanted(term->second)) visit(term->second, SlotPair{target, term->first});
                }
            }
        }
    };
    for_each_use([&](Slot row, SlotPair) { ++uses.begin[row + 1]; });
    std::partial_sum(uses.begin.begin(), uses.begin.end(), uses.begin.begin());
    uses.terms.resize(uses.begin.back());
    std::vector<std::uint32_t> next(uses.begin.begin(), uses.begin.end() - 1);
    for_each_use([&](Slot row, SlotPair use) { uses.terms[next[row]++] = use; });

    Slot step = first_step();
    for (std::size_t i = 0; i + 1 < values_.layers.size(); ++i) {
        for (std::uint32_t run = values_.layers[i]; run < values_.layers[i + 1]; ++run) {
            for (std::uint32_t row = 0; row < values_.runs[run].rows; ++row, ++step) {
                if (step != root_) layer[step] = layer_count - static_cast<std::uint32_t>(i);
            }
        }
    }
    for (Slot input = 1; input <= random_input_count_; ++input) {
        if (input != root_ && uses.width(input) > 0) layer[input] = layer_count + 1;
    }
    const std::vector<std::uint32_t> order = arranged(uses, layer);
    std::vector<std::uint32_t> derivative(value_count_, unused);
    derivative[root_] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        derivative[order[i]] = static_cast<std::uint32_t>(i) + 1;
    }
    derivatives_ = sums_of(uses, layer, order, [&](SlotPair use) {
        return SlotPair{derivative[use.first], use.second};
    });
    derivative_count_ = order.size() + 1;
    for (Slot input = 1; input <= random_input_count_; ++input) {
        if (derivative[input] == unused) {
            unused_inputs_.push_back(input);
        } else {
            used_inputs_.push_back({input, derivative[input]});
        }
    }
}

namespace {

// Checks the runs of sums whose rows start at `first`; a term is handed over with the first row of its layer.
template <class Check>
void verify_sums(const LayeredSums &sums, std::size_t first, const Check &check) {
    require(!sums.layers.empty() && sums.layers.back() == sums.runs.size(),
            "layers: the layers cover all runs");
    std::size_t term = 0;
    std::size_t row = first;
    for (std::size_t i = 0; i + 1 < sums.layers.size(); ++i) {
        const std::size_t first_of_layer = row;
        for (std::size_t run = sums.layers[i]; run < sums.layers[i + 1]; ++run) {
            const auto [rows, width] = sums.runs[run];
            require(rows > 0 && width > 0, "layers: no run is empty");
            require(run == sums.layers[i] || sums.runs[run - 1].width != width,
                    "layers: neighbouring runs differ in width");
            for (const std::size_t end = term + std::size_t{rows} * width; term < end; ++term) {
                check(sums.terms.at(term), first_of_layer);
            }
            row += rows;
        }
    }
    require(term == sums.terms.size(), "layers: every term belongs to a row");
}

} // namespace

void Layers::verify() const {
    verify_sums(values_, first_step(), [](SlotPair term, std::size_t first_of_layer) {
        require(term.first < first_of_layer && term.second < first_of_layer,
                "layers: a value refers to earlier layers");
    });
    require(first_step() + values_.row_count() == value_count_ && root_ < value_count_,
            "layers: every value has a row");
    verify_sums(derivatives_, 1, [&](SlotPair use, std::size_t first_of_layer) {
        require(use.first < first_of_layer && use.second < value_count_,
                "layers: a derivative refers to earlier layers");
    });
    require(1 + derivatives_.row_count() == derivative_count_,
            "layers: every derivative has a row");
}

} // namespace neurasp::circuit
