// Grounds the statements of a kind together.
#include "training/shared_kind.hpp"

#include <algorithm>
#include <set>

namespace neurasp::training {

namespace {

std::vector<std::uint32_t> number_parts(const KindMembers &members,
                                        const inference::PartTable &parts,
                                        std::vector<inference::FamilyStatement> &statements) {
    std::vector<std::uint32_t> statement_of(parts.size(), SharedKind::no_statement);
    for (std::size_t i = 0; i < members.observations.size(); ++i) {
        const PartedObservation &observation = members.observations[i];
        for (const auto *list : {&observation.constraints, &observation.facts}) {
            for (const PartId part : *list) {
                if (statement_of[part] != SharedKind::no_statement) continue;
                statement_of[part] = static_cast<std::uint32_t>(statements.size());
                statements.push_back({members.names[i], parts.part(part).text});
            }
        }
    }
    return statement_of;
}

// Facts of different observations may meet in rules, and then the rules for all together are many more than those for each. So
// there are limits to how many are tried.
Limits grounding_limits(const SharingContext &context, std::size_t members, Limits limits) {
    constexpr std::uint64_t times_program = 4;
    constexpr std::uint64_t rules_per_member = 2'000;
    const std::uint64_t most = times_program * context.program_rules + rules_per_member * members;
    limits.ground_rules = std::min(limits.ground_rules.value_or(most), most);
    return limits;
}

} // namespace

SharedKind::Made SharedKind::make(const SharingContext &context, const KindMembers &members,
                                  const Limits &limits, base::Budget &budget) {
    std::vector<inference::FamilyStatement> statements;
    std::vector<std::uint32_t> statement_of = number_parts(members, context.parts, statements);
    try {
        auto grounding = std::make_unique<inference::SharedGrounding>(
            context.program, statements, context.library,
            grounding_limits(context, members.observations.size(), limits));
        if (!grounding->obstacle().empty()) return {nullptr, {grounding->obstacle(), false}};
        std::shared_ptr<SharedKind> kind(new SharedKind(
            std::move(grounding), std::move(statement_of), members.observations.size()));
        kind->different_ = kind->count_different(members);
        return {std::move(kind), {}};
    } catch (const InputError &error) {
        const auto &found = error.diagnostics();
        return {nullptr, {found.empty() ? error.what() : found.front().message, false}};
    } catch (const LimitError &error) {
        return {nullptr, {error.what(), budget.exhausted()}};
    }
}

SharedKind::SharedKind(std::unique_ptr<inference::SharedGrounding> grounding,
                       std::vector<std::uint32_t> statement_of, std::size_t members)
    : grounding_(std::move(grounding)),
      variables_(std::make_shared<const std::vector<RandomVariableInfo>>(question().variables())),
      statement_of_(std::move(statement_of)), members_(members) {}

std::size_t SharedKind::count_different(const KindMembers &members) const {
    const std::vector<bool> &matters = grounding_->matters();
    if (std::find(matters.begin(), matters.end(), false) == matters.end()) {
        return members.observations.size();
    }
    std::set<std::vector<std::uint32_t>> different;
    for (const PartedObservation &observation : members.observations) {
        std::vector<std::uint32_t> statements = *find(observation);
        std::erase_if(statements, [&](std::uint32_t s) { return !matters[s]; });
        different.insert(std::move(statements));
    }
    return different.size();
}

std::optional<std::vector<std::uint32_t>>
SharedKind::find(const PartedObservation &observation) const {
    std::vector<std::uint32_t> statements;
    for (const auto *list : {&observation.constraints, &observation.facts}) {
        for (const PartId part : *list) {
            const bool known = part < statement_of_.size() && statement_of_[part] != no_statement;
            if (!known) return std::nullopt;
            statements.push_back(statement_of_[part]);
        }
    }
    std::sort(statements.begin(), statements.end());
    statements.erase(std::unique(statements.begin(), statements.end()), statements.end());
    return statements;
}

} // namespace neurasp::training
