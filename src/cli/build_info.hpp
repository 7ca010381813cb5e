// Which sources this command was built from, and how.
#pragma once

#include <string>

namespace neurasp::cli {

struct BuildInfo {
    std::string commit; // empty: not known
    bool modified = false;
    std::string build; // kind of build, compiler
    std::string torch; // the version of LibTorch; empty: built without
};

BuildInfo build_info();

} // namespace neurasp::cli
