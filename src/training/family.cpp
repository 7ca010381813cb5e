// Makes families, and prepares their observations.
//
// Idea. Where nearly every observation of a data set is new, preparing them one by one takes longer than training on them:
// each is grounded, translated, ordered and searched. But they differ only in values. So all of their parts are
// grounded at once, behind guards (inference/family_rules.hpp), and compiled into one circuit with the parts as
// variables (family_slots.hpp, inference/family_circuit.hpp). An observation then costs microseconds: the circuit is
// conditioned on its parts (circuit/conditioning.hpp), which also finds the least cost in optimal mode.
//
// Directly. If the family's circuit is hardly larger than that of one observation, it is used for all of them, with 0 or 1 as the
// weight of the slots' outcomes. Then an observation keeps no circuit of its own, and a batch of different
// observations is evaluated side by side. This needs a family without bans and fees, because these are not inputs.
//
// Invariants. A circuit of a family gives the numbers that the observation's own would give, up to rounding: it stands for the
// same total choices, with the same shares of models. It may mention random variables on which this observation does not
// depend; they contribute a factor of 1, and a derivative that is the same for all of their outcomes.
//
// Cost. Conditioning is linear in the part of the circuit that the slots' outcomes lead to, not in
// the whole of it.
#include "training/family.hpp"

#include "inference/access.hpp"
#include "inference/call.hpp"

#include <algorithm>

namespace neurasp::training {

using internal::Access;

namespace {

// The family's circuit is evaluated directly if it has at most this many edges for each edge of a conditioned one, and so many
// more: beyond that, own circuits are faster even in batches of different observations.
constexpr std::size_t direct_factor = 8;
constexpr std::size_t direct_more = 200;

} // namespace

Family::Made Family::make(const SharingContext &context, std::shared_ptr<SharedKind> kind,
                          const KindMembers &members, const inference::FamilyEffort &effort,
                          const Limits &limits, base::Budget &budget) {
    inference::FamilyRules rules = inference::split_family(kind->family(), context.options.optimal);
    if (!rules.obstacle.empty()) return {nullptr, {rules.obstacle, false}};
    FamilySlots slots(members.observations, context.parts, kind->statement_of(), rules.decides);
    inference::FamilyCircuit circuit = inference::compile_family(
        kind->family(), rules, slots.list(), effort, *context.library,
        {inference::compiler_limits(limits), context.options.circuit_folder}, budget);
    if (!circuit.circuit) return {nullptr, {circuit.obstacle, circuit.out_of_budget}};
    return {std::unique_ptr<Family>(new Family(std::move(kind), std::move(rules), std::move(slots),
                                               std::move(circuit), context.options)),
            {}};
}

Family::Family(std::shared_ptr<SharedKind> kind, inference::FamilyRules rules, FamilySlots slots,
               inference::FamilyCircuit circuit, const TrainingOptions &options)
    : kind_(std::move(kind)), rules_(std::move(rules)), slots_(std::move(slots)),
      circuit_(std::move(circuit)), options_(options),
      conditioner_(circuit_.circuit, static_cast<std::uint32_t>(circuit_.variables.size())) {
    note_inputs();
}

void Family::note_inputs() {
    const std::vector<RandomVariableInfo> &variables = *kind_->variables();
    first_input_.assign(variables.size(), 0);
    for (std::uint32_t i = 0; i < circuit_.variables.size(); ++i) {
        const RandomVariableInfo &info = variables[circuit_.variables[i]];
        const std::uint32_t first = circuit_.circuit->input(i, 0).value;
        first_input_[circuit_.variables[i]] = first;
        inputs_.push_back({info.name, info.atoms, first - 1, false, info.source});
    }
}

bool Family::is_there(std::span<const std::uint32_t> statements,
                      const FamilySlots::Place &place) const {
    return std::all_of(statements.begin(), statements.end(), [&](std::uint32_t statement) {
        return std::binary_search(place.statements.begin(), place.statements.end(), statement);
    });
}

// The circuit of an observation without models. A family's circuit may lack variables, so it does not suffice that none of their
// outcomes is possible.
circuit::Circuit Family::impossible() const {
    circuit::Signature signature;
    const auto &outcomes = circuit_.circuit->signature().outcomes;
    signature.random_variables = static_cast<std::uint32_t>(circuit_.variables.size());
    signature.outcomes.assign(outcomes.begin(), outcomes.begin() + signature.random_variables);
    circuit::Circuit none(std::move(signature));
    none.set_root(none.add_sum(0, {}));
    none.set_smooth(true);
    return none;
}

circuit::Circuit Family::conditioned(const FamilySlots::Place &place) {
    const circuit::Circuit &whole = *circuit_.circuit;
    possible_.assign(whole.first_constant(), 1);
    for (std::uint32_t s = 0; s < place.outcomes.size(); ++s) {
        const auto variable = static_cast<std::uint32_t>(circuit_.variables.size()) + s;
        for (std::uint32_t o = 0; o < whole.signature().outcomes[variable]; ++o) {
            possible_[whole.input(variable, o).index()] = o == place.outcomes[s] ? 1 : 0;
        }
    }
    for (const inference::Ban &ban : rules_.bans) {
        if (!is_there(ban.statements, place)) continue;
        if (ban.outcomes.empty()) return impossible();
        for (const inference::OutcomeRef &outcome : ban.outcomes) {
            possible_[first_input_[outcome.variable] + outcome.outcome] = 0;
        }
    }
    const std::size_t levels = rules_.fees.empty() ? 0 : rules_.levels;
    costs_.assign(whole.first_constant() * levels, 0);
    for (const inference::Fee &fee : rules_.fees) {
        if (!is_there(fee.statements, place)) continue;
        for (const inference::OutcomeRef &outcome : fee.outcomes) {
            costs_[(first_input_[outcome.variable] + outcome.outcome) * levels + fee.level] +=
                fee.weight;
        }
    }
    return conditioner_.run({possible_, costs_, levels});
}

// `with_slots`: the circuit is the family's own.
Prepared Family::put(std::shared_ptr<const circuit::Circuit> circuit, bool with_slots) const {
    Prepared prepared = with_inputs(inputs_, *kind_->variables(), *vocabulary_);
    prepared.facts.nodes = circuit->node_count();
    prepared.facts.edges = circuit->edge_count();
    if (with_slots) {
        for (std::uint32_t s = 0; s < slots_.list().size(); ++s) {
            const auto variable = static_cast<std::uint32_t>(circuit_.variables.size()) + s;
            NumberSource source;
            source.kind = NumberSource::Kind::given;
            source.first_input = circuit->input(variable, 0).value - 1;
            source.outcomes = circuit->signature().outcomes[variable];
            source.call = s;
            prepared.sources.push_back(std::move(source));
        }
    }
    if (options_.method != GradientMethod::exact) {
        auto entry = std::make_shared<inference::CircuitEntry>();
        entry->circuit = circuit;
        prepared.compiled = Access::compiled({kind_->family().grounding, entry, circuit, inputs_});
    }
    prepared.program.emplace(std::move(circuit));
    return prepared;
}

void Family::meet(const Vocabulary &vocabulary) {
    vocabulary_ = &vocabulary;
    if (!rules_.bans.empty() || !rules_.fees.empty() || options_.method != GradientMethod::exact) {
        return;
    }
    FamilySlots::Place first;
    first.outcomes.assign(slots_.list().size(), 0);
    const std::size_t own = conditioned(first).edge_count();
    if (edges() > direct_factor * own + direct_more) return;
    for (const inference::FamilySlot &slot : slots_.list()) {
        if (slot.outcomes.size() > ObservationTable::most_given) return;
    }
    shared_ = std::make_shared<const Prepared>(put(circuit_.circuit, true));
}

ObservationTable::Entry Family::prepare(const FamilySlots::Place &place) {
    if (shared_) return {shared_, place.outcomes};
    auto own = std::make_shared<const circuit::Circuit>(conditioned(place));
    return {std::make_shared<const Prepared>(put(std::move(own), false)), {}};
}

} // namespace neurasp::training
