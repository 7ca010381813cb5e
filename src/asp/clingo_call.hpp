// Calling libclingo: return codes become exceptions, and an exception of our own callback is kept until
// clingo has returned, because it must not pass through C frames.
#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

namespace neurasp::asp {

// A call to libclingo failed; the message is clingo's own.
class ClingoError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Throws: std::bad_alloc or ClingoError if `ok` is false.
void check(bool ok);

// The layouts of the tables that a version of libclingo takes from us; all else that we use is the same in all of them.
struct ClingoTables {
    bool observer_has_csp = false;  // clingo_observer_5_4_t, else clingo_observer_5_6_t
    bool undo_has_a_result = false; // clingo_propagator_5_4_t, else clingo_propagator_5_5_t

    friend bool operator==(const ClingoTables &, const ClingoTables &) = default;
};

// The tables of a version; nothing if we do not know them. Known are 5.4 to 5.8.
constexpr std::optional<ClingoTables> tables_of_clingo(int major, int minor) noexcept {
    if (major != 5 || minor < 4 || minor > 8) return std::nullopt;
    return ClingoTables{.observer_has_csp = minor <= 5, .undo_has_a_result = minor == 4};
}

// The tables of the libclingo that was loaded.
// Throws: EnvironmentError if we do not know them.
ClingoTables require_supported_clingo();

std::string clingo_version_text();

// Keeps the first exception that a callback throws until the surrounding call has returned.
class CallbackGuard {
  public:
    // Runs `body`; returns false if it threw, which tells clingo that the callback failed.
    template <class Body> bool run(Body &&body) noexcept {
        try {
            body();
            return true;
        } catch (...) {
            store(std::current_exception());
            return false;
        }
    }
    // Throws the stored exception if there is one; otherwise calls `check(ok)`.
    void finish(bool ok);

  private:
    void store(std::exception_ptr error) noexcept;

    std::exception_ptr error_;
};

} // namespace neurasp::asp
