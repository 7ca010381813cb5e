# Functions that declare the tests in tests/. Every executable is one ctest entry, because hundreds of
# processes for hundreds of cases would be slow, above all with sanitizers. A failing entry prints its cases.

# The most expensive headers, compiled once for all test executables. This is an executable too, so that the
# compiler options are the same.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tests/precompiled.cpp CONTENT "int main() {}\n")
add_executable(neurasp_test_headers ${PROJECT_BINARY_DIR}/tests/precompiled.cpp)
target_link_libraries(neurasp_test_headers PRIVATE
    neurasp nlohmann_json::nlohmann_json fmt::fmt GTest::gmock)
target_precompile_headers(neurasp_test_headers PRIVATE
    <gmock/gmock.h> <gtest/gtest.h> <map> <optional> <string> <vector>)
neurasp_compile_quickly(neurasp_test_headers)

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tests/source_folder.cpp CONTENT
"#include \"support/source_folder.hpp\"
std::filesystem::path neurasp::test::source_folder() { return R\"(@PROJECT_SOURCE_DIR@)\"; }
" @ONLY)
add_library(neurasp_test_support STATIC ${PROJECT_BINARY_DIR}/tests/source_folder.cpp)
target_include_directories(neurasp_test_support PUBLIC ${PROJECT_SOURCE_DIR}/tests)

# neurasp_test_executable(name source...): an executable that can include the library's internal headers.
function(neurasp_test_executable name)
    add_executable(${name} ${ARGN})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} PRIVATE
        neurasp neurasp_test_support nlohmann_json::nlohmann_json fmt::fmt)
    neurasp_compile_quickly(${name})
    # All in one folder, not beside their sources, because an executable may have the name of a folder of tests.
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# neurasp_gtest(name source...): a GoogleTest executable and its ctest entry.
function(neurasp_gtest name)
    neurasp_test_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE GTest::gmock GTest::gtest_main)
    target_precompile_headers(${name} REUSE_FROM neurasp_test_headers)
    neurasp_compile_together(${name})
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
endfunction()

# neurasp_listed_sources(folder variable result): the files that <folder>/CMakeLists.txt lists in
# `variable`, as absolute paths; empty if there is no such CMakeLists.txt.
function(neurasp_listed_sources folder variable result)
    set(files "")
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
        add_subdirectory(${folder})
        get_directory_property(files DIRECTORY ${folder} DEFINITION ${variable})
        if(NOT files)
            message(FATAL_ERROR "tests/${folder}/CMakeLists.txt must set ${variable} to its sources")
        endif()
        list(TRANSFORM files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/ REGEX "^[^/]")
    endif()
    set(${result} ${files} PARENT_SCOPE)
endfunction()

# neurasp_unit_tests(layer): the executable <layer>_tests from the list NEURASP_<LAYER>_TESTS, which
# tests/<layer>/CMakeLists.txt sets.
function(neurasp_unit_tests layer)
    string(TOUPPER NEURASP_${layer}_TESTS variable)
    neurasp_listed_sources(${layer} ${variable} files)
    if(files)
        neurasp_gtest(${layer}_tests ${files})
    endif()
endfunction()

# neurasp_fuzz_target(name [library...]): from fuzz/fuzz_<name>.cpp, which defines LLVMFuzzerTestOneInput,
#   replay_<name>  feeds it the files of fuzz/corpus/<name>/; runs with the tests
#   fuzz_<name>    the libFuzzer program, with NEURASP_FUZZ
function(neurasp_fuzz_target name)
    set(folder ${CMAKE_CURRENT_SOURCE_DIR}/fuzz)
    neurasp_test_executable(replay_${name} ${folder}/fuzz_${name}.cpp ${folder}/replay_main.cpp)
    target_link_libraries(replay_${name} PRIVATE ${ARGN})
    add_test(NAME replay_${name} COMMAND replay_${name} ${folder}/corpus/${name})
    if(NEURASP_FUZZ)
        neurasp_test_executable(fuzz_${name} ${folder}/fuzz_${name}.cpp)
        target_link_libraries(fuzz_${name} PRIVATE ${ARGN})
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    endif()
endfunction()
