// Perception of Sudoku boards (paper, section 3.2 and its variants): 81 events of ten outcomes.
#include "neurasp/neurasp.hpp"
#include "support/source_folder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

namespace neurasp::test {
namespace {

const std::string identify = R"(
% identify the number in each of the 81 positions
nn(identify(81, img), [empty,1,2,3,4,5,6,7,8,9]).

% assign one number N to each position (R,C)
a(R,C,N) :- identify(Pos,img,N), R=Pos/9, C=Pos\9,
            N!=empty.
)";
const std::string rule_r = R"(
{a(R,C,N): N=1..9}=1 :- identify(Pos, img, empty),
                        R=Pos/9, C=Pos\9.
)";
const std::string constraints = R"(
% no number repeats in the same row
:- a(R,C1,N), a(R,C2,N), C1!=C2.

% no number repeats in the same column
:- a(R1,C,N), a(R2,C,N), R1!=R2.

% no number repeats in the same 3*3 box
:- a(R,C,N), a(R1,C1,N), R!=R1, C!=C1,
   ((R/3)*3 + C/3) = ((R1/3)*3 + C1/3).
#show a/3.
)";

// Puzzles with 28 givens and one solution under their rules, found with the clingo binary; without
// the extra rule, the last three have several.
struct Variant {
    const char *name;
    const char *rule;
    std::string puzzle;
    std::string solution;
};

const std::array<Variant, 4> variants{{
    {"plain", "",
     "400500802000804503000000701500008320030007000080920000070200104140000000809100000",
     "463571892712894563958362741597418326234657918681923475376289154145736289829145637"},
    {"anti-knight", ":- a(R1,C1,N), a(R2,C2,N), |R1-R2|+|C1-C2|=3.",
     "460800905000309407009000006000002060040000000020970100280700604190400000604000000",
     "462817935815369427379524816738142569941635278526978143283791654197456382654283791"},
    {"X",
     ":- a(R1,C1,N), a(R2,C2,N), R1=C1, R2=C2, R1!=R2. "
     ":- a(R1,C1,N), a(R2,C2,N), R1+C1=8, R2+C2=8, R1!=R2.",
     "480600507000204801005000004800005040070000000060420300040900205120500000309000000",
     "482691537937254861615873924893765142274319658561428379748936215126587493359142786"},
    {"offset", ":- a(R1,C1,N), a(R2,C2,N), R1\\3 = R2\\3, C1\\3 = C2\\3, R1 != R2, C1 != C2.",
     "190600402000405906004000008000004020050000090010920300040500807530100000601000000",
     "195678432823415976764239158986354721352781694417926385249563817538147269671892543"},
}};

using Board = std::array<std::array<double, 10>, 81>;

// The output of a good network: 0.91 for the right value, 0.01 for each other.
Board seen(const std::string &puzzle) {
    Board board;
    for (std::size_t cell = 0; cell < 81; ++cell) {
        board[cell].fill(0.01);
        board[cell][static_cast<std::size_t>(puzzle[cell] - '0')] = 0.91;
    }
    return board;
}

NetworkOutputs to_outputs(const Board &board) {
    std::vector<double> values;
    for (const auto &row : board) values.insert(values.end(), row.begin(), row.end());
    NetworkOutputs outputs;
    outputs.set("identify", "img", values);
    return outputs;
}

// Makes `count` givens look a little more like another given of their row than like themselves. Such a
// misreading never fits the row, and correcting all of them costs a factor (45/47)^count, while any other
// change costs at least 91: with up to 50 of them, the most probable board is the right one.
std::size_t confuse_givens(Board &board, const std::string &puzzle, std::size_t count) {
    std::size_t confused = 0;
    for (std::size_t row = 0; row < 9; ++row) {
        const std::size_t begin = 9 * row;
        const std::size_t kept = puzzle.find_first_not_of('0', begin); // stays as it is
        for (std::size_t cell = kept + 1; cell < begin + 9 && confused < count; ++cell) {
            if (puzzle[cell] == '0') continue;
            board[cell][static_cast<std::size_t>(puzzle[cell] - '0')] = 0.45;
            board[cell][static_cast<std::size_t>(puzzle[kept] - '0')] = 0.47;
            ++confused;
        }
    }
    return confused;
}

// The numbers of a model by position; 0 means none.
std::string numbers(const StableModel &model) {
    std::string board(81, '0');
    for (const std::string &atom : model.atoms) { // a(R,C,N)
        board.at(static_cast<std::size_t>((atom[2] - '0') * 9 + (atom[4] - '0'))) = atom[6];
    }
    return board;
}

bool is_solved(const std::string &board) {
    for (std::size_t unit = 0; unit < 9; ++unit) {
        std::set<char> row, column, box;
        for (std::size_t i = 0; i < 9; ++i) {
            row.insert(board[9 * unit + i]);
            column.insert(board[9 * i + unit]);
            box.insert(board[9 * (unit / 3 * 3 + i / 3) + unit % 3 * 3 + i % 3]);
        }
        if (row.size() != 9 || column.size() != 9 || box.size() != 9) return false;
    }
    return board.find('0') == std::string::npos;
}

class Sudoku : public ::testing::TestWithParam<Variant> {
  protected:
    Reasoner with_r{Program::from_text(identify + rule_r + constraints + GetParam().rule)};
    Reasoner without_r{Program::from_text(identify + constraints + GetParam().rule)};
};

TEST_P(Sudoku, IsReadAndSolvedWhenTheOutputsAreRight) {
    const auto answer = with_r.ask().most_probable(to_outputs(seen(GetParam().puzzle)), 1, true);
    ASSERT_TRUE(answer.how.exact);
    ASSERT_EQ(answer.models.size(), 1U);
    EXPECT_EQ(numbers(answer.models[0]), GetParam().solution);
    EXPECT_NEAR(answer.models[0].probability.log, 81 * std::log(0.91), 1e-12);
}

TEST_P(Sudoku, IsReadAndSolvedWhenGivensLookLikeOthers) {
    Board board = seen(GetParam().puzzle);
    const std::size_t confused = confuse_givens(board, GetParam().puzzle, 12);
    const auto outputs = to_outputs(board);
    const auto answer = with_r.ask().most_probable(outputs, 1, true);
    ASSERT_TRUE(answer.how.exact);
    ASSERT_EQ(answer.models.size(), 1U);
    EXPECT_EQ(numbers(answer.models[0]), GetParam().solution);
    const double expected = static_cast<double>(81 - confused) * std::log(0.91) +
                            static_cast<double>(confused) * std::log(0.45);
    EXPECT_NEAR(answer.models[0].probability.log, expected, 1e-12);
    EXPECT_FALSE(with_r.ask().argmax_consistency(outputs).satisfies_program);
}

TEST_P(Sudoku, IsReadWithoutTheRuleThatSolvesIt) {
    Board board = seen(GetParam().puzzle);
    confuse_givens(board, GetParam().puzzle, 12);
    const auto answer = without_r.ask().most_probable(to_outputs(board), 1, true);
    ASSERT_TRUE(answer.how.exact);
    ASSERT_EQ(answer.models.size(), 1U);
    EXPECT_EQ(numbers(answer.models[0]), GetParam().puzzle);
}

TEST_P(Sudoku, IsReadWithManyBoardsByOneReasoner) {
    const Question question = with_r.ask();
    for (int shift = 0; shift < 3; ++shift) { // renaming the digits keeps all rules
        std::string puzzle = GetParam().puzzle;
        std::string solution = GetParam().solution;
        for (std::string *text : {&puzzle, &solution}) {
            for (char &c : *text)
                c = c == '0' ? '0' : static_cast<char>('1' + (c - '1' + shift) % 9);
        }
        const auto answer = question.most_probable(to_outputs(seen(puzzle)));
        EXPECT_EQ(numbers(answer.models.at(0)), solution);
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Sudoku, ::testing::ValuesIn(variants),
                         [](const auto &instance) { return "V" + std::to_string(instance.index); });

TEST(SudokuBoards, OfTheExperimentAreReadAndSolved) {
    std::ifstream file(source_folder() / "experiments/sudoku_image/photos/index.csv");
    std::string line;
    ASSERT_TRUE(std::getline(file, line));
    Reasoner reasoner(Program::from_text(identify + rule_r + constraints));
    for (int board = 0; board < 5 && std::getline(file, line); ++board) {
        std::array<std::string, 6> fields; // idx, file, split, puzzle_group, puzzle, solution
        std::istringstream stream(line);
        for (std::string &field : fields) std::getline(stream, field, ',');
        const auto answer = reasoner.ask().most_probable(to_outputs(seen(fields[4])));
        EXPECT_EQ(numbers(answer.models.at(0)), fields[5].substr(0, 81)) << fields[1];
    }
}

// If the search may not finish, the answer is exact or has valid bounds.
void expect_honest(const ModelsAnswer &answer, double log_of_a_model) {
    if (answer.how.exact) {
        EXPECT_GE(answer.models.at(0).probability.log, log_of_a_model - 1e-9);
    } else {
        ASSERT_TRUE(answer.upper_bound.has_value());
        EXPECT_GE(answer.upper_bound->log, log_of_a_model - 1e-9);
        EXPECT_EQ(answer.how.limit, "time limit reached");
    }
    for (const StableModel &model : answer.models) {
        EXPECT_TRUE(is_solved(numbers(model)));
        if (answer.upper_bound) {
            EXPECT_LE(model.probability.log, answer.upper_bound->log + 1e-9);
        }
    }
}

Limits one_second() {
    Limits limits;
    limits.seconds = 1.0;
    return limits;
}

TEST(HardSudoku, EndsWithManyConfusedCells) {
    Board board;
    for (std::size_t cell = 0; cell < 81;
         ++cell) { // the right value, and two others nearly as likely
        board[cell].fill(0.01);
        const std::size_t value = static_cast<std::size_t>(variants[0].puzzle[cell] - '0');
        board[cell][value] = 0.33;
        board[cell][(value + 1 + cell % 4) % 10] = 0.31;
        board[cell][(value + 5 + cell % 3) % 10] = 0.29;
    }
    Reasoner reasoner(Program::from_text(identify + rule_r + constraints));
    const auto answer = reasoner.ask().most_probable(to_outputs(board), 1, false, {}, one_second());
    expect_honest(answer, 81 * std::log(0.33)); // the right board, solved in one way
}

TEST(HardSudoku, EndsWithUniformOutputs) {
    Board board;
    for (auto &row : board) row.fill(0.1);
    Reasoner reasoner(Program::from_text(identify + rule_r + constraints));
    const auto answer = reasoner.ask().most_probable(to_outputs(board), 1, false, {}, one_second());
    expect_honest(answer, 81 * std::log(0.1)); // any full board
}

TEST(HardSudoku, BoundsTheProbabilityOfADigit) {
    Board board;
    for (auto &row : board) row.fill(0.1);
    Reasoner reasoner(Program::from_text(identify + constraints));
    Limits limits;
    limits.seconds = 0.5;
    const auto answer =
        reasoner.ask(":- not identify(0,img,1).").probability(to_outputs(board), {}, limits);
    EXPECT_FALSE(answer.how.exact);
    EXPECT_LE(answer.probability.lower, 0.1);
    // all cells but the first empty, and each board with one more number
    EXPECT_GE(std::log(answer.probability.upper), -81 * std::log(10.0));
    EXPECT_LE(answer.probability.log, std::log(answer.probability.upper));
}

} // namespace
} // namespace neurasp::test
