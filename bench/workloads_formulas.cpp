// Hand-written formulas: N symbols, digits at even and operators at odd positions, usual precedence.
#include "workload_support.hpp"

#include <array>
#include <numeric>

namespace neurasp::bench {

namespace {

const std::vector<std::string> operators{"plus", "minus", "times", "div"};

// Terms are read from the left as fractions and then added to the value of the formula before them.
// Numbers stay small: each digit is a factor of a numerator or of a denominator, once. A result is an
// integer.
const char *const rules =
    "term(I,I,X,1) :- digit(0,I,X).\n"
    "term(I,J+2,N*X,D) :- term(I,J,N,D), operator(0,J+1,times), digit(0,J+2,X).\n"
    "term(I,J+2,N,D*X) :- term(I,J,N,D), operator(0,J+1,div), digit(0,J+2,X).\n"
    "value(J,N,D) :- term(0,J,N,D).\n"
    "value(J,N*E+M*D,D*E) :- value(I,N,D), operator(0,I+1,plus), term(I+2,J,M,E).\n"
    "value(J,N*E-M*D,D*E) :- value(I,N,D), operator(0,I+1,minus), term(I+2,J,M,E).\n"
    "result(N/D) :- value(last,N,D), N\\D=0.\n";

// Results that have 14, 237 and 645 models, for 3, 5 and 7 symbols.
int usual_result(int symbols) {
    switch (symbols) {
    case 3: return 2;
    case 5: return 10;
    case 7: return -21;
    default: return 1;
    }
}

struct Fraction {
    long numerator = 0;
    long denominator = 1;
};

Fraction reduced(long numerator, long denominator) {
    const long divisor = std::gcd(numerator, denominator);
    return {numerator / divisor, denominator / divisor};
}

// The value of a formula; operators as numbered above.
Fraction evaluate(const std::vector<int> &symbols) {
    Fraction sum;
    Fraction term{symbols[0], 1};
    long sign = 1;
    const auto add = [&] {
        sum = reduced(sum.numerator * term.denominator + sign * term.numerator * sum.denominator,
                      sum.denominator * term.denominator);
    };
    for (std::size_t i = 1; i < symbols.size(); i += 2) {
        const long digit = symbols[i + 1];
        if (symbols[i] == 2) {
            term = reduced(term.numerator * digit, term.denominator);
        } else if (symbols[i] == 3) {
            term = reduced(term.numerator, term.denominator * digit);
        } else {
            add();
            sign = symbols[i] == 0 ? 1 : -1;
            term = {digit, 1};
        }
    }
    add();
    return sum;
}

// Sums over all formulas.
double result_probability(const NetworkOutputs &outputs, int size, int result) {
    std::vector<const std::vector<double> *> rows;
    rows.reserve(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
        rows.push_back(&values(outputs, i % 2 == 0 ? "digit" : "operator", std::to_string(i)));
    }
    double sum = 0.0;
    std::vector<int> symbols(static_cast<std::size_t>(size));
    const auto extend = [&](const auto &self, std::size_t at, double mass) -> void {
        if (at == symbols.size()) {
            const Fraction value = evaluate(symbols);
            if (value.denominator == 1 && value.numerator == result) sum += mass;
            return;
        }
        const int first = at % 2 == 0 ? 1 : 0;
        for (std::size_t k = 0; k < rows[at]->size(); ++k) {
            symbols[at] = first + static_cast<int>(k);
            self(self, at + 1, mass * (*rows[at])[k]);
        }
    };
    extend(extend, 0, 1.0);
    return sum;
}

} // namespace

std::optional<Workload> make_formula(std::string_view name) {
    auto found = match(name, "hwf*_*"); // with a result of choice
    if (!found) found = match(name, "hwf*");
    if (!found || found->front() % 2 == 0) return std::nullopt;
    const int size = found->front();
    const std::string last = std::to_string(size - 1);
    Workload workload;
    workload.program = "#const last=" + last + ".\nnn(digit(1,P)," +
                       outcome_list(number_outcomes(1, 9)) + ") :- P=0..last, P\\2=0.\n";
    if (size > 1) {
        workload.program +=
            "nn(operator(1,P)," + outcome_list(operators) + ") :- P=0..last, P\\2=1.\n";
    }
    workload.program += rules;
    const int result = found->size() == 2 ? found->back() : usual_result(size);
    workload.observation = ":- not result(" + std::to_string(result) + ").\n";
    for (int i = 0; i < size; ++i) {
        const bool digit = i % 2 == 0;
        workload.calls.push_back({digit ? "digit" : "operator", std::to_string(i), 1,
                                  digit ? number_outcomes(1, 9) : operators});
    }
    workload.enumerable = size <= 7;
    workload.probability = [size, result](const NetworkOutputs &outputs) {
        return result_probability(outputs, size, result);
    };
    return workload;
}

} // namespace neurasp::bench
