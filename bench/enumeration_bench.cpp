// P(O) by enumeration, per stable model, compared with the clingo binary enumerating the same models (quietly).
// Checks P(O) against a closed form, and clingo's number of models against ours.
#include "support.hpp"

#include <neurasp/neurasp.hpp>

#include <cmath>

namespace {

using namespace neurasp;

// `n` fair coins of which at least half show heads. P = 1/2 for odd n, by symmetry.
struct Coins {
    int count = 0;
    std::string rules() const {
        return "heads(N) :- N = #count{X : coin(X,h)}.\nenough :- heads(N), 2*N > " +
               std::to_string(count) + ".\n";
    }
    std::string neural() const {
        return "nn(coin(" + std::to_string(count) + ",x),[h,t]).\ncoin(X,h) :- coin(X,x,h).\n" +
               rules();
    }
};

// The sum of two N-digit numbers with carries; uniform digits. P(sum = s) = #{(a,b): a+b = s} / 10^2N.
std::string addition_rules(int digits) {
    return "carry(0,0).\n"
           "s(I,(A+B+C)\\10) :- d(0,a,I,A), d(0,b,I,B), carry(I,C).\n"
           "carry(I+1,(A+B+C)/10) :- d(0,a,I,A), d(0,b,I,B), carry(I,C).\n"
           "#const n=" +
           std::to_string(digits) + ".\n";
}

std::string observe_sum(int digits, long sum) {
    std::string text;
    for (int i = 0; i < digits; ++i, sum /= 10) {
        text += ":- not s(" + std::to_string(i) + "," + std::to_string(sum % 10) + ").\n";
    }
    return text + ":- not carry(" + std::to_string(digits) + "," + std::to_string(sum) + ").\n";
}

void measure(bench::Report &report, const std::string &name, const std::string &program,
             const std::string &plain, const std::string &observation,
             const NetworkOutputs &outputs, double expected) {
    Reasoner reasoner(Program::from_text(program));
    const Question question = reasoner.ask(observation);
    ProbabilityAnswer answer;
    Settings settings;
    settings.engine = "enumerate";
    const double ours =
        bench::median_seconds(5, [&] { answer = question.probability(outputs, settings); });
    std::vector<double> theirs;
    std::string output;
    for (int i = 0; i < 5; ++i) {
        const auto run = bench::run_clingo(plain + observation, {"-n", "0", "-q"});
        theirs.push_back(run.seconds);
        output = run.output;
    }
    const std::string models = std::to_string(answer.how.models_seen);
    const bool same_count = output.find(": " + models + "\n") != std::string::npos;
    const bool right =
        answer.how.exact && std::abs(answer.probability.value - expected) < 1e-12 * expected;
    const double per_model = ours / static_cast<double>(answer.how.models_seen) * 1e6;
    report.add({name, ours, bench::median(theirs), same_count && right,
                models + " models, " + std::to_string(per_model) + " us per model"});
}

} // namespace

int main() {
    bench::Report report;
    const Coins coins{15};
    NetworkOutputs fair;
    fair.set("coin", "x", std::vector<double>(15, 0.5));
    // the network's atoms coin/3 and the rules' coin/2 are different predicates
    measure(report, "15 coins, more heads than tails", coins.neural(),
            "1{coin(X,x,(h;t))}1 :- X=0..14.\ncoin(X,h) :- coin(X,x,h).\n" + coins.rules(),
            ":- not enough.\n", fair, 0.5);
    for (const int digits : {2, 3, 4}) {
        const long top = std::lround(std::pow(10.0, digits));
        const long sum = top / 2; // a + b = sum has sum + 1 solutions
        NetworkOutputs uniform;
        for (const char *number : {"a", "b"}) {
            for (int i = 0; i < digits; ++i) {
                uniform.set("d", std::string(number) + "," + std::to_string(i),
                            std::vector<double>(10, 0.1));
            }
        }
        const std::string rules = addition_rules(digits);
        measure(
            report, "addition of two " + std::to_string(digits) + "-digit numbers, carry rules",
            rules + "nn(d(1,X,I),[0,1,2,3,4,5,6,7,8,9]) :- X=(a;b), I=0..n-1.\n",
            rules + "1{d(0,X,I,0..9)}1 :- X=(a;b), I=0..n-1.\n", observe_sum(digits, sum), uniform,
            static_cast<double>(sum + 1) / (static_cast<double>(top) * static_cast<double>(top)));
    }
    return report.exit_code();
}
