// Ground terms: a Symbol is a handle of eight bytes into libclingo's table of terms, which lives as long as
// the process. Equal terms have equal handles.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::asp {

class Symbol {
  public:
    constexpr Symbol() = default;
    constexpr explicit Symbol(std::uint64_t handle) : handle_(handle) {}
    static Symbol number(int value);
    // A function, or a tuple if `name` is empty, or a constant if there are no arguments.
    static Symbol function(const std::string &name, std::span<const Symbol> arguments,
                           bool positive = true);
    // Throws: ClingoError if the text is not a ground term, or is longer than 20,000 bytes.
    static Symbol parse(const std::string &text);

    constexpr std::uint64_t handle() const noexcept { return handle_; }
    bool is_function() const;
    std::optional<int> number() const; // nothing if it is not a number
    // Name, sign and arguments of a function or tuple; empty, true and empty for other terms.
    std::string_view name() const;
    bool positive() const;
    std::vector<Symbol> arguments() const;

    // As clingo prints it.
    std::string text() const;

    friend bool operator==(Symbol, Symbol) = default;
    // clingo's order of terms.
    friend bool operator<(Symbol a, Symbol b);

  private:
    std::uint64_t handle_ = 0;
};

} // namespace neurasp::asp

template <> struct std::hash<neurasp::asp::Symbol> {
    std::size_t operator()(neurasp::asp::Symbol symbol) const noexcept {
        return std::hash<std::uint64_t>{}(symbol.handle() * 0x9e3779b97f4a7c15ULL);
    }
};
