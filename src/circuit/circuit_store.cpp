// Circuits on disk, for later runs.
//
// A folder holds one file per circuit, named after the key in hexadecimal digits. Several processes may use the folder at
// the same time. So put() writes to a fresh temporary file beside the target (mkstemp, so that no two writers share one)
// and then renames it: a reader sees a complete file or none, and writers of the same circuit do not disturb each other;
// the last one wins, with equal bytes. A temporary file that a killed writer leaves behind is never read.
//
// A file is a cache entry, never the only copy, so find() trusts nothing: the first line must hold the format and the
// key, the text has a version and a checksum, and the circuit must verify (circuit_reader.cpp). Anything else counts as
// missing, and the circuit is compiled again. The caller also compares the signature: a file can be intact and still
// belong to another question (a copied or renamed file), and its inputs would then point outside of the weights.
//
// Failures to write are reported by the result of put(), and in advance by obstacle(): before it existed, a folder that
// could not be written went unnoticed. obstacle() writes 64 KiB, because a full disk or a limit on the size of files
// still accepts an empty file.
//
// Cost. One file read or written per circuit; verifying costs nodes * variables / 64.
#include "circuit/circuit_store.hpp"

#include "base/text_file.hpp"
#include "circuit/circuit_text.hpp"
#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace neurasp::circuit {

namespace fs = std::filesystem;

namespace {

std::string hexadecimal(const CircuitKey &key) {
    return fmt::format("{:016x}{:016x}", key.high, key.low);
}

// The first line of a file.
std::string head_of(const CircuitKey &key) {
    return fmt::format("neurasp-stored-circuit 1 {}\n", hexadecimal(key));
}

// Makes an empty file beside `path` that no other process writes. Its name; empty if that fails.
std::string new_file_beside(const fs::path &path) {
    std::string name = path.string() + ".XXXXXX";
    const int file = ::mkstemp(name.data());
    if (file < 0) return {};
    ::close(file);
    return name;
}

bool write_file(const std::string &name, std::string_view head, std::string_view text) {
    std::ofstream out(name, std::ios::binary | std::ios::trunc);
    out << head << text;
    out.close();
    return !out.fail();
}

} // namespace

fs::path CircuitStore::file_of(const CircuitKey &key) const {
    return folder_ / (hexadecimal(key) + ".circuit");
}

std::optional<Circuit> CircuitStore::find(const CircuitKey &key) const {
    const std::optional<std::string> text = base::find_text_file(file_of(key).string());
    const std::string head = head_of(key);
    if (!text || !text->starts_with(head)) return {};
    try {
        return read_circuit(std::string_view(*text).substr(head.size()));
    } catch (const InputError &) {
        return {};
    }
}

std::string CircuitStore::obstacle() const {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) return error.message();
    const std::string probe = new_file_beside(folder_ / "probe");
    if (probe.empty()) return std::strerror(errno);
    errno = 0;
    const std::string usual(std::size_t{1} << 16, '\n'); // most circuits are smaller
    const bool written = write_file(probe, usual, "");
    const int why = errno;
    fs::remove(probe, error);
    if (written) return {};
    return why != 0 ? std::strerror(why) : "it cannot be written";
}

bool CircuitStore::put(const CircuitKey &key, const Circuit &circuit) const {
    std::error_code error;
    fs::create_directories(folder_, error); // if it fails, so does the next step
    const fs::path file = file_of(key);
    const std::string temporary = new_file_beside(file);
    if (temporary.empty()) return false;
    if (write_file(temporary, head_of(key), write_circuit(circuit))) {
        fs::rename(temporary, file, error);
        if (!error) return true;
    }
    fs::remove(temporary, error);
    return false;
}

} // namespace neurasp::circuit
