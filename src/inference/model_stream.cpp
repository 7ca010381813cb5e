// ModelStream: an enumeration that the caller pulls.
#include "inference/call.hpp"
#include "inference/enumeration.hpp"

namespace neurasp {

struct ModelStream::Parts {
    Parts(std::shared_ptr<const Question::State> question, const NetworkOutputs &outputs,
          Settings wanted, const Limits &limits)
        : state(std::move(question)), settings(std::move(wanted)),
          call(*state, outputs, settings, limits), task(call.task()),
          searches_before(problem().searches()) {
        if (task) models.emplace(problem(), call.weights(), task->request, call.budget());
        call.pause();
    }
    const inference::SearchProblem &problem() const { return state->scope->grounding().problem(); }

    std::shared_ptr<const Question::State> state;
    Settings settings;
    inference::Call call;
    std::optional<inference::Task> task; // nothing: the least cost is not known
    std::uint64_t searches_before;
    std::optional<inference::Enumeration> models;
    std::optional<StreamEnd> end; // once it is finished
};

ModelStream::ModelStream(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ModelStream::~ModelStream() = default;
ModelStream::ModelStream(ModelStream &&) noexcept = default;
ModelStream &ModelStream::operator=(ModelStream &&) noexcept = default;

std::optional<StableModel> ModelStream::next() {
    if (!parts_->models) return std::nullopt;
    const auto turn = parts_->call.go_on();
    const auto found = parts_->models->next();
    if (!found) return std::nullopt;
    return inference::describe_model(*parts_->state->scope, parts_->settings.all_atoms, found->view,
                                     found->probability());
}

StreamEnd ModelStream::finish() {
    if (parts_->end) return *parts_->end;
    StreamEnd end;
    inference::Call &call = parts_->call;
    const auto turn = call.go_on();
    const auto reason = parts_->models ? parts_->models->end() : asp::SearchEnd::interrupted;
    parts_->models.reset();
    end.complete = reason == asp::SearchEnd::exhausted;
    inference::finish(end.how, "enumerate", call.budget(), reason,
                      parts_->problem().searches() - parts_->searches_before);
    if (!parts_->task) end.how.why = "the least cost is not known";
    end.mass = call.remark_mass();
    parts_->end = end;
    return end;
}

ModelStream Question::models(const NetworkOutputs &outputs, const Settings &settings,
                             const Limits &limits) const {
    return ModelStream(std::make_unique<ModelStream::Parts>(state_, outputs, settings, limits));
}

} // namespace neurasp
