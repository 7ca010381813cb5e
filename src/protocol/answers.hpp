// Answers, each as the object that docs/schema describes under the name of its command. A list of models is
// written in pieces instead: model_list.hpp.
#pragma once

#include "neurasp/answers.hpp"
#include "neurasp/diagnostic.hpp"
#include "neurasp/reasoner.hpp"
#include "protocol/json.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace neurasp::protocol {

Json to_json(const ProbabilityAnswer &answer);
// One observation of a set.
struct ObservationTerm {
    std::string name; // may be empty
    std::string observation;
    ProbabilityAnswer answer;
};
// `neurasp prob --observe-set`.
Json observation_set_json(std::span<const ObservationTerm> terms, const Probability &product,
                          const HowAnswered &how);
Json to_json(const MarginalsAnswer &answer);
Json to_json(const ExplanationAnswer &answer);
Json to_json(const StableModel &model);
// `undefined` says why there is no gradient; it is written only if there is none.
Json to_json(const GradientAnswer &answer, GradientConvention convention,
             std::string_view undefined);

Json to_json(const ProgramSummary &summary);
Json to_json(const CoherenceAnswer &answer);
Json to_json(const ConsistencyAnswer &answer);
// `neurasp check`: diagnostics and summary, with the answers that were asked for.
Json check_json(std::span<const Diagnostic> diagnostics, const ProgramSummary &summary,
                const std::optional<CoherenceAnswer> &coherence,
                const std::optional<ConsistencyAnswer> &argmax);

// `neurasp ground`: `format` is clingo or aspif.
Json ground_json(std::string_view format, const std::string &text);

// Seconds that a command spent before and while it answered.
struct Times {
    double reading = 0.0;
    double grounding = 0.0;
    double answering = 0.0;
};

// The member "stats" of an answer.
Json stats_json(const HowAnswered &how, const Times &times, const ProgramSummary &summary);

} // namespace neurasp::protocol
