// Drafts the observations of a shared grounding.
//
// Idea. Grounding is the same work for every observation of a data set, but for a few statements. So all of them are grounded
// once, behind guards (family_rules.hpp). A search assumes which guards are true; a translation gets the rules that are left
// for this observation (rule_reducer.hpp), which are nearly as few and as simple as if it had been
// grounded on its own.
//
// Where it is used. If observations of one kind have no circuit in common, because it would be too large, this is the next best
// way (training/family_planner.hpp); ConsistencyCheck needs only the searches.
//
// A draft takes the same turns as one of a question (circuit_library.cpp): the least cost by clasp, a list of the models if
// they are likely to be few, a translation. All searches share one solver, which learns from each for the next.
//
// Facts may be there for the networks' inputs only, and no rule asks for them. Observations that differ in nothing else share the
// least cost, and the library gives them the same circuit.
//
// Invariant: an observation gets the numbers that it would get on its own, up to rounding.
//
// When it is not possible. `#edge` statements are not reduced; such rules can only be searched. An external that is free or true
// counts only if no rule has it in its head. Whether one has may depend on the facts of the observation, so there is an obstacle
// to everything then.
#include "inference/shared_grounding.hpp"

#include "asp/analysis.hpp"
#include "inference/access.hpp"
#include "inference/call.hpp"
#include "inference/few_models.hpp"

#include <algorithm>

namespace neurasp::inference {

using internal::Access;

namespace {

std::string find_obstacle(const FamilyGrounding &family) {
    const asp::GroundProgram &rules = family.grounding->rules();
    const auto undefined = asp::undefined_externals(rules);
    const auto is_undefined = [&](AtomId atom) {
        return std::any_of(undefined.begin(), undefined.end(),
                           [&](const asp::External &external) { return external.atom == atom; });
    };
    for (const asp::External &external : rules.externals()) {
        if (external.value != asp::ExternalValue::is_false && !is_undefined(external.atom)) {
            return "an external atom that rules derive";
        }
    }
    return "";
}

// By statement: whether costs, the observation or the existence of models may depend on it.
std::vector<bool> find_what_matters(const FamilyGrounding &family) {
    const Grounding &grounding = *family.grounding;
    std::vector<AtomId> roots;
    if (family.violated) roots.push_back(*family.violated);
    for (const asp::Minimize &minimize : grounding.rules().minimize()) {
        for (const auto &element : minimize.literals) roots.push_back(element.literal.atom());
    }
    const asp::Relevance relevance = grounding.relevance(roots);
    // where models are counted, every rule may count
    const bool all = !grounding.analysis().determined;
    std::vector<bool> matters;
    for (const auto &guard : family.given) {
        matters.push_back(guard && (all || relevance.atoms[guard->index()]));
    }
    return matters;
}

// The rules, with guards that are neither true nor false.
std::shared_ptr<const asp::GroundProgram> with_free_guards(const FamilyGrounding &family) {
    const asp::GroundProgram &rules = family.grounding->rules();
    auto copy = std::make_shared<asp::GroundProgram>();
    copy->reserve_atoms(rules.atom_limit());
    for (std::size_t i = 0; i < rules.rule_count(); ++i) copy->add(rules.rule(i));
    std::vector<bool> is_guard(rules.atom_limit(), false);
    for (const auto &guard : family.given) {
        if (guard) is_guard[guard->index()] = true;
    }
    for (asp::External external : rules.externals()) {
        if (is_guard[external.atom.index()]) external.value = asp::ExternalValue::free;
        copy->add_external(external);
    }
    for (const asp::AcyclicityEdge &edge : rules.edges()) copy->add_edge(edge);
    for (const asp::Minimize &minimize : rules.minimize()) {
        copy->add_minimize(minimize.priority, minimize.literals);
    }
    return copy;
}

} // namespace

SharedGrounding::SharedGrounding(const Program &program,
                                 std::span<const FamilyStatement> statements,
                                 std::shared_ptr<CircuitLibrary> library, const Limits &limits)
    : family_(ground_family(program, statements, library, limits)), library_(std::move(library)),
      obstacle_(find_obstacle(family_)), matters_(find_what_matters(family_)),
      may_repeat_(std::find(matters_.begin(), matters_.end(), false) != matters_.end()) {}

const SearchProblem &SharedGrounding::problem() const {
    return *problem_.get([&] {
        const SearchProblem &all = family_.grounding->problem();
        return std::make_shared<const SearchProblem>(with_free_guards(family_), all.variables(),
                                                     all.groups(), all.determined());
    });
}

std::vector<Literal> SharedGrounding::given(std::span<const std::uint32_t> statements) const {
    std::vector<Literal> literals;
    auto next = statements.begin();
    for (std::uint32_t s = 0; s < family_.given.size(); ++s) {
        const bool is_there = next != statements.end() && *next == s;
        if (is_there) ++next;
        if (family_.given[s]) literals.emplace_back(*family_.given[s], is_there);
    }
    return literals;
}

void SharedGrounding::find_cost(ObservedRequest &observed, std::span<const Literal> assumptions,
                                base::Budget &budget) {
    const auto known = known_.find(observed.request.evidence);
    if (known != known_.end()) {
        observed = known->second;
        return;
    }
    find_least_cost(observed, problem(), assumptions, budget);
    fixpoints_ = problem().fixpoints();
    if (may_repeat_ && observed.state != ObservedRequest::State::cost_unknown) {
        known_.emplace(observed.request.evidence, observed);
    }
}

// Lists the models if they are likely to be few; otherwise a theory for the compiler. Requires: `assumptions` are those of
// searches for the request.
std::optional<circuit::Theory> SharedGrounding::start(CircuitEntry &entry,
                                                      std::span<const std::uint32_t> statements,
                                                      std::span<const Literal> assumptions,
                                                      const Request &request,
                                                      base::Budget &budget) {
    if (!grounding().rules().edges().empty()) {
        entry.obstacle = "#edge statements";
        return std::nullopt;
    }
    if (!reducer_) reducer_ = std::make_unique<RuleReducer>(family_);
    // with a cost, clasp has just found a model of this cost
    const bool lists = request.cost || (grounding().rules().rule_count() >= fewest_rules_to_list &&
                                        reducer_->count(statements) >= fewest_rules_to_list);
    if (lists) {
        const bool listed = list_into(entry, grounding(), problem(),
                                      {assumptions, request.cost, nullptr, false}, budget);
        fixpoints_ = problem().fixpoints();
        if (listed) return std::nullopt;
    }
    const ReducedRules rules = reducer_->run(statements, request.cost);
    return translate_into(
        entry, {rules.program, rules.groups, rules.evidence, {}, rules.cost_limits, {}, false},
        rules.variables, rules.atoms);
}

QuestionDraft SharedGrounding::draft(std::span<const std::uint32_t> statements,
                                     const CompileSettings &settings, const Limits &limits,
                                     base::Budget &budget) {
    const auto &scope = Access::state(family_.question).scope;
    QuestionDraft draft{
        scope, library_, settings, {compiler_limits(limits), settings.circuit_folder}, {}, {}};
    const auto lock = grounding().reading();
    ObservedRequest observed;
    std::vector<Literal> assumptions = scope->evidence();
    // what is not named is not there, so these identify the observation, but for statements that do not matter
    observed.request.evidence = assumptions;
    for (const std::uint32_t s : statements) {
        if (matters_[s]) observed.request.evidence.emplace_back(*family_.given[s]);
    }
    const bool has_costs = settings.optimal && !grounding().rules().minimize().empty();
    if (has_costs || grounding().rules().rule_count() >= fewest_rules_to_list) {
        const std::vector<Literal> guards = given(statements);
        assumptions.insert(assumptions.end(), guards.begin(), guards.end());
    }
    if (has_costs) find_cost(observed, assumptions, budget);
    if (observed.state == ObservedRequest::State::cost_unknown) {
        draft.failed = Compilation{std::nullopt, "the least cost is not known", true};
        return draft;
    }
    draft.circuit = library_->draft(
        family_.grounding, observed.request, draft.limits, budget, [&](CircuitEntry &entry) {
            return start(entry, statements, assumptions, observed.request, budget);
        });
    return draft;
}

} // namespace neurasp::inference
