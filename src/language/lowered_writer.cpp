// Writes lowered text and the map from it back to the user's texts.
//
// clingo reports mistakes at places in the text that it was given. Users must see them at places in the text that
// they wrote. So the writer does two things: it keeps tokens where the user wrote them as far as it can, and it
// records for every line of its output which piece came from where.
//
// Idea. The output is a list of lines, and each line is a list of pieces, sorted by column. A copied piece
// corresponds to its source byte for byte, so a place in the middle of it has an exact origin; neighbouring
// copies with the same distance to their source become one piece. A replaced or inserted piece stands for its
// source as a whole. LoweredText::origin finds the piece by binary search.
//
// Blanks. `move_to` copies the line breaks between two tokens and fills up with blanks to the token's column. If
// longer text was written before it on its line, the column has passed already; then one blank keeps the tokens
// apart, because comments separate tokens too, and `a%*..*%b` must not become `ab`.
//
// Invariants: the places of a unit are written in their order; the n-th line of a unit is the n-th line of its
// lowered text, because every line break is copied; the pieces of a line are sorted by column. Rules that no
// user wrote (`line`) come after all units, so they move no line.
//
// Cost: linear in the length of the text; memory is one piece for each run of copied tokens.
#include "language/lowered_writer.hpp"

#include "base/assert.hpp"

#include <utility>

namespace neurasp::language {

void LoweredWriter::begin_unit(std::uint32_t source) {
    if (!lowered_.text_.empty()) new_line();
    source_ = source;
    offset_ = 0;
    line_start_ = 0;
}

LoweredText LoweredWriter::finish() {
    if (!lowered_.text_.empty()) new_line();
    return std::move(lowered_);
}

void LoweredWriter::copy(SourceSpan token) {
    move_to(token.begin);
    std::string_view text = sources_->text(token);
    SourceSpan rest = token;
    // Only script bodies hold newlines.
    for (std::size_t newline = text.find('\n'); newline != std::string_view::npos;
         newline = text.find('\n')) {
        rest.end = rest.begin + static_cast<std::uint32_t>(newline);
        piece(rest, true);
        put(text.substr(0, newline));
        new_line();
        text.remove_prefix(newline + 1);
        line_start_ = rest.end + 1;
        rest = {token.source, line_start_, token.end};
    }
    piece(rest, true);
    put(text);
    offset_ = token.end;
}

void LoweredWriter::replace(SourceSpan token, std::string_view text) {
    move_to(token.begin);
    insert(token, text);
    offset_ = token.end;
}

void LoweredWriter::insert(SourceSpan origin, std::string_view text) {
    piece(origin, false);
    put(text);
}

void LoweredWriter::line(SourceSpan origin, std::string_view text) {
    if (!lowered_.text_.empty()) new_line();
    insert(origin, text);
}

void LoweredWriter::move_to(std::uint32_t offset) {
    NEURASP_ASSERT(offset >= offset_, "the places of a unit are written in their order");
    const bool blank = offset > offset_;
    const std::string_view skipped = sources_->text(SourceSpan{source_, offset_, offset});
    for (std::size_t newline = skipped.find('\n'); newline != std::string_view::npos;
         newline = skipped.find('\n', newline + 1)) {
        new_line();
        line_start_ = offset_ + static_cast<std::uint32_t>(newline + 1);
    }
    offset_ = offset;
    const std::uint32_t wanted = offset - line_start_;
    if (wanted > column_) {
        lowered_.text_.append(wanted - column_, ' ');
        column_ = wanted;
    } else if (blank && column_ > 0 && (column_ > wanted || lowered_.text_.back() != ')')) {
        put(" "); // longer text used up the blanks, but tokens must stay apart
    }
}

void LoweredWriter::new_line() {
    lowered_.text_ += '\n';
    lowered_.lines_.emplace_back();
    column_ = 0;
}

void LoweredWriter::put(std::string_view text) {
    lowered_.text_ += text;
    column_ += static_cast<std::uint32_t>(text.size());
}

void LoweredWriter::piece(SourceSpan span, bool copied) {
    std::vector<LoweredText::Piece> &pieces = lowered_.lines_.back();
    if (copied && !pieces.empty()) {
        LoweredText::Piece &last = pieces.back();
        const bool continues = last.copied && last.span.source == span.source &&
                               span.begin - last.span.begin == column_ - last.column;
        if (continues) {
            last.span.end = span.end;
            return;
        }
    }
    pieces.push_back({column_, span, copied});
}

} // namespace neurasp::language
