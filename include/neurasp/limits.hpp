// When to give up. One set of limits serves every call that may take long; a limit that is reached is
// not an error where there is something to answer with.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace neurasp {

// Looks at a flag that somebody else may raise. Cheap to copy; one that was made without a flag is never
// raised.
class StopToken {
  public:
    StopToken() = default;
    // Looks at a flag of the caller, which must outlive all copies. For signal handlers, which can reach
    // nothing but a global.
    explicit StopToken(const std::atomic<bool> &flag) : flag_(std::shared_ptr<void>(), &flag) {}

    bool raised() const noexcept { return flag_ && flag_->load(std::memory_order_relaxed); }

  private:
    friend class StopSource;
    explicit StopToken(std::shared_ptr<const std::atomic<bool>> flag) : flag_(std::move(flag)) {}

    std::shared_ptr<const std::atomic<bool>> flag_;
};

// Where the flag is raised, from any thread. Tokens stay valid when the source is gone.
class StopSource {
  public:
    void raise() noexcept { flag_->store(true, std::memory_order_relaxed); }
    StopToken token() const { return StopToken(flag_); }

  private:
    std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

enum class Phase { grounding, compiling, searching, sampling, preparing };

// "grounding", "compiling", ...
std::string_view name_of(Phase phase) noexcept;

// How far a call has come.
struct Progress {
    Phase phase = Phase::grounding;
    std::uint64_t done = 0;             // ground rules, models, samples or observations
    std::optional<std::uint64_t> total; // of these, where it is known
    // What is known of P(O) so far, where that is what is being computed.
    std::optional<double> lower;
    std::optional<double> upper;
    double seconds = 0.0; // since the call began
};

struct Limits {
    // Wall-clock time until the call returns. Shares of it inside the call count the processor time of the
    // calling thread, so that a busy machine does not change which way an answer is found.
    std::optional<double> seconds;
    std::optional<std::uint64_t> models; // stable models that a search visits
    std::optional<std::uint64_t> bytes;  // for models and counts that are kept, and for circuits
    std::optional<std::uint64_t> nodes;  // of a circuit
    // Ground rules; those with more than ten literals count for more. Nothing: twenty million.
    std::optional<std::uint64_t> ground_rules;
    StopToken stop;
    // Called by the thread that made the call, at most ten times a second. What it throws ends the call; it must
    // not use the same reasoner or its questions. While clingo prepares a search or looks for the next instance
    // of a rule, nothing is reported and no limit is noticed.
    std::function<void(const Progress &)> on_progress;
};

} // namespace neurasp
