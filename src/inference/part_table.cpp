// Takes observations apart, and numbers their parts.
#include "inference/part_table.hpp"

#include <algorithm>

namespace neurasp::inference {

const std::optional<std::vector<PartId>> &PartTable::parts_of(std::string_view statement) {
    if (const auto found = statements_.find(statement); found != statements_.end()) {
        return found->second;
    }
    auto &known = statements_[std::string(statement)];
    auto read = language::read_part(statement);
    if (!read) return known;
    known.emplace();
    for (language::ObservationPart &part : *read) {
        const auto [place, is_new] =
            ids_.try_emplace(part.text, static_cast<PartId>(parts_.size()));
        if (is_new) {
            const auto next = static_cast<std::uint32_t>(forms_.size());
            form_of_.push_back(forms_.try_emplace(part.form, next).first->second);
            parts_.push_back(std::move(part));
        }
        known->push_back(place->second);
    }
    return known;
}

std::optional<PartedObservation> PartTable::take_apart(std::string_view text) {
    const auto statements = language::cut_at_dots(text);
    if (!statements) return std::nullopt;
    PartedObservation observation;
    for (const std::string_view statement : *statements) {
        const auto &parts = parts_of(statement);
        if (!parts) return std::nullopt;
        for (const PartId id : *parts) {
            const bool fact = parts_[id].kind == language::ObservationPart::Kind::fact;
            (fact ? observation.facts : observation.constraints).push_back(id);
        }
    }
    std::sort(observation.facts.begin(), observation.facts.end());
    observation.facts.erase(std::unique(observation.facts.begin(), observation.facts.end()),
                            observation.facts.end());
    std::vector<std::uint32_t> forms;
    for (const PartId id : observation.constraints) forms.push_back(form_of_[id]);
    const auto next = static_cast<std::uint32_t>(kinds_.size());
    observation.kind = kinds_.try_emplace(std::move(forms), next).first->second;
    return observation;
}

} // namespace neurasp::inference
