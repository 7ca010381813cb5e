// The answer to `neurasp --version`.
#include "protocol/version.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

Json to_json(const Versions &versions) {
    const auto or_null = [](const std::optional<std::string> &text) {
        return text ? Json(*text) : Json();
    };
    return {{"version", versions.library},      {"clingo", versions.clingo},
            {"torch", or_null(versions.torch)}, {"commit", or_null(versions.commit)},
            {"modified", versions.modified},    {"build", versions.build}};
}

} // namespace neurasp::protocol
