// Limits on time, models and memory, used by every call that may take long. Reaching a limit is not an error
// as long as there is some answer.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace neurasp {

// Reads a flag that another thread may raise. Cheap to copy. A token without a flag is never raised.
class StopToken {
  public:
    StopToken() = default;
    // Reads a flag of the caller, which must outlive all copies of the token. For signal handlers, which can
    // only reach globals.
    explicit StopToken(const std::atomic<bool> &flag) : flag_(std::shared_ptr<void>(), &flag) {}

    bool raised() const noexcept { return flag_ && flag_->load(std::memory_order_relaxed); }

  private:
    friend class StopSource;
    explicit StopToken(std::shared_ptr<const std::atomic<bool>> flag) : flag_(std::move(flag)) {}

    std::shared_ptr<const std::atomic<bool>> flag_;
};

// Raises the flag, from any thread. Its tokens stay valid after it is destroyed.
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
    std::optional<std::uint64_t> total; // of these, if it is known
    // Bounds on P(O) so far, if that is being computed.
    std::optional<double> lower;
    std::optional<double> upper;
    double seconds = 0.0; // since the call began
};

struct Limits {
    // Wall-clock time until the call returns. Shares of it inside the call count the processor time of the
    // calling thread, so that a busy machine does not change which method finds the answer.
    std::optional<double> seconds;
    std::optional<std::uint64_t> models; // stable models that a search visits
    std::optional<std::uint64_t> bytes;  // of stored models and counts, and of circuits
    std::optional<std::uint64_t> nodes;  // of a circuit
    // Ground rules; a rule with more than ten literals counts as several. Without a value: twenty million.
    std::optional<std::uint64_t> ground_rules;
    StopToken stop;
    // Called in the calling thread, at most ten times a second. An exception that it throws ends the call. It must not
    // use the same reasoner or its questions. While clingo prepares a search or looks for the next instance of a
    // rule, no progress is reported and no limit takes effect.
    std::function<void(const Progress &)> on_progress;
};

} // namespace neurasp
