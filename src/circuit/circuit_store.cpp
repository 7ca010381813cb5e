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

// An empty file beside `path` that nobody else writes; its name, or nothing.
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
    const std::string usual(std::size_t{1} << 16, '\n'); // few circuits are larger
    const bool written = write_file(probe, usual, "");
    const int why = errno;
    fs::remove(probe, error);
    if (written) return {};
    return why != 0 ? std::strerror(why) : "it cannot be written";
}

bool CircuitStore::put(const CircuitKey &key, const Circuit &circuit) const {
    std::error_code error;
    fs::create_directories(folder_, error); // that it failed shows in the next step
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
