// Translates places in lowered text back to the user's text.
#include "language/program.hpp"

#include <algorithm>

namespace neurasp::language {

// The piece that covers a place (line from 1, column from 0). If none does, the last piece before the place,
// or else the first piece of all. Nothing only if there is no text.
LoweredText::Hit LoweredText::find(std::uint32_t line, std::uint32_t column) const {
    for (std::size_t i = std::min<std::size_t>(line, lines_.size()); i > 0; --i) {
        const std::vector<Piece> &pieces = lines_[i - 1];
        const bool exact = i == line;
        const auto behind = [](std::uint32_t value, const Piece &piece) {
            return value < piece.column;
        };
        const auto next =
            exact ? std::upper_bound(pieces.begin(), pieces.end(), column, behind) : pieces.end();
        if (next != pieces.begin()) return {&*(next - 1), exact};
        if (exact && !pieces.empty()) return {&pieces.front(), true};
    }
    for (const std::vector<Piece> &pieces : lines_) {
        if (!pieces.empty()) return {&pieces.front(), true};
    }
    return {};
}

SourceSpan LoweredText::origin(std::uint32_t line, std::uint32_t column, std::uint32_t end_line,
                               std::uint32_t end_column) const {
    // The offset of a place in a copied piece; places beyond the piece are moved to its end.
    const auto place = [](const Hit &hit, std::uint32_t at) {
        const SourceSpan span = hit.piece->span;
        const std::uint32_t within = at > hit.piece->column ? at - hit.piece->column : 0;
        return hit.exact ? span.begin + std::min(span.end - span.begin, within) : span.end;
    };
    const std::uint32_t first = column == 0 ? 0 : column - 1;
    const Hit from = find(line, first);
    if (from.piece == nullptr) return {};
    SourceSpan result = from.piece->span;
    if (from.piece->copied) result.begin = result.end = place(from, first);
    if (end_line < line || (end_line == line && end_column <= column)) return result;
    const std::uint32_t last = end_column <= 1 ? 0 : end_column - 2;
    const Hit to = find(end_line, last);
    if (to.piece->span.source != result.source) return result;
    const std::uint32_t end = to.piece->copied ? place(to, last + 1) : to.piece->span.end;
    result.end = std::max(result.end, end);
    return result;
}

} // namespace neurasp::language
