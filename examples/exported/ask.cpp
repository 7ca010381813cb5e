// Asks a program about a network that Python has exported, and differentiates the answer.
//
// usage: ask FOLDER    (with shares.pt and sums.lp)
#include <neurasp/neurasp.hpp>
#include <neurasp/semantic_loss.hpp>

#include <torch/script.h>

#include <cstdio>
#include <string>
#include <vector>

// One row of a tensor, as a question expects it.
std::vector<double> numbers(const torch::Tensor &row) {
    const torch::Tensor values = row.to(torch::kDouble).contiguous();
    return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

int main(int argc, char **argv) {
    const std::string folder = argc > 1 ? argv[1] : ".";
    torch::jit::Module network = torch::jit::load(folder + "/shares.pt");
    const torch::Tensor points = torch::tensor({{1.0F, 3.0F}, {3.0F, 1.0F}});
    const torch::Tensor rows = network.forward({points}).toTensor(); // 2 x 3

    const auto program = neurasp::Program::from_files({folder + "/sums.lp"});
    neurasp::Reasoner reasoner(program);
    neurasp::NetworkOutputs outputs;
    outputs.set("kind", "a", numbers(rows[0])).set("kind", "b", numbers(rows[1]));
    const auto question = reasoner.ask(":- not sum(2).", {"kind(0,a,1)"});
    const auto answer = question.probability(outputs);
    std::printf("P(sum is 2)         = %.6f\n", answer.probability.value);
    std::printf("P(a is 1, given it) = %.6f\n", answer.queries[0].conditional->value);

    // The same number as a loss, with its gradient in the network's weights.
    neurasp::SemanticLoss semantic_loss(program);
    const torch::Tensor loss = semantic_loss(
        {{"kind(a)", rows.slice(0, 0, 1)}, {"kind(b)", rows.slice(0, 1, 2)}}, {":- not sum(2)."});
    loss.backward();
    const torch::Tensor weight = *network.parameters().begin();
    std::printf("-log P(sum is 2)    = %.6f\n", loss.item<double>());
    std::printf("its gradient        = %.6f by the first weight\n",
                weight.grad()[0][0].item<double>());
}
