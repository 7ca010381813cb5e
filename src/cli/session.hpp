// The steps that every question takes: read the files, ground the program, prepare the question, and wait for
// the answer while showing progress and listening for Ctrl-C.
#pragma once

#include "base/stopwatch.hpp"
#include "cli/console.hpp"
#include "cli/exit_codes.hpp"
#include "cli/limit_watch.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "neurasp/observation_set.hpp"
#include "neurasp/reasoner.hpp"
#include "protocol/answers.hpp"

#include <optional>
#include <string_view>

namespace neurasp::cli {

// Which of the question's diagnostics go to standard error.
enum class Notices { none, warnings, all };

// " (of the 7 models seen)", for the heading of numbers that were computed from these models only; empty if
// the answer is exact.
std::string seen_so_far(const HowAnswered &how, const Console &console);

class Session {
  public:
    explicit Session(const Options &options) : options_(options), console_(options.color) {}
    // Reads the files, grounds the program, prepares the question, runs networks; reports `notices` (with
    // --stats also infos). Throws: InputError, EnvironmentError, LimitError, UsageError.
    void prepare(Notices notices = Notices::warnings);

    // Replaces the question by one with the observation of `example` in addition to those of the options, and
    // with the outputs of `example`. Throws as `prepare` does.
    void turn_to(const ObservedExample &example, const Limits &limits);
    // Reports the warnings of all questions that `turn_to` asked, each once.
    void report_all();

    const Options &options() const { return options_; }
    Console &console() { return console_; }
    ProgressLine &progress() { return progress_; }
    const Question &question() const { return *question_; } // once prepared
    const NetworkOutputs &outputs() const { return outputs_; }
    const protocol::Times &times() const { return times_; } // so far
    // The limits that are left after grounding; of the time at least half.
    Limits limits() const;
    Settings settings() const { return settings_of(options_); }
    // The message for an observation that no model satisfies, and for one of probability 0.
    std::string_view no_model_message() const;
    std::string_view zero_message() const;

    // To be called before the first part of an answer is printed: from here on the watch no longer ends the
    // process.
    void start_printing() { watch_->release(); }
    // Runs `ask` (a call of the question) and measures it.
    template <class Ask> auto answer(Ask ask) {
        const SignalGuard guard;
        progress_.phase("answering");
        if (!options_.time_limit)
            progress_.advise("Ctrl-C: what is known so far; see --time-limit");
        const base::Stopwatch stopwatch;
        auto result = watched(ask);
        times_.answering += stopwatch.seconds();
        progress_.finish();
        return result;
    }

    // The label of the probability that is asked for: "P(O)", or "P(some stable model)" and the like if nothing
    // is observed.
    std::string_view observed_label() const;
    // The condition in labels: "O" or, in optimal mode without an observation, "least cost"; empty if there is none.
    std::string_view given_label() const;
    // Writes next to the numbers, for people, that the answer is not exact, why, and `meaning`. At most once, and
    // only if it is not exact.
    void mark_inexact(const HowAnswered &how, std::string_view meaning = {});

    // Writes the answer as JSON, with "stats" if asked for.
    void print(protocol::Json answer, const HowAnswered &how);
    // The member "stats".
    protocol::Json stats(const HowAnswered &how);
    // The last thing to call: says if the answer is not exact (unless that was said before), shows statistics (on
    // standard error, for people) and chooses the exit code. `answered`: the answer contains any information.
    ExitCode finish(const HowAnswered &how, bool answered);

  private:
    void read();
    void ground();
    void watch_answering();
    // Runs `ask` while the limits are watched. If no network outputs were given at all, the error says how to
    // give them.
    template <class Ask> auto watched(Ask &ask) {
        watch_answering();
        try {
            auto result = ask();
            watch_.reset();
            return result;
        } catch (const InputError &error) {
            explain_missing_outputs(error);
            throw;
        }
    }
    // Throws: InputError with a better hint, if there is one.
    void explain_missing_outputs(const InputError &error) const;
    void report(Notices notices);
    void report(std::vector<Diagnostic> found, Notices notices);
    Queries queries() const;
    template <class Step> void timed(double &seconds, std::string_view phase, Step step);
    void show_stats(const HowAnswered &how);

    const Options &options_;
    Console console_;
    ProgressLine progress_;
    protocol::Times times_;
    std::optional<LimitWatch> watch_; // of the current step
    bool marked_ = false;             // mark_inexact has written its line
    std::optional<Program> program_;
    NetworkOutputs outputs_;
    NetworkOutputs common_outputs_;         // shared by all questions of a set
    std::vector<Observation> observations_; // from the options
    std::vector<Diagnostic> found_;         // in the questions that turn_to asked
    std::optional<Reasoner> reasoner_;
    std::optional<Question> question_;
};

} // namespace neurasp::cli
