// The root of the source tree, for tests that read files in it. (`__FILE__` does not help: ccache makes it relative.)
#pragma once

#include <filesystem>

namespace neurasp::test {

// Defined in a file that the build writes (cmake/NeuraspTests.cmake).
std::filesystem::path source_folder();

} // namespace neurasp::test
