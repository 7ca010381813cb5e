// Ground terms through libclingo's functions on symbols.
#include "asp/symbol.hpp"

#include "asp/clingo_abi.hpp"
#include "asp/clingo_call.hpp"

namespace neurasp::asp {

Symbol Symbol::number(int value) {
    clingo_symbol_t symbol = 0;
    clingo_symbol_create_number(value, &symbol);
    return Symbol(symbol);
}

Symbol Symbol::function(const std::string &name, std::span<const Symbol> arguments, bool positive) {
    std::vector<clingo_symbol_t> handles;
    handles.reserve(arguments.size());
    for (const Symbol argument : arguments) handles.push_back(argument.handle());
    clingo_symbol_t symbol = 0;
    check(clingo_symbol_create_function(name.c_str(), handles.data(), handles.size(), positive,
                                        &symbol));
    return Symbol(symbol);
}

Symbol Symbol::parse(const std::string &text) {
    constexpr std::size_t longest = 20'000; // deeper nesting could overflow the stack
    if (text.size() > longest) throw ClingoError("the term is too long");
    clingo_symbol_t symbol = 0;
    const auto silent = [](int, const char *, void *) {};
    check(clingo_parse_term(text.c_str(), silent, nullptr, 1, &symbol));
    return Symbol(symbol);
}

bool Symbol::is_function() const {
    return clingo_symbol_type(handle_) == clingo_symbol_type_function;
}

std::optional<int> Symbol::number() const {
    if (clingo_symbol_type(handle_) != clingo_symbol_type_number) return std::nullopt;
    int value = 0;
    check(clingo_symbol_number(handle_, &value));
    return value;
}

std::string_view Symbol::name() const {
    if (!is_function()) return {};
    const char *name = nullptr;
    check(clingo_symbol_name(handle_, &name));
    return name;
}

bool Symbol::positive() const {
    if (!is_function()) return true;
    bool positive = true;
    check(clingo_symbol_is_positive(handle_, &positive));
    return positive;
}

std::vector<Symbol> Symbol::arguments() const {
    if (!is_function()) return {};
    const clingo_symbol_t *arguments = nullptr;
    std::size_t size = 0;
    check(clingo_symbol_arguments(handle_, &arguments, &size));
    std::vector<Symbol> result;
    result.reserve(size);
    for (std::size_t i = 0; i < size; ++i) result.emplace_back(arguments[i]);
    return result;
}

std::string Symbol::text() const {
    std::size_t size = 0;
    check(clingo_symbol_to_string_size(handle_, &size));
    std::string text(size, '\0');
    check(clingo_symbol_to_string(handle_, text.data(), size));
    text.resize(size - 1); // the size counts the terminating zero
    return text;
}

bool operator<(Symbol a, Symbol b) { return clingo_symbol_is_less_than(a.handle(), b.handle()); }

} // namespace neurasp::asp
