// Looks for files of an earlier run that a new one would replace. The log and the report alone do not count: a run
// that left no weights and no checkpoint has nothing that cannot be had again at once.
#include "runs/old_run.hpp"

#include "base/option_names.hpp"
#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace neurasp::runs {

void require_no_run(const data::Experiment &experiment) {
    const std::filesystem::path folder = experiment.output.path;
    std::vector<std::string> names = {checkpoint_name, "rules.json"};
    for (const data::NetworkSettings &network : experiment.networks) {
        names.push_back(network.spec.name + ".pt");
    }
    for (const std::string &name : names) {
        std::error_code unknown;
        if (!std::filesystem::exists(folder / name, unknown)) continue;
        throw EnvironmentError(
            fmt::format("the output folder '{}' already holds a run ({})", folder.string(), name),
            "resume that run, set another output, or allow its files to be replaced",
            base::option::overwrite);
    }
}

} // namespace neurasp::runs
