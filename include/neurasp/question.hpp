// A question: a program with an observation and queries, grounded and ready to be answered (SPEC, section 3).
#pragma once

#include "neurasp/answers.hpp"
#include "neurasp/circuit.hpp"
#include "neurasp/diagnostic.hpp"
#include "neurasp/limits.hpp"
#include "neurasp/network_outputs.hpp"
#include "neurasp/program.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace neurasp {

// What was observed: constraints, and facts or rules that extend the program. With values, each `{}` of
// the text is a hole that takes the next of them, and `{{`, `}}` are braces; without, the text stands as it is.
struct Observation {
    std::string text;
    std::vector<std::string> values = {};
    std::string name = "<observation>"; // for diagnostics
};

// The text with its holes filled. Throws: InputError if their number differs from that of the values.
std::string filled_text(const Observation &observation);

// What is asked for, beyond the question itself.
struct Settings {
    std::string engine = "auto"; // one of engine_names()
    bool optimal = false;        // only the least-cost models of program and observation count
    bool all_atoms = false;      // list all true atoms, not only the shown ones
    std::string circuit_folder;  // where compiled circuits are kept and found again; empty: nowhere
    // Probabilities are estimated from so many samples instead of computed; 0: only where engine "auto" runs
    // out of time, in the last part of it.
    std::uint64_t samples = 0;
    std::uint64_t seed = 0; // same seed, same samples
    // Answers that do not need P(some stable model) report it if it is known without search or found within
    // this many models.
    std::uint64_t mass_models = 0;
    // Derivations of `explain` have no more steps than this; 0: there are none.
    std::uint64_t derivation_steps = 40;
};

enum class GradientConvention {
    plain,        // each outcome's probability varies alone
    proposition1, // the variable's other outcomes absorb the change (paper, Proposition 1)
};

// Stable models one at a time, in the order in which the solver finds them; none is kept. While it lives, its
// search stays open; it keeps alive what it needs. For one thread at a time.
class ModelStream {
  public:
    ~ModelStream();
    ModelStream(ModelStream &&) noexcept;
    ModelStream &operator=(ModelStream &&) noexcept;

    // Nothing after the last one, and after a limit was reached.
    std::optional<StableModel> next();
    // Ends the search and says how it went. The time for the mass, if that was asked for, is spent here.
    StreamEnd finish();

  private:
    friend class Question;
    struct Parts;
    explicit ModelStream(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

// Cheap to copy; keeps alive what it needs, also when its reasoner is gone. Any number of threads may use the
// questions of one reasoner, side by side: each search has a solver of its own, and circuits are shared.
//
// Throws (whatever takes outputs): InputError if outputs are missing, extra or not distributions;
// ContractError for a misuse such as an unknown engine.
class Question {
  public:
    ProbabilityAnswer probability(const NetworkOutputs &outputs, const Settings &settings = {},
                                  const Limits &limits = {}) const;

    // All stable models that satisfy the observation.
    ModelStream models(const NetworkOutputs &outputs, const Settings &settings = {},
                       const Limits &limits = {}) const;

    // The `count` most probable stable models, most probable first; with `ties`, also all further ones that
    // are as probable as the last (relative difference at most 1e-14).
    ModelsAnswer most_probable(const NetworkOutputs &outputs, std::uint64_t count = 1,
                               bool ties = false, const Settings &settings = {},
                               const Limits &limits = {}) const;

    // Independent samples of stable models from the distribution given O (Settings::seed); none if P(O) = 0.
    ModelsAnswer sample(const NetworkOutputs &outputs, std::uint64_t count,
                        const Settings &settings = {}, const Limits &limits = {}) const;

    MarginalsAnswer marginals(const NetworkOutputs &outputs, const Settings &settings = {},
                              const Limits &limits = {}) const;

    GradientAnswer gradient(const NetworkOutputs &outputs,
                            GradientConvention convention = GradientConvention::plain,
                            const Settings &settings = {}, const Limits &limits = {}) const;

    // Why the question's query has the probability that it has: up to `count` reasons, the most probable
    // models with and without it, and the rules that fire in them. Throws also: ContractError unless there is one query.
    ExplanationAnswer explain(const NetworkOutputs &outputs, std::uint64_t count = 3,
                              const Settings &settings = {}, const Limits &limits = {}) const;

    CoherenceAnswer coherence(const Limits &limits = {}) const;

    // Whether the most probable outcome of every random variable agrees with program and observation.
    ConsistencyAnswer argmax_consistency(const NetworkOutputs &outputs,
                                         const Limits &limits = {}) const;

    // The question as a circuit for evaluation in batches. Questions that differ in names only share one.
    Compilation compile(const CompileSettings &settings = {}, const Limits &limits = {}) const;

    // The same question (facts and rules of the observation included, queries too) without asking for the
    // observation's constraints: what can be said before they are known.
    Question without_constraints() const;

    // The queries as they were written.
    const std::vector<std::string> &queries() const;
    // All random variables of the program (with what the observation adds to it).
    std::vector<RandomVariableInfo> variables() const;
    ProgramSummary summary() const;
    // The ground program in clingo's aspif format, choices made exactly-one.
    std::string aspif() const;
    // Warnings and infos from reading and grounding.
    std::vector<Diagnostic> diagnostics() const;

  private:
    friend struct internal::Access;
    friend class ModelStream;
    struct State;
    explicit Question(std::shared_ptr<const State> state);
    std::shared_ptr<const State> state_;
};

// The names that Settings::engine accepts, "auto" first.
std::vector<std::string> engine_names();

} // namespace neurasp
