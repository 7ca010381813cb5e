// Hands commands that need LibTorch over to `neurasp-torch`, a second build of this command in the same folder,
// because loading LibTorch takes longer than most answers.
#include "cli/errors.hpp"
#include "cli/experiment_check.hpp"
#include "cli/learning_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace neurasp::cli {

namespace {

// OpenBLAS chooses its kernels by the model of the processor. If it does not know the model because the processor
// is newer, it falls back to kernels of 2004, and fully connected networks run at half the speed. So we choose by
// the features of the processor, unless the user has set the variable.
void choose_matrix_kernels() {
#if defined(__x86_64__)
    constexpr const char *name = "OPENBLAS_CORETYPE";
    constexpr int replace = 0;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        ::setenv(name, "SkylakeX", replace);
    } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        ::setenv(name, "Haswell", replace);
    }
#endif
}

// The folder of this command.
std::filesystem::path own_folder() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

std::string torch_build() { return (own_folder() / "neurasp-torch").string(); }

// Debian's LibTorch names OpenCV, FFmpeg, Qt and more, 240 libraries in all, of which it uses nothing; the dynamic linker
// spends as long on them as on LibTorch. Empty libraries of the same names take their place (cmake/NeuraspStandIns.cmake).
// Where these are not installed, the real ones are loaded.
void skip_unused_libraries() {
#if defined(NEURASP_STAND_INS)
    constexpr const char *name = "LD_LIBRARY_PATH";
    const std::filesystem::path folder = own_folder() / NEURASP_STAND_INS;
    std::error_code unknown;
    if (!std::filesystem::is_directory(folder, unknown)) return;
    std::string paths = std::filesystem::canonical(folder, unknown).string();
    if (const char *others = std::getenv(name); others != nullptr)
        paths += ":" + std::string(others);
    ::setenv(name, paths.c_str(), 1);
#endif
}

[[noreturn]] void hand_over() {
    choose_matrix_kernels();
    skip_unused_libraries();
    const std::string other = torch_build();
    std::vector<std::string> words = remembered_arguments();
    std::vector<char *> argv;
    for (std::string &word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(other.c_str(), argv.data());
    throw EnvironmentError(
        fmt::format("networks need '{}', which cannot be started: {}. This neurasp was built "
                    "without LibTorch; install libtorch-dev and build it again",
                    other, std::strerror(errno)));
}

} // namespace

ExitCode run_train(const TrainOptions &options) {
    check_experiment(options);
    hand_over();
}

ExitCode run_evaluate(const EvaluateOptions &options) {
    check_experiment(options);
    hand_over();
}

ExitCode run_predict(const PredictOptions &options) {
    check_experiment(options);
    hand_over();
}

void hand_over_to_torch_build() { hand_over(); }

bool has_torch_build() { return ::access(torch_build().c_str(), X_OK) == 0; }

std::vector<Diagnostic> add_live_outputs(const Options &, const Question &, NetworkOutputs &) {
    hand_over();
}

int leave(int exit_code) { return exit_code; }

} // namespace neurasp::cli
