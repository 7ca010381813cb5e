# Finds libclingo and makes the target Clingo::Clingo.
#
# Debian's package `gringo` contains libclingo.so without headers, CMake or pkg-config files, so only the
# library is searched for; src/asp declares the part of its C interface that it uses and checks the
# version at run time. Set Clingo_ROOT to search elsewhere, or Clingo_LIBRARY to name the file.
#
# This file is also installed beside neuraspConfig.cmake.

find_library(Clingo_LIBRARY NAMES clingo DOC "libclingo")
mark_as_advanced(Clingo_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Clingo
    REQUIRED_VARS Clingo_LIBRARY
    REASON_FAILURE_MESSAGE
        "libclingo.so is missing. On Debian: `apt install gringo`. Elsewhere install clingo 5.4 to 5.8 and set Clingo_ROOT to its prefix.")

if(Clingo_FOUND AND NOT TARGET Clingo::Clingo)
    add_library(Clingo::Clingo UNKNOWN IMPORTED)
    set_target_properties(Clingo::Clingo PROPERTIES IMPORTED_LOCATION "${Clingo_LIBRARY}")
endif()
