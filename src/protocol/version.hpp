// The answer to `neurasp --version`.
#pragma once

#include "protocol/json.hpp"

#include <optional>
#include <string>

namespace neurasp::protocol {

struct Versions {
    std::string library;
    std::string clingo;
    std::optional<std::string> torch;  // if there is one
    std::optional<std::string> commit; // if it is known
    bool modified = false;             // since that commit
    std::string build;
};

Json to_json(const Versions &versions);

} // namespace neurasp::protocol
