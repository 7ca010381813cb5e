// What every question needs: the files are read, the program is grounded, the question is prepared, and
// the answer is awaited with Ctrl-C and progress looked after.
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

// " (of the 7 models seen)", to stand behind the heading of numbers that only these models give; nothing if
// the answer is exact.
std::string seen_so_far(const HowAnswered &how, const Console &console);

class Session {
  public:
    explicit Session(const Options &options) : options_(options), console_(options.color) {}
    // Reads the files, grounds the program, prepares the question, runs networks; reports `notices` (infos
    // too with --stats). Throws: InputError, EnvironmentError, LimitError, UsageError.
    void prepare(Notices notices = Notices::warnings);

    // Turns to the question with the observation of `example` beside those of the options, and with its
    // outputs. Throws as `prepare` does.
    void turn_to(const ObservedExample &example, const Limits &limits);
    // Warnings of all questions that it turned to, each once.
    void report_all();

    const Options &options() const { return options_; }
    Console &console() { return console_; }
    ProgressLine &progress() { return progress_; }
    const Question &question() const { return *question_; } // once it is prepared
    const NetworkOutputs &outputs() const { return outputs_; }
    const protocol::Times &times() const { return times_; } // so far
    // What is left of the limits after grounding: of the time, at least half.
    Limits limits() const;
    Settings settings() const { return settings_of(options_); }
    // "no stable model ...", for an observation that no model satisfies (or that has probability 0).
    std::string_view no_model_message() const;
    std::string_view zero_message() const;

    // To be called before a part of an answer is printed that is not complete: from here on nobody ends the
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

    // How people read the event whose probability is asked for: "P(O)", or what stands in its place where
    // nothing is observed.
    std::string_view observed_label() const;
    // Beside the numbers, for people: that the answer is not exact, why, and `meaning`; once, and nothing
    // if it is exact.
    void mark_inexact(const HowAnswered &how, std::string_view meaning = {});

    // Writes the answer as JSON, with "stats" if asked for.
    void print(protocol::Json answer, const HowAnswered &how);
    // What "stats" holds.
    protocol::Json stats(const HowAnswered &how);
    // The last thing to call: says if the answer is not exact (unless that was said), shows statistics (on
    // standard error, for people) and chooses the exit code. `answered`: the answer says anything at all.
    ExitCode finish(const HowAnswered &how, bool answered);

  private:
    void read();
    void ground();
    void watch_answering();
    // What `ask` returns, with an eye on the limits. If no network outputs were given at all, the error says how to give them.
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
    std::optional<LimitWatch> watch_; // of what is going on
    bool marked_ = false;             // it was said that the answer is not exact
    std::optional<Program> program_;
    NetworkOutputs outputs_;
    NetworkOutputs common_outputs_;         // of all questions of a set
    std::vector<Observation> observations_; // of the options
    std::vector<Diagnostic> found_;         // by the questions that it turned to
    std::optional<Reasoner> reasoner_;
    std::optional<Question> question_;
};

} // namespace neurasp::cli
