// Circuits in a folder on disk, one file each, for later runs.
//
// A file is written under another name and then renamed, so readers see all of it or nothing, and
// writers of the same circuit do not disturb each other. A file holds its key and the text of
// circuit_text.hpp with its version and checksum; whatever is not exactly that counts as not there. What a
// killed writer leaves under its other name is never looked at.
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

    // The circuit, read and verified; nothing if there is none, or none that is intact.
    std::optional<Circuit> find(const CircuitKey &key) const;
    // Why nothing can be stored; empty if it can. Makes the folder if need be, and tries.
    std::string obstacle() const;
    // Makes the folder if need be. Whether the circuit is stored now.
    bool put(const CircuitKey &key, const Circuit &circuit) const;

  private:
    std::filesystem::path folder_;
};

} // namespace neurasp::circuit
