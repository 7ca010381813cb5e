// A text with places that the cells of a table's row fill: `:- not addition(i1,i2,{sum}).`
//
// `{column}` stands for the cell of that column, `{#}` for the row's number (from 0), `{{` and `}}` for
// braces. A text is taken apart once and filled for many rows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

// What a placeholder and an array reference call the number of the row itself.
inline constexpr std::string_view row_number_name = "#";

// Something in bytes [begin, end) of the text that is no placeholder.
struct TemplateMistake {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string message;
    std::string hint;
};

class TemplateText {
  public:
    // One use of a column: its name and the bytes [begin, end) of the name in the text.
    struct Placeholder {
        std::string column;
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    TemplateText() = default;
    // Takes the text apart; adds what is wrong with it to `mistakes`.
    TemplateText(std::string_view text, std::vector<TemplateMistake> &mistakes);

    // In the order of the text; a column that is used twice stands here twice.
    const std::vector<Placeholder> &placeholders() const noexcept { return placeholders_; }
    // The text with the i-th cell in the place of the i-th placeholder, appended to `out`.
    // Requires: as many cells as placeholders.
    void fill(std::span<const std::string_view> cells, std::string &out) const;

  private:
    std::vector<Placeholder> placeholders_;
    std::vector<std::string> literals_ = {std::string()}; // before, between and after placeholders
};

} // namespace neurasp::data
