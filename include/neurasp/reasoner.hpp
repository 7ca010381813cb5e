// One object that answers every question of the specification (section 3) about a program.
#pragma once

#include "neurasp/answers.hpp"
#include "neurasp/circuit.hpp"
#include "neurasp/diagnostic.hpp"
#include "neurasp/network_outputs.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neurasp {

// A text with the name that diagnostics show for it.
struct NamedText {
    std::string name;
    std::string text;
};

// What the user allows and fixes before grounding.
struct ProgramOptions {
    bool allow_script = false;
    bool allow_include = false;
    std::vector<std::pair<std::string, std::string>> constants; // like clingo's -c name=value
};

// A probabilistic rule as it is written.
struct ProbabilisticRule {
    std::string text;
    std::vector<std::string> atoms; // one per outcome
    std::vector<double> probabilities;
    bool learnable = false;
};

// A NeurASP program: one or more texts read together. Reading checks the syntax, not the grounding.
class Program {
  public:
    // Throws: InputError.
    explicit Program(std::vector<NamedText> texts, ProgramOptions options = {});
    // Reads files; "-" is standard input. Throws: InputError, EnvironmentError.
    static Program from_files(const std::vector<std::string> &paths, ProgramOptions options = {});
    static Program from_text(std::string text, ProgramOptions options = {});

    // In the order of VariableSource::rule.
    std::vector<ProbabilisticRule> probabilistic_rules() const;
    // The clingo program that is generated.
    const std::string &clingo_text() const;

    struct Parts;
    const Parts &parts() const { return *parts_; }

  private:
    std::shared_ptr<const Parts> parts_;
};

// When to give up, and how answers look.
struct AnswerOptions {
    std::string engine = "auto";
    std::string circuit_folder; // where compiled circuits are kept and found again; empty: nowhere
    bool optimal = false;       // only the least-cost models of program and observation count
    std::optional<double> time_limit; // seconds
    std::optional<std::uint64_t> model_limit;
    std::optional<std::uint64_t> memory_limit; // bytes that stored counts and models may take
    const std::atomic<bool> *stop = nullptr;   // polled; raise it to get the answer so far
    bool all_atoms = false;                    // list all true atoms, not only the shown ones
    // Answers that do not need P(some stable model) report it if it is known without search or found
    // within this many models.
    std::uint64_t mass_models = 0;
    // Probabilities are estimated from so many samples instead of computed; 0: only where engine "auto"
    // runs out of time, in the last part of it.
    std::uint64_t samples = 0;
    std::uint64_t sample_seed = 0;
};

// When to give up grounding. clingo looks at these limits whenever it has a ground rule ready: where it
// searches long for the next one, so long they wait.
struct GroundingLimits {
    std::uint64_t rules =
        20'000'000; // ground rules; those with more than ten literals count for more
    std::optional<double> time_limit;        // seconds, for each grounding
    const std::atomic<bool> *stop = nullptr; // polled
};

enum class GradientConvention {
    plain,        // each outcome's probability varies alone
    proposition1, // the variable's other outcomes absorb the change (paper, Proposition 1)
};

struct ReasonerParts;

// An observation with queries, grounded and ready to be asked about. Cheap to copy; refers to its
// reasoner's state and keeps it alive.
class Question {
  public:
    struct State;
    const State &state() const { return *state_; }
    explicit Question(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  private:
    std::shared_ptr<const State> state_;
};

class Reasoner {
  public:
    // The program is grounded once, when the first question needs it.
    explicit Reasoner(Program program, GroundingLimits limits = {});
    ~Reasoner();
    Reasoner(Reasoner &&) noexcept;
    Reasoner &operator=(Reasoner &&) noexcept;

    // Prepares an observation (constraints; facts and rules extend the program for this question) and
    // queries (conjunctions like "a, not b"). An observation of constraints only reuses the grounding;
    // asking the same again returns what was prepared. Throws: InputError, LimitError.
    Question ask(const std::vector<NamedText> &observations = {},
                 const std::vector<std::string> &queries = {});
    Question ask(std::string_view observation, const std::vector<std::string> &queries = {});

    // Drops what was prepared, to save memory; questions in use stay as they are.
    void forget();

    // The same question (facts and rules of the observation included, queries too) without asking for the
    // observation's constraints: what can be told before they are known.
    static Question without_constraints(const Question &question);

    // Throws (all of the following): InputError if outputs are missing, extra or no distributions;
    // ContractError for a misuse such as an unknown engine.
    ProbabilityAnswer probability(const Question &question, const NetworkOutputs &outputs,
                                  const AnswerOptions &options = {});

    using OnModel = std::function<bool(const StableModel &)>; // returns false to stop
    // Stable models that satisfy the observation, in the order the solver finds them; `count` 0 means
    // all. With `on_model` they are passed on as found and not stored.
    ModelsAnswer models(const Question &question, const NetworkOutputs &outputs,
                        std::uint64_t count, const AnswerOptions &options = {},
                        const OnModel &on_model = {});

    // The `count` most probable stable models, most probable first; with `ties`, also all further ones
    // that are as probable as the last (relative difference at most 1e-14).
    ModelsAnswer most_probable(const Question &question, const NetworkOutputs &outputs,
                               std::uint64_t count = 1, bool ties = false,
                               const AnswerOptions &options = {});

    MarginalsAnswer marginals(const Question &question, const NetworkOutputs &outputs,
                              const AnswerOptions &options = {});

    // Independent samples of stable models from the distribution given O; none if P(O) = 0.
    ModelsAnswer sample(const Question &question, const NetworkOutputs &outputs,
                        std::uint64_t count, std::uint64_t seed, const AnswerOptions &options = {});

    GradientAnswer gradient(const Question &question, const NetworkOutputs &outputs,
                            GradientConvention convention = GradientConvention::plain,
                            const AnswerOptions &options = {});

    // The question as a circuit for evaluation in batches. Questions that differ in names only share one.
    Compilation compile(const Question &question, const CompileOptions &options = {});

    // Why the question's query has the probability that it has: up to `count` reasons, and the most
    // probable models with and without it. Throws also: ContractError unless there is one query.
    ExplanationAnswer explain(const Question &question, const NetworkOutputs &outputs,
                              std::uint64_t count = 3, const AnswerOptions &options = {});

    CoherenceAnswer coherence(const Question &question, const AnswerOptions &options = {});

    // Whether the most probable outcome of every random variable agrees with program and observation.
    ConsistencyAnswer argmax_consistency(const Question &question, const NetworkOutputs &outputs,
                                         const AnswerOptions &options = {});

    // All random variables of the program (with what the observation adds to it).
    std::vector<RandomVariableInfo> variables(const Question &question) const;
    ProgramSummary summary(const Question &question);
    // The ground program in clingo's aspif format, choices made exactly-one.
    std::string aspif(const Question &question);
    // Warnings and infos from reading and grounding.
    std::vector<Diagnostic> diagnostics(const Question &question) const;

  private:
    std::unique_ptr<ReasonerParts> parts_;
};

// The names that AnswerOptions::engine accepts, "auto" first.
std::vector<std::string> engine_names();

// "5.4.1": the version of the libclingo in use.
std::string clingo_version_string();

} // namespace neurasp
