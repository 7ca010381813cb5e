# The options of the build. As part of another project, only the library is built.

option(BUILD_SHARED_LIBS "Build libneurasp as a shared library" OFF)
option(NEURASP_CLI "Build the neurasp command" ${PROJECT_IS_TOP_LEVEL})
option(NEURASP_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(NEURASP_BENCH "Build the benchmarks" OFF)
option(NEURASP_PYTHON "Build the Python package (needs pybind11)" OFF)
option(NEURASP_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(NEURASP_INSTALL "Make install rules" ${PROJECT_IS_TOP_LEVEL})
option(NEURASP_ASSERTIONS "Check invariants while running" OFF)
option(NEURASP_WERROR "Treat warnings as errors" OFF)
set(NEURASP_SANITIZE "" CACHE STRING "Sanitizers for everything, e.g. address,undefined")

# Networks and learning need LibTorch; everything else is built without it. Clang 14 cannot parse its headers
# as C++20, and sanitizers need code that is instrumented, which LibTorch is not.
if(NOT DEFINED NEURASP_TORCH AND PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
   AND NOT NEURASP_SANITIZE)
    find_package(Torch QUIET)
endif()
if(NOT Torch_FOUND)
    set(Torch_FOUND OFF)
endif()
option(NEURASP_TORCH "Build the networks and their training (needs LibTorch)" ${Torch_FOUND})

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Type of build" FORCE)
endif()

if(NEURASP_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "NEURASP_FUZZ needs clang (libFuzzer): use `cmake --preset fuzz`")
endif()
