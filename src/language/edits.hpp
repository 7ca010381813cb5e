// Changes to the tokens of one statement, collected before the statement is written as lowered text.
//
// Invariant: every edit belongs to a token of its statement.
#pragma once

#include "language/lowered_writer.hpp"
#include "language/statement.hpp"

#include <string>
#include <vector>

namespace neurasp::language {

class Edits {
  public:
    void before(std::uint32_t token, std::string text) {
        add(token, Place::before, std::move(text));
    }
    void replace(std::uint32_t token, std::string text) {
        add(token, Place::instead, std::move(text));
    }
    void after(std::uint32_t token, std::string text) { add(token, Place::after, std::move(text)); }
    void drop(std::uint32_t token) { replace(token, {}); }

    // Writes the statement with its changes. Insertions at the same place keep their order.
    void write(const SourceMap &sources, const Statement &statement, LoweredWriter &writer);

  private:
    enum class Place { before, instead, after };
    struct Edit {
        std::uint32_t token = 0;
        Place place = Place::before;
        std::string text;
    };
    void add(std::uint32_t token, Place place, std::string text) {
        edits_.push_back({token, place, std::move(text)});
    }

    std::vector<Edit> edits_;
};

} // namespace neurasp::language
