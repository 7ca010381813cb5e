// Reasoner: prepares questions in groundings that they share where they can.
#include "inference/access.hpp"
#include "inference/unknown_call.hpp"

#include <map>
#include <mutex>

namespace neurasp {

using inference::Grounding;
using inference::Scope;
using internal::Access;

struct Reasoner::Parts {
    Parts(Program p, Limits l) : program(std::move(p)), limits(std::move(l)) {}

    Program program;
    Limits limits;                    // of grounding, where `ask` says nothing else
    std::mutex mutex;                 // over all that follows
    std::shared_ptr<Grounding> base;  // the program alone; grounded when first needed
    std::uint32_t questions = 0;      // asked so far
    std::uint32_t first_question = 0; // of those in `base`
    std::uint32_t queries = 0;
    std::map<std::string, Question> asked;
    std::size_t rules = 0; // ground rules in their groundings
    std::shared_ptr<inference::CircuitLibrary> library =
        std::make_shared<inference::CircuitLibrary>();

    // An observation that was read on top of the program.
    struct Reading {
        base::SourceMap sources;
        std::vector<language::SourceUnit> units;
        language::Program delta;
        std::vector<Diagnostic> warnings;
    };
    Reading read(const std::vector<NamedText> &observations,
                 const std::vector<Query> &asked_for) const;
    const std::shared_ptr<Grounding> &base_grounding(const Limits &granted);
    inference::Remarks extend_base(const Reading &reading, const Limits &granted);
    std::shared_ptr<Grounding> ground_whole(Reading &reading, const Limits &granted) const;
    Question prepare(const std::vector<NamedText> &observations,
                     const std::vector<Query> &asked_for, const Limits &granted);
    void forget() {
        asked.clear();
        rules = 0;
    }
};

namespace {

// Prepared questions are kept for the next time they are asked, up to so many, and so many ground rules in
// their groundings.
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

Reasoner::Parts::Reading Reasoner::Parts::read(const std::vector<NamedText> &observations,
                                               const std::vector<Query> &asked_for) const {
    const inference::ProgramParts &parts = Access::parts(program);
    Reading reading{parts.sources, {}, {}, parts.diagnostics};
    for (const NamedText &observation : observations) {
        reading.units.push_back({reading.sources.add(observation.name, observation.text),
                                 language::Role::observation, questions});
    }
    for (std::size_t i = 0; i < asked_for.size(); ++i) {
        const auto role = asked_for[i].each ? language::Role::each_query : language::Role::query;
        reading.units.push_back({reading.sources.add("<query>", asked_for[i].text), role,
                                 queries + static_cast<std::uint32_t>(i)});
    }
    base::DiagnosticSink diagnostics;
    reading.delta = language::read(reading.sources, reading.units, parts.read_options(),
                                   &parts.program, diagnostics);
    diagnostics.throw_if_errors();
    const auto &found = diagnostics.all();
    reading.warnings.insert(reading.warnings.end(), found.begin(), found.end());
    return reading;
}

const std::shared_ptr<Grounding> &Reasoner::Parts::base_grounding(const Limits &granted) {
    // clingo's cost of adding a part grows with the parts there are
    constexpr std::uint32_t questions_per_grounding = 32;
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

std::shared_ptr<Grounding> Reasoner::Parts::ground_whole(Reading &reading,
                                                         const Limits &granted) const {
    const inference::ProgramParts &parts = Access::parts(program);
    std::vector<language::SourceUnit> all = parts.units;
    all.insert(all.end(), reading.units.begin(), reading.units.end());
    base::DiagnosticSink again;
    language::Program whole =
        language::read(reading.sources, all, parts.read_options(), nullptr, again);
    again.throw_if_errors();
    return std::make_shared<Grounding>(std::move(reading.sources), std::move(whole),
                                       parts.options.constants, granted, reading.warnings);
}

Question Reasoner::Parts::prepare(const std::vector<NamedText> &observations,
                                  const std::vector<Query> &asked_for, const Limits &granted) {
    Reading reading = read(observations, asked_for);
    std::shared_ptr<Grounding> grounding;
    inference::Remarks remarks;
    if (reading.delta.extends_program) {
        grounding = ground_whole(reading, granted);
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
    const base::Budget budget(limits); // waiting for others counts
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
