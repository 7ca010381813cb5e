// ConsistencyCheck: many observations, one grounding.
//
// Idea. Whether outcomes agree with a program is one search of a fraction of a millisecond, but grounding the program with the
// facts of an observation takes many times as long. So the facts of all observations are grounded once, behind guards
// (family_rules.hpp); a search assumes the outcomes, the guards of the facts that are there, and that the others are not.
//
// An observation that does not fit (rules, directives, facts that were not known before, facts that decide the body of a neural
// rule) is asked about on its own, as if there were nothing shared.
#include "inference/access.hpp"
#include "inference/consistency.hpp"
#include "inference/family_rules.hpp"
#include "inference/part_table.hpp"
#include "neurasp/consistency.hpp"

#include <algorithm>
#include <map>

namespace neurasp {

namespace inference {

// The facts of many observations behind guards, and a problem that searches borrow solvers from.
class SharedFacts {
  public:
    SharedFacts(const Program &program, std::span<const FamilyStatement> facts)
        : family_(ground_family(program, facts, std::make_shared<CircuitLibrary>(), {})),
          problem_(with_free_guards(), family_.grounding->problem().variables(),
                   family_.grounding->problem().groups(),
                   family_.grounding->problem().determined()) {}

    // `is_there`: by fact.
    bool satisfies(const std::vector<bool> &is_there, const NetworkOutputs &outputs,
                   base::Budget &budget) const {
        std::vector<Literal> assumptions =
            argmax_literals(problem_, make_weights(*family_.grounding, outputs));
        for (std::size_t fact = 0; fact < is_there.size(); ++fact) {
            const auto &guard = family_.given[fact];
            if (guard) assumptions.emplace_back(*guard, static_cast<bool>(is_there[fact]));
        }
        return has_model(problem_, assumptions, budget);
    }

  private:
    std::shared_ptr<asp::GroundProgram> with_free_guards() const {
        const asp::GroundProgram &rules = family_.grounding->rules();
        auto copy = std::make_shared<asp::GroundProgram>();
        copy->reserve_atoms(rules.atom_limit());
        for (std::size_t i = 0; i < rules.rule_count(); ++i) copy->add(rules.rule(i));
        for (asp::External external : rules.externals()) {
            const bool guards = std::find(family_.given.begin(), family_.given.end(),
                                          external.atom) != family_.given.end();
            if (guards) external.value = asp::ExternalValue::free;
            copy->add_external(external);
        }
        for (const asp::AcyclicityEdge &edge : rules.edges()) copy->add_edge(edge);
        return copy;
    }

    FamilyGrounding family_;
    SearchProblem problem_;
};

} // namespace inference

struct ConsistencyCheck::Parts {
    explicit Parts(Program p) : program(p), reasoner(std::move(p)) {}

    Program program;
    Reasoner reasoner; // for observations that do not fit
    inference::PartTable table;
    std::map<inference::PartId, std::size_t> facts; // their numbers
    std::vector<inference::FamilyStatement> statements;
    std::unique_ptr<inference::SharedFacts> shared; // made when first needed
    bool shares = true;

    Question ask(const Observation &observation) {
        if (observation.text.empty()) return reasoner.ask();
        return reasoner.ask({observation});
    }

    // Which facts are there; nothing if the observation does not fit.
    std::optional<std::vector<bool>> find(const Observation &observation) {
        if (!shares) return std::nullopt;
        const auto parted = table.take_apart(filled_text(observation));
        if (!parted) return std::nullopt;
        std::vector<bool> is_there(statements.size(), false);
        for (const inference::PartId part : parted->facts) {
            const auto found = facts.find(part);
            if (found == facts.end()) return std::nullopt;
            is_there[found->second] = true;
        }
        return is_there;
    }

    void share() {
        if (shared || !shares) return;
        try {
            shared = std::make_unique<inference::SharedFacts>(program, statements);
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
            if (!parts_->facts.emplace(part, parts_->statements.size()).second) continue;
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
    const auto is_there = parts_->find(observation);
    if (is_there) parts_->share();
    if (is_there && parts_->shared) {
        base::Budget budget(limits);
        return parts_->shared->satisfies(*is_there, outputs, budget);
    }
    return parts_->ask(observation)
        .without_constraints()
        .argmax_consistency(outputs, limits)
        .satisfies_program;
}

} // namespace neurasp
