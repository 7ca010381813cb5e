// The 2x2 tables of NeuroLog: digits that are added by rows and columns (add2x2), and operators that are
// applied to known digits by rows and columns (apply2x2).
#include "workload_support.hpp"

#include <array>

namespace neurasp::bench {

namespace {

Workload add_table() {
    Workload workload;
    workload.program = "cell(1..4).\nnn(digit(1,I)," + outcome_list(number_outcomes(0, 9)) +
                       ") :- cell(I).\n"
                       "line(row1,1,2). line(row2,3,4). line(column1,1,3). line(column2,2,4).\n"
                       "sum(L,A+B) :- line(L,I,J), digit(0,I,A), digit(0,J,B).\n";
    workload.observation = ":- not sum(row1,13).\n:- not sum(row2,13).\n"
                           ":- not sum(column1,12).\n:- not sum(column2,14).\n";
    for (int i = 1; i <= 4; ++i) {
        workload.calls.push_back({"digit", std::to_string(i), 1, number_outcomes(0, 9)});
    }
    workload.enumerable = true;
    workload.probability = [](const NetworkOutputs &outputs) {
        double sum = 0.0;
        for (std::size_t code = 0; code < 10000; ++code) {
            const std::array<std::size_t, 4> d{code % 10, code / 10 % 10, code / 100 % 10,
                                               code / 1000};
            if (d[0] + d[1] != 13 || d[2] + d[3] != 13 || d[0] + d[2] != 12 || d[1] + d[3] != 14) {
                continue;
            }
            double mass = 1.0;
            for (std::size_t i = 0; i < 4; ++i) {
                mass *= values(outputs, "digit", std::to_string(i + 1))[d[i]];
            }
            sum += mass;
        }
        return sum;
    };
    return workload;
}

const std::vector<std::string> operators{"plus", "minus", "times"};

int apply(std::size_t operation, int a, int b) {
    return operation == 0 ? a + b : operation == 1 ? a - b : a * b;
}

// (d1 o1 d2) o2 d3 along each row and column of operators
Workload apply_table() {
    constexpr std::array<int, 3> digits{4, 2, 7};
    constexpr std::array<std::array<std::size_t, 2>, 4> lines{{{0, 1}, {2, 3}, {0, 2}, {1, 3}}};
    constexpr std::array<std::size_t, 4> truth{2, 0, 1, 2};
    const auto result = [lines, digits](const std::array<std::size_t, 4> &o, std::size_t line) {
        return apply(o[lines[line][1]], apply(o[lines[line][0]], digits[0], digits[1]), digits[2]);
    };
    Workload workload;
    workload.program =
        "cell(1..4). digits(4,2,7).\nnn(operator(1,I)," + outcome_list(operators) +
        ") :- cell(I).\n"
        "line(1,1,2). line(2,3,4). line(3,1,3). line(4,2,4).\n"
        "first(I,A+B) :- operator(0,I,plus), digits(A,B,_).\n"
        "first(I,A-B) :- operator(0,I,minus), digits(A,B,_).\n"
        "first(I,A*B) :- operator(0,I,times), digits(A,B,_).\n"
        "result(L,V+C) :- line(L,I,J), first(I,V), operator(0,J,plus), digits(_,_,C).\n"
        "result(L,V-C) :- line(L,I,J), first(I,V), operator(0,J,minus), digits(_,_,C).\n"
        "result(L,V*C) :- line(L,I,J), first(I,V), operator(0,J,times), digits(_,_,C).\n";
    for (std::size_t line = 0; line < 4; ++line) {
        workload.calls.push_back({"operator", std::to_string(line + 1), 1, operators});
        workload.observation += ":- not result(" + std::to_string(line + 1) + "," +
                                std::to_string(result(truth, line)) + ").\n";
    }
    workload.enumerable = true;
    workload.probability = [result, truth](const NetworkOutputs &outputs) {
        double sum = 0.0;
        for (std::size_t code = 0; code < 81; ++code) {
            const std::array<std::size_t, 4> o{code % 3, code / 3 % 3, code / 9 % 3, code / 27};
            bool right = true;
            double mass = 1.0;
            for (std::size_t i = 0; i < 4; ++i) {
                right = right && result(o, i) == result(truth, i);
                mass *= values(outputs, "operator", std::to_string(i + 1))[o[i]];
            }
            if (right) sum += mass;
        }
        return sum;
    };
    return workload;
}

} // namespace

std::optional<Workload> make_tables(std::string_view name) {
    if (name == "add2x2") return add_table();
    if (name == "apply2x2") return apply_table();
    return std::nullopt;
}

} // namespace neurasp::bench
