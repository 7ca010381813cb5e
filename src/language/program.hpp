// The result of the language layer: a NeurASP text, read, checked and lowered to clingo text.
//
// Neural and probabilistic rules become ordinary clingo rules over helper predicates (their names
// start with `helper_prefix`, which user programs must not use). Everything else passes to clingo
// token by token, at the line and column where the user wrote it.
//
// The lowered text contains, in addition to the user's own rules:
//
//   neural rule K `nn(m(e,t1,..,tk),[v1,..,vn]) :- Body.`
//       __neurasp_nn(K,e,(t1,..,tk),(v1,..,vn)) :- Body.
//       {m(I,T1,..,Tk,V1);..;m(I,T1,..,Tk,Vn)} :- __neurasp_nn(K,E,(T1,..,Tk),(V1,..,Vn)),
//                                                 I=b..b+E-1, (E,)<=(max_events,).    (b: event base)
//   probabilistic rule K `p1 : a1 | .. | pn : an :- Body.`, X1.. the variables of its head
//       __neurasp_pr(K,(X1,..),(a1,..,an)) :- Body.
//       {a1;..;an} :- __neurasp_pr(K,(X1,..),_).        (without this body if there is neither Body nor a variable)
//   constraint of an observation number K `:- Body.`, or rule `Head :- Body.` without a positive head atom
//       __neurasp_violated(K) :- Body.
//       __neurasp_violated(K) :- not Head, Body.
//   the same, or a fact `a.`, in a unit with guard G, which says whether the statement is there
//       __neurasp_violated(K) :- Body; __neurasp_given(G).
//       a :- __neurasp_given(G).
//       #external __neurasp_given(G) : G=1..n.                                         (n: the greatest guard)
//   query number K `Body`
//       __neurasp_query(K) :- Body.
//   query number K `Body` that is asked for each instance, X1.. its global variables
//       __neurasp_query(K,X1,..) :- Body.
//   constant c/k written with `=` in the head of an ordinary rule
//       :- c(X1,..,Xk,V), c(X1,..,Xk,W), V<W.
//
// The choice rules do not say "exactly one": the inference layer turns each event into a native random variable
// and drops these rules (see inference/README.md).
#pragma once

#include "base/source.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neurasp::language {

using base::DiagnosticSink;
using base::SourceMap;
using base::SourceSpan;

inline constexpr std::string_view helper_prefix = "__neurasp_";
inline constexpr std::string_view neural_helper = "__neurasp_nn";
inline constexpr std::string_view probabilistic_helper = "__neurasp_pr";
inline constexpr std::string_view violated_helper = "__neurasp_violated";
inline constexpr std::string_view query_helper = "__neurasp_query";
inline constexpr std::string_view given_helper = "__neurasp_given";
inline constexpr int max_events = 1'000'000;

// A predicate or multi-valued constant: name and number of arguments.
using Signature = std::pair<std::string, std::size_t>;

struct NeuralRule {
    SourceSpan span;                  // the whole statement
    SourceSpan events;                // the term `e`
    std::vector<SourceSpan> outcomes; // the terms `v1..vn`
    std::string network;
    std::size_t term_count = 0; // k

    Signature atom_signature() const { return {network, term_count + 2}; }
};

// `p : a.` is stored with both of its outcomes, so all lists have the same size.
struct ProbabilisticRule {
    SourceSpan span;
    std::vector<SourceSpan> outcomes;  // the place of each atom (twice that of `a` for `p : a.`)
    std::vector<double> probabilities; // checked: in [0,1], sum 1 up to 1e-6
    std::vector<bool> learnable;
};

// An atom in the head of an ordinary rule, for mistakes that only the ground program shows.
struct HeadAtom {
    SourceSpan span;
    Signature signature;
    bool negated = false; // strong negation
};

// Lowered text, and where each piece of it came from.
class LoweredText {
  public:
    const std::string &text() const noexcept { return text_; }
    // The user's span for a place in the lowered text (lines and columns from 1, end exclusive).
    SourceSpan origin(std::uint32_t line, std::uint32_t column, std::uint32_t end_line,
                      std::uint32_t end_column) const;

  private:
    friend class LoweredWriter;
    // The text from `column` (counted from 0) up to the next piece. If `copied`, it equals the text of `span`
    // byte for byte; otherwise it stands for `span` as a whole.
    struct Piece {
        std::uint32_t column = 0;
        SourceSpan span;
        bool copied = true;
    };
    struct Hit {
        const Piece *piece = nullptr;
        bool exact = false; // the piece is on the line that was asked for
    };
    Hit find(std::uint32_t line, std::uint32_t column) const;

    std::string text_;
    std::vector<std::vector<Piece>> lines_;
};

class AtomIndex;

// A query that is asked for each instance: its global variables, in order of appearance, and the places of each.
struct EachQuery {
    struct Place {
        SourceSpan span;
        std::size_t variable = 0;
        bool in_arithmetic = false; // a negative number needs parentheses here
    };
    std::uint32_t number = 0; // K
    SourceSpan span;
    std::vector<std::string> variables;
    std::vector<Place> places;
};

struct Program {
    std::vector<NeuralRule> neural_rules; // K counts from `first_neural_rule`
    std::vector<ProbabilisticRule> probabilistic_rules;
    std::size_t first_neural_rule = 0; // > 0 only when read on top of a base program
    std::size_t first_probabilistic_rule = 0;
    int event_base = 0;
    std::vector<HeadAtom> head_atoms;
    // Outcomes of probabilistic rules, and the atoms of #external and #defined: ordinary rules need not derive them.
    std::vector<HeadAtom> declared;
    std::set<Signature> constants; // written with `=` in some head
    bool extends_program = false;  // an observation holds more than constraints
    bool has_constraints = false;  // some observation holds a constraint
    bool has_weak_constraints = false;
    std::vector<EachQuery> each_queries; // in order
    LoweredText lowered;
    // Later texts are checked against these atoms (see atom_index.hpp); for this layer only.
    std::shared_ptr<const AtomIndex> atoms;
};

enum class Role { program, observation, query, each_query };

// A source to read. `number` is the K in the helper atoms of observations and queries. An observation with a guard
// holds facts and constraints only (observation_parts.hpp); they count if the external atom of the guard is true.
struct SourceUnit {
    std::uint32_t source = 0;
    Role role = Role::program;
    std::uint32_t number = 0;
    std::uint32_t guard = 0; // 0: none
};

struct ReadOptions {
    bool allow_script = false;
    bool allow_include = false;
};

// Reads the units, in order, as one program. With `base`, they are read on top of an earlier program: its
// constants, networks and event base are known, and only the new text is lowered.
// Mistakes go to `diagnostics`; the result is usable only if there are no errors.
// `sources` grows when a file is included.
Program read(SourceMap &sources, std::span<const SourceUnit> units, const ReadOptions &options,
             const Program *base, DiagnosticSink &diagnostics);

} // namespace neurasp::language
