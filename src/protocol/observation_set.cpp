// The probability of a set of observations.
#include "protocol/answer_parts.hpp"
#include "protocol/answers.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

Json term_json(const ObservationTerm &term) {
    Json object = {{"observation", term.observation}};
    if (!term.name.empty()) object["name"] = term.name;
    add_probability(object, "probability", "bounds", term.answer.probability);
    object["log_probability"] = number(term.answer.probability.log);
    object["exact"] = term.answer.probability.exact;
    if (!term.answer.how.limit.empty()) object["note"] = term.answer.how.limit;
    return object;
}

} // namespace

Json observation_set_json(std::span<const ObservationTerm> terms, const Probability &product,
                          const HowAnswered &how) {
    Json object = Json::object();
    add_probability(object, "probability", "bounds", product);
    object["log_probability"] = number(product.log);
    add_how(object, how);
    object["terms"] = Json::array();
    object["impossible"] = Json::array();
    for (std::size_t i = 0; i < terms.size(); ++i) {
        object["terms"].push_back(term_json(terms[i]));
        if (terms[i].answer.probability.is_zero()) object["impossible"].push_back(i + 1);
    }
    return object;
}

} // namespace neurasp::protocol
