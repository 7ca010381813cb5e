// Warnings about the folder of --circuit-cache.
#include "cli/circuit_folder.hpp"

#include "circuit/circuit_store.hpp"

#include <fmt/format.h>

namespace neurasp::cli {

std::vector<Diagnostic> circuit_folder_warnings(const std::string &folder) {
    if (folder.empty()) return {};
    const std::string why = circuit::CircuitStore(folder).obstacle();
    if (why.empty()) return {};
    Diagnostic diagnostic;
    diagnostic.severity = Severity::warning;
    diagnostic.code = "circuit-cache";
    diagnostic.message = fmt::format("circuits are not kept in '{}': {}", folder, why);
    return {diagnostic};
}

} // namespace neurasp::cli
