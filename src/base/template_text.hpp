// A text with placeholders: `:- not addition(i1,i2,{sum}).`, `:- not addition(i1,i2,{}).`
//
// `{name}` and `{}` are placeholders, `{{` and `}}` are braces. The caller decides what the names mean; in
// experiment files they are columns of a table. A text is parsed once and filled in many times.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::base {

// A mistake in bytes [begin, end) of the text: a brace without its partner.
struct TemplateMistake {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string message;
    std::string hint;
};

class TemplateText {
  public:
    // The name of a placeholder, and the bytes [begin, end) of the name in the text.
    struct Placeholder {
        std::string name;
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    TemplateText() = default;
    // Parses the text; appends its mistakes to `mistakes`.
    TemplateText(std::string_view text, std::vector<TemplateMistake> &mistakes);

    // In the order of the text; a name that is used twice appears twice.
    const std::vector<Placeholder> &placeholders() const noexcept { return placeholders_; }
    // Appends the text to `out`, with the i-th cell in place of the i-th placeholder.
    // Requires: as many cells as placeholders.
    void fill(std::span<const std::string_view> cells, std::string &out) const;

  private:
    std::vector<Placeholder> placeholders_;
    std::vector<std::string> literals_ = {std::string()}; // before, between and after placeholders
};

} // namespace neurasp::base
