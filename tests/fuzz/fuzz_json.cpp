// Any input is either network outputs that satisfy the invariants of the reader, or an InputError with a place.
#include "neurasp/diagnostic.hpp"
#include "neurasp/network_outputs.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void check(const neurasp::NetworkOutputs &outputs) {
    for (const auto &[network, entries] : outputs.table()) {
        for (const auto &[terms, entry] : entries) {
            require(!entry.values.empty() && entry.origin.starts_with("fuzz:"));
            for (const double value : entry.values) require(std::isfinite(value));
        }
    }
}

void check(const neurasp::InputError &error) {
    require(!error.diagnostics().empty() && error.diagnostics().size() <= 20);
    for (const neurasp::Diagnostic &diagnostic : error.diagnostics()) {
        require(diagnostic.severity == neurasp::Severity::error && !diagnostic.code.empty());
        require(diagnostic.location.file == "fuzz" && diagnostic.location.line > 0);
        require(!neurasp::render(diagnostic, true).empty());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    try {
        check(neurasp::NetworkOutputs::from_json(text, "fuzz"));
    } catch (const neurasp::InputError &error) {
        check(error);
    }
    return 0;
}
