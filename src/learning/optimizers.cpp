// Makes optimisers and walks through their parameters.
#include "learning/optimizers.hpp"

#include <algorithm>

namespace neurasp::learning {

namespace {

template <class Visit> void each_parameter(const Optimizers &optimizers, Visit visit) {
    for (const auto &optimizer : optimizers) {
        if (!optimizer) continue;
        for (auto &group : optimizer->param_groups()) {
            for (torch::Tensor &parameter : group.params()) visit(parameter);
        }
    }
}

// The state of one parameter. Torch does not check what it reads from a file.
bool fits(const torch::optim::OptimizerParamState &state, const torch::Tensor &parameter) {
    const auto same = [&](const torch::Tensor &tensor) {
        return tensor.defined() && tensor.sizes() == parameter.sizes() &&
               tensor.scalar_type() == parameter.scalar_type();
    };
    if (const auto *adam = dynamic_cast<const torch::optim::AdamParamState *>(&state)) {
        return same(adam->exp_avg()) && same(adam->exp_avg_sq());
    }
    if (const auto *adamw = dynamic_cast<const torch::optim::AdamWParamState *>(&state)) {
        return same(adamw->exp_avg()) && same(adamw->exp_avg_sq());
    }
    const auto *sgd = dynamic_cast<const torch::optim::SGDParamState *>(&state);
    return sgd == nullptr || !sgd->momentum_buffer().defined() || same(sgd->momentum_buffer());
}

} // namespace

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const data::OptimizerSettings &settings,
                                                        std::vector<torch::Tensor> parameters) {
    if (settings.kind == data::OptimizerKind::adam) {
        torch::optim::AdamOptions options(settings.learning_rate);
        options.betas({settings.beta1, settings.beta2}).weight_decay(settings.weight_decay);
        return std::make_unique<torch::optim::Adam>(std::move(parameters), options);
    }
    if (settings.kind == data::OptimizerKind::adamw) {
        torch::optim::AdamWOptions options(settings.learning_rate);
        options.betas({settings.beta1, settings.beta2}).weight_decay(settings.weight_decay);
        return std::make_unique<torch::optim::AdamW>(std::move(parameters), options);
    }
    torch::optim::SGDOptions options(settings.learning_rate);
    options.momentum(settings.momentum).weight_decay(settings.weight_decay);
    return std::make_unique<torch::optim::SGD>(std::move(parameters), options);
}

void set_learning_rate(torch::optim::Optimizer &optimizer, double rate) {
    for (auto &group : optimizer.param_groups()) group.options().set_lr(rate);
}

void remove_gradients(const Optimizers &optimizers) {
    each_parameter(optimizers, [](torch::Tensor &parameter) { parameter.mutable_grad().reset(); });
}

void scale_gradients(const Optimizers &optimizers, double factor) {
    const torch::NoGradGuard guard;
    each_parameter(optimizers, [&](torch::Tensor &parameter) {
        if (parameter.grad().defined()) parameter.mutable_grad().mul_(factor);
    });
}

bool has_fitting_state(const torch::optim::Optimizer &optimizer) {
    for (const auto &group : optimizer.param_groups()) {
        for (const torch::Tensor &parameter : group.params()) {
            const auto key = c10::guts::to_string(parameter.unsafeGetTensorImpl());
            const auto state = optimizer.state().find(key);
            if (state != optimizer.state().end() && !fits(*state->second, parameter)) return false;
        }
    }
    return true;
}

} // namespace neurasp::learning
