// Any input is either a checkpoint or a TorchScript module that can be used as a network, or an InputError. Torch itself
// is not instrumented, but a crash in it counts.
#include "data/experiment_file.hpp"
#include "learning/checkpoint.hpp"
#include "neural/script_network.hpp"
#include "runs/experiment_program.hpp"

#include <torch/optim.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace neurasp;

void require(bool condition) {
    if (!condition) std::abort();
}

void check(const InputError &error) {
    require(!error.diagnostics().empty());
    for (const Diagnostic &diagnostic : error.diagnostics()) {
        require(!diagnostic.code.empty() && !render(diagnostic, true).empty());
    }
}

// A file in memory.
class MemoryFile {
  public:
    MemoryFile(const std::uint8_t *data, std::size_t size) : number_(::memfd_create("fuzz", 0)) {
        require(number_ >= 0 && ::write(number_, data, size) == static_cast<ssize_t>(size));
    }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    ~MemoryFile() { ::close(number_); }
    std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

  private:
    int number_;
};

// The run that the checkpoints of the corpus belong to.
struct Run {
    data::Experiment experiment = data::read_experiment(R"toml(
program_text = "nn(kind(1,a),[0,1,2]). @0.5 : flip. two :- kind(0,a,2), flip."
[networks.kind]
layers = [{kind="linear", out=3}, {kind="softmax"}]
[example]
observation = ":- not two."
[example.inputs]
a = "points[a]"
[splits.train]
table = "rows.csv"
arrays.points = {file = "points.csv"}
)toml",
                                                        "fuzz.toml", {});
    TrainingProgram step{runs::program_of(experiment), learning::step_options(experiment, true)};
    learning::Model model{experiment, step, {{"kind", {{2}, {}}}}};
    learning::Optimizers optimizers;

    Run() {
        optimizers.push_back(std::make_unique<torch::optim::Adam>(
            model.networks().front()->parameters(), torch::optim::AdamOptions(0.1)));
    }
};

void read_checkpoint(const std::string &file) {
    static Run run;
    try {
        const learning::Progress progress =
            learning::load_checkpoint(file, "fuzz", run.model, run.optimizers);
        require(progress.epoch == progress.history.epochs.size());
    } catch (const InputError &error) {
        check(error);
    }
}

void read_network(const std::string &file) {
    try {
        const neural::ScriptNetwork network("kind", file);
        require(!network.description().empty() && network.parameter_count() >= 0);
        network.state();
    } catch (const InputError &error) {
        check(error);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const MemoryFile file(data, size);
    read_checkpoint(file.path());
    read_network(file.path());
    return 0;
}
