// Any input is either the text of a valid circuit, which is written back unchanged, or
// an InputError with a place. Each input is also tried with its checksum corrected, because a fuzzer would not find
// it by itself.
#include "circuit/circuit_text.hpp"
#include "neurasp/diagnostic.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void read(std::string_view text) {
    try {
        const neurasp::circuit::Circuit circuit = neurasp::circuit::read_circuit(text);
        circuit.verify();
        require(neurasp::circuit::write_circuit(circuit) == text);
    } catch (const neurasp::InputError &error) {
        require(error.diagnostics().size() == 1);
        const neurasp::Diagnostic &diagnostic = error.diagnostics().front();
        require(diagnostic.location.line > 0 && !neurasp::render(diagnostic).empty());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    read(text);
    read(neurasp::circuit::with_checksum(std::string(text.substr(0, text.find("checksum")))));
    return 0;
}
