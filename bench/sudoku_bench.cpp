// The most probable reading of a Sudoku board: the paper's program, grounded once, on an 81 x 10 output. It is
// compared with the clingo binary on the same rules with the weights of the Python original, int(-1000 log p)
// capped at 5000, which also grounds for each board. Checks that our reading is at least as probable as clingo's
// (the rounding sometimes makes clingo's answer wrong).
//
//   sudoku_bench [BOARDS [SECONDS]]    BOARDS of each kind (default: 11); clingo is cut off after SECONDS
//                                      (default: 5)
#include "support.hpp"

#include <neurasp/neurasp.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

namespace {

using namespace neurasp;

using Board = std::array<int, 81>;

const char *const puzzle = "530070000600195000098000060800060003400803001"
                           "700020006060000280000419005000080079";

const char *const cell_rule = "a(R,C,N) :- identify(Pos,img,N), R=Pos/9, C=Pos\\9, N!=empty.\n";
const char *const rule_r =
    "{a(R,C,N): N=1..9}=1 :- identify(Pos, img, empty), R=Pos/9, C=Pos\\9.\n";
const char *const constraints =
    ":- a(R,C1,N), a(R,C2,N), C1!=C2.\n:- a(R1,C,N), a(R2,C,N), R1!=R2.\n"
    ":- a(R,C,N), a(R1,C1,N), R!=R1, C!=C1, ((R/3)*3 + C/3) = ((R1/3)*3 + C1/3).\n";

// Another puzzle with one solution: digits renamed, rows and columns moved within their bands.
Board shuffled(std::mt19937_64 &random) {
    std::array<int, 10> digit{};
    std::iota(digit.begin(), digit.end(), 0);
    std::shuffle(digit.begin() + 1, digit.end(), random);
    std::array<int, 9> row{};
    std::array<int, 9> column{};
    for (auto *lines : {&row, &column}) {
        std::iota(lines->begin(), lines->end(), 0);
        for (int band = 0; band < 3; ++band) {
            std::shuffle(lines->begin() + 3 * band, lines->begin() + 3 * band + 3, random);
        }
    }
    Board board{};
    for (std::size_t i = 0; i < 81; ++i) {
        const auto from = static_cast<std::size_t>(row[i / 9] * 9 + column[i % 9]);
        board[i] = digit[static_cast<std::size_t>(puzzle[from] - '0')];
    }
    return board;
}

// A network's output for the board: the true class leads by 8 nats, with Gaussian noise.
std::vector<double> noisy_output(const Board &board, double noise, std::mt19937_64 &random) {
    std::normal_distribution<double> gauss(0.0, noise);
    std::vector<double> output;
    for (const int truth : board) {
        std::array<double, 10> score{};
        double sum = 0.0;
        for (int k = 0; k < 10; ++k) {
            sum += score[static_cast<std::size_t>(k)] =
                std::exp(gauss(random) + (k == truth ? 8 : 0));
        }
        for (const double s : score) output.push_back(s / sum);
    }
    return output;
}

std::string plain_program(const std::string &rules, const std::vector<double> &output) {
    std::string text =
        "1{identify(P,img,(empty;1..9))}1 :- P=0..80.\n" + rules + "#show identify/3.\n";
    for (std::size_t i = 0; i < output.size(); ++i) {
        const int weight = static_cast<int>(std::min(5000.0, -1000.0 * std::log(output[i])));
        const std::string outcome = i % 10 == 0 ? "empty" : std::to_string(i % 10);
        text += ":~ identify(" + std::to_string(i / 10) + ",img," + outcome + "). [" +
                std::to_string(weight) + "," + std::to_string(i / 10) + "]\n";
    }
    return text;
}

// The log-probability of the last model that clingo printed.
double log_probability(const std::string &clingo_output, const std::vector<double> &output) {
    const std::size_t answer = clingo_output.rfind("\nAnswer: ");
    if (answer == std::string::npos) return -std::numeric_limits<double>::infinity();
    const std::size_t begin = clingo_output.find('\n', answer + 1) + 1;
    const std::string model = clingo_output.substr(begin, clingo_output.find('\n', begin) - begin);
    double log = 0.0;
    for (std::size_t at = 0; (at = model.find("identify(", at)) != std::string::npos;) {
        at += 9;
        const auto cell = static_cast<std::size_t>(std::stoi(model.substr(at)));
        const std::size_t value = model.find("img,", at) + 4;
        const std::size_t outcome =
            model[value] == 'e' ? 0 : static_cast<std::size_t>(model[value] - '0');
        log += std::log(output[cell * 10 + outcome]);
    }
    return log;
}

struct Effort {
    int boards = 11;
    int clingo_seconds = 5;
};

void measure(bench::Report &report, const std::string &name, const std::string &rules, double noise,
             const Effort &effort) {
    Reasoner reasoner(
        Program::from_text("nn(identify(81,img),[empty,1,2,3,4,5,6,7,8,9]).\n" + rules));
    const Question question = reasoner.ask();
    std::mt19937_64 random(7);
    std::vector<double> ours;
    std::vector<double> theirs;
    bool correct = true;
    int cut_short = 0;
    const std::string limit = "--time-limit=" + std::to_string(effort.clingo_seconds);
    Limits limits;
    limits.seconds = 5.0;
    // The first search prepares the solver, so its time belongs to grounding.
    NetworkOutputs first;
    first.set("identify", "img", noisy_output(shuffled(random), 1.0, random));
    question.most_probable(first, 1, false, {}, limits);
    for (int i = 0; i < effort.boards; ++i) {
        const std::vector<double> output = noisy_output(shuffled(random), noise, random);
        NetworkOutputs outputs;
        outputs.set("identify", "img", output);
        ModelsAnswer answer;
        ours.push_back(bench::median_seconds(
            1, [&] { answer = question.most_probable(outputs, 1, false, {}, limits); }));
        const auto run = bench::run_clingo(plain_program(rules, output), {limit, "-n", "0"});
        theirs.push_back(run.seconds);
        if (!answer.how.exact) ++cut_short;
        const double best = log_probability(run.output, output);
        correct = correct && !answer.models.empty() &&
                  (!answer.how.exact || answer.models[0].probability.log >= best - 1e-9);
    }
    report.add({name, bench::median(ours), bench::median(theirs), correct,
                std::to_string(effort.boards) + " boards, medians; ours cut short on " +
                    std::to_string(cut_short) + "; worst of ours " +
                    std::to_string(*std::max_element(ours.begin(), ours.end()) * 1e3) + " ms"});
}

} // namespace

int main(int argc, char **argv) {
    Effort effort;
    if (argc > 1) effort.boards = std::stoi(argv[1]);
    if (argc > 2) effort.clingo_seconds = std::stoi(argv[2]);
    bench::Report report;
    const std::string without_r = std::string(cell_rule) + constraints;
    const std::string with_r = std::string(cell_rule) + rule_r + constraints;
    measure(report, "Sudoku reading without r, nearly right (noise 2)", without_r, 2.0, effort);
    measure(report, "Sudoku reading with r, nearly right (noise 2)", with_r, 2.0, effort);
    measure(report, "Sudoku reading without r, about 10 wrong cells (noise 3)", without_r, 3.0,
            effort);
    measure(report, "Sudoku reading with r, about 10 wrong cells (noise 3)", with_r, 3.0, effort);
    return report.exit_code();
}
