// Reads the text of circuit_text.hpp. The text is not trusted: numbers are checked before they are used, and memory
// grows with what was read, not with the sizes that the text announces.
#include "circuit/circuit_text.hpp"

#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace neurasp::circuit {

namespace {

constexpr std::uint64_t largest_number = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_hexadecimal_digits = 32; // enough for every kind of long double

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    Circuit run() {
        expect("neurasp-circuit ");
        if (text_.substr(at_, 2) == "1\n")
            fail("the circuit was written by an older version; this one reads format 2");
        expect("2\n");
        Circuit circuit = read_signature();
        read_constants(circuit);
        read_nodes(circuit);
        expect("root ");
        const std::uint32_t root = number(circuit.node_count() - 1);
        circuit.set_root(NodeId(root));
        expect("\nsmooth ");
        circuit.set_smooth(number(1) == 1);
        expect("\n");
        const std::size_t end = at_;
        expect(with_checksum(std::string(text_.substr(0, end))).substr(end));
        if (at_ != text_.size()) fail("expected the end of the text");
        checked([&] { circuit.verify(); });
        return circuit;
    }

  private:
    [[noreturn]] void fail(const std::string &what) const {
        const std::string_view before = text_.substr(0, at_);
        const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
        Diagnostic diagnostic;
        diagnostic.code = "circuit-text";
        diagnostic.message = what;
        diagnostic.location.file = "circuit";
        std::uint32_t line = 1;
        for (const char c : before) line += c == '\n' ? 1 : 0;
        const auto column = static_cast<std::uint32_t>(at_ - line_start + 1);
        diagnostic.location = {"circuit", line, column, line, column + 1};
        throw InputError(std::move(diagnostic));
    }

    // Runs an action; if the circuit refuses it, reports that as a mistake in the text.
    template <class Action> std::invoke_result_t<Action> checked(Action action) const {
        try {
            return action();
        } catch (const std::logic_error &error) {
            fail(error.what());
        }
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void expect(std::string_view what) {
        const std::string_view found = text_.substr(at_, what.size());
        if (found == what) {
            at_ += what.size();
            return;
        }
        while (at_ < text_.size() && text_[at_] == what.front()) {
            what.remove_prefix(1);
            ++at_;
        }
        std::string expected(what.substr(0, what.find('\n')));
        fail(expected.empty() ? "expected the end of the line" : "expected '" + expected + "'");
    }

    // A decimal number up to `largest`, without leading zeros.
    std::uint32_t number(std::uint64_t largest = largest_number) {
        if (!is_digit(peek())) fail("expected a number");
        const std::size_t start = at_;
        std::uint64_t value = 0;
        for (; is_digit(peek()) && value <= largest; ++at_) {
            value = value * 10 + static_cast<std::uint64_t>(peek() - '0');
        }
        const bool leading_zero = text_[start] == '0' && at_ - start > 1;
        if (value > largest || leading_zero) {
            at_ = start;
            fail(leading_zero ? "a number must not have a leading zero"
                              : fmt::format("expected a number up to {}", largest));
        }
        return static_cast<std::uint32_t>(value);
    }

    Circuit read_signature() {
        Signature signature;
        expect("variables ");
        const std::uint32_t variables = number(most_outcomes);
        expect(" random ");
        signature.random_variables = number(variables);
        expect("\noutcomes");
        for (std::uint32_t v = 0; v < variables; ++v) {
            expect(" ");
            signature.outcomes.push_back(number(most_outcomes));
        }
        expect("\n");
        return checked([&] { return Circuit(std::move(signature)); });
    }

    void read_constants(Circuit &circuit) {
        expect("constants ");
        const std::uint32_t constants = number();
        for (std::uint32_t i = 0; i < constants; ++i) {
            expect("\n");
            const InputId expected(circuit.input_count());
            if (circuit.add_constant(constant()) != expected) fail("the constant occurs twice");
        }
        expect("\n");
    }

    base::ScaledReal constant() {
        const bool negative = peek() == '-';
        if (negative) ++at_;
        const std::uint32_t magnitude = number(std::numeric_limits<std::int32_t>::max());
        if (negative && magnitude == 0) fail("expected an exponent");
        expect(" ");
        const std::size_t start = at_;
        while (is_digit(peek()) || (peek() >= 'a' && peek() <= 'f')) ++at_;
        const std::string_view digits = text_.substr(start, at_ - start);
        if (digits == "0" && magnitude == 0) return {};
        if (digits.empty() || digits.size() > most_hexadecimal_digits || digits.front() < '8' ||
            digits.back() == '0')
            fail("expected the hexadecimal digits of a mantissa");
        long double mantissa = 0.0L;
        for (std::size_t i = digits.size(); i-- > 0;) {
            const int digit = is_digit(digits[i]) ? digits[i] - '0' : digits[i] - 'a' + 10;
            const long double sum = mantissa + static_cast<long double>(digit);
            if (sum - static_cast<long double>(digit) != mantissa)
                fail("the mantissa has more digits than a long double can hold");
            mantissa = sum / 16.0L;
        }
        const std::int64_t exponent = magnitude;
        return {mantissa, negative ? -exponent : exponent};
    }

    void read_nodes(Circuit &circuit) {
        expect("nodes ");
        const std::uint32_t nodes = number();
        std::vector<Edge> edges;
        for (std::uint32_t i = 0; i < nodes; ++i) {
            expect("\n");
            const NodeKind kind = read_kind();
            const std::uint32_t variable = kind == NodeKind::sum ? number() : 0;
            if (kind == NodeKind::sum) expect(" ");
            read_edges(circuit, edges);
            if (edges.empty() && (variable != 0 || kind == NodeKind::cases))
                fail("a sum without edges must be a decision on variable 0");
            checked([&] { return circuit.add(kind, variable, edges); });
        }
        expect("\n");
    }

    NodeKind read_kind() {
        const char sign = peek();
        const NodeKind kind = sign == '+'   ? NodeKind::sum
                              : sign == '|' ? NodeKind::cases
                                            : NodeKind::product;
        expect(kind == NodeKind::sum ? "+ " : kind == NodeKind::cases ? "| " : "* ");
        return kind;
    }

    void read_edges(const Circuit &circuit, std::vector<Edge> &edges) {
        edges.clear();
        const std::uint32_t count = number();
        for (std::uint32_t i = 0; i < count; ++i) {
            expect(" ");
            const InputId input(number(circuit.input_count() - 1));
            expect(" ");
            edges.push_back({input, NodeId(number(circuit.node_count() - 1))});
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

Circuit read_circuit(std::string_view text) { return Reader(text).run(); }

} // namespace neurasp::circuit
