// Reasoner: prepares questions, and lets them share groundings where possible.
#include "inference/access.hpp"
#include "inference/reading.hpp"
#include "inference/unknown_call.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace neurasp {

using inference::Grounding;
using inference::Reading;
using inference::Scope;
using internal::Access;

struct Reasoner::Parts {
    Parts(Program p, Limits l) : program(std::move(p)), limits(std::move(l)) {}

    Program program;
    Limits limits;                    // of grounding, unless `ask` gets others
    std::mutex mutex;                 // guards the members below
    std::shared_ptr<Grounding> base;  // the program alone; grounded when first needed
    std::uint32_t questions = 0;      // asked so far
    std::uint32_t first_question = 0; // the first one in `base`
    std::uint32_t queries = 0;
    std::map<std::string, Question> asked;
    std::size_t rules = 0; // ground rules in their groundings
    std::shared_ptr<inference::CircuitLibrary> library =
        std::make_shared<inference::CircuitLibrary>();

    Reading read(const std::vector<NamedText> &observations,
                 const std::vector<Query> &asked_for) const;
    const std::shared_ptr<Grounding> &base_grounding(const Limits &granted);
    inference::Remarks extend_base(const Reading &reading, const Limits &granted);
    Question prepare(const std::vector<NamedText> &observations,
                     const std::vector<Query> &asked_for, const Limits &granted);
    void forget() {
        asked.clear();
        rules = 0;
    }
};

namespace {

// Prepared questions are kept in case they are asked again: at most so many, with so many ground rules in their
// groundings.
constexpr std::size_t questions_kept = 4096;
constexpr std::size_t rules_kept = 1'000'000;

std::string key_of(const std::vector<NamedText> &observations, const std::vector<Query> &queries) {
    std::string key;
    const auto append = [&](const std::string &text) {
        key += std::to_string(text.size()) + ":" + text;
    };
    for (const NamedText &observation : observations) append(observation.text);
    key += "?";
    for (const Query &query : queries) {
        append(query.text);
        if (query.each) key += "*";
    }
    return key;
}

} // namespace

Reading Reasoner::Parts::read(const std::vector<NamedText> &observations,
                              const std::vector<Query> &asked_for) const {
    const inference::ProgramParts &parts = Access::parts(program);
    base::SourceMap sources = parts.sources;
    std::vector<language::SourceUnit> units;
    for (const NamedText &observation : observations) {
        units.push_back({sources.add(observation.name, observation.text),
                         language::Role::observation, questions});
    }
    for (std::size_t i = 0; i < asked_for.size(); ++i) {
        const auto role = asked_for[i].each ? language::Role::each_query : language::Role::query;
        units.push_back({sources.add("<query>", asked_for[i].text), role,
                         queries + static_cast<std::uint32_t>(i)});
    }
    return inference::read_on_top(parts, std::move(sources), std::move(units));
}

const std::shared_ptr<Grounding> &Reasoner::Parts::base_grounding(const Limits &granted) {
    // The more parts a grounding has, the longer clingo takes to add another one; the more rules, the longer to begin anew.
    constexpr std::uint32_t least_questions = 32;
    constexpr std::uint32_t rules_per_question = 40;
    const std::size_t questions_per_grounding =
        base ? std::max<std::size_t>(least_questions,
                                     base->program_rule_count() / rules_per_question)
             : 0;
    if (!base || questions - first_question >= questions_per_grounding) {
        first_question = questions;
        const inference::ProgramParts &parts = Access::parts(program);
        base = std::make_shared<Grounding>(parts.sources, parts.program, parts.options.constants,
                                           granted, parts.diagnostics);
        rules += base->rules().rule_count();
    }
    return base;
}

inference::Remarks Reasoner::Parts::extend_base(const Reading &reading, const Limits &granted) {
    try {
        return base->extend(reading.sources, reading.delta, granted, reading.warnings);
    } catch (...) {
        base.reset(); // clingo does not recover from a refused text; later questions start anew
        throw;
    }
}

Question Reasoner::Parts::prepare(const std::vector<NamedText> &observations,
                                  const std::vector<Query> &asked_for, const Limits &granted) {
    Reading reading = read(observations, asked_for);
    std::shared_ptr<Grounding> grounding;
    inference::Remarks remarks;
    if (reading.delta.extends_program) {
        grounding = inference::ground_whole(Access::parts(program), reading, granted);
        rules += grounding->rules().rule_count();
        remarks = grounding->remarks();
    } else {
        grounding = base_grounding(granted);
        remarks = grounding->remarks();
        if (!reading.units.empty()) remarks.add(extend_base(reading, granted));
    }
    auto scope = std::make_shared<const Scope>(
        grounding, questions,
        inference::find_queries(*grounding, asked_for, queries, reading.delta.each_queries));
    for (const inference::ScopeQuery &query : scope->asked().list) {
        if (query.atom) continue;
        const auto warning = inference::unknown_call(*grounding, query.text);
        if (warning) reading.warnings.push_back(*warning);
    }
    ++questions;
    queries += static_cast<std::uint32_t>(asked_for.size());
    return Access::question({std::move(scope), library, std::move(reading.warnings),
                             std::move(remarks), inference::brought_by(reading.delta)});
}

Reasoner::Reasoner(Program program, Limits grounding)
    : parts_(std::make_unique<Parts>(std::move(program), std::move(grounding))) {}
Reasoner::~Reasoner() = default;
Reasoner::Reasoner(Reasoner &&) noexcept = default;
Reasoner &Reasoner::operator=(Reasoner &&) noexcept = default;

Question Reasoner::ask(const std::vector<Observation> &observations, const Queries &queries,
                       const Limits &limits) {
    std::vector<NamedText> texts;
    for (const Observation &observation : observations) {
        texts.push_back({observation.name, filled_text(observation)});
    }
    const std::string key = key_of(texts, queries.list());
    base::refuse_while_reporting();
    const base::Budget budget(limits); // started here, because waiting for the lock counts
    const std::lock_guard lock(parts_->mutex);
    if (const auto found = parts_->asked.find(key); found != parts_->asked.end()) {
        return found->second;
    }
    Limits left = limits;
    if (limits.seconds) left.seconds = budget.seconds_left();
    Question question = parts_->prepare(texts, queries.list(), left);
    if (parts_->asked.size() >= questions_kept || parts_->rules > rules_kept) parts_->forget();
    parts_->asked.emplace(key, question);
    return question;
}

Question Reasoner::ask(const std::vector<Observation> &observations, const Queries &queries) {
    return ask(observations, queries, parts_->limits);
}

Question Reasoner::ask(std::string_view observation, const Queries &queries) {
    std::vector<Observation> observations;
    if (!observation.empty()) observations.push_back({std::string(observation), {}});
    return ask(observations, queries);
}

void Reasoner::forget() {
    base::refuse_while_reporting();
    const std::lock_guard lock(parts_->mutex);
    parts_->forget();
    parts_->library->forget_the_dead();
}

} // namespace neurasp
