// Random circuits, and the simplest way to evaluate them.
#include "circuit/circuit_support.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp::circuit::test {

namespace {

using Variables = std::vector<std::uint32_t>;

class Generator {
  public:
    explicit Generator(base::RandomStream &random) : random_(random), circuit_(signature()) {}

    Circuit run() {
        Variables all;
        for (std::uint32_t v = 0; v < circuit_.variable_count(); ++v) all.push_back(v);
        circuit_.set_root(node(all));
        return std::move(circuit_);
    }

  private:
    bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }

    Signature signature() {
        Signature result;
        result.random_variables = static_cast<std::uint32_t>(random_.below(5));
        for (std::uint32_t v = 0; v < result.random_variables; ++v) {
            result.outcomes.push_back(static_cast<std::uint32_t>(1 + random_.below(4)));
        }
        result.outcomes.insert(result.outcomes.end(), random_.below(3), 2);
        return result;
    }

    // A node that mentions some of these variables.
    NodeId node(Variables variables) {
        while (!variables.empty() && chance(8)) variables.erase(take(variables));
        for (const auto &[mentioned, known] : made_) {
            if (mentioned == variables && chance(2)) return known;
        }
        const NodeId result = variables.empty() ? leaf()
                              : chance(3)       ? product(variables)
                              : chance(3)       ? cases(variables)
                                                : sum(variables);
        made_.emplace_back(variables, result);
        return result;
    }

    Variables::iterator take(Variables &variables) {
        return variables.begin() + static_cast<std::ptrdiff_t>(random_.below(variables.size()));
    }

    NodeId leaf() {
        if (chance(12)) return circuit_.add_sum(0, {});
        if (!chance(4)) return true_node;
        const Edge edges[] = {{constant(), true_node}};
        return circuit_.add_product(edges);
    }

    InputId constant() {
        const auto eighths = static_cast<long double>(1 + random_.below(12));
        return circuit_.add_constant(base::ScaledReal(eighths / 8.0L));
    }

    NodeId sum(Variables variables) {
        const auto place = take(variables);
        const std::uint32_t variable = *place;
        variables.erase(place);
        std::vector<Edge> edges;
        for (std::uint32_t o = 0; o < circuit_.signature().outcomes[variable]; ++o) {
            if (!chance(5)) edges.push_back({circuit_.input(variable, o), node(variables)});
        }
        return circuit_.add_sum(variable, edges);
    }

    // A sum without a variable: its branches divide the outcomes of one, but edges carry that outcome, one of another
    // variable, or none, and what is missing there is below.
    NodeId cases(Variables variables) {
        const auto place = take(variables);
        const std::uint32_t divided = *place;
        variables.erase(place);
        std::vector<std::vector<std::uint32_t>> parts(2 + random_.below(2));
        for (std::uint32_t o = 0; o < circuit_.signature().outcomes[divided]; ++o) {
            parts[random_.below(parts.size())].push_back(o);
        }
        std::vector<Edge> edges;
        for (const auto &part : parts) {
            if (part.empty()) continue;
            if (part.size() == 1 && chance(2)) {
                edges.push_back({circuit_.input(divided, part[0]), node(variables)});
                continue;
            }
            Variables left = variables;
            InputId input = one_input;
            if (!left.empty() && chance(2)) {
                const auto other = take(left);
                const std::uint32_t outcomes = circuit_.signature().outcomes[*other];
                input = circuit_.input(*other, static_cast<std::uint32_t>(random_.below(outcomes)));
                left.erase(other);
            }
            std::vector<Edge> below;
            for (const std::uint32_t o : part)
                below.push_back({circuit_.input(divided, o), node(left)});
            edges.push_back({input, circuit_.add_sum(divided, below)});
        }
        return circuit_.add_cases(edges);
    }

    NodeId product(const Variables &variables) {
        std::vector<Variables> groups(1 + random_.below(4));
        for (const std::uint32_t v : variables) groups[random_.below(groups.size())].push_back(v);
        std::vector<Edge> edges;
        for (Variables &group : groups) {
            InputId input = chance(5) ? constant() : one_input;
            if (!group.empty() && chance(3)) {
                const std::uint32_t v = group.back();
                group.pop_back();
                input = circuit_.input(
                    v, static_cast<std::uint32_t>(random_.below(circuit_.signature().outcomes[v])));
            }
            edges.push_back({input, group.empty() ? true_node : node(group)});
        }
        return circuit_.add_product(edges);
    }

    base::RandomStream &random_;
    Circuit circuit_;
    std::vector<std::pair<Variables, NodeId>> made_;
};

// Weights by input, including those of free atoms and constants.
std::vector<long double> all_weights(const Circuit &circuit,
                                     const std::vector<double> &random_weights) {
    std::vector<long double> result(circuit.input_count(), 1.0L);
    std::copy(random_weights.begin(), random_weights.end(), result.begin() + 1);
    for (std::size_t i = 0; i < circuit.constants().size(); ++i) {
        const base::ScaledReal &c = circuit.constants()[i];
        result[circuit.first_constant() + i] =
            std::ldexp(c.mantissa(), static_cast<int>(c.exponent()));
    }
    return result;
}

long double value_of(const Circuit &circuit, NodeId id, const std::vector<long double> &weights) {
    const NodeView node = circuit.node(id);
    long double result = node.adds() ? 0.0L : 1.0L;
    for (const Edge &edge : node.edges) {
        const long double value =
            weights[edge.input.index()] * value_of(circuit, edge.child, weights);
        result = node.adds() ? result + value : result * value;
    }
    return result;
}

} // namespace

Circuit random_circuit(base::RandomStream &random) { return Generator(random).run(); }

std::shared_ptr<const Circuit> random_smooth_circuit(base::RandomStream &random) {
    return std::make_shared<const Circuit>(smoothed(random_circuit(random)));
}

std::vector<double> random_weights(const Circuit &circuit, base::RandomStream &random) {
    return random_rows(circuit, 1, random);
}

std::vector<double> random_rows(const Circuit &circuit, std::size_t batch,
                                base::RandomStream &random) {
    std::vector<double> weights(circuit.random_input_count() * batch);
    for (double &weight : weights) weight = random.uniform();
    return weights;
}

std::vector<double> normalised(const Circuit &circuit, std::vector<double> weights) {
    for (std::uint32_t v = 0; v < circuit.random_variable_count(); ++v) {
        const std::size_t first = circuit.input(v, 0).index() - 1;
        const std::size_t end = first + circuit.signature().outcomes[v];
        double sum = 0.0;
        for (std::size_t i = first; i < end; ++i) sum += weights[i];
        for (std::size_t i = first; i < end; ++i) weights[i] /= sum;
    }
    return weights;
}

std::vector<base::ScaledReal> scaled(const std::vector<double> &weights) {
    return {weights.begin(), weights.end()};
}

double plain_value(const Circuit &circuit, const std::vector<double> &random_weights) {
    return static_cast<double>(
        value_of(circuit, circuit.root(), all_weights(circuit, random_weights)));
}

double plain_derivative(const Circuit &circuit, const std::vector<double> &random_weights,
                        std::size_t input) {
    std::vector<long double> weights = all_weights(circuit, random_weights);
    weights[input + 1] = 1.0L;
    const long double with = value_of(circuit, circuit.root(), weights);
    weights[input + 1] = 0.0L;
    return static_cast<double>(with - value_of(circuit, circuit.root(), weights));
}

void for_each_assignment(const Circuit &circuit,
                         const std::function<void(const Outcomes &)> &visit) {
    Outcomes outcomes(circuit.variable_count(), 0);
    for (;;) {
        visit(outcomes);
        std::size_t v = 0;
        while (v < outcomes.size() && ++outcomes[v] == circuit.signature().outcomes[v]) {
            outcomes[v++] = 0;
        }
        if (v == outcomes.size()) return;
    }
}

Coefficient coefficient(const Circuit &circuit, const Outcomes &outcomes) {
    std::vector<long double> weights =
        all_weights(circuit, std::vector<double>(circuit.random_input_count(), 0.0));
    for (std::uint32_t v = 0; v < circuit.variable_count(); ++v) {
        for (std::uint32_t o = 0; o < circuit.signature().outcomes[v]; ++o) {
            weights[circuit.input(v, o).index()] = outcomes[v] == o ? 1.0L : 0.0L;
        }
    }
    const long double value = value_of(circuit, circuit.root(), weights);
    return {value > 0.0L, static_cast<double>(value)}; // no constant is 0
}

double assignment_value(const Circuit &circuit, const std::vector<double> &random_weights,
                        const Outcomes &outcomes) {
    double value = coefficient(circuit, outcomes).value;
    for (std::uint32_t v = 0; v < circuit.random_variable_count(); ++v) {
        value *= random_weights[circuit.input(v, outcomes[v]).index() - 1];
    }
    return value;
}

Circuit chain(std::uint32_t variables) {
    Circuit circuit({std::vector<std::uint32_t>(variables, 2), variables});
    NodeId next = true_node;
    for (std::uint32_t v = 0; v < variables; ++v) {
        const Edge edges[] = {{circuit.input(v, 0), next}, {circuit.input(v, 1), next}};
        next = circuit.add_sum(v, edges);
    }
    circuit.set_root(next);
    circuit.set_smooth(true);
    return circuit;
}

} // namespace neurasp::circuit::test
