// An explanation for people.
#pragma once

#include "cli/console.hpp"
#include "neurasp/answers.hpp"

#include <string>
#include <string_view>

namespace neurasp::cli {

// `given` is the condition in labels: Session::given_label().
std::string explanation_text(const ExplanationAnswer &answer, std::string_view given,
                             const Console &console);

} // namespace neurasp::cli
