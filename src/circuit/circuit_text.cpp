// Writes circuits as text.
#include "circuit/circuit_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace neurasp::circuit {

namespace {

// FNV-1a: any change of a single byte changes it.
std::uint64_t checksum(std::string_view text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 1099511628211U;
    }
    return hash;
}

// The digits of a mantissa below 1 in base 16; none for 0.
std::string hexadecimal(long double mantissa) {
    std::string digits;
    while (mantissa > 0.0L) {
        mantissa *= 16.0L;
        const long double digit = std::floor(mantissa);
        digits += "0123456789abcdef"[static_cast<int>(digit)];
        mantissa -= digit;
    }
    return digits;
}

} // namespace

std::string write_circuit(const Circuit &circuit) {
    std::string text;
    const auto print = [&]<class... Args>(fmt::format_string<Args...> format, Args &&...args) {
        fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    };
    const Signature &signature = circuit.signature();
    print("neurasp-circuit 2\nvariables {} random {}\noutcomes", signature.outcomes.size(),
          signature.random_variables);
    for (const std::uint32_t outcomes : signature.outcomes) print(" {}", outcomes);
    print("\nconstants {}\n", circuit.constants().size());
    for (const base::ScaledReal &constant : circuit.constants()) {
        print("{} {}\n", constant.exponent(),
              constant.is_zero() ? "0" : hexadecimal(constant.mantissa()));
    }
    print("nodes {}\n", circuit.node_count() - 1);
    for (std::size_t i = 1; i < circuit.node_count(); ++i) {
        const NodeView node = circuit.node(NodeId(i));
        if (node.kind == NodeKind::sum) {
            print("+ {} {}", node.variable, node.edges.size());
        } else {
            print("{} {}", node.kind == NodeKind::cases ? '|' : '*', node.edges.size());
        }
        for (const Edge &edge : node.edges) print(" {} {}", edge.input.value, edge.child.value);
        text += '\n';
    }
    print("root {}\nsmooth {}\n", circuit.root().value, circuit.smooth() ? 1 : 0);
    return with_checksum(std::move(text));
}

std::string with_checksum(std::string body) {
    const std::uint64_t sum = checksum(body);
    return std::move(body) + fmt::format("checksum {:016x}\n", sum);
}

} // namespace neurasp::circuit
