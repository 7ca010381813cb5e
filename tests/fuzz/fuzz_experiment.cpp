// Any input, read as an experiment file and as an assignment to one, gives either settings that can be written
// as JSON, or an InputError whose diagnostics all have places. No file is opened.
#include "data/experiment_file.hpp"
#include "neurasp/diagnostic.hpp"
#include "protocol/experiment_json.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void read(std::string_view text, const std::vector<std::string> &assignments) {
    try {
        const auto experiment = neurasp::data::read_experiment(text, "fuzz", assignments);
        require(neurasp::protocol::experiment_json(experiment).starts_with('{'));
        require(neurasp::protocol::fingerprint(experiment).size() == 32);
    } catch (const neurasp::InputError &error) {
        require(!error.diagnostics().empty() && error.diagnostics().size() <= 25);
        for (const neurasp::Diagnostic &diagnostic : error.diagnostics()) {
            require(diagnostic.severity == neurasp::Severity::error && !diagnostic.code.empty());
            const std::string &file = diagnostic.location.file;
            require(file == "fuzz" || file == "<set>");
            require(diagnostic.location.line > 0 || diagnostic.code == "missing-key" ||
                    text.size() > (std::size_t{4} << 20U));
            require(!neurasp::render(diagnostic, true).empty());
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    read(text, {});
    // The first line is also used as an assignment from outside.
    const std::string first(text.substr(0, text.find('\n')));
    read("program = 'p.lp'\n[training]\nepochs = 3\n", {first});
    return 0;
}
