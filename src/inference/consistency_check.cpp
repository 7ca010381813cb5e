// ConsistencyCheck: many observations, one grounding.
//
// Idea. Whether outcomes agree with a program is one search of a fraction of a millisecond, but grounding the program with the
// facts of an observation takes many times as long. So the facts of all observations are grounded once, behind guards
// (shared_grounding.hpp); a search assumes the outcomes, and which of the facts are there.
//
// An observation that does not fit (rules, directives, facts that were not known before, facts that decide the body of a neural
// rule) is asked about on its own, as if there were nothing shared.
#include "inference/access.hpp"
#include "inference/consistency.hpp"
#include "inference/part_table.hpp"
#include "inference/shared_grounding.hpp"
#include "neurasp/consistency.hpp"

#include <algorithm>
#include <map>

namespace neurasp {

struct ConsistencyCheck::Parts {
    explicit Parts(Program p) : program(p), reasoner(std::move(p)) {}

    Program program;
    Reasoner reasoner; // for observations that do not fit
    inference::PartTable table;
    std::map<inference::PartId, std::uint32_t> facts; // their numbers
    std::vector<inference::FamilyStatement> statements;
    std::unique_ptr<inference::SharedGrounding> shared; // made when first needed
    bool shares = true;

    Question ask(const Observation &observation) {
        if (observation.text.empty()) return reasoner.ask();
        return reasoner.ask({observation});
    }

    // Which facts are there, ascending; nothing if the observation does not fit.
    std::optional<std::vector<std::uint32_t>> find(const Observation &observation) {
        if (!shares) return std::nullopt;
        const auto parted = table.take_apart(filled_text(observation));
        if (!parted) return std::nullopt;
        std::vector<std::uint32_t> there;
        for (const inference::PartId part : parted->facts) {
            const auto found = facts.find(part);
            if (found == facts.end()) return std::nullopt;
            there.push_back(found->second);
        }
        std::sort(there.begin(), there.end());
        return there;
    }

    void share() {
        if (shared || !shares) return;
        try {
            shared = std::make_unique<inference::SharedGrounding>(
                program, statements, std::make_shared<inference::CircuitLibrary>(), Limits{});
            shares = shared->obstacle().empty();
        } catch (const InputError &) {
            shares =
                false; // the mistake, if it is one, is reported where the observation is asked about
        } catch (const LimitError &) {
            shares = false;
        }
    }
};

ConsistencyCheck::ConsistencyCheck(Program program, std::span<const Observation> observations)
    : parts_(std::make_unique<Parts>(std::move(program))) {
    for (const Observation &observation : observations) {
        const auto parted = parts_->table.take_apart(filled_text(observation));
        if (!parted) continue;
        for (const inference::PartId part : parted->facts) {
            if (!parts_->facts.emplace(part, static_cast<std::uint32_t>(parts_->statements.size()))
                     .second)
                continue;
            parts_->statements.push_back({observation.name, parts_->table.part(part).text});
        }
    }
}

ConsistencyCheck::~ConsistencyCheck() = default;
ConsistencyCheck::ConsistencyCheck(ConsistencyCheck &&) noexcept = default;
ConsistencyCheck &ConsistencyCheck::operator=(ConsistencyCheck &&) noexcept = default;

void ConsistencyCheck::prepare(const Observation &observation) { parts_->ask(observation); }

bool ConsistencyCheck::satisfies(const Observation &observation, const NetworkOutputs &outputs,
                                 const Limits &limits) {
    const auto there = parts_->find(observation);
    if (there) parts_->share();
    if (there && parts_->shares) {
        const inference::SharedGrounding &shared = *parts_->shared;
        std::vector<inference::Literal> assumptions = inference::argmax_literals(
            shared.problem(), inference::make_weights(shared.grounding(), outputs));
        const auto given = shared.given(*there);
        assumptions.insert(assumptions.end(), given.begin(), given.end());
        base::Budget budget(limits);
        return inference::has_model(shared.problem(), assumptions, budget);
    }
    return parts_->ask(observation)
        .without_constraints()
        .argmax_consistency(outputs, limits)
        .satisfies_program;
}

} // namespace neurasp
