// Orders over tables and defined variables.
#include "circuit/node_order.hpp"

#include "circuit/elimination.hpp"
#include "circuit/search.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace neurasp::circuit {
namespace {

using test::Example;

// Layers of three noisy ors, each over two atoms of the layer before.
Theory noisy_or(int layers) {
    std::string text = "{a(0,0)}. {a(0,1)}. {a(0,2)}. ";
    std::vector<std::vector<std::string>> variables;
    for (int layer = 1; layer <= layers; ++layer) {
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 2; ++k) {
                const std::string link = fmt::format("w({},{},{}", layer, i, k);
                text += fmt::format("{{{0},0)}}. {{{0},1)}}. a({1},{2}) :- a({3},{4}), {0},0). ",
                                    link, layer, i, layer - 1, (i + k) % 3);
                variables.push_back({link + ",0)", link + ",1)"});
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        const std::string no = fmt::format("n({})", i);
        text += fmt::format("{{{}}}. ", no);
        variables.push_back({fmt::format("a(0,{})", i), no});
    }
    const Example example(text, variables);
    return translate(example.input({fmt::format("a({},0)", layers)}, true)).theory.value();
}

TEST(NodeOrders, random_variables_below_gates_do_not_count_for_the_limit_of_min_fill) {
    // 60 layers have 360 links and as many gates: with the links, that is more than min-fill would take
    const Theory theory = noisy_or(60);
    base::Budget budget;
    const auto rest = Search(theory, {}, Below::ratios, budget, {}).remainder();
    ASSERT_TRUE(rest);
    const NodeOrders orders = find_node_orders(theory, {}, *rest, {});
    ASSERT_TRUE(orders.line);
    ASSERT_TRUE(orders.elimination);
    // A bag never needs more than two layers, a gate and a link: 2^8 for each of about 900 vertices.
    EXPECT_LT(orders.elimination->cost, 8.0 + 10.0);
}

} // namespace
} // namespace neurasp::circuit
