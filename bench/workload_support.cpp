// Names with numbers, seeded random outputs, and programs of random graphs.
#include "workload_support.hpp"

#include <nlohmann/json.hpp>

#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <sstream>

namespace neurasp::bench {

std::optional<std::vector<int>> match(std::string_view name, std::string_view pattern) {
    std::vector<int> numbers;
    std::size_t at = 0;
    for (const char expected : pattern) {
        if (expected == '*') {
            int number = 0;
            const auto [end, error] =
                std::from_chars(name.data() + at, name.data() + name.size(), number);
            if (error != std::errc() || number < 1) return std::nullopt;
            at = static_cast<std::size_t>(end - name.data());
            numbers.push_back(number);
        } else if (at < name.size() && name[at] == expected) {
            ++at;
        } else {
            return std::nullopt;
        }
    }
    if (at != name.size()) return std::nullopt;
    return numbers;
}

std::uint64_t RandomStream::next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

double RandomStream::uniform() { return (static_cast<double>(next() >> 12U) + 0.5) * 0x1p-52; }

int RandomStream::below(int bound) {
    return static_cast<int>(uniform() * static_cast<double>(bound));
}

std::vector<double> RandomStream::distribution(std::size_t size) {
    std::vector<double> result(size);
    if (size == 2) { // the same distribution, without losing digits of small probabilities
        result[0] = uniform();
        result[1] = 1.0 - result[0];
        return result;
    }
    for (double &value : result) value = -std::log(uniform());
    const double sum = std::accumulate(result.begin(), result.end(), 0.0);
    for (double &value : result) value /= sum;
    return result;
}

NetworkOutputs random_outputs(const std::vector<Call> &calls, std::uint64_t seed) {
    RandomStream random(seed);
    NetworkOutputs outputs;
    for (const Call &call : calls) {
        std::vector<double> rows;
        for (std::size_t event = 0; event < call.events; ++event) {
            const auto row = random.distribution(call.outcomes.size());
            rows.insert(rows.end(), row.begin(), row.end());
        }
        outputs.set(call.network, call.terms, std::move(rows));
    }
    return outputs;
}

const std::vector<double> &values(const NetworkOutputs &outputs, const std::string &network,
                                  const std::string &terms) {
    return outputs.table().at(network).at(terms).values;
}

std::vector<std::string> number_outcomes(int first, int last) {
    std::vector<std::string> outcomes;
    for (int i = first; i <= last; ++i) outcomes.push_back(std::to_string(i));
    return outcomes;
}

std::string outcome_list(const std::vector<std::string> &outcomes) {
    std::string text = "[";
    for (const std::string &outcome : outcomes) {
        if (text.size() > 1) text += ',';
        text += outcome;
    }
    return text + "]";
}

Graph grid_graph(int rows, int columns) {
    Graph graph{rows * columns, {}};
    for (int node = 0; node < graph.nodes; ++node) {
        if (node % columns + 1 < columns) graph.edges.emplace_back(node, node + 1);
        if (node + columns < graph.nodes) graph.edges.emplace_back(node, node + columns);
    }
    return graph;
}

std::string graph_program(const Graph &graph) {
    std::ostringstream text;
    text << "nn(edge(" << graph.edges.size() << ",g),[true,false]).\n";
    text << "node(0.." << graph.nodes - 1 << ").\n";
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        const auto [from, to] = graph.edges[i];
        text << "link(" << i << "," << from << "," << to << ")."
             << ((i + 1) % 6 == 0 || i + 1 == graph.edges.size() ? '\n' : ' ');
    }
    text << "on(X,Y) :- link(E,X,Y), edge(E,g,true).\n"
            "on(Y,X) :- link(E,X,Y), edge(E,g,true).\n";
    return text.str();
}

Call graph_call(const Graph &graph) { return {"edge", "g", graph.edges.size(), {"true", "false"}}; }

std::vector<double> edge_probabilities(const NetworkOutputs &outputs) {
    const auto &rows = values(outputs, "edge", "g");
    std::vector<double> result;
    for (std::size_t i = 0; i < rows.size(); i += 2) result.push_back(rows[i]);
    return result;
}

std::string plain_clingo(const Workload &workload) {
    std::string text;
    std::istringstream lines(workload.program);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("nn(", 0) != 0) text += line + "\n";
    }
    for (const Call &call : workload.calls) {
        for (std::size_t event = 0; event < call.events; ++event) {
            const std::string start =
                call.network + "(" + std::to_string(event) + "," + call.terms + ",";
            std::string choice;
            for (const std::string &outcome : call.outcomes) {
                choice += (choice.empty() ? "" : "; ") + start + outcome + ")";
            }
            text += "1 { " + choice + " } 1.\n";
        }
    }
    return text + workload.observation;
}

std::string to_json(const NetworkOutputs &outputs) {
    nlohmann::ordered_json json;
    for (const auto &[network, entries] : outputs.table()) {
        for (const auto &[terms, entry] : entries) json[network][terms] = entry.values;
    }
    return json.dump(1) + "\n";
}

} // namespace neurasp::bench
