// A text with holes: `:- not addition(i1,i2,{sum}).`, `:- not addition(i1,i2,{}).`
//
// `{name}` and `{}` are holes, `{{` and `}}` are braces. What names mean is left to the caller: in experiment
// files they are columns of a table. A text is taken apart once and filled many times.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::base {

// Something in bytes [begin, end) of the text that is not a placeholder.
struct TemplateMistake {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string message;
    std::string hint;
};

class TemplateText {
  public:
    // One hole: its name and the bytes [begin, end) of the name in the text.
    struct Placeholder {
        std::string name;
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    TemplateText() = default;
    // Takes the text apart; adds what is wrong with it to `mistakes`.
    TemplateText(std::string_view text, std::vector<TemplateMistake> &mistakes);

    // In the order of the text; a name that is used twice stands here twice.
    const std::vector<Placeholder> &placeholders() const noexcept { return placeholders_; }
    // The text with the i-th cell in the place of the i-th placeholder, appended to `out`.
    // Requires: as many cells as placeholders.
    void fill(std::span<const std::string_view> cells, std::string &out) const;

  private:
    std::vector<Placeholder> placeholders_;
    std::vector<std::string> literals_ = {std::string()}; // before, between and after placeholders
};

} // namespace neurasp::base
