# LibTorch for the layers that need it (NEURASP_TORCH). Nothing outside them sees its headers.

set(NEURASP_TORCH_LAYERS neural learning)

find_package(Torch REQUIRED)

# neurasp::libtorch: LibTorch as its own configuration finds it, with its headers as system headers, so that our
# warnings do not apply to them.
add_library(neurasp_libtorch INTERFACE)
add_library(neurasp::libtorch ALIAS neurasp_libtorch)
target_include_directories(neurasp_libtorch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
target_compile_options(neurasp_libtorch INTERFACE ${TORCH_CXX_FLAGS})
target_link_libraries(neurasp_libtorch INTERFACE ${TORCH_LIBRARIES})

# A file that includes Torch's headers takes 10 to 20 seconds to compile, so they are compiled once.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/torch_headers.cpp CONTENT "")
add_library(neurasp_torch_headers OBJECT ${PROJECT_BINARY_DIR}/torch_headers.cpp)
target_link_libraries(neurasp_torch_headers PRIVATE neurasp::libtorch)
target_precompile_headers(neurasp_torch_headers PRIVATE
    <torch/script.h> <functional> <map> <memory> <optional> <string> <vector>)

# neurasp_uses_torch(target): for the library of a layer.
function(neurasp_uses_torch target)
    target_link_libraries(${target} PUBLIC neurasp::libtorch)
    target_precompile_headers(${target} REUSE_FROM neurasp_torch_headers)
endfunction()

# neurasp_torch_unit_tests(layer): like neurasp_unit_tests, for a layer that uses Torch.
function(neurasp_torch_unit_tests layer)
    string(TOUPPER NEURASP_${layer}_TESTS variable)
    neurasp_listed_sources(${layer} ${variable} files)
    if(NOT files)
        return()
    endif()
    if(NOT TARGET neurasp_torch_test_headers)
        # an executable, so that the compiler options are those of the tests
        neurasp_test_executable(neurasp_torch_test_headers ${PROJECT_BINARY_DIR}/tests/precompiled.cpp)
        target_link_libraries(neurasp_torch_test_headers PRIVATE neurasp::libtorch GTest::gmock)
        target_precompile_headers(neurasp_torch_test_headers PRIVATE
            <torch/script.h> <gmock/gmock.h> <gtest/gtest.h> <map> <optional> <string> <vector>)
    endif()
    neurasp_test_executable(${layer}_tests ${files})
    target_link_libraries(${layer}_tests PRIVATE neurasp_torch GTest::gmock GTest::gtest_main)
    target_precompile_headers(${layer}_tests REUSE_FROM neurasp_torch_test_headers)
    add_test(NAME ${layer}_tests COMMAND ${layer}_tests --gtest_brief=1)
endfunction()
