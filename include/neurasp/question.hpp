// Questions: a program with an observation and queries, grounded and ready to be answered (specification 3).
#pragma once

#include "neurasp/answers.hpp"
#include "neurasp/circuit.hpp"
#include "neurasp/diagnostic.hpp"
#include "neurasp/limits.hpp"
#include "neurasp/network_outputs.hpp"
#include "neurasp/program.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace neurasp {

// An observation: constraints, which are all rules without a positive head atom, and facts or rules that extend the
// program. If there are values, each `{}` in the text is replaced by the next of them, and `{{` and `}}` stand for
// braces. Without values, the text is used as it is.
struct Observation {
    std::string text;
    std::vector<std::string> values = {};
    std::string name = "<observation>"; // for diagnostics
};

// A conjunction such as "a, not b". With variables it asks whether some instance holds, or, with `each`, for
// every ground instance that can hold on its own: `each("smokes(X)")`.
struct Query {
    Query(std::string query, bool for_each = false) : text(std::move(query)), each(for_each) {}
    Query(const char *query) : text(query) {}

    std::string text;
    bool each = false;
};

inline Query each(std::string query) { return {std::move(query), true}; }

// The queries of a question, e.g. {"a, not b", each("smokes(X)")}.
class Queries {
  public:
    Queries() = default;
    Queries(std::initializer_list<Query> queries) : list_(queries) {}
    Queries(std::vector<Query> queries) : list_(std::move(queries)) {}
    Queries(const std::vector<std::string> &texts) : list_(texts.begin(), texts.end()) {}

    const std::vector<Query> &list() const noexcept { return list_; }

  private:
    std::vector<Query> list_;
};

// The text with its values filled in. Throws: InputError if the number of values differs from that of the `{}`.
std::string filled_text(const Observation &observation);

// How a question is to be answered.
struct Settings {
    std::string engine = "auto"; // one of engine_names()
    bool optimal = false;        // only the least-cost models of program and observation count
    bool all_atoms = false;      // list all true atoms, not only the shown ones
    std::string circuit_folder;  // where circuits are stored for later runs; empty: nowhere
    // If not 0, probabilities are estimated from this many samples instead of computed. If 0, samples are drawn only
    // if the engine is "auto" and time runs out, in the last part of the time.
    std::uint64_t samples = 0;
    std::uint64_t seed = 0; // the same seed gives the same samples
    // Answers that do not need P(some stable model) report it if it is known without search or can be computed from
    // at most this many models.
    std::uint64_t mass_models = 0;
    // Derivations of `explain` have no more steps than this; 0: there are none.
    std::uint64_t derivation_steps = 40;
    // Lists of models say whether there are further ones even if that takes a search of its own, of at most one
    // second.
    bool look_further = false;
};

enum class GradientConvention {
    plain,        // each outcome's probability varies alone
    proposition1, // the variable's other outcomes absorb the change (paper, Proposition 1)
};

// Stable models, one at a time, in the order in which the solver finds them; none is stored. The search stays open as
// long as the stream lives. The stream keeps everything that it needs alive. For one thread at a time.
class ModelStream {
  public:
    ~ModelStream();
    ModelStream(ModelStream &&) noexcept;
    ModelStream &operator=(ModelStream &&) noexcept;

    // Nothing after the last model, or after a limit was reached.
    std::optional<StableModel> next();
    // Ends the search and reports how it ended. The mass, and whether there are further models, are computed here if
    // they were asked for.
    StreamEnd finish();

  private:
    friend class Question;
    struct Parts;
    explicit ModelStream(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

// Cheap to copy. Keeps everything that it needs alive, even after its reasoner is destroyed. Any number of threads may
// use the questions of one reasoner at the same time: each search has its own solver, and circuits are shared.
//
// Functions that take outputs throw InputError if outputs are missing, superfluous or not distributions, and
// ContractError for misuse such as an unknown engine.
class Question {
  public:
    ProbabilityAnswer probability(const NetworkOutputs &outputs, const Settings &settings = {},
                                  const Limits &limits = {}) const;

    // All stable models that satisfy the observation.
    ModelStream models(const NetworkOutputs &outputs, const Settings &settings = {},
                       const Limits &limits = {}) const;

    // The `count` most probable stable models, most probable first; with `ties`, also all others that are as
    // probable as the last one (relative difference at most 1e-14).
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

    // Why the query has its probability: up to `count` reasons, the most probable models with and without the query, and
    // the rules that fire in them. Also throws ContractError unless there is exactly one query.
    ExplanationAnswer explain(const NetworkOutputs &outputs, std::uint64_t count = 3,
                              const Settings &settings = {}, const Limits &limits = {}) const;

    CoherenceAnswer coherence(const Limits &limits = {}) const;

    // Whether the most probable outcome of every random variable agrees with program and observation.
    ConsistencyAnswer argmax_consistency(const NetworkOutputs &outputs,
                                         const Limits &limits = {}) const;

    // The question as a circuit, for evaluation in batches. Questions that differ only in names share a circuit.
    Compilation compile(const CompileSettings &settings = {}, const Limits &limits = {}) const;

    // The same question without the constraints of the observation; its facts and rules, and the queries, stay.
    Question without_constraints() const;

    // The queries as they were written; of one that was asked for each instance, its instances.
    const std::vector<std::string> &queries() const;
    // All random variables of the program, including those that the observation adds.
    std::vector<RandomVariableInfo> variables() const;
    ProgramSummary summary() const;
    // The ground program in clingo's aspif format, with exactly one outcome for each random variable.
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
