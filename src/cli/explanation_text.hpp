// An explanation for people.
#pragma once

#include "cli/console.hpp"
#include "neurasp/answers.hpp"

#include <string>

namespace neurasp::cli {

// `observes`: there is an observation, or only models of least cost count.
std::string explanation_text(const ExplanationAnswer &answer, bool observes,
                             const Console &console);

} // namespace neurasp::cli
