// Checks a split: its observations and labels are handed to check_learning, and what comes back gets the names of examples.
#include "runs/experiment_check.hpp"

#include "base/counted.hpp"
#include "base/stopwatch.hpp"
#include "data/dataset.hpp"
#include "data/experiment_file.hpp"
#include "runs/experiment_labels.hpp"
#include "runs/experiment_program.hpp"
#include "runs/experiment_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

namespace neurasp::runs {

namespace {

constexpr std::size_t most_names = 5;

// How the check evaluates observations: exactly, whatever method training uses.
TrainingOptions check_options(const data::Experiment &experiment) {
    TrainingOptions options;
    options.optimal = experiment.training.optimal;
    options.compile_seconds = experiment.training.compile_seconds;
    options.circuit_folder = experiment.training.circuits.path;
    options.threads = thread_count(experiment);
    return options;
}

// "2 examples: train.csv:4, train.csv:9", or "70 examples, first train.csv:4, ...".
std::string named(const ExampleGroup &group) {
    return fmt::format("{}{}{}", base::counted(group.examples, "example"),
                       group.examples == group.names.size() ? ": " : ", first ",
                       fmt::join(group.names, ", "));
}

class SplitCheck {
  public:
    SplitCheck(const data::Experiment &experiment, std::string_view split, const Limits &limits)
        : experiment_(experiment), limits_(limits), dataset_(experiment, split, arrays_),
          program_(program_of(experiment), check_options(experiment), limits) {
        check_.split = split;
        check_.examples = dataset_.size();
        check_.observations = dataset_.observations().texts().size();
    }

    ExperimentCheck run(const LearningCheckSettings &settings) {
        collect_observations();
        Limits left = limits_;
        if (left.seconds) left.seconds = std::max(*left.seconds - stopwatch_.seconds(), 0.0);
        // networks that only observations call are not known before these are prepared
        Limits preparation = left;
        if (preparation.seconds) preparation.seconds = *preparation.seconds / 2;
        const bool prepared =
            program_.prepare(observations_, preparation).size() == observations_.size();
        collect_examples(prepared);
        if (left.seconds) left.seconds = std::max(*limits_.seconds - stopwatch_.seconds(), 0.0);
        check_.learning = check_learning(program_, observations_, examples_, settings, left);
        group_examples();
        check_.diagnostics = program_.diagnostics();
        add_warnings();
        return std::move(check_);
    }

  private:
    void collect_observations() {
        observations_.resize(check_.observations);
        for (std::size_t e = dataset_.size(); e-- > 0;) {
            // the first example that has the text gives it its name
            observations_[dataset_.observations().id(e)] =
                observation_of(dataset_.observations()[e], dataset_.example_name(e));
        }
    }

    // If some observations are not prepared, labels of networks that only these call cannot be read.
    void collect_examples(bool all_prepared) {
        examples_.resize(dataset_.size());
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            examples_[e].observation = dataset_.observations().id(e);
        }
        for (const data::DatasetLabel &label : dataset_.labels()) {
            if (!all_prepared &&
                program_.network_index(label.network) == program_.networks().size()) {
                continue;
            }
            const std::size_t network = network_of(label, program_);
            const NetworkShape &shape = program_.networks()[network];
            for (std::size_t e = 0; e < examples_.size(); ++e) {
                auto outcomes = label_outcomes(dataset_, label, e, shape);
                if (outcomes.empty()) continue;
                examples_[e].known.push_back({network, label.terms, std::move(outcomes)});
            }
        }
        check_.labelled = static_cast<std::size_t>(
            std::count_if(examples_.begin(), examples_.end(),
                          [](const LearningExample &example) { return !example.known.empty(); }));
    }

    void add_to(ExampleGroup &group, std::size_t example, std::set<std::size_t> &seen) const {
        ++group.examples;
        if (group.names.size() < most_names) group.names.push_back(dataset_.example_name(example));
        if (seen.insert(examples_[example].observation).second) ++group.observations;
    }

    void group_examples() {
        std::set<std::size_t> seen; // observations; each has one lesson
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            switch (check_.learning.lessons[examples_[e].observation]) {
            case Lesson::something: break;
            case Lesson::nothing: add_to(check_.idle, e, seen); break;
            case Lesson::impossible: add_to(check_.impossible, e, seen); break;
            case Lesson::unknown: add_to(check_.unknown, e, seen); break;
            }
        }
        seen.clear();
        for (const std::size_t e : check_.learning.contradictory) {
            add_to(check_.contradictory, e, seen);
        }
        for (const data::NetworkSettings &network : experiment_.networks) {
            const auto &uses = check_.learning.networks;
            const bool called = std::any_of(uses.begin(), uses.end(), [&](const NetworkUse &use) {
                return use.network == network.spec.name && use.called;
            });
            if (!called && check_.unknown.examples == 0) {
                check_.uncalled_networks.push_back(network.spec.name);
            }
        }
    }

    void warn(std::string code, std::string message, std::string hint) {
        Diagnostic diagnostic;
        diagnostic.severity = Severity::warning;
        diagnostic.code = std::move(code);
        diagnostic.message = std::move(message);
        diagnostic.hint = std::move(hint);
        check_.diagnostics.push_back(std::move(diagnostic));
    }

    void add_warnings() {
        if (check_.impossible.examples > 0) {
            warn("impossible-observation",
                 "no total choice satisfies the observation of " + named(check_.impossible),
                 "training leaves them out; does the observation write its atoms as the program "
                 "does?");
        }
        if (check_.idle.examples > 0) {
            warn("teaches-nothing",
                 "P(O) does not depend on what is learned in " + named(check_.idle),
                 "their gradient is 0; does the observation say what was meant?");
        }
        if (check_.contradictory.examples > 0) {
            warn("contradictory-labels",
                 "the labels violate the observation of " + named(check_.contradictory),
                 "is a label wrong, or the program?");
        }
        for (const std::string &network : check_.uncalled_networks) {
            warn("unknown-network",
                 fmt::format("no example calls the network '{}' of the experiment file", network),
                 "");
        }
        for (const NetworkUse &use : check_.learning.networks) {
            if (!use.called || use.matters || check_.unknown.examples > 0) continue;
            warn("idle-network",
                 fmt::format("P(O) never depends on the network '{}', so it learns nothing from "
                             "observations",
                             use.network),
                 "");
        }
    }

    const data::Experiment &experiment_;
    const Limits &limits_;
    base::Stopwatch stopwatch_;
    data::ArrayStore arrays_;
    data::Dataset dataset_;
    TrainingProgram program_;
    std::vector<Observation> observations_;
    std::vector<LearningExample> examples_;
    ExperimentCheck check_;
};

} // namespace

ExperimentCheck check_experiment(const data::Experiment &experiment, std::string_view split,
                                 const LearningCheckSettings &settings, const Limits &limits) {
    return SplitCheck(experiment, split, limits).run(settings);
}

ExperimentCheck check_experiment_file(const std::string &file,
                                      const std::vector<std::string> &assignments,
                                      std::string_view split, const LearningCheckSettings &settings,
                                      const Limits &limits) {
    return check_experiment(data::read_experiment_file(file, assignments), split, settings, limits);
}

} // namespace neurasp::runs
