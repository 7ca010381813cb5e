// `#include "file".`: finds the file and adds its text to the sources.
#pragma once

#include "language/program.hpp"
#include "language/reporter.hpp"
#include "language/statement.hpp"

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace neurasp::language {

// Remembers which files were read, so that each is read once and cycles end. A file may be read again for
// each observation and each query.
class Includes {
  public:
    // Notes a text that is read anyway: if it is a file, including it adds nothing.
    void note(const SourceUnit &unit) { noted_.push_back(unit); }

    // The unit to read for an include statement; nothing if it was read before, or after a mistake.
    std::optional<SourceUnit> open(SourceMap &sources, const Statement &statement,
                                   const ReadOptions &options, Reporter &reporter);

  private:
    void find_noted(const SourceMap &sources);

    using Key = std::tuple<std::string, Role, std::uint32_t>;
    std::vector<SourceUnit> noted_; // until a file is included: most texts never ask for one
    std::set<Key> seen_;
};

} // namespace neurasp::language
