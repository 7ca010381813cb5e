# Compiler settings of every target of this tree. They are directory properties, so a layer's
# CMakeLists.txt need not repeat them, and they stay inside this tree when it is a subproject.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
        -Wold-style-cast -Woverloaded-virtual)
    if(NEURASP_WERROR)
        add_compile_options(-Werror)
    endif()
    # When it optimises, GCC 12 mistakes concatenations of std::string for overlapping or overlong copies
    # and reports copies as uninitialised (its bugs 105651, 105562). Release builds switch these warnings
    # off; other builds keep them.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13
       AND CMAKE_BUILD_TYPE STREQUAL "Release")
        add_compile_options(-Wno-array-bounds -Wno-maybe-uninitialized -Wno-restrict
            -Wno-stringop-overflow)
    endif()
endif()

if(NEURASP_ASSERTIONS) # see src/base/assert.hpp
    add_compile_definitions(NEURASP_ASSERTIONS)
endif()

if(NEURASP_SANITIZE)
    add_compile_options(-fsanitize=${NEURASP_SANITIZE} -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${NEURASP_SANITIZE})
endif()
if(NEURASP_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(NEURASP_CCACHE ccache)
    mark_as_advanced(NEURASP_CCACHE)
    if(NEURASP_CCACHE)
        # Without these, ccache refuses every file that uses a precompiled header, and another clone of
        # the same tree gets no hits.
        set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
            CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
            CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${NEURASP_CCACHE})
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            add_compile_options(-fpch-preprocess)
        endif()
    endif()
endif()

# neurasp_compile_together(target): compiles a few sources at a time. For code that takes less time to compile
# than the headers it includes (GoogleTest, CLI11, JSON).
function(neurasp_compile_together target)
    if(NOT CMAKE_UNITY_BUILD)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
    endif()
endfunction()

# neurasp_compile_quickly(target): compiles without optimisation unless this is a release. For code whose
# own speed does not matter but whose headers (GoogleTest, CLI11, JSON) make it slow to compile.
function(neurasp_compile_quickly target)
    if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
        target_compile_options(${target} PRIVATE -O0 -g0)
    endif()
endfunction()
