// Runs a fuzz target once for every file below the given folders (or for the given files), so that
// inputs that fuzzing found are tested without a fuzzer.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path &start) {
    if (!fs::is_directory(start)) return {start};
    std::vector<fs::path> files;
    for (const auto &entry : fs::recursive_directory_iterator(start)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

// Copied to a buffer of exactly its size, so that the address sanitizer sees reads past the end.
std::vector<std::uint8_t> read_bytes(const fs::path &path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot open " + path.string());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return {text.begin(), text.end()};
}

std::size_t replay(const fs::path &start) {
    const std::vector<fs::path> files = files_below(start);
    for (const fs::path &file : files) {
        // Before the call, and flushed: a crash must leave the name of its input behind.
        std::printf("%s\n", file.c_str());
        std::fflush(stdout);
        const std::vector<std::uint8_t> bytes = read_bytes(file);
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    return files.size();
}

} // namespace

int main(int argc, char **argv) {
    try {
        std::size_t count = 0;
        for (int i = 1; i < argc; ++i) count += replay(argv[i]);
        std::printf("%zu inputs replayed\n", count);
        return count > 0 ? 0 : 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "replay: %s\n", error.what());
        return 1;
    }
}
