// A small experiment for tests of training: three kinds of points in the plane, learned from sums.
#pragma once

#include "cli/process.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace neurasp::test {

inline constexpr auto points_program = R"(nn(kind(1,P), [0,1,2]) :- point(P).
point(a). point(b).
sum(N1+N2) :- kind(0,a,N1), kind(0,b,N2).
#show kind/3.
)";

// Lines 1 to 25; some tests refer to them by number.
inline constexpr auto points_experiment = R"toml(program = "points.lp"
output = "out"
[networks.kind]
layers = [{ kind = "linear", out = 3 }, { kind = "softmax" }]
optimizer = { kind = "adam", learning_rate = 0.1 }
[example]
observation = ":- not sum({sum})."
[example.inputs]
a = "points[a]"
b = "points[b]"
[example.labels]
"kind(a)" = "kinds[a]"
"kind(b)" = "kinds[b]"
[splits.train]
table = "sums.csv"
arrays.points = { file = "points.csv" }
[splits.test]
table = "sums.csv"
arrays.points = { file = "points.csv" }
arrays.kinds = { file = "kinds.csv" }
[evaluation]
queries = [{ name = "the sum", query = "sum({sum})" }]
[training]
batch_size = 4
epochs = 20
)toml";

// Three kinds of points in the plane, all pairs of them with the sum of their kinds.
inline void write_points(const Folder &folder) {
    folder.file("points.lp", points_program);
    folder.file("points.toml", points_experiment);
    folder.file("points.csv", "0,0.9\n0.2,1.1\n1,0.1\n0.9,-0.1\n-0.9,-1\n-1.1,-0.8\n");
    folder.file("kinds.csv", "0\n0\n1\n1\n2\n2\n");
    std::string sums = "a,b,sum\n";
    for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < 6; ++b) {
            sums += std::to_string(a) + "," + std::to_string(b) + "," +
                    std::to_string(a / 2 + b / 2) + "\n";
        }
    }
    folder.file("sums.csv", sums);
    folder.file("right.csv", "1.1,0.1\n");
    folder.file("left.csv", "-0.9,-0.9\n");
}

inline std::string bytes_of(const std::filesystem::path &file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline bool has_torch() {
    return std::filesystem::exists(std::filesystem::path(command_path()).parent_path() /
                                   "neurasp-torch");
}

} // namespace neurasp::test
