// Calling libclingo: return codes become exceptions, and an exception of our own callback is kept until
// clingo has returned, because it must not pass through C frames.
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

// Throws: EnvironmentError if we do not know the tables of the libclingo in use (5.4 and 5.5 are known).
void require_supported_clingo();

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
