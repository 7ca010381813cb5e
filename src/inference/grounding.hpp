// A program grounded: its rules, its random variables, what its models show.
//
// A question whose observation holds only constraints adds definitions to the grounding it is asked in; one
// that brings facts or rules needs a grounding of its own (reasoner.cpp).
//
// Threads: `extend` waits until nobody reads. All other calls read, and the caller holds what `reading()` returns
// for as long as they last.
//
// Invariants: the atoms of two random variables are disjoint; no rule has one in its head.
#pragma once

#include "asp/grounder.hpp"
#include "inference/lazy.hpp"
#include "inference/remarks.hpp"
#include "inference/search_problem.hpp"
#include "language/program.hpp"
#include "neurasp/limits.hpp"

#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

namespace neurasp::inference {

// Something that a model shows, with its text.
struct Shown {
    Symbol symbol;
    std::string text;
    std::vector<std::vector<Literal>> conditions; // any of them; an empty one always holds

    bool holds(const asp::ModelView &view) const;
};

// What decides whether a total choice has a stable model.
struct Consistency {
    bool coherent = false;                      // known: every total choice has one
    std::shared_ptr<const SearchProblem> slice; // may be nothing, then the whole problem decides
};

class Grounding {
  public:
    using Constants = std::vector<std::pair<std::string, std::string>>;

    // Grounds `program`, which was read from `sources`; `known` is what reading found.
    // Throws: InputError, LimitError.
    Grounding(base::SourceMap sources, language::Program program, const Constants &constants,
              const Limits &limits = {}, std::span<const Diagnostic> known = {});

    // Adds the definitions of a question. `delta` was read on top of this grounding's program and holds
    // constraints and queries only. Returns the remarks about it. Throws: InputError, LimitError.
    Remarks extend(const base::SourceMap &sources, const language::Program &delta,
                   const Limits &limits = {}, std::span<const Diagnostic> known = {});
    // Throws: ContractError from within Limits::on_progress.
    std::shared_lock<std::shared_mutex> reading() const;

    // Different for every grounding of this process.
    std::uint64_t number() const noexcept { return number_; }
    const base::SourceMap &sources() const noexcept { return sources_; }
    // As the user wrote it.
    const language::Program &program() const noexcept { return program_; }
    const std::vector<RandomVariable> &variables() const noexcept { return variables_; }
    // The outcome atoms of each variable.
    const std::vector<std::vector<AtomId>> &outcome_atoms() const { return problem_->groups(); }
    // The outcome atoms of a variable, as text, and their last arguments.
    struct OutcomeTexts {
        std::vector<std::string> atoms;
        std::vector<std::string> values;
    };
    const OutcomeTexts &outcome_texts(std::size_t variable) const;
    // The ground rules without the choices of random outcomes.
    const asp::GroundProgram &rules() const noexcept { return *rules_; }
    std::size_t program_rule_count() const noexcept { return program_rules_; } // without questions
    // The whole program.
    const SearchProblem &problem() const noexcept { return *problem_; }
    const asp::Analysis &analysis() const noexcept { return analysis_; }
    const Remarks &remarks() const noexcept { return remarks_; } // on the program, not on questions
    // The helper atom `name(number)`, if it can hold.
    std::optional<AtomId> helper(std::string_view name, std::uint32_t number) const;
    // The term with #const names inside it replaced by their values, as in the program's own terms.
    Symbol with_constants(Symbol symbol) const;

    // The rules that `roots` and the existence of stable models depend on.
    asp::Relevance relevance(std::span<const AtomId> roots) const;
    // The slice with just those, or nothing if it would not be simpler than the whole: it must be
    // determined, and leave out random variables or undetermined rules.
    std::shared_ptr<const SearchProblem> slice(const asp::Relevance &relevance) const;
    const Consistency &consistency() const;

    // Terms that models show: as the program says, or all atoms. Sorted; without helper atoms.
    const std::vector<Shown> &shown(bool all_atoms) const;

  private:
    void ground_part(const base::SourceMap &sources, const language::Program &part,
                     const Limits &limits);
    void absorb_rules(base::DiagnosticSink &diagnostics);
    const language::HeadAtom *find_head(AtomId atom) const;
    void report_random_head(AtomId atom, const language::HeadAtom &head,
                            base::DiagnosticSink &diagnostics) const;
    bool never_holds(const asp::RuleView &rule) const;
    std::vector<OutcomeTexts> make_outcome_texts() const;
    Consistency make_consistency() const;
    std::vector<Shown> list_all_atoms() const;
    std::vector<Shown> list_shown() const;

    mutable std::shared_mutex mutex_;
    std::uint64_t number_;
    base::SourceMap sources_;
    language::Program program_;
    asp::Grounder grounder_;
    Remarks remarks_;
    std::vector<RandomVariable> variables_;
    std::vector<std::optional<std::size_t>> variable_of_; // by atom
    std::shared_ptr<asp::GroundProgram> rules_ = std::make_shared<asp::GroundProgram>();
    std::size_t absorbed_rules_ = 0;
    std::size_t program_rules_ = 0;
    asp::Analysis analysis_;
    std::unique_ptr<const SearchProblem> problem_;
    Lazy<Consistency> consistency_;
    Lazy<std::vector<OutcomeTexts>> outcome_texts_; // by variable
    Lazy<std::vector<Shown>> shown_;
    Lazy<std::vector<Shown>> all_atoms_;
};

} // namespace neurasp::inference
