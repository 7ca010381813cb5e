// `neurasp --version`, as text or JSON.
#include "cli/version.hpp"

#include "cli/build_info.hpp"
#include "cli/learning_options.hpp"
#include "cli/table.hpp"
#include "neurasp/neurasp.hpp"
#include "protocol/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace neurasp::cli {

namespace {

std::string torch_state(const BuildInfo &info) {
    if (info.torch.empty()) return "none (built without)";
    return has_torch_build()
               ? info.torch
               : info.torch + " (but neurasp-torch is not in the folder of this command)";
}

} // namespace

std::string version_text(bool json) {
    const BuildInfo info = build_info();
    if (json) {
        protocol::Versions versions;
        versions.library = version;
        versions.clingo = clingo_version_string();
        if (!info.torch.empty() && has_torch_build()) versions.torch = info.torch;
        if (!info.commit.empty()) versions.commit = info.commit;
        versions.modified = info.modified;
        versions.build = info.build;
        return protocol::document(protocol::to_json(versions));
    }
    const std::string commit = info.commit.empty() ? "unknown" : info.commit;
    return fmt::format("neurasp {}\n", version) +
           align({{"clingo", clingo_version_string()},
                  {"Torch", torch_state(info)},
                  {"commit", commit + (info.modified ? " (modified)" : "")},
                  {"build", info.build}}) +
           "\n";
}

} // namespace neurasp::cli
