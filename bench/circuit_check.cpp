// Compares circuits with the known answers of workloads, and gradients with differences.
#include "circuit_check.hpp"

#include "workload_support.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace neurasp::bench {

namespace {

// Rounding errors grow with the number of factors, as log P does.
constexpr double double_tolerance = 1e-10;
constexpr double float_tolerance = 1e-4;
// The tolerance of a difference quotient, relative to the reciprocal of its step.
constexpr double gradient_tolerance = 1e-9;

constexpr std::uint64_t value_examples = 4;
constexpr std::size_t circuit_directions = 64;
constexpr std::size_t workload_directions = 6;

bool close(double a, double b, double tolerance) {
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

std::string told(const std::string &what, double found, double expected) {
    std::ostringstream text;
    text.precision(15);
    text << what << " is " << found << ", expected " << expected;
    return text.str();
}

template <class Real>
std::optional<std::string> wrong_value(const CompiledQuestion &circuit,
                                       const std::vector<std::vector<double>> &examples,
                                       const std::vector<double> &expected, double tolerance) {
    CircuitEvaluator<Real> evaluator(circuit);
    Batch<Real> batch(examples);
    batch.run(evaluator);
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const auto found = static_cast<double>(batch.log_probability[k]);
        if (close(found, expected[k], tolerance)) continue;
        return told("log P(O) of example " + std::to_string(k) + " in " +
                        (sizeof(Real) == sizeof(float) ? "float" : "double"),
                    found, expected[k]);
    }
    for (const Real derivative : batch.gradient) { // also where evidence makes weights 0
        if (!std::isfinite(derivative)) return "a derivative is not finite";
    }
    return std::nullopt;
}

// Moves probability from one outcome of a random variable to another. P(O) is linear in `step`, so the
// difference quotient over any step is the derivative, gradient[raised] - gradient[lowered].
struct Direction {
    std::size_t variable = 0;
    std::size_t raised = 0; // outcomes
    std::size_t lowered = 0;
    double step = 0.0;
};

std::vector<Direction> random_directions(const CompiledQuestion &circuit,
                                         const std::vector<double> &weights, std::size_t count) {
    RandomStream random(17);
    std::vector<Direction> directions;
    const auto &variables = circuit.variables();
    for (std::size_t i = 0; i < count && !variables.empty(); ++i) {
        Direction direction;
        direction.variable =
            static_cast<std::size_t>(random.below(static_cast<int>(variables.size())));
        const CircuitVariable &variable = variables[direction.variable];
        const int outcomes = static_cast<int>(variable.atoms.size());
        direction.raised = static_cast<std::size_t>(random.below(outcomes));
        direction.lowered =
            (direction.raised + 1 + static_cast<std::size_t>(random.below(outcomes - 1))) %
            variable.atoms.size();
        const double *row = &weights[variable.first_input];
        direction.step = 0.5 * std::min(row[direction.raised], row[direction.lowered]);
        directions.push_back(direction);
    }
    return directions;
}

double quotient(double log_up, double log_here, double log_down, double step) {
    return (std::exp(log_up - log_here) - std::exp(log_down - log_here)) / (2.0 * step);
}

// The place of the outcome with this atom in the network outputs.
struct Place {
    std::string network;
    std::string terms;
    std::size_t value = 0;
};

std::map<std::string, Place> places(const Workload &workload) {
    std::map<std::string, Place> result;
    for (const Call &call : workload.calls) {
        std::size_t value = 0;
        for (std::size_t event = 0; event < call.events; ++event) {
            for (const std::string &outcome : call.outcomes) {
                const std::string atom = call.network + "(" + std::to_string(event) + "," +
                                         call.terms + "," + outcome + ")";
                result[atom] = {call.network, call.terms, value++};
            }
        }
    }
    return result;
}

// log P(O) by the workload's own computation, with `amount` added to one outcome and taken from another.
double moved_log(const Workload &workload, NetworkOutputs outputs, const Place &raised,
                 const Place &lowered, double amount) {
    std::vector<double> row = values(outputs, raised.network, raised.terms);
    row[raised.value] += amount;
    row[lowered.value] -= amount;
    outputs.set(raised.network, raised.terms, std::move(row));
    return std::log(workload.probability(outputs));
}

class GradientCheck {
  public:
    GradientCheck(const Workload &workload, const CompiledQuestion &circuit)
        : workload_(workload), circuit_(circuit),
          outputs_(random_outputs(workload.calls, 4711)), // without zeros, unlike those of draw()
          weights_(circuit.weights(outputs_)),
          directions_(random_directions(circuit, weights_, circuit_directions)) {}

    std::optional<std::string> find_mistake() {
        std::vector<std::vector<double>> examples{weights_};
        for (const Direction &direction : directions_) {
            for (const double sign : {1.0, -1.0}) {
                const std::size_t first = circuit_.variables()[direction.variable].first_input;
                examples.push_back(weights_);
                examples.back()[first + direction.raised] += sign * direction.step;
                examples.back()[first + direction.lowered] -= sign * direction.step;
            }
        }
        Batch<double> batch(examples);
        CircuitEvaluator<double> evaluator(circuit_);
        batch.run(evaluator);
        const double here = batch.log_probability[0];
        for (std::size_t i = 0; i < directions_.size(); ++i) {
            const double expected = quotient(batch.log_probability[2 * i + 1], here,
                                             batch.log_probability[2 * i + 2], directions_[i].step);
            const double found = derivative(batch, directions_[i]);
            if (!agree(found, expected, directions_[i])) {
                return told("the derivative by " + name(directions_[i]), found, expected);
            }
        }
        return compare_with_workload(batch);
    }

  private:
    std::optional<std::string> compare_with_workload(const Batch<double> &batch) const {
        const auto place = places(workload_);
        const double here = std::log(workload_.probability(outputs_));
        for (std::size_t i = 0; i < std::min(workload_directions, directions_.size()); ++i) {
            const Direction &direction = directions_[i];
            const auto &atoms = circuit_.variables()[direction.variable].atoms;
            const Place &raised = place.at(atoms[direction.raised]);
            const Place &lowered = place.at(atoms[direction.lowered]);
            const double up = moved_log(workload_, outputs_, raised, lowered, direction.step);
            const double down = moved_log(workload_, outputs_, raised, lowered, -direction.step);
            const double expected = quotient(up, here, down, direction.step);
            const double found = derivative(batch, direction);
            if (!agree(found, expected, direction)) {
                return told("the derivative by " + name(direction), found, expected) +
                       " by the workload's own computation";
            }
        }
        return std::nullopt;
    }

    // The derivative in the first example.
    double derivative(const Batch<double> &batch, const Direction &direction) const {
        const std::size_t first = circuit_.variables()[direction.variable].first_input;
        return batch.gradient[(first + direction.raised) * batch.size] -
               batch.gradient[(first + direction.lowered) * batch.size];
    }

    static bool agree(double found, double expected, const Direction &direction) {
        return std::abs(found - expected) <= gradient_tolerance / direction.step;
    }

    std::string name(const Direction &direction) const {
        const auto &atoms = circuit_.variables()[direction.variable].atoms;
        return atoms[direction.raised] + " - " + atoms[direction.lowered];
    }

    const Workload &workload_;
    const CompiledQuestion &circuit_;
    NetworkOutputs outputs_;
    std::vector<double> weights_;
    std::vector<Direction> directions_;
};

} // namespace

template <class Real>
Batch<Real>::Batch(const std::vector<std::vector<double>> &examples)
    : size(examples.size()), log_probability(size) {
    const std::size_t inputs = examples.empty() ? 0 : examples.front().size();
    weights.resize(inputs * size);
    gradient.resize(inputs * size);
    for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t i = 0; i < inputs; ++i) {
            weights[i * size + k] = static_cast<Real>(examples[k][i]);
        }
    }
}

template struct Batch<float>;
template struct Batch<double>;

bool same_log(double a, double b) { return close(a, b, double_tolerance); }

std::optional<std::string> find_mistake(const Workload &workload, const CompiledQuestion &circuit) {
    std::vector<std::vector<double>> examples;
    std::vector<double> expected;
    for (std::uint64_t seed = 1; seed <= value_examples; ++seed) {
        const NetworkOutputs outputs = workload.draw(seed);
        examples.push_back(circuit.weights(outputs));
        expected.push_back(std::log(workload.probability(outputs)));
    }
    if (auto wrong = wrong_value<double>(circuit, examples, expected, double_tolerance))
        return wrong;
    if (auto wrong = wrong_value<float>(circuit, examples, expected, float_tolerance)) return wrong;
    return GradientCheck(workload, circuit).find_mistake();
}

} // namespace neurasp::bench
