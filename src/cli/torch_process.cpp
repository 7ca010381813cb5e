// What differs between the process of `neurasp-torch` and that of `neurasp` (hand_over.cpp).
#include "cli/learning_options.hpp"

#include <unistd.h>

#include <cstdio>

namespace neurasp::cli {

void hand_over_to_torch_build() {} // this is it
bool has_torch_build() { return true; }

// At a normal end, LibTorch takes all of its registries apart, which takes a sixth of the time of loading it. Files are
// closed and threads have ended when this is called; only the streams are left.
int leave(int exit_code) {
#if !defined(__SANITIZE_ADDRESS__) &&                                                              \
    !defined(__SANITIZE_THREAD__) // they look for leaks at the end
    std::fflush(nullptr);
    ::_exit(exit_code);
#endif
    return exit_code;
}

} // namespace neurasp::cli
