// Documents with answers to questions.
#include "protocol/documents.hpp"

#include "protocol/answers.hpp"
#include "protocol/circuits.hpp"
#include "protocol/diagnostics.hpp"
#include "protocol/model_list.hpp"
#include "protocol/version.hpp"

#include <limits>

namespace neurasp::test {

namespace {

using nlohmann::json;
using protocol::Json;

constexpr double infinity = std::numeric_limits<double>::infinity();

const Probability exactly_half{0.5, -0.6931471805599453, 0.5, 0.5, true};
const Probability between{0.25, -1.3862943611198906, 0.25, 0.75, false};
const Probability nothing{0.0, -infinity, 0.0, 0.0, true};

HowAnswered exact_info() {
    HowAnswered info;
    info.engine = "circuit";
    info.why = "a circuit of 3 nodes and 2 edges";
    info.models_seen = 4;
    info.solver_calls = 2;
    return info;
}

HowAnswered bounded_info() {
    HowAnswered info;
    info.exact = false;
    info.engine = "enumerate";
    info.limit = "model limit reached";
    return info;
}

ProgramSummary summary() {
    ProgramSummary summary;
    summary.neural_rules = 1;
    summary.log10_total_choices = 0.9;
    summary.largest_scc = 2;
    summary.tight = false;
    summary.engines = {"circuit", "enumerate"};
    return summary;
}

Json stats(const HowAnswered &info) {
    return protocol::stats_json(info, {0.5, 0.25, 0.125}, summary());
}

StableModel model(bool exact) {
    StableModel model;
    model.probability = {0.5, -0.6931471805599453, exact ? 0.5 : 0.0, 0.5, exact};
    model.atoms = {"a", "b(1)"};
    model.cost = {3, -1};
    return model;
}

Document with_stats(const std::string &schema, Json object, const HowAnswered &info) {
    object["stats"] = stats(info);
    return {schema, object};
}

Document probability() {
    ProbabilityAnswer answer;
    answer.probability = exactly_half;
    answer.mass = exactly_half;
    answer.given_consistency = exactly_half;
    answer.queries = {{"a", exactly_half, exactly_half},
                      {"b(1)", exactly_half, exactly_half, "b(X)", {{"X", "1"}}}};
    answer.each = {{"b(X)", 1}};
    answer.how = exact_info();
    return with_stats("prob", protocol::to_json(answer), answer.how);
}

Document bounded_probability() {
    ProbabilityAnswer answer;
    answer.probability = between;
    answer.mass = between;
    answer.given_consistency = between;
    answer.queries = {{"a", between, between}, {"b", nothing, std::nullopt}};
    SampledProbability sampled;
    sampled.samples = 100;
    sampled.confidence = 0.95;
    sampled.probability = {0.5, -0.6931471805599453, 0.4, 0.6, false};
    sampled.joint = {{0.25, -1.3862943611198906, 0.2, 0.3, false},
                     {0.0, -infinity, 0.0, 0.1, false}};
    sampled.conditional = {Probability{0.5, -0.6931471805599453, 0.4, 0.6, false}, std::nullopt};
    answer.sampled = sampled;
    answer.how = bounded_info();
    return {"prob", protocol::to_json(answer)};
}

Document observation_set() {
    std::vector<protocol::ObservationTerm> terms(3);
    terms[0] = {"", ":- a.", {}};
    terms[0].answer.probability = exactly_half;
    terms[1] = {"second", ":- b.", {}};
    terms[1].answer.probability = between;
    terms[1].answer.how = bounded_info();
    terms[2] = {"", ":- c.", {}};
    terms[2].answer.probability = nothing;
    return with_stats("prob-set", protocol::observation_set_json(terms, between, bounded_info()),
                      bounded_info());
}

Document impossible_probability() {
    ProbabilityAnswer answer;
    answer.probability = nothing;
    answer.mass = nothing;
    answer.how = exact_info();
    return {"prob", protocol::to_json(answer)};
}

Document marginals(const Probability &probability, const HowAnswered &info) {
    MarginalsAnswer answer;
    answer.probability = probability;
    answer.atoms = {{"a", 0.25}, {"b(1)", 1.0}};
    answer.variables = {{"digit(i1), event 0", {"d(0)", "d(1)"}, {0.25, 0.75}}};
    answer.how = info;
    return with_stats("marginals", protocol::to_json(answer), info);
}

Document gradient(bool defined, const HowAnswered &info, GradientConvention convention) {
    GradientAnswer answer;
    answer.probability = defined ? between : nothing;
    answer.defined = defined;
    answer.variables = {{"digit(i1)", {"d(0)", "d(1)"}, {2.0, -0.5}, false}};
    answer.how = info;
    return with_stats("gradient", protocol::to_json(answer, convention, "P(O) = 0"), info);
}

// A step of every kind, links to steps and to what was left out.
Derivation derivation() {
    Derivation result;
    result.query = {{"a", 0}};
    result.observation = {{"not b", std::nullopt}};
    for (int kind = 0; kind <= static_cast<int>(StepKind::circular); ++kind) {
        DerivationStep step;
        step.literal = "a";
        step.kind = static_cast<StepKind>(kind);
        result.steps.push_back(step);
    }
    result.steps[3].rule = "a :- d(0).";
    result.steps[3].body = {{"d(0)", 1}};
    result.steps[1].variable = "digit(i1)";
    result.steps[1].outcome = "d(0)";
    result.steps[1].probability = 0.5;
    result.steps[9].blocked = {{"b :- c.", {{"not c", std::nullopt}}}, {"{ b }.", {}}};
    result.steps[9].more_blocked = 2;
    result.left_out = 1;
    return result;
}

Document explanation() {
    ExplanationAnswer answer;
    answer.query = "a";
    answer.observation = between;
    answer.probability = between;
    answer.reasons = {{{{"digit(i1)", "d(0)", 0.5}}, {0.25, -1.38}, 0.5, 1.0, false, derivation()}};
    answer.with_query = model(true);
    answer.without_query = model(false);
    answer.models_known = true;
    answer.only_with = {"a"};
    answer.only_without = {"c"};
    answer.why = derivation();
    answer.why_not = Derivation{};
    answer.why_not->note = "nothing";
    answer.changes = {{{"digit(i1)", "d(0)", 0.5}, {"digit(i1)", "d(1)", 0.5}}};
    answer.conflict = Conflict{between, {{"digit(i1)", "d(1)", 0.5}}, derivation()};
    answer.note = "there is no circuit";
    answer.how = bounded_info();
    return with_stats("explain", protocol::to_json(answer), answer.how);
}

Document versions(bool complete) {
    protocol::Versions versions{"0.1.0", "5.4.1", std::nullopt, std::nullopt, false, "Release"};
    if (complete) {
        versions.torch = "1.13.0";
        versions.commit = "0123456789ab";
        versions.modified = true;
    }
    return {"version", protocol::to_json(versions)};
}

Document impossible_explanation() {
    ExplanationAnswer answer;
    answer.query = "a";
    answer.observation = nothing;
    answer.how = exact_info();
    return {"explain", protocol::to_json(answer)};
}

std::vector<Document> checks() {
    Diagnostic diagnostic;
    diagnostic.code = "unused";
    diagnostic.message = "nothing uses it";
    const CoherenceAnswer coherent{Coherence::coherent, {}, {}};
    const CoherenceAnswer incoherent{Coherence::incoherent, {"d(0)"}, {}};
    const ConsistencyAnswer argmax{{"d(1)"}, true, false, {}};
    const ConsistencyAnswer cut_short{{"d(1)"}, true, false, bounded_info()};
    return {with_stats("check",
                       protocol::check_json({&diagnostic, 1}, summary(), incoherent, argmax),
                       exact_info()),
            {"check", protocol::check_json({}, summary(), coherent, std::nullopt)},
            {"check", protocol::check_json({}, summary(), CoherenceAnswer(), cut_short)}};
}

template <class End>
json models(const std::vector<StableModel> &models, const End &end, const Json &extra) {
    protocol::ModelList list;
    std::string text;
    for (const StableModel &model : models) text += list.model(model);
    return json::parse(text + list.end(end, extra));
}

json models(const ModelsAnswer &answer, const Json &extra) {
    return models(answer.models, answer, extra);
}

std::vector<Document> model_lists() {
    ModelsAnswer none;
    none.how = exact_info();
    none.more = false;
    ModelsAnswer some;
    some.more = true;
    some.models = {model(true), model(false)};
    some.mass = between;
    some.how = bounded_info();
    ModelsAnswer best = some;
    best.upper_bound = Probability{0.5, -0.6931471805599453};
    const Json statistics = {{"stats", stats(none.how)}};
    Json drawn = statistics;
    drawn["seed"] = 7;
    const StreamEnd complete{true, between, exact_info(), false};
    const StreamEnd cut_short{false, std::nullopt, bounded_info(), std::nullopt};
    return {{"models", models({}, complete, statistics)},
            {"models", models(some.models, cut_short, Json::object())},
            {"map", models(best, statistics)},
            {"map", models(none, Json::object())},
            {"sample", models(some, drawn)},
            {"sample", models(none, {{"seed", 0}})}};
}

Document compilation(bool free_choice) {
    const std::string text = free_choice ? "0.25 : a. {b}." : "0.25 : a. b :- a.";
    Reasoner reasoner(Program(std::vector<NamedText>{{"p.lp", text}}));
    const auto circuit = reasoner.ask(":- not b.").compile().circuit;
    const std::vector<protocol::CircuitFile> files = {
        {"x.nnf", "nnf"}, {"x", "circuit"}, {"x.dot", "dot"}};
    const auto probability = free_choice ? std::optional<Probability>() : exactly_half;
    Json object = protocol::to_json(circuit.value(), free_choice, files, probability);
    object["stats"] = protocol::circuit_stats_json(circuit->statistics(), {0.5, 0.25, 0.0});
    return {"compile", object};
}

} // namespace

std::vector<Document> answer_documents() {
    std::vector<Document> all = {probability(),
                                 bounded_probability(),
                                 impossible_probability(),
                                 observation_set(),
                                 marginals(exactly_half, exact_info()),
                                 marginals(between, bounded_info()),
                                 gradient(true, bounded_info(), GradientConvention::plain),
                                 gradient(false, exact_info(), GradientConvention::proposition1),
                                 explanation(),
                                 impossible_explanation(),
                                 compilation(false),
                                 compilation(true),
                                 {"ground", protocol::ground_json("clingo", "a.\n")},
                                 {"ground", protocol::ground_json("aspif", "asp 1 0 0\n0\n")},
                                 versions(true),
                                 versions(false)};
    for (const auto &more : {checks(), model_lists()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

std::vector<Document> diagnostic_documents() {
    Diagnostic placed;
    placed.severity = Severity::warning;
    placed.code = "syntax";
    placed.message = "expected '.'";
    placed.location = {"p.lp", 1, 2, 1, 3};
    placed.hint = "add it";
    const std::vector<Diagnostic> found = {placed, Diagnostic()};
    return {{"error", json::parse(protocol::error_line("input", 3, found))},
            {"error", json::parse(protocol::error_line("interrupted", 130, {}))},
            {"warnings", json::parse(protocol::warnings_line(found))}};
}

} // namespace neurasp::test
