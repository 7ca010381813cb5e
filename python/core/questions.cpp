// Programs, questions and their answers as JSON texts.
#include "core/parts.hpp"

#include "neurasp/reasoner.hpp"
#include "protocol/answers.hpp"
#include "protocol/diagnostics.hpp"
#include "protocol/model_list.hpp"

#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

namespace neurasp::python {

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Program read_program(const Pairs &texts, Pairs constants, bool allow_script, bool allow_include) {
    std::vector<NamedText> named;
    for (const auto &[name, text] : texts) named.push_back({name, text});
    return Program(std::move(named), {allow_script, allow_include, std::move(constants)});
}

std::vector<std::tuple<std::string, std::vector<std::string>, std::vector<double>, bool>>
rules_of(const Program &program) {
    std::vector<std::tuple<std::string, std::vector<std::string>, std::vector<double>, bool>> rules;
    for (const ProbabilisticRule &rule : program.probabilistic_rules()) {
        rules.emplace_back(rule.text, rule.atoms, rule.probabilities, rule.learnable);
    }
    return rules;
}

// How an answer was found, beside what every answer says.
protocol::Json how_json(const HowAnswered &how) {
    return {{"exact", how.exact},
            {"interrupted", how.interrupted},
            {"engine", how.engine},
            {"limit", how.limit},
            {"why", how.why},
            {"models_seen", how.models_seen},
            {"solver_calls", how.solver_calls},
            {"seconds", protocol::number(how.seconds)}};
}

std::string with_how(protocol::Json answer, const HowAnswered &how) {
    answer["how"] = how_json(how);
    return protocol::line(answer);
}

// The document of a list of models.
std::string models_text(const ModelsAnswer &answer,
                        protocol::Json extra = protocol::Json::object()) {
    protocol::ModelList list;
    std::string text;
    for (const StableModel &model : answer.models) text += list.model(model);
    extra["how"] = how_json(answer.how);
    return text + list.end(answer, extra);
}

// The summary of a program; with coherence and the networks' most probable outcomes if they were asked for.
std::string check_text(const Question &question, bool coherence, const NetworkOutputs *outputs,
                       const Limits &limits) {
    std::optional<CoherenceAnswer> coherent;
    std::optional<ConsistencyAnswer> argmax;
    HowAnswered how;
    if (coherence) coherent = question.coherence(limits);
    if (outputs != nullptr) argmax = question.argmax_consistency(*outputs, limits);
    if (argmax) how = argmax->how;
    if (coherent) how = coherent->how;
    return with_how(
        protocol::check_json(question.diagnostics(), question.summary(), coherent, argmax), how);
}

// Runs `ask` without the interpreter's lock, within limits that notice Ctrl-C.
template <class Ask> auto unlocked(const CallLimits &limits, Ask ask) {
    const Limits watched = limits.watched();
    const py::gil_scoped_release unlock;
    return ask(watched);
}

void add_settings(py::module_ &module) {
    py::class_<Settings>(module, "Settings")
        .def(py::init([](std::string engine, bool optimal, bool all_atoms,
                         std::string circuit_folder, std::uint64_t samples, std::uint64_t seed) {
                 Settings settings;
                 settings.engine = std::move(engine);
                 settings.optimal = optimal;
                 settings.all_atoms = all_atoms;
                 settings.circuit_folder = std::move(circuit_folder);
                 settings.samples = samples;
                 settings.seed = seed;
                 return settings;
             }),
             py::kw_only(), py::arg("engine") = "auto", py::arg("optimal") = false,
             py::arg("all_atoms") = false, py::arg("circuit_folder") = "", py::arg("samples") = 0,
             py::arg("seed") = 0);
    module.def("engine_names", &engine_names);
    module.def("clingo_version", &clingo_version_string);
}

void add_answers(py::class_<Question> &question) {
    using Outputs = NetworkOutputs;
    question
        .def("probability",
             [](const Question &self, const Outputs &outputs, const Settings &settings,
                const CallLimits &limits) {
                 return unlocked(limits, [&](const Limits &watched) {
                     const auto answer = self.probability(outputs, settings, watched);
                     return with_how(protocol::to_json(answer), answer.how);
                 });
             })
        .def("marginals",
             [](const Question &self, const Outputs &outputs, const Settings &settings,
                const CallLimits &limits) {
                 return unlocked(limits, [&](const Limits &watched) {
                     const auto answer = self.marginals(outputs, settings, watched);
                     return with_how(protocol::to_json(answer), answer.how);
                 });
             })
        .def("most_probable",
             [](const Question &self, const Outputs &outputs, std::uint64_t count, bool ties,
                const Settings &settings, const CallLimits &limits) {
                 return unlocked(limits, [&](const Limits &watched) {
                     return models_text(
                         self.most_probable(outputs, count, ties, settings, watched));
                 });
             })
        .def("sample",
             [](const Question &self, const Outputs &outputs, std::uint64_t count,
                const Settings &settings, const CallLimits &limits) {
                 return unlocked(limits, [&](const Limits &watched) {
                     return models_text(self.sample(outputs, count, settings, watched),
                                        {{"seed", settings.seed}});
                 });
             })
        .def("gradient",
             [](const Question &self, const Outputs &outputs, bool proposition1,
                const Settings &settings, const CallLimits &limits) {
                 const auto convention =
                     proposition1 ? GradientConvention::proposition1 : GradientConvention::plain;
                 return unlocked(limits, [&](const Limits &watched) {
                     const auto answer = self.gradient(outputs, convention, settings, watched);
                     return with_how(protocol::to_json(answer, convention,
                                                       "P(O) = 0, so log P(O) has no gradient"),
                                     answer.how);
                 });
             })
        .def("explain", [](const Question &self, const Outputs &outputs, std::uint64_t count,
                           const Settings &settings, const CallLimits &limits) {
            return unlocked(limits, [&](const Limits &watched) {
                const auto answer = self.explain(outputs, count, settings, watched);
                return with_how(protocol::to_json(answer), answer.how);
            });
        });
}

void add_facts(py::class_<Question> &question) {
    question.def("queries", &Question::queries)
        .def(
            "models",
            [](const Question &self, const NetworkOutputs &outputs, const Settings &settings,
               const CallLimits &limits) {
                return unlocked(limits, [&](const Limits &watched) {
                    return std::make_unique<ModelStream>(self.models(outputs, settings, watched));
                });
            },
            py::keep_alive<0, 4>()) // the stream's progress reports refer to the limits
        .def("compile",
             [](const Question &self, bool optimal, bool smooth, std::string folder,
                const CallLimits &limits) {
                 CompileSettings settings;
                 settings.optimal = optimal;
                 settings.smooth = smooth;
                 settings.circuit_folder = std::move(folder);
                 return circuit_of(unlocked(limits, [&](const Limits &watched) {
                     return self.compile(settings, watched);
                 }));
             })
        .def("check",
             [](const Question &self, bool coherence, const NetworkOutputs *outputs,
                const CallLimits &limits) {
                 return unlocked(limits, [&](const Limits &watched) {
                     return check_text(self, coherence, outputs, watched);
                 });
             })
        .def("aspif", &Question::aspif)
        .def("rendered_warnings",
             [](const Question &self) {
                 std::vector<std::string> texts;
                 for (const Diagnostic &found : self.diagnostics()) {
                     if (found.severity == Severity::warning) texts.push_back(rendered({found}));
                 }
                 return texts;
             })
        .def("variables", [](const Question &self) {
            std::vector<std::tuple<std::string, std::vector<std::string>, std::vector<std::string>,
                                   std::string, std::string, std::size_t, std::size_t>>
                result;
            for (const RandomVariableInfo &variable : self.variables()) {
                result.emplace_back(variable.name, variable.atoms, variable.outcomes,
                                    variable.source.network, variable.source.terms,
                                    variable.source.event, variable.source.events);
            }
            return result;
        });
}

} // namespace

void add_questions(py::module_ &module) {
    add_settings(module);
    py::class_<Program>(module, "Program")
        .def(py::init(&read_program))
        .def("clingo_text", &Program::clingo_text)
        .def("probabilistic_rules", &rules_of);

    py::class_<Observation>(module, "Observation")
        .def(py::init([](std::string text, std::vector<std::string> values, std::string name) {
            return Observation{std::move(text), std::move(values), std::move(name)};
        }))
        .def("filled", &filled_text);

    py::class_<ModelStream>(module, "ModelStream")
        .def("next",
             [](ModelStream &stream) -> std::optional<std::string> {
                 const py::gil_scoped_release unlock;
                 const auto model = stream.next();
                 if (!model) return std::nullopt;
                 return protocol::line(protocol::to_json(*model));
             })
        .def("finish", [](ModelStream &stream) {
            const py::gil_scoped_release unlock;
            const StreamEnd end = stream.finish();
            return with_how({{"complete", end.complete}}, end.how);
        });

    py::class_<Question> question(module, "Question");
    add_answers(question);
    add_facts(question);

    py::class_<Reasoner>(module, "Reasoner")
        .def(py::init<Program>())
        .def("ask",
             [](Reasoner &self, const std::vector<Observation> &observations,
                const std::vector<std::string> &queries, bool each, const CallLimits &limits) {
                 std::vector<Query> asked;
                 for (const std::string &query : queries) asked.emplace_back(query, each);
                 return unlocked(limits, [&](const Limits &watched) {
                     return self.ask(observations, asked, watched);
                 });
             })
        .def("forget", &Reasoner::forget, py::call_guard<py::gil_scoped_release>());
}

} // namespace neurasp::python
