// The flags of the options that diagnostics name by their identifiers.
#pragma once

#include <string>

namespace neurasp::cli {

// "--allow-script" for "allow_script"; "--logits digit" for "logits" with the value "digit". An identifier
// that is not known stays as it is.
std::string spell_option(const std::string &option, const std::string &value);

} // namespace neurasp::cli
