// Sums of two N-digit numbers, written in four ways, and membership of a digit.
#include "workload_support.hpp"

#include <algorithm>
#include <array>

namespace neurasp::bench {

namespace {

using Digits = std::vector<int>; // least significant first

constexpr std::array<const char *, 2> numbers{"a", "b"};

std::string position(const char *number, std::size_t i) {
    return std::string(number) + "," + std::to_string(i);
}

std::vector<Call> digit_calls(std::size_t size) {
    std::vector<Call> calls;
    for (const char *number : numbers) {
        for (std::size_t i = 0; i < size; ++i) {
            calls.push_back({"digit", position(number, i), 1, number_outcomes(0, 9)});
        }
    }
    return calls;
}

std::string neural_digits(std::size_t size) {
    return "number(a). number(b). position(0.." + std::to_string(size - 1) +
           ").\n"
           "nn(digit(1,X,P)," +
           outcome_list(number_outcomes(0, 9)) + ") :- number(X), position(P).\n";
}

const char *const carry_rules =
    "carry(0,0).\n"
    "sum(P,(A+B+C)\\10) :- digit(0,a,P,A), digit(0,b,P,B), carry(P,C).\n"
    "carry(P+1,(A+B+C)/10) :- digit(0,a,P,A), digit(0,b,P,B), carry(P,C).\n";

// The observed sum, which has one digit more than the numbers. For up to four digits, the sums have 6, 44, 955
// and 4,903 models.
Digits observed_sum(std::size_t size) {
    static const std::vector<Digits> chosen{{3, 1}, {5, 5, 1}, {4, 4, 0, 1}, {6, 9, 0, 5, 1}};
    if (size <= chosen.size()) return chosen[size - 1];
    RandomStream random(size);
    Digits sum;
    int carry = 0;
    for (std::size_t i = 0; i < size; ++i) {
        carry += random.below(10) + random.below(10);
        sum.push_back(carry % 10);
        carry /= 10;
    }
    sum.push_back(carry);
    return sum;
}

long value_of(const Digits &digits) {
    long value = 0;
    for (std::size_t i = digits.size(); i-- > 0;) value = 10 * value + digits[i];
    return value;
}

// P(a + b = S) where digit i of S is worth weight[i][digit], by dynamic programming over the carry.
double sum_probability(const NetworkOutputs &outputs, std::size_t size,
                       const std::vector<std::vector<double>> &weight) {
    std::array<double, 2> mass{1.0, 0.0}; // by carry
    for (std::size_t i = 0; i < size; ++i) {
        const auto &a = values(outputs, "digit", position("a", i));
        const auto &b = values(outputs, "digit", position("b", i));
        std::array<double, 2> next{};
        for (std::size_t x = 0; x < 10; ++x) {
            for (std::size_t y = 0; y < 10; ++y) {
                for (std::size_t carry = 0; carry < 2; ++carry) {
                    const std::size_t s = x + y + carry;
                    next[s / 10] += mass[carry] * a[x] * b[y] * weight[i][s % 10];
                }
            }
        }
        mass = next;
    }
    return mass[0] * weight[size][0] + mass[1] * weight[size][1];
}

std::vector<std::vector<double>> one_hot(const Digits &sum) {
    std::vector<std::vector<double>> weight(sum.size(), std::vector<double>(10, 0.0));
    for (std::size_t i = 0; i < sum.size(); ++i) weight[i][static_cast<std::size_t>(sum[i])] = 1.0;
    return weight;
}

Workload addition(std::size_t size) {
    Workload workload;
    workload.calls = digit_calls(size);
    workload.enumerable = size <= 3;
    workload.probability = [size](const NetworkOutputs &outputs) {
        return sum_probability(outputs, size, one_hot(observed_sum(size)));
    };
    return workload;
}

Workload carry(std::size_t size) {
    Workload workload = addition(size);
    workload.program = neural_digits(size) + carry_rules;
    const Digits sum = observed_sum(size);
    for (std::size_t i = 0; i < size; ++i) {
        workload.observation +=
            ":- not sum(" + std::to_string(i) + "," + std::to_string(sum[i]) + ").\n";
    }
    workload.observation +=
        ":- not carry(" + std::to_string(size) + "," + std::to_string(sum[size]) + ").\n";
    return workload;
}

// The digits of the sum are outcomes of a second network.
Workload carry_with_evidence(std::size_t size) {
    Workload workload = addition(size);
    const std::string top = std::to_string(size);
    workload.program = neural_digits(size) + "nn(seen(1,P)," + outcome_list(number_outcomes(0, 9)) +
                       ") :- P=0.." + top + ".\n" + carry_rules + "sum(" + top + ",C) :- carry(" +
                       top + ",C).\n";
    workload.observation = ":- seen(0,P,S), not sum(P,S).\n";
    workload.enumerable = size <= 1;
    const std::vector<Call> digits = workload.calls;
    for (std::size_t i = 0; i <= size; ++i) {
        workload.calls.push_back({"seen", std::to_string(i), 1, number_outcomes(0, 9)});
    }
    workload.draw = [digits, size](std::uint64_t seed) {
        NetworkOutputs outputs = random_outputs(digits, seed);
        RandomStream random(~seed);
        int carry = 0;
        for (std::size_t i = 0; i <= size; ++i) {
            if (i < size) carry += random.below(10) + random.below(10);
            std::vector<double> row(10, 0.0);
            row[static_cast<std::size_t>(carry % 10)] = 1.0;
            carry /= 10;
            outputs.set("seen", std::to_string(i), row);
        }
        return outputs;
    };
    workload.probability = [size](const NetworkOutputs &outputs) {
        std::vector<std::vector<double>> weight;
        for (std::size_t i = 0; i <= size; ++i) {
            weight.push_back(values(outputs, "seen", std::to_string(i)));
        }
        return sum_probability(outputs, size, weight);
    };
    return workload;
}

// One rule that adds all digits: 10^2N ground rules.
Workload naive(std::size_t size) {
    Workload workload = addition(size);
    std::string body;
    std::string sum;
    std::string weight = "1";
    for (std::size_t i = 0; i < size; ++i) {
        const std::string k = std::to_string(i);
        body += (i == 0 ? "" : ", ") + ("digit(0,a," + k + ",A" + k) + "), digit(0,b," + k + ",B" +
                k + ")";
        sum += (i == 0 ? "" : "+") + weight + "*(A" + k + "+B" + k + ")";
        weight += '0';
    }
    workload.program = neural_digits(size) + "sum(" + sum + ") :- " + body + ".\n";
    workload.observation = ":- not sum(" + std::to_string(value_of(observed_sum(size))) + ").\n";
    workload.enumerable = size <= 2; // clasp takes a long time for the million rules of size 3
    return workload;
}

Workload with_aggregate(std::size_t size) {
    Workload workload = addition(size);
    workload.program = neural_digits(size);
    std::string weight = "1";
    for (std::size_t i = 0; i < size; ++i, weight += '0') {
        workload.program += "worth(" + std::to_string(i) + "," + weight + ").\n";
    }
    workload.observation = ":- #sum { W*D,X,P : digit(0,X,P,D), worth(P,W) } != " +
                           std::to_string(value_of(observed_sum(size))) + ".\n";
    return workload;
}

} // namespace

std::optional<Workload> make_addition(std::string_view name) {
    const auto size = [](const std::vector<int> &numbers_in_name) {
        return static_cast<std::size_t>(numbers_in_name[0]);
    };
    if (const auto found = match(name, "add*_carry")) return carry(size(*found));
    if (const auto found = match(name, "add*_carry_ev")) return carry_with_evidence(size(*found));
    if (const auto found = match(name, "add*_naive")) return naive(size(*found));
    if (const auto found = match(name, "add*_sum")) return with_aggregate(size(*found));
    return std::nullopt;
}

// Whether 4 is among N digits.
std::optional<Workload> make_member(std::string_view name) {
    auto found = match(name, "member*");
    const bool absent = !found;
    if (absent) found = match(name, "member*_neg");
    if (!found) return std::nullopt;
    const int size = found->front();
    Workload workload;
    workload.program = "image(1.." + std::to_string(size) + ").\nnn(digit(1,I)," +
                       outcome_list(number_outcomes(0, 9)) +
                       ") :- image(I).\nmember(D) :- digit(0,I,D).\n";
    workload.observation = absent ? ":- member(4).\n" : ":- not member(4).\n";
    for (int i = 1; i <= size; ++i) {
        workload.calls.push_back({"digit", std::to_string(i), 1, number_outcomes(0, 9)});
    }
    workload.enumerable = size <= 5;
    workload.probability = [size, absent](const NetworkOutputs &outputs) {
        double none = 1.0;
        for (int i = 1; i <= size; ++i) {
            const auto &row = values(outputs, "digit", std::to_string(i));
            double others = 0.0;
            for (std::size_t d = 0; d < row.size(); ++d) others += d == 4 ? 0.0 : row[d];
            none *= others;
        }
        return absent ? none : 1.0 - none;
    };
    return workload;
}

} // namespace neurasp::bench
