// Sudoku: 9x9 boards with givens and one solution, and all of 4x4, read with and without empty cells.
#include "workload_support.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <map>
#include <unordered_map>

namespace neurasp::bench {

namespace {

// The rules of Sudoku over a(row, column, digit), for boxes of `box` x `box` cells.
std::string constraints(int box) {
    const std::string b = std::to_string(box);
    return ":- a(R,C1,N), a(R,C2,N), C1 < C2.\n"
           ":- a(R1,C,N), a(R2,C,N), R1 < R2.\n"
           ":- a(R,C,N), a(R1,C1,N), R < R1, C != C1, R/" +
           b + " = R1/" + b + ", C/" + b + " = C1/" + b + ".\n";
}

// Solves a board of `side` x `side` cells (0 is empty) by trying the cell with the fewest candidates.
class Solver {
  public:
    Solver(std::vector<int> board, int box) : board_(std::move(board)), box_(box) {
        for (auto *used : {&rows_, &columns_, &boxes_}) {
            used->assign(static_cast<std::size_t>(box) * static_cast<std::size_t>(box), 0);
        }
        for (std::size_t cell = 0; cell < board_.size(); ++cell) {
            if (board_[cell] != 0) toggle(cell, board_[cell]);
        }
        search();
    }
    const std::vector<std::vector<int>> &solutions() const { return solutions_; }

  private:
    std::size_t side() const { return rows_.size(); }

    std::size_t box_of(std::size_t cell) const {
        const auto b = static_cast<std::size_t>(box_);
        return cell / side() / b * b + cell % side() / b;
    }

    void toggle(std::size_t cell, int digit) {
        const unsigned bit = 1U << static_cast<unsigned>(digit);
        rows_[cell / side()] ^= bit;
        columns_[cell % side()] ^= bit;
        boxes_[box_of(cell)] ^= bit;
    }

    unsigned candidates(std::size_t cell) const {
        const unsigned all = (2U << side()) - 2U;
        return all & ~(rows_[cell / side()] | columns_[cell % side()] | boxes_[box_of(cell)]);
    }

    void search() {
        std::size_t best = board_.size();
        int fewest = 0;
        for (std::size_t cell = 0; cell < board_.size(); ++cell) {
            if (board_[cell] != 0) continue;
            const int count = std::popcount(candidates(cell));
            if (best == board_.size() || count < fewest) {
                best = cell;
                fewest = count;
            }
        }
        if (best == board_.size()) {
            solutions_.push_back(board_);
            return;
        }
        const unsigned open = candidates(best);
        for (int digit = 1; digit <= static_cast<int>(side()); ++digit) {
            if ((open >> static_cast<unsigned>(digit) & 1U) == 0) continue;
            board_[best] = digit;
            toggle(best, digit);
            search();
            toggle(best, digit);
            board_[best] = 0;
        }
    }

    std::vector<int> board_;
    int box_;
    std::vector<unsigned> rows_, columns_, boxes_; // digits that are used
    std::vector<std::vector<int>> solutions_;
};

// The sum over the solutions of the product of their cells' probabilities, digit d in column d - 1.
double solutions_probability(const std::vector<std::vector<int>> &solutions,
                             const std::vector<double> &rows, std::size_t outcomes) {
    double sum = 0.0;
    for (const auto &solution : solutions) {
        double mass = 1.0;
        for (std::size_t cell = 0; cell < solution.size(); ++cell) {
            mass *= rows[cell * outcomes + static_cast<std::size_t>(solution[cell] - 1)];
        }
        sum += mass;
    }
    return sum;
}

Workload with_givens(const std::string &puzzle) {
    std::vector<int> board;
    for (const char digit : puzzle) board.push_back(digit - '0');
    Workload workload;
    workload.program = "nn(cell(81,board)," + outcome_list(number_outcomes(1, 9)) +
                       ").\na(P/9,P\\9,N) :- cell(P,board,N).\n";
    for (std::size_t cell = 0; cell < board.size(); ++cell) {
        if (board[cell] == 0) continue;
        workload.program += "given(" + std::to_string(cell / 9) + "," + std::to_string(cell % 9) +
                            "," + std::to_string(board[cell]) + ").\n";
    }
    workload.observation = constraints(3) + ":- given(R,C,N), not a(R,C,N).\n";
    workload.calls = {{"cell", "board", 81, number_outcomes(1, 9)}};
    workload.enumerable = true;
    workload.probability = [board](const NetworkOutputs &outputs) {
        return solutions_probability(Solver(board, 3).solutions(), values(outputs, "cell", "board"),
                                     9);
    };
    return workload;
}

// Every cell of a 4x4 board is read as a digit.
Workload small_full() {
    Workload workload;
    workload.program = "nn(cell(16,board)," + outcome_list(number_outcomes(1, 4)) +
                       ").\na(P/4,P\\4,N) :- cell(P,board,N).\n";
    workload.observation = constraints(2);
    workload.calls = {{"cell", "board", 16, number_outcomes(1, 4)}};
    workload.enumerable = true;
    workload.probability = [](const NetworkOutputs &outputs) {
        return solutions_probability(Solver(std::vector<int>(16, 0), 2).solutions(),
                                     values(outputs, "cell", "board"), 4);
    };
    return workload;
}

Workload small_reading() {
    std::vector<std::string> outcomes = number_outcomes(1, 4);
    outcomes.insert(outcomes.begin(), "empty");
    Workload workload;
    workload.program = "nn(cell(16,board)," + outcome_list(outcomes) +
                       ").\na(P/4,P\\4,N) :- cell(P,board,N), N != empty.\n";
    workload.calls = {{"cell", "board", 16, outcomes}};
    return workload;
}

// A reading of one row of a 4x4 board: the digits in each column, as bits 4 * column + digit.
struct RowReading {
    std::uint32_t placed = 0;
    double mass = 1.0;
};

// All readings of a row without a digit twice.
std::vector<RowReading> row_readings(const std::vector<double> &rows, std::size_t row) {
    std::vector<RowReading> readings{{}};
    for (std::size_t column = 0; column < 4; ++column) {
        const double *cell = &rows[5 * (4 * row + column)];
        std::vector<RowReading> longer;
        for (const RowReading &reading : readings) {
            longer.push_back({reading.placed, reading.mass * cell[0]});
            for (std::size_t digit = 0; digit < 4; ++digit) {
                if ((reading.placed & (0x1111U << digit)) != 0) continue;
                longer.push_back({reading.placed | (1U << (4 * column + digit)),
                                  reading.mass * cell[digit + 1]});
            }
        }
        readings = std::move(longer);
    }
    return readings;
}

// The digits of the left box in bits 0 to 3, of the right one in bits 8 to 11.
std::uint32_t box_digits(std::uint32_t placed) { return (placed | placed >> 4U) & 0x0f0fU; }

// For two rows that share boxes: the mass of readings without conflict, by the digits they place.
std::vector<double> band_masses(const std::vector<double> &rows, std::size_t first_row) {
    std::vector<double> masses(1U << 16U, 0.0);
    for (const RowReading &upper : row_readings(rows, first_row)) {
        for (const RowReading &lower : row_readings(rows, first_row + 1)) {
            if ((box_digits(upper.placed) & box_digits(lower.placed)) != 0) continue;
            masses[upper.placed | lower.placed] += upper.mass * lower.mass;
        }
    }
    return masses;
}

// P(no digit twice in a row, column or box): the two bands must not place a digit in the same column.
double no_conflict_probability(const std::vector<double> &rows) {
    const std::vector<double> upper = band_masses(rows, 0);
    std::vector<double> within = band_masses(rows, 2); // becomes the mass of all subsets
    for (std::uint32_t bit = 1; bit < within.size(); bit <<= 1U) {
        for (std::uint32_t set = 0; set < within.size(); ++set) {
            if ((set & bit) != 0) within[set] += within[set ^ bit];
        }
    }
    double sum = 0.0;
    for (std::uint32_t set = 0; set < upper.size(); ++set)
        sum += upper[set] * within[0xffffU & ~set];
    return sum;
}

// P(a(0,0,1)) if empty cells are filled in all ways: the mass of each set of full boards that agree with the
// reading, times the share of boards with a 1 in the corner.
double filled_probability(const std::vector<double> &rows) {
    using Boards = std::bitset<288>;
    const auto solutions = Solver(std::vector<int>(16, 0), 2).solutions();
    std::array<std::array<Boards, 5>, 16> agree;
    for (std::size_t cell = 0; cell < 16; ++cell) {
        agree[cell][0].set();
        for (std::size_t i = 0; i < solutions.size(); ++i) {
            agree[cell][static_cast<std::size_t>(solutions[i][cell])].set(i);
        }
    }
    std::unordered_map<Boards, double> layer{{agree[0][0], 1.0}};
    for (std::size_t cell = 0; cell < 16; ++cell) {
        std::unordered_map<Boards, double> next;
        for (const auto &[boards, mass] : layer) {
            for (std::size_t k = 0; k < 5; ++k) {
                const Boards left = boards & agree[cell][k];
                if (left.any()) next[left] += mass * rows[5 * cell + k];
            }
        }
        layer = std::move(next);
    }
    double sum = 0.0;
    for (const auto &[boards, mass] : layer) {
        sum += mass * static_cast<double>((boards & agree[0][1]).count()) /
               static_cast<double>(boards.count());
    }
    return sum;
}

} // namespace

std::optional<Workload> make_sudoku(std::string_view name) {
    static const std::map<std::string, std::string, std::less<>> puzzles{
        {"sudoku_easy", "530070000600195000098000060800060003400803001"
                        "700020006060000280000419005000080079"},
        {"sudoku_mid", "100007090030020008009600500005300900010080002"
                       "600004000300000010040000007007000300"},
        {"sudoku_17", "000000010400000000020000000000050407008000300"
                      "001090000300400200050100000000806000"}};
    const auto found = puzzles.find(name);
    if (found == puzzles.end()) return std::nullopt;
    return with_givens(found->second);
}

std::optional<Workload> make_small_sudoku(std::string_view name) {
    if (name == "sudoku4_all") return small_full();
    Workload workload = small_reading();
    if (name == "sudoku4_perc_nor") {
        workload.observation = constraints(2);
        workload.probability = [](const NetworkOutputs &outputs) {
            return no_conflict_probability(values(outputs, "cell", "board"));
        };
        return workload;
    }
    if (name == "sudoku4_perc") {
        workload.program +=
            "{ a(P/4,P\\4,N) : N=1..4 } = 1 :- cell(P,board,empty).\n" + constraints(2);
        workload.observation = ":- not a(0,0,1).\n";
        workload.probability = [](const NetworkOutputs &outputs) {
            return filled_probability(values(outputs, "cell", "board"));
        };
        return workload;
    }
    return std::nullopt;
}

} // namespace neurasp::bench
