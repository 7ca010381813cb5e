# Finds libclingo 5.4 to 5.8 and makes the target Clingo::Clingo.
#
# Debian's package `gringo` contains libclingo.so without headers, CMake or pkg-config files, so only the
# library is searched for; src/asp declares the part of its C interface that it uses. The library is asked for its
# version, here if a program can be run and again at run time, where `require_supported_clingo` knows the same versions.
# Set Clingo_ROOT to search elsewhere, or Clingo_LIBRARY to name the file.
#
#   Clingo_VERSION      empty if no program could be run
#   Clingo_INCLUDE_DIR  the folder of the library's own clingo.h, if there is one; only tests/asp/check_abi reads it
#
# This file is also installed beside neuraspConfig.cmake.

find_library(Clingo_LIBRARY NAMES clingo DOC "libclingo")
if(Clingo_LIBRARY)
    get_filename_component(folder ${Clingo_LIBRARY} DIRECTORY)
    find_path(Clingo_INCLUDE_DIR clingo.h HINTS ${folder}/../include ${folder}/../../include
        NO_DEFAULT_PATH DOC "The header of this libclingo, for tests")
endif()
mark_as_advanced(Clingo_LIBRARY Clingo_INCLUDE_DIR)

# Asked once for each library.
if(Clingo_LIBRARY AND NOT Clingo_VERSION_OF STREQUAL Clingo_LIBRARY)
    set(version "")
    if(NOT CMAKE_CROSSCOMPILING)
        set(source ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/clingo_version.cpp)
        file(WRITE ${source} [[
#include <cstdio>
extern "C" void clingo_version(int *, int *, int *);
int main() {
    int a = 0, b = 0, c = 0;
    clingo_version(&a, &b, &c);
    std::printf("%d.%d.%d", a, b, c);
}
]])
        try_run(status compiled ${CMAKE_CURRENT_BINARY_DIR} ${source}
            LINK_LIBRARIES ${Clingo_LIBRARY} RUN_OUTPUT_VARIABLE output)
        if(compiled AND status EQUAL 0)
            set(version ${output})
        endif()
        unset(status CACHE)
        unset(compiled CACHE)
    endif()
    set(Clingo_VERSION "${version}" CACHE INTERNAL "What libclingo says")
    set(Clingo_VERSION_OF ${Clingo_LIBRARY} CACHE INTERNAL "The library that was asked")
endif()

set(reason "libclingo is missing. On Debian: `apt install gringo`. Elsewhere install clingo 5.4 to 5.8 and set Clingo_ROOT to its prefix.")
set(Clingo_SUITABLE TRUE)
if(Clingo_VERSION AND (Clingo_VERSION VERSION_LESS 5.4 OR Clingo_VERSION VERSION_GREATER_EQUAL 5.9))
    set(Clingo_SUITABLE FALSE)
    set(reason "${Clingo_LIBRARY} is version ${Clingo_VERSION}, and only 5.4 to 5.8 are supported. Set Clingo_ROOT to the prefix of another.")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Clingo
    REQUIRED_VARS Clingo_LIBRARY Clingo_SUITABLE
    VERSION_VAR Clingo_VERSION
    REASON_FAILURE_MESSAGE ${reason})

if(Clingo_FOUND AND NOT TARGET Clingo::Clingo)
    add_library(Clingo::Clingo UNKNOWN IMPORTED)
    set_target_properties(Clingo::Clingo PROPERTIES IMPORTED_LOCATION "${Clingo_LIBRARY}")
endif()
