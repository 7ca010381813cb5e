// Stable models as one JSON object, written in pieces while they are found.
#pragma once

#include "neurasp/answers.hpp"
#include "protocol/json.hpp"

#include <cstdint>
#include <string>

namespace neurasp::protocol {

// The pieces that `model` and `end` return, joined in order, are a document: the list "models", then the members that
// are known only at the end. `end` must be called once, after all models.
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
