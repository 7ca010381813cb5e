// Stable models as one JSON object, written in pieces while they are found.
#pragma once

#include "neurasp/answers.hpp"
#include "protocol/json.hpp"

#include <cstdint>
#include <string>

namespace neurasp::protocol {

// The pieces, joined in the order in which they are asked for, are a document: the list "models", then what
// is known at the end. `end` is asked for once, as the last.
class ModelList {
  public:
    std::string model(const StableModel &model);
    // `extra` are further members of the object.
    std::string end(const ModelsAnswer &answer, const Json &extra) const;
    std::string end(const StreamEnd &stream, const Json &extra) const;

    std::uint64_t count() const noexcept { return count_; }

  private:
    std::string end_with(Json rest, const Json &extra) const;

    std::uint64_t count_ = 0;
};

} // namespace neurasp::protocol
