// Writes a statement with its changed tokens; see edits.hpp.
#include "language/edits.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <tuple>

namespace neurasp::language {

namespace {

void copy(const SourceMap &sources, SourceSpan span, TokenKind kind, LoweredWriter &writer) {
    if (kind != TokenKind::number) return writer.copy(span);
    const std::string text = clingo_text(sources, span, kind);
    if (text == sources.text(span))
        writer.copy(span);
    else
        writer.replace(span, text);
}

} // namespace

void Edits::write(const SourceMap &sources, const Statement &statement, LoweredWriter &writer) {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit &a, const Edit &b) {
        return std::tie(a.token, a.place) < std::tie(b.token, b.place);
    });
    auto edit = edits_.begin();
    for (std::uint32_t i = 0; i < statement.size(); ++i) {
        const SourceSpan span = statement.span(i);
        for (; edit != edits_.end() && edit->token == i && edit->place == Place::before; ++edit) {
            writer.move_to(span.begin);
            writer.insert(span, edit->text);
        }
        bool replaced = false;
        for (; edit != edits_.end() && edit->token == i && edit->place == Place::instead; ++edit) {
            if (!edit->text.empty()) writer.replace(span, edit->text);
            replaced = true;
        }
        if (!replaced) copy(sources, span, statement.kind_at(i), writer);
        for (; edit != edits_.end() && edit->token == i; ++edit) writer.insert(span, edit->text);
    }
    NEURASP_ASSERT(edit == edits_.end(), "every edit is at a token of its statement");
}

} // namespace neurasp::language
