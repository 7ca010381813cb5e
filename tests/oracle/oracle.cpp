// The definitions of specification 2 as sums over all stable models.
#include "oracle.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace neurasp::oracle {

namespace {

constexpr const char *violated = "oracle_violated(";
constexpr const char *query = "oracle_query(";

// Pi' = Pi^asp and Pi^ch (paper 2.2), with a marker for each constraint of O and each query.
std::string counterpart(const Input &input) {
    std::string text = input.program + "\n" + input.rules + "\n";
    for (const std::vector<std::string> &outcomes : input.variables) {
        std::string choice;
        for (const std::string &atom : outcomes) choice += (choice.empty() ? "" : "; ") + atom;
        text += "1 { " + choice + " } 1.\n";
    }
    for (std::size_t i = 0; i < input.constraints.size(); ++i)
        text += violated + std::to_string(i) + ") :- " + input.constraints[i] + ".\n";
    for (std::size_t i = 0; i < input.queries.size(); ++i)
        text += query + std::to_string(i) + ") :- " + input.queries[i] + ".\n";
    return text;
}

} // namespace

Oracle::Oracle(const Input &input) : variables_(input.variables) {
    for (const std::vector<std::string> &outcomes : variables_) total_choices_ *= outcomes.size();
    for (ClingoModel &found : stable_models(counterpart(input))) {
        Model model;
        model.queries.resize(input.queries.size());
        model.cost = std::move(found.cost);
        for (std::string &atom : found.atoms) {
            if (atom.starts_with(violated))
                model.satisfies_observation = false;
            else if (atom.starts_with(query))
                model.queries[std::stoull(atom.substr(std::string(query).size()))] = true;
            else
                model.atoms.push_back(std::move(atom));
        }
        model.choice = choice_of(model.atoms);
        ++num_[model.choice];
        models_.push_back(std::move(model));
    }
}

Choice Oracle::choice_of(const std::vector<std::string> &atoms) const {
    Choice choice;
    for (const std::vector<std::string> &outcomes : variables_) {
        std::size_t found = outcomes.size();
        for (std::size_t i = 0; i < outcomes.size(); ++i)
            if (std::binary_search(atoms.begin(), atoms.end(), outcomes[i]))
                found = found == outcomes.size() ? i : throw std::logic_error("two outcomes");
        if (found == outcomes.size())
            throw std::logic_error("a model without an outcome of " + outcomes.front());
        choice.push_back(found);
    }
    return choice;
}

std::size_t Oracle::num(const Choice &choice) const {
    const auto found = num_.find(choice);
    return found == num_.end() ? 0 : found->second;
}

long double Oracle::weight(const Model &model, const Probabilities &p,
                           std::optional<std::size_t> skip) const {
    long double product = 1.0L;
    for (std::size_t v = 0; v < variables_.size(); ++v)
        if (v != skip) product *= p.at(v).at(model.choice[v]);
    return product / static_cast<long double>(num(model.choice));
}

long double Oracle::probability(const Model &model, const Probabilities &p) const {
    return weight(model, p, std::nullopt);
}

std::vector<const Model *> Oracle::counted(bool optimal) const {
    std::vector<const Model *> result;
    for (const Model &model : models_)
        if (model.satisfies_observation) result.push_back(&model);
    if (!optimal || result.empty()) return result;
    const std::vector<std::int64_t> least =
        (*std::min_element(result.begin(), result.end(), [](const Model *a, const Model *b) {
            return a->cost < b->cost;
        }))->cost;
    std::erase_if(result, [&least](const Model *model) { return model->cost != least; });
    return result;
}

long double Oracle::probability(const Probabilities &p, bool optimal) const {
    long double sum = 0.0L;
    for (const Model *model : counted(optimal)) sum += probability(*model, p);
    return sum;
}

long double Oracle::mass(const Probabilities &p) const {
    long double sum = 0.0L;
    for (const Model &model : models_) sum += probability(model, p);
    return sum;
}

long double Oracle::joint(const Probabilities &p, std::size_t number, bool optimal) const {
    long double sum = 0.0L;
    for (const Model *model : counted(optimal))
        if (model->queries.at(number)) sum += probability(*model, p);
    return sum;
}

std::map<std::string, long double> Oracle::joint_atoms(const Probabilities &p, bool optimal) const {
    std::map<std::string, long double> result;
    for (const Model *model : counted(optimal))
        for (const std::string &atom : model->atoms) result[atom] += probability(*model, p);
    return result;
}

Probabilities Oracle::joint_outcomes(const Probabilities &p, bool optimal) const {
    Probabilities result;
    for (const std::vector<std::string> &outcomes : variables_)
        result.emplace_back(outcomes.size(), 0.0L);
    for (const Model *model : counted(optimal))
        for (std::size_t v = 0; v < variables_.size(); ++v)
            result[v][model->choice[v]] += probability(*model, p);
    return result;
}

std::vector<const Model *> Oracle::ranking(const Probabilities &p, bool optimal) const {
    std::vector<const Model *> result = counted(optimal);
    std::stable_sort(result.begin(), result.end(), [&](const Model *a, const Model *b) {
        return probability(*a, p) > probability(*b, p);
    });
    return result;
}

// P(O) is linear in each p, so its derivative is the sum of the products of the other factors; this
// also holds where p = 0.
std::optional<Probabilities> Oracle::gradient(const Probabilities &p, Convention convention,
                                              bool optimal) const {
    const long double total = probability(p, optimal);
    if (total == 0.0L) return std::nullopt;
    Probabilities plain;
    for (const std::vector<std::string> &outcomes : variables_)
        plain.emplace_back(outcomes.size(), 0.0L);
    for (const Model *model : counted(optimal))
        for (std::size_t v = 0; v < variables_.size(); ++v)
            plain[v][model->choice[v]] += weight(*model, p, v) / total;
    if (convention == Convention::plain) return plain;
    Probabilities result = plain;
    for (std::size_t v = 0; v < variables_.size(); ++v)
        for (std::size_t i = 0; i < plain[v].size(); ++i)
            for (std::size_t other = 0; other < plain[v].size(); ++other)
                if (other != i) result[v][i] -= plain[v][other];
    return result;
}

std::optional<Probabilities> Oracle::gradient_scale(const Probabilities &p, bool optimal) const {
    std::optional<Probabilities> result = gradient(p, Convention::plain, optimal);
    if (!result) return std::nullopt;
    for (std::vector<long double> &values : *result) {
        long double sum = 0.0L;
        for (const long double value : values) sum += value;
        std::fill(values.begin(), values.end(), sum);
    }
    return result;
}

bool Oracle::is_witness(const std::vector<std::string> &atoms) const {
    if (atoms.size() != variables_.size()) return false;
    Choice choice;
    for (const std::vector<std::string> &outcomes : variables_) {
        std::size_t found = outcomes.size();
        for (std::size_t i = 0; i < outcomes.size(); ++i)
            if (std::find(atoms.begin(), atoms.end(), outcomes[i]) != atoms.end()) found = i;
        if (found == outcomes.size()) return false;
        choice.push_back(found);
    }
    return num(choice) == 0;
}

} // namespace neurasp::oracle
