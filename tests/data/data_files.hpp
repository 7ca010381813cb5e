// Helpers of the tests of the data readers: the files kept beside them, files made for one test, and errors as
// one line of text.
#pragma once

#include "data/array.hpp"
#include "data/byte_source.hpp"
#include "neurasp/diagnostic.hpp"
#include "support/source_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace neurasp::data {

inline std::string kept_file(const std::string &name) {
    return (test::source_folder() / "tests" / "data" / "files" / name).string();
}

// Two archives in the repository: one with stored members, one with deflated ones.
inline Bytes stored() { return read_bytes(kept_file("stored.npz")); }
inline Bytes deflated() { return read_bytes(kept_file("deflated.npz")); }

inline Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

// A folder that is removed after the test.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "neurasp-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = pattern;
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    std::string path(const std::string &name) const { return (path_ / name).string(); }
    std::string write(const std::string &name, std::string_view content) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }
    std::string write(const std::string &name, const Bytes &content) const {
        return write(name, as_text(content));
    }

  private:
    std::filesystem::path path_;
};

// The first error that `action` throws as "code file:line:column: message (hint)", with the file without its
// folder and without line and column if they are 0. "" if it throws none.
template <class Action> std::string error_of(Action action) {
    try {
        action();
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        std::string text =
            first.code + " " + std::filesystem::path(first.location.file).filename().string();
        if (first.location.line > 0) text += ":" + std::to_string(first.location.line);
        if (first.location.column > 0) text += ":" + std::to_string(first.location.column);
        text += ": " + first.message;
        return first.hint.empty() ? text : text + " (" + first.hint + ")";
    } catch (const EnvironmentError &error) {
        return std::string("environment: ") + error.what();
    } catch (const ContractError &error) {
        return std::string("contract: ") + error.what();
    }
    return "";
}

template <class T> const std::vector<T> &values(const Array &array) {
    return std::get<std::vector<T>>(array.elements());
}

} // namespace neurasp::data
