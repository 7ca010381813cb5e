// Where this tree is, for tests that read files of it. (`__FILE__` is no help: ccache makes it relative.)
#pragma once

#include <filesystem>

namespace neurasp::test {

// Defined in a file that the build writes (cmake/NeuraspTests.cmake).
std::filesystem::path source_folder();

} // namespace neurasp::test
