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
    bool at_end = false;          // the last `next` gave nothing
    std::optional<StreamEnd> end; // once it is finished

    // Looks for a further model for a while; the budget stays as it is.
    struct Look {
        bool taken = false;
        bool found = false;
    };
    Look look_further() {
        if (at_end || !models || !settings.look_further || call.budget().exhausted()) return {};
        const base::Budget before = call.budget();
        call.budget() = before.part(base::time_plan::further_models);
        const bool found = models->passes_another();
        call.budget() = before;
        return {true, found};
    }
};

ModelStream::ModelStream(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ModelStream::~ModelStream() = default;
ModelStream::ModelStream(ModelStream &&) noexcept = default;
ModelStream &ModelStream::operator=(ModelStream &&) noexcept = default;

std::optional<StableModel> ModelStream::next() {
    if (!parts_->models) return std::nullopt;
    const auto turn = parts_->call.go_on();
    const auto found = parts_->models->next();
    parts_->at_end = !found;
    if (!found) return std::nullopt;
    return inference::describe_model(*parts_->state->scope, parts_->settings.all_atoms, found->view,
                                     found->probability());
}

StreamEnd ModelStream::finish() {
    if (parts_->end) return *parts_->end;
    StreamEnd end;
    inference::Call &call = parts_->call;
    const auto turn = call.go_on();
    const auto look = parts_->look_further();
    auto reason = parts_->models ? parts_->models->end() : asp::SearchEnd::interrupted;
    // the look was cut short, not the models
    if (look.taken && reason == asp::SearchEnd::interrupted) reason = asp::SearchEnd::stopped;
    parts_->models.reset();
    end.complete = reason == asp::SearchEnd::exhausted;
    // one model too many for the limit is a further one
    if (end.complete || look.found || call.budget().reached() == base::LimitReached::models) {
        end.more = !end.complete;
    }
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
