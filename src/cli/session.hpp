// What every question needs: the files are read, the program is grounded, the question is prepared, and
// the answer is awaited with Ctrl-C and progress looked after.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_codes.hpp"
#include "cli/limit_watch.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "neurasp/reasoner.hpp"
#include "protocol/answers.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace neurasp::cli {

// Which of the reasoner's diagnostics go to standard error.
enum class Notices { none, warnings, all };

class Session {
  public:
    // Reads, grounds, prepares; tells `notices` (infos too with --stats).
    // Throws: InputError, EnvironmentError, UsageError.
    explicit Session(const Options &options, Notices notices = Notices::warnings);

    const Options &options() const { return options_; }
    Console &console() { return console_; }
    Progress &progress() { return progress_; }
    Reasoner &reasoner() { return reasoner_; }
    const Question &question() const { return question_; }
    const NetworkOutputs &outputs() const { return outputs_; }
    const protocol::Times &times() const { return times_; } // so far
    // What is left of the limits after grounding: of the time, at least half.
    AnswerOptions limits() const;
    // "no stable model ...", for an observation that no model satisfies (or that has probability 0).
    std::string_view no_model_message() const;
    std::string_view zero_message() const;

    // To be called before a part of an answer is printed that is not complete: from here on nobody ends the
    // process.
    void start_printing() { watch_->release(); }
    // Runs `ask` (a call of the reasoner) and measures it.
    template <class Ask> auto answer(Ask ask) {
        const SignalGuard guard;
        progress_.phase("answering");
        if (!options_.time_limit)
            progress_.advise("Ctrl-C: what is known so far; see --time-limit");
        const auto start = Clock::now();
        auto result = watched(ask);
        times_.answering += since(start);
        progress_.finish();
        return result;
    }

    // Writes the answer as JSON, with "stats" if asked for.
    void print(protocol::Json answer, const AnswerInfo &info);
    // What "stats" holds.
    protocol::Json stats(const AnswerInfo &info);
    // The last thing to call: says if the answer is not exact, shows statistics (both on standard error,
    // for people) and chooses the exit code. `answered`: the answer says anything at all.
    ExitCode finish(const AnswerInfo &info, bool answered);

  private:
    using Clock = std::chrono::steady_clock;
    static double since(Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }
    Question ground();
    void watch_answering();
    // What `ask` returns, with an eye on the limits. Who gave no network outputs at all is told how to.
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
    template <class Step> auto timed(double &seconds, std::string_view phase, Step step);
    void show_stats(const AnswerInfo &info);

    const Options &options_;
    Console console_;
    Progress progress_;
    protocol::Times times_;
    std::optional<LimitWatch> watch_; // of what is going on
    Program program_;
    NetworkOutputs outputs_;
    Reasoner reasoner_;
    Question question_;
};

} // namespace neurasp::cli
