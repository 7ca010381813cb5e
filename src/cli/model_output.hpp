// Stable models, one per line as they are found: as text, or as the JSON list "models".
#pragma once

#include "cli/session.hpp"
#include "protocol/model_list.hpp"

namespace neurasp::cli {

class ModelOutput {
  public:
    // `none` is the text if there are no models.
    ModelOutput(Session &session, std::string_view none) : session_(session), none_(none) {}

    // Writes a model immediately.
    void add(const StableModel &model);
    // Writes what follows the models; `extra` are further members of the JSON object.
    void end(const StreamEnd &stream);
    void end(const ModelsAnswer &answer);
    void end(const ModelsAnswer &answer, const protocol::Json &extra);

    std::uint64_t count() const { return count_; }

  private:
    void add_text(const StableModel &model);
    template <class End> void end_json(const End &end, protocol::Json extra);

    Session &session_;
    std::string_view none_;
    protocol::ModelList list_; // for JSON
    std::uint64_t count_ = 0;
};

} // namespace neurasp::cli
