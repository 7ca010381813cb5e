// Learns to tell three kinds of points apart from nothing but sums of two kinds, in a training loop of its own.
#include <neurasp/semantic_loss.hpp>

#include <torch/torch.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
    torch::manual_seed(1);
    neurasp::SemanticLoss semantic_loss(neurasp::Program::from_text(R"(
        nn(kind(1,P), [0,1,2]) :- point(P).
        point(a). point(b).
        sum(N1+N2) :- kind(0,a,N1), kind(0,b,N2).
    )"));
    torch::nn::Linear network(2, 3);
    torch::optim::Adam optimizer(network->parameters(), 0.05);
    const torch::Tensor centres = torch::tensor({{0.0F, 1.0F}, {1.0F, 0.0F}, {-1.0F, -1.0F}});
    const auto points_of = [&](const torch::Tensor &kinds) {
        return centres.index_select(0, kinds) + 0.2 * torch::randn({kinds.size(0), 2});
    };
    const auto look_at = [&](const torch::Tensor &points) {
        return torch::softmax(network(points), 1);
    };

    for (int step = 1; step <= 200; ++step) {
        // 32 pairs of points. Only the sums of their kinds are given.
        const torch::Tensor a = torch::randint(3, {32}, torch::kLong);
        const torch::Tensor b = torch::randint(3, {32}, torch::kLong);
        std::vector<std::string> observations;
        for (int i = 0; i < 32; ++i) {
            const auto sum = (a[i] + b[i]).item<int>();
            observations.push_back(":- not sum(" + std::to_string(sum) + ").");
        }
        const torch::Tensor loss = semantic_loss(
            {{"kind(a)", look_at(points_of(a))}, {"kind(b)", look_at(points_of(b))}}, observations);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        if (step % 50 == 0) std::printf("step %d: loss %.3f\n", step, loss.item<double>());
    }

    const torch::Tensor kinds = torch::randint(3, {1000}, torch::kLong);
    const torch::Tensor right = look_at(points_of(kinds)).argmax(1).eq(kinds).to(torch::kFloat);
    std::printf("%.0f %% of 1000 new points recognised\n", 100 * right.mean().item<double>());
}
