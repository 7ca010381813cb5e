// WarningBook: warnings of many questions, each once.
#include "training/warning_book.hpp"

#include "inference/access.hpp"

#include <fmt/format.h>

namespace neurasp::training {

using internal::Access;

WarningBook::WarningBook(const Question &alone) : others_(Access::state(alone).warnings) {
    program_warnings_ = others_.size();
}

void WarningBook::note(const Question &question) {
    const inference::QuestionState &state = Access::state(question);
    for (const inference::UndefinedPredicate &found : state.remarks.undefined) {
        if (undefined_predicates_.insert(found.predicate).second) undefined_.push_back(found);
    }
    brought_.insert(state.brought.begin(), state.brought.end());
    for (std::size_t i = program_warnings_; i < state.warnings.size(); ++i) {
        const Diagnostic &found = state.warnings[i];
        // an example without constraints may still have labels to learn from
        if (found.code == "observed-fact") continue;
        // of observations: one of a kind, for their texts differ in what fills the holes
        if (seen_.insert(found.code).second) others_.push_back(found);
    }
    for (const Diagnostic &found : state.remarks.others) {
        if (found.severity == Severity::info) continue;
        const SourceLocation &at = found.location;
        const auto key = fmt::format("{} {}:{} {}", found.code, at.line, at.column, found.message);
        if (seen_.insert(key).second) others_.push_back(found);
    }
}

void WarningBook::expect(std::span<const inference::Predicate> brought) {
    brought_.insert(brought.begin(), brought.end());
}

std::vector<Diagnostic> WarningBook::all() const {
    std::vector<Diagnostic> all = others_;
    for (const inference::UndefinedPredicate &found : undefined_) {
        if (!brought_.contains(found.predicate)) all.push_back(found.warning);
    }
    return all;
}

} // namespace neurasp::training
