// Circuits in a folder on disk, one file each, for later runs.
//
// A file is written under a temporary name and then renamed, so readers see a complete file or none. It holds
// its key and the text of circuit_text.hpp with a version and a checksum; anything else counts as missing.
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/circuit_key.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace neurasp::circuit {

// For any number of threads and processes.
class CircuitStore {
  public:
    explicit CircuitStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

    const std::filesystem::path &folder() const noexcept { return folder_; }
    std::filesystem::path file_of(const CircuitKey &key) const;

    // The circuit, read and verified; nothing if there is no intact file.
    std::optional<Circuit> find(const CircuitKey &key) const;
    // Why nothing can be stored; empty if it can. Creates the folder if necessary and writes a test file.
    std::string obstacle() const;
    // Creates the folder if necessary. Returns whether the circuit is now stored.
    bool put(const CircuitKey &key, const Circuit &circuit) const;

  private:
    std::filesystem::path folder_;
};

} // namespace neurasp::circuit
