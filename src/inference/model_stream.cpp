// ModelStream: an enumeration from which the caller takes one model at a time.
//
// A stream owns its call (weights, budget, request) and an open search, which pauses at a model in clingo's
// yield mode. It reads the grounding only while `next` or `finish` runs; in between, other questions may extend
// the grounding, and other searches use other solvers (search_problem.hpp). The parts keep the question's state
// alive, so a stream outlives its question and its reasoner.
//
// `finish` says how the search ended, and whether there are more models than were taken:
// - the search is exhausted: no;
// - the model limit was reached: yes, since the limit is noticed at one model too many;
// - with Settings::look_further, one more model is searched for, within a small share of the time. This
//   search has a budget of its own, so cutting it short does not make the answer inexact;
// - otherwise it is not known.
//
// The members are in the order in which they depend on each other: the enumeration refers to the task, the task
// to the call.
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
    std::optional<inference::Task> task; // nothing if the least cost is not known
    std::uint64_t searches_before;
    std::optional<inference::Enumeration> models;
    bool at_end = false;          // the last `next` returned nothing
    std::optional<StreamEnd> end; // set by the first `finish`

    // Looks for one more model for a short time, without using up the budget.
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
    // looking for one more model was cut short, not the models themselves
    if (look.taken && reason == asp::SearchEnd::interrupted) reason = asp::SearchEnd::stopped;
    parts_->models.reset();
    end.complete = reason == asp::SearchEnd::exhausted;
    // the limit is noticed at one model too many, so there is one
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
