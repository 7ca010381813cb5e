// Errors of libclingo, its version, and exceptions thrown in callbacks.
#include "asp/clingo_call.hpp"

#include "asp/clingo_abi.hpp"
#include "neurasp/diagnostic.hpp"

#include <new>
#include <utility>

namespace neurasp::asp {

void check(bool ok) {
    if (ok) return;
    if (clingo_error_code() == clingo_error_bad_alloc) throw std::bad_alloc();
    const char *message = clingo_error_message();
    throw ClingoError(message != nullptr ? message : "libclingo reports an unknown error");
}

std::string clingo_version_text() {
    int major = 0;
    int minor = 0;
    int revision = 0;
    clingo_version(&major, &minor, &revision);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(revision);
}

ClingoTables require_supported_clingo() {
    int major = 0;
    int minor = 0;
    int revision = 0;
    clingo_version(&major, &minor, &revision);
    if (const auto tables = tables_of_clingo(major, minor)) return *tables;
    throw EnvironmentError("libclingo " + clingo_version_text() +
                           " is not supported: this build knows the interface of 5.4 to 5.8 "
                           "(Debian 12: apt install gringo)");
}

void CallbackGuard::store(std::exception_ptr error) noexcept {
    if (!error_) error_ = std::move(error);
    clingo_set_error(clingo_error_unknown, "an exception was thrown in a callback");
}

void CallbackGuard::finish(bool ok) {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    check(ok);
}

} // namespace neurasp::asp
