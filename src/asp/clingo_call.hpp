// Calling libclingo: return codes become exceptions, and exceptions of our callbacks travel around
// clingo's frames instead of through them.
#pragma once

#include <exception>
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

// Throws: EnvironmentError if the libclingo in use is not one whose tables we know (5.4, 5.5).
void require_supported_clingo();

std::string clingo_version_text();

// Keeps the first exception that a callback throws until the surrounding call has returned.
class CallbackGuard {
  public:
    // Runs `body`; returns false, for clingo, if it threw.
    template <class Body> bool run(Body &&body) noexcept {
        try {
            body();
            return true;
        } catch (...) {
            store(std::current_exception());
            return false;
        }
    }
    // `check(ok)`, but a stored exception comes first.
    void finish(bool ok);

  private:
    void store(std::exception_ptr error) noexcept;

    std::exception_ptr error_;
};

} // namespace neurasp::asp
