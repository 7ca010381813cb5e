// Circuits as text: written, read, and damaged.
#include "circuit/circuit_text.hpp"

#include "circuit/circuit_support.hpp"
#include "neurasp/diagnostic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace neurasp::circuit::test {
namespace {

using base::ScaledReal;
using ::testing::HasSubstr;

// The circuit, or nothing if the text is refused.
std::optional<Circuit> read_or_nothing(std::string_view text) {
    try {
        return read_circuit(text);
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().location.file, "circuit");
        EXPECT_GT(error.diagnostics().front().location.line, 0U);
        return {};
    }
}

std::string complaint(const std::string &body) {
    try {
        read_circuit(with_checksum(body));
    } catch (const InputError &error) {
        return render(error.diagnostics().front());
    }
    return {};
}

Circuit example() {
    Circuit circuit({{3, 2, 2}, 2});
    const InputId third = circuit.add_constant(ScaledReal(1.0L) / ScaledReal(3.0L));
    const Edge product[] = {{third, true_node}, {circuit.input(1, 1), true_node}};
    const NodeId child = circuit.add_product(product);
    const Edge sum[] = {{circuit.input(0, 0), child}, {circuit.input(0, 2), true_node}};
    circuit.set_root(circuit.add_sum(0, sum));
    return circuit;
}

const std::string example_body = "neurasp-circuit 2\n"
                                 "variables 3 random 2\n"
                                 "outcomes 3 2 2\n"
                                 "constants 1\n"
                                 "-1 aaaaaaaaaaaaaaab\n"
                                 "nodes 2\n"
                                 "* 2 8 0 5 0\n"
                                 "+ 0 2 1 1 3 0\n"
                                 "root 2\n"
                                 "smooth 0\n";

TEST(CircuitText, IsReadable) { EXPECT_EQ(write_circuit(example()), with_checksum(example_body)); }

TEST(CircuitText, ReadsWhatItWrote) {
    base::RandomStream random(60);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = random_circuit(random);
        EXPECT_EQ(read_circuit(write_circuit(circuit)), circuit);
        const Circuit smooth = smoothed(circuit);
        EXPECT_EQ(read_circuit(write_circuit(smooth)), smooth);
    }
}

TEST(CircuitText, KeepsConstantsExactly) {
    Circuit circuit({{}, 0});
    std::vector<Edge> edges;
    base::RandomStream random(61);
    for (int i = 0; i < 200; ++i) {
        const auto exponent = static_cast<std::int64_t>(random.below(1'000'000)) - 500'000;
        const ScaledReal value(static_cast<long double>(random.bits()), exponent);
        edges.push_back({circuit.add_constant(value), true_node});
    }
    edges.push_back({circuit.add_constant(ScaledReal()), true_node});
    circuit.set_root(circuit.add_product(edges));
    EXPECT_EQ(read_circuit(write_circuit(circuit)), circuit);
}

TEST(CircuitText, RefusesEveryTruncation) {
    const std::string text = write_circuit(example());
    for (std::size_t size = 0; size < text.size(); ++size) {
        EXPECT_FALSE(read_or_nothing(text.substr(0, size)).has_value()) << "cut at " << size;
    }
    EXPECT_FALSE(read_or_nothing(text + "\n").has_value());
}

TEST(CircuitText, RefusesEveryChangedByte) {
    const std::string text = write_circuit(example());
    for (std::size_t i = 0; i < text.size(); ++i) {
        for (const int flip : {1, 2, 16, 128}) {
            std::string changed = text;
            changed[i] = static_cast<char>(changed[i] ^ flip);
            EXPECT_FALSE(read_or_nothing(changed).has_value()) << "byte " << i;
        }
    }
}

// If the checksum is right, only the contents can be checked: a text that is accepted must be written back
// unchanged.
TEST(CircuitText, AcceptsAChangedTextOnlyInItsOwnForm) {
    base::RandomStream random(62);
    for (int i = 0; i < 20'000; ++i) {
        std::string body = example_body;
        const std::size_t place = random.below(body.size());
        constexpr std::string_view characters = "0123456789 \n-+*af";
        body[place] = characters[random.below(characters.size())];
        const std::string text = with_checksum(body);
        const auto circuit = read_or_nothing(text);
        EXPECT_TRUE(!circuit || write_circuit(*circuit) == text) << body;
    }
}

std::string replaced(std::string text, const std::string &what, const std::string &by) {
    return text.replace(text.find(what), what.size(), by);
}

TEST(CircuitText, ReportsTheMistakeAndItsPlace) {
    EXPECT_THAT(complaint(replaced(example_body, "circuit 2", "circuit 3")),
                HasSubstr("circuit:1:17: error: expected '2'"));
    EXPECT_THAT(complaint(replaced(example_body, "circuit 2", "circuit 1")),
                HasSubstr("circuit:1:17: error: the circuit was written by an older version"));
    EXPECT_THAT(complaint(replaced(example_body, "+ 0 2 1 1 3 0", "| 0")),
                HasSubstr("a sum without edges must be a decision"));
    EXPECT_THAT(complaint(replaced(example_body, "* 2 8", "* 2 9")),
                HasSubstr("circuit:7:5: error: expected a number up to 8"));
    EXPECT_THAT(complaint(replaced(example_body, "1 1 3 0", "1 2 3 0")),
                HasSubstr("expected a number up to 1"));
    EXPECT_THAT(complaint(replaced(example_body, "root 2", "root 3")), HasSubstr("circuit:9:6"));
    EXPECT_THAT(complaint(replaced(example_body, "3 random 2", "3 random 4")),
                HasSubstr("expected a number up to 3"));
    EXPECT_THAT(complaint(replaced(example_body, "nodes 2", "nodes 02")),
                HasSubstr("leading zero"));
}

TEST(CircuitText, ChecksTheInvariants) {
    EXPECT_THAT(complaint(replaced(example_body, "1 1 3 0", "1 1 1 0")),
                HasSubstr("the same outcome"));
    EXPECT_THAT(complaint(replaced(example_body, "smooth 0", "smooth 1")), HasSubstr("not smooth"));
    EXPECT_THAT(complaint(replaced(example_body, "8 0 5 0", "5 0 5 0")),
                HasSubstr("not decomposable"));
    EXPECT_THAT(complaint(replaced(example_body, "outcomes 3 2 2", "outcomes 3 2 3")),
                HasSubstr("a free atom has two outcomes"));
    EXPECT_THAT(complaint(replaced(example_body, "outcomes 3 2 2", "outcomes 0 2 2")),
                HasSubstr("without outcomes"));
}

TEST(CircuitText, DoesNotTrustAnnouncedSizes) {
    EXPECT_THAT(complaint(replaced(example_body, "variables 3", "variables 9999999")),
                HasSubstr("expected"));
    EXPECT_THAT(complaint(replaced(example_body, "nodes 2", "nodes 4294967295")),
                HasSubstr("expected"));
    EXPECT_THAT(complaint(replaced(example_body, "* 2", "* 4294967295")), HasSubstr("expected"));
    EXPECT_THAT(complaint(replaced(example_body, "constants 1", "constants 4294967295")),
                HasSubstr("expected"));
    EXPECT_THAT(complaint(replaced(example_body, "outcomes 3 2 2", "outcomes 16777216 2 2")),
                HasSubstr("too many outcomes"));
}

TEST(CircuitText, RefusesConstantsThatAreNotInItsForm) {
    const std::string constant = "-1 aaaaaaaaaaaaaaab";
    for (const std::string wrong :
         {"-1 7fff", "-1 a0", "-1 ", "-0 8", "-1 A", "-1 aaaaaaaaaaaaaaaabaaaaaaaaaaaaaaab1",
          "-1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1", "1 0", "99999999999 8", "8"}) {
        EXPECT_NE(complaint(replaced(example_body, constant, wrong)), "") << wrong;
    }
    const std::string twice = replaced(example_body, "constants 1", "constants 2");
    EXPECT_THAT(complaint(replaced(twice, constant, constant + "\n" + constant)),
                HasSubstr("occurs twice"));
}

} // namespace
} // namespace neurasp::circuit::test
