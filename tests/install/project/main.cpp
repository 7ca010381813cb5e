// The coin example of the paper, from a project that knows nothing but the installed library.
#include <neurasp/neurasp.hpp>

#include <cmath>
#include <cstdio>
#include <string>

int main() {
    neurasp::Reasoner reasoner(neurasp::Program::from_text("0.1 : head.\n"
                                                           "win :- head.\n"
                                                           "-win :- not win.\n"));
    const neurasp::Question question = reasoner.ask(":- not win.");
    const auto answer = question.probability(neurasp::NetworkOutputs{});
    const double probability = answer.probability;
    std::printf("neurasp %s: P(win) = %g\n", std::string(neurasp::version).c_str(), probability);
    return std::abs(probability - 0.1) < 1e-12 ? 0 : 1;
}
