// Reading, grounding and analysing a program in process, compared with the clingo binary grounding the same
// rules (--mode=gringo). Checks the numbers of random variables and of total choices.
#include "support.hpp"

#include <neurasp/neurasp.hpp>

#include <cmath>

namespace {

using namespace neurasp;

struct Workload {
    std::string name;
    std::string program; // NeurASP
    std::string plain;   // the neural rules as clingo gets them
    std::size_t variables;
    int repetitions;
};

const char *const sudoku_rules = R"(
a(R,C,N) :- identify(Pos,img,N), R=Pos/9, C=Pos\9, N!=empty.
{a(R,C,N): N=1..9}=1 :- identify(Pos, img, empty), R=Pos/9, C=Pos\9.
:- a(R,C1,N), a(R,C2,N), C1!=C2.
:- a(R1,C,N), a(R2,C,N), R1!=R2.
:- a(R,C,N), a(R1,C1,N), R!=R1, C!=C1, ((R/3)*3 + C/3) = ((R1/3)*3 + C1/3).
)";

// Two numbers of `digits` digits and their sum in one rule.
std::string naive_addition(int digits) {
    std::string rule = "sum(S) :- ";
    std::string sum;
    int weight = 1;
    for (int i = 0; i < digits; ++i) {
        const std::string k = std::to_string(i);
        rule += "digit(0,(a," + k + "),A" + k + "), digit(0,(b," + k + "),B" + k + "), ";
        sum += (i == 0 ? "" : "+") + std::to_string(weight) + "*(A" + k + "+B" + k + ")";
        weight *= 10;
    }
    const std::string last = std::to_string(digits - 1);
    return "img((a,0.." + last + ")). img((b,0.." + last + ")).\n" + rule + "S=" + sum + ".\n";
}

std::vector<Workload> workloads() {
    const std::string digits = "nn(digit(1,X),[0,1,2,3,4,5,6,7,8,9]) :- img(X).\n";
    const std::string plain_digits = "1{digit(0,X,0..9)}1 :- img(X).\n";
    return {
        {"sudoku 9x9",
         "nn(identify(81,img),[empty,1,2,3,4,5,6,7,8,9]).\n" + std::string(sudoku_rules),
         "1{identify(P,img,(empty;1..9))}1 :- P=0..80.\n" + std::string(sudoku_rules), 81, 11},
        {"addition of 2-digit numbers, naive", digits + naive_addition(2),
         plain_digits + naive_addition(2), 4, 11},
        {"addition of 3-digit numbers, naive (a million rules)", digits + naive_addition(3),
         plain_digits + naive_addition(3), 6, 1},
    };
}

} // namespace

int main() {
    bench::Report report;
    for (const Workload &workload : workloads()) {
        ProgramSummary summary;
        const double ours = bench::median_seconds(workload.repetitions, [&] {
            Reasoner reasoner(Program::from_text(workload.program));
            summary = reasoner.ask().summary();
        });
        std::vector<double> theirs;
        for (int i = 0; i < workload.repetitions; ++i) {
            theirs.push_back(bench::run_clingo(workload.plain, {"--mode=gringo"}).seconds);
        }
        const double choices = static_cast<double>(workload.variables); // each has 10 outcomes
        report.add({"ground " + workload.name, ours, bench::median(theirs),
                    summary.random_variables == workload.variables &&
                        std::abs(summary.log10_total_choices - choices) < 1e-9,
                    std::to_string(summary.ground_rules) + " ground rules"});
    }
    return report.exit_code();
}
