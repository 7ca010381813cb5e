// A program grounded: its random variables, its rules, and the questions that were put on top of it.
//
// A question whose observation holds only constraints adds definitions to the world it is asked in;
// one that brings facts or rules needs a world of its own (see reasoner.cpp).
#pragma once

#include "asp/grounder.hpp"
#include "inference/problem.hpp"
#include "language/program.hpp"
#include "neurasp/reasoner.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace neurasp::inference {

// Observation and queries as atoms of a world's program.
struct QuestionAtoms {
    std::optional<AtomId> violated; // true iff the observation is violated; nothing: it never is
    std::vector<std::optional<AtomId>> queries; // nothing: never true
};

// Something that a model shows, with its text.
struct Shown {
    Symbol symbol;
    std::string text;
    std::vector<std::vector<Literal>> conditions; // any of them; an empty one always holds

    bool holds(const asp::ModelView &view) const;
};

// What decides whether a total choice has a stable model.
struct Consistency {
    bool coherent = false;        // known: every total choice has one
    std::unique_ptr<Slice> slice; // may be nothing, then the whole problem decides
};

class Compilations;

class World {
  public:
    using Constants = std::vector<std::pair<std::string, std::string>>;

    // Grounds `program`, which was read from `sources`. Throws: InputError, LimitError.
    World(base::SourceMap sources, language::Program program, const Constants &constants,
          const GroundingLimits &limits = {});

    // Adds the definitions of a question. `delta` was read on top of this world's program and holds
    // constraints and queries only. Throws: InputError, LimitError.
    void extend(const base::SourceMap &sources, const language::Program &delta);
    // The helper atoms of question number `number` with `queries` queries from `first_query` on.
    QuestionAtoms question_atoms(std::uint32_t number, std::uint32_t first_query,
                                 std::size_t queries) const;

    const base::SourceMap &sources() const noexcept { return sources_; }
    const language::Program &text() const noexcept { return text_; }
    const std::vector<RandomVariable> &variables() const noexcept { return variables_; }
    // The outcome atoms of each variable.
    const std::vector<std::vector<AtomId>> &outcome_atoms() const { return problem_->groups(); }
    // The outcome atoms of a variable, as text, and their last arguments; made once.
    struct OutcomeTexts {
        std::vector<std::string> atoms;
        std::vector<std::string> values;
    };
    const OutcomeTexts &outcome_texts(std::size_t variable) const;
    // The ground rules without the choices of random outcomes.
    const asp::GroundProgram &rules() const noexcept { return rules_; }
    std::size_t program_rule_count() const noexcept { return program_rules_; } // without questions
    Problem &problem() noexcept { return *problem_; }
    const asp::Analysis &analysis() const noexcept { return analysis_; }
    const std::vector<Diagnostic> &diagnostics() const noexcept { return diagnostics_; }
    // The term with #const names inside it replaced by their values, as in the program's own terms.
    Symbol with_constants(Symbol symbol) const;

    // The rules that `roots` and the existence of stable models depend on.
    asp::Relevance relevance(std::span<const AtomId> roots) const;
    // The slice with just those, or nothing if it would not be simpler than the whole: it must be
    // determined, and leave out random variables or undetermined rules.
    std::unique_ptr<Slice> slice(const asp::Relevance &relevance) const;
    // Made once.
    const Consistency &consistency();

    // Circuits for questions about this world. Requires: set before.
    Compilations &compilations() noexcept { return *compilations_; }
    void set_compilations(std::shared_ptr<Compilations> compilations) noexcept {
        compilations_ = std::move(compilations);
    }

    // Terms that models show: as the program says, or all atoms. Sorted; without helper atoms.
    const std::vector<Shown> &shown(bool all_atoms);

  private:
    void ground_part(const base::SourceMap &sources, const language::Program &part);
    void absorb_rules(base::DiagnosticSink &diagnostics);
    const language::HeadAtom *find_head(AtomId atom) const;
    void report_random_head(AtomId atom, const language::HeadAtom &head,
                            base::DiagnosticSink &diagnostics) const;
    bool never_holds(const asp::RuleView &rule) const;

    base::SourceMap sources_;
    language::Program text_;
    GroundingLimits limits_;
    asp::Grounder grounder_;
    std::vector<Diagnostic> diagnostics_;
    std::vector<RandomVariable> variables_;
    std::vector<std::optional<std::size_t>> variable_of_; // by atom
    asp::GroundProgram rules_;
    std::size_t absorbed_rules_ = 0;
    std::size_t program_rules_ = 0;
    asp::Analysis analysis_;
    std::unique_ptr<Problem> problem_;
    std::optional<Consistency> consistency_;
    std::shared_ptr<Compilations> compilations_;
    mutable std::vector<OutcomeTexts> outcome_texts_; // by variable
    std::vector<Shown> shown_;
    std::vector<Shown> all_atoms_;
    bool shown_ready_ = false;
    bool all_atoms_ready_ = false;
};

} // namespace neurasp::inference
