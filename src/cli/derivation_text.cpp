// Derivations for people.
#include "cli/derivation_text.hpp"

#include "cli/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace neurasp::cli {

namespace {

std::string literals_text(const std::vector<DerivationLink> &links) {
    constexpr std::size_t most = 6;
    std::vector<std::string> literals;
    for (const DerivationLink &link : links) literals.push_back(link.literal);
    if (literals.size() > most) {
        const std::size_t more = literals.size() - most;
        literals.resize(most);
        literals.push_back(fmt::format("... {} more", more));
    }
    return fmt::format("{}", fmt::join(literals, ", "));
}

std::string_view kind_word(StepKind kind) {
    switch (kind) {
    case StepKind::fact: return "fact";
    case StepKind::outcome:
    case StepKind::other: return "outcome";
    case StepKind::external: return "external";
    case StepKind::rule: return "rule";
    case StepKind::choice: return "chosen";
    case StepKind::disjunction: return "one of";
    case StepKind::constraint: return "violated";
    case StepKind::underivable: return "no rule";
    case StepKind::blocked: return "blocked";
    case StepKind::circular: return "circular";
    }
    return "";
}

std::string step_detail(const DerivationStep &step) {
    switch (step.kind) {
    case StepKind::outcome: return show(step.probability);
    case StepKind::other:
        return fmt::format("{} instead, {}", step.outcome, show(step.probability));
    case StepKind::external: return "set from outside";
    case StepKind::underivable: return "nothing derives it";
    case StepKind::constraint: return "";
    default: return step.rule;
    }
}

std::string stopped_text(const BlockedRule &rule) {
    return rule.because.empty() ? rule.rule + "  (not chosen)"
                                : fmt::format("{}  ({})", rule.rule, literals_text(rule.because));
}

class DerivationTable {
  public:
    explicit DerivationTable(const Derivation &derivation)
        : derivation_(derivation), seen_(derivation.steps.size(), false) {}

    std::vector<Row> run(const std::vector<DerivationLink> &roots) {
        // an own stack: derivations may be as deep as programs are
        push(roots, 0);
        while (!open_.empty()) {
            const auto [link, depth] = open_.back();
            open_.pop_back();
            add(*link, depth);
        }
        return std::move(rows_);
    }

  private:
    void push(const std::vector<DerivationLink> &links, std::size_t depth) {
        for (auto link = links.rbegin(); link != links.rend(); ++link) {
            open_.emplace_back(&*link, depth);
        }
    }

    void add(const DerivationLink &link, std::size_t depth) {
        constexpr std::size_t deepest_indent = 30;
        std::string name(2 * std::min(depth, deepest_indent), ' ');
        name += link.literal;
        if (!link.step) {
            rows_.push_back({std::move(name), "..."});
            return;
        }
        const DerivationStep &step = derivation_.steps[*link.step];
        const bool leaf = step.body.empty() && step.blocked.empty();
        if (seen_[*link.step] && !leaf) {
            rows_.push_back({std::move(name), "above"});
            return;
        }
        seen_[*link.step] = true;
        add_rows(std::move(name), step);
        for (auto rule = step.blocked.rbegin(); rule != step.blocked.rend(); ++rule) {
            push(rule->because, depth + 1);
        }
        push(step.body, depth + 1);
        forget_repeated(depth + 1);
    }

    void add_rows(std::string name, const DerivationStep &step) {
        if (step.kind == StepKind::constraint) {
            rows_.push_back({std::move(name)});
            return;
        }
        const std::string word(kind_word(step.kind));
        if (step.blocked.empty()) {
            rows_.push_back({std::move(name), word, step_detail(step)});
            return;
        }
        rows_.push_back({std::move(name), word, stopped_text(step.blocked.front())});
        for (std::size_t i = 1; i < step.blocked.size(); ++i) {
            rows_.push_back({"", "", stopped_text(step.blocked[i])});
        }
        if (step.more_blocked > 0) {
            rows_.push_back(
                {"", "", fmt::format("... {}", show_count(step.more_blocked, "more rule"))});
        }
    }

    // Several rules may be stopped by one literal: it stands below them once.
    void forget_repeated(std::size_t depth) {
        std::vector<std::size_t> known;
        std::vector<std::pair<const DerivationLink *, std::size_t>> kept;
        while (!open_.empty() && open_.back().second == depth) {
            const auto entry = open_.back();
            open_.pop_back();
            const auto &step = entry.first->step;
            if (step && std::find(known.begin(), known.end(), *step) != known.end()) continue;
            if (step) known.push_back(*step);
            kept.push_back(entry);
        }
        open_.insert(open_.end(), kept.rbegin(), kept.rend());
    }

    const Derivation &derivation_;
    std::vector<bool> seen_;
    std::vector<std::pair<const DerivationLink *, std::size_t>> open_;
    std::vector<Row> rows_;
};

} // namespace

std::vector<Row> derivation_rows(const Derivation &derivation,
                                 const std::vector<DerivationLink> &roots) {
    return DerivationTable(derivation).run(roots);
}

std::string left_out_text(const Derivation &derivation) {
    if (derivation.left_out == 0) return {};
    return fmt::format("... {}", show_count(derivation.left_out, "more step"));
}

std::vector<std::string> fired_rules(const Derivation &derivation) {
    std::vector<std::string> rules;
    for (auto step = derivation.steps.rbegin(); step != derivation.steps.rend(); ++step) {
        if (!step->rule.empty()) rules.push_back(step->rule);
    }
    for (const DerivationLink &link : derivation.query) {
        if (link.step && !derivation.steps[*link.step].blocked.empty()) {
            rules.push_back(fmt::format("{}: no rule fires", link.literal));
        }
    }
    return rules;
}

} // namespace neurasp::cli
