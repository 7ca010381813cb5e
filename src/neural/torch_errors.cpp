// Finds the essential line of Torch's error messages.
#include "neural/torch_errors.hpp"

#include <c10/util/Exception.h>

#include <string_view>

namespace neurasp::neural {

std::string essential_line(const std::exception &error) {
    const auto *torch_error = dynamic_cast<const c10::Error *>(&error);
    std::string text = torch_error ? torch_error->what_without_backtrace() : error.what();
    constexpr std::string_view marker = "RuntimeError: ";
    if (const auto at = text.rfind(marker); at != std::string::npos) {
        text.erase(0, at + marker.size());
    }
    text.erase(0, text.find_first_not_of(" \t\r\n"));
    return text.substr(0, text.find('\n'));
}

} // namespace neurasp::neural
