# The folder tree is the architecture: a layer includes its own headers, the public ones, and those of
# the layers that its CMakeLists.txt links; only the layers in TORCH include Torch; no file is too long.
# Of the command, the files in CLI_WITH_TORCH are in neurasp-torch alone: they may also include data, runs,
# neural, learning and Torch; no other file of it may, nor include their headers.
# The Python module (python/core) includes public headers, base, protocol and runs.
# Public headers include each other and the standard library; only semantic_loss.hpp knows Torch.
#
#   cmake -D USES="base:;language:base;cli:base" -D TORCH="neural" -D CLI_WITH_TORCH="train.cpp"
#       -D SOURCE=.../src -P check.cmake
#
# must_fail.cmake checks that each of these is noticed.

cmake_minimum_required(VERSION 3.25)

set(mistakes "")
list(TRANSFORM CLI_WITH_TORCH REPLACE "\\.cpp$" "")
file(GLOB folders LIST_DIRECTORIES TRUE RELATIVE ${SOURCE} ${SOURCE}/*)

# `allowed`: the folders whose headers may be included; `torch`: whether Torch may be.
function(check_file layer file allowed torch)
    file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]*).*$" "\\1" header "${line}")
        string(REGEX MATCH "^[^/]*" folder "${header}")
        string(REGEX REPLACE "^cli/(.*)\\.hpp$" "\\1" of_cli "${header}")
        set(why "")
        if(header MATCHES "(^|/)\\.\\.?/")
            set(why "name the folder, not the way to it")
        elseif(header MATCHES "^(torch|ATen|c10|caffe2)/|^neurasp/semantic_loss\\.hpp$" AND NOT torch)
            set(why "Torch starts at src/neural")
        elseif(of_cli IN_LIST CLI_WITH_TORCH AND NOT torch)
            set(why "it is a part of neurasp-torch alone")
        elseif(NOT folder IN_LIST allowed AND folder IN_LIST folders)
            set(why "${layer} does not link ${folder}")
        elseif(NOT folder IN_LIST allowed AND line MATCHES "\"")
            set(why "${layer} does not have ${folder}")
        endif()
        if(why)
            list(APPEND mistakes "${file}: ${line} (${why})")
        endif()
    endforeach()
    set(mistakes "${mistakes}" PARENT_SCOPE)
endfunction()

foreach(entry IN LISTS USES)
    string(REGEX MATCH "^([a-z]+):(.*)$" _ "${entry}")
    set(layer ${CMAKE_MATCH_1})
    string(REPLACE "," ";" allowed "${CMAKE_MATCH_2}")
    list(APPEND allowed ${layer} neurasp)
    set(torch FALSE)
    if(layer IN_LIST TORCH)
        set(torch TRUE)
    endif()

    file(GLOB_RECURSE files ${SOURCE}/${layer}/*.hpp ${SOURCE}/${layer}/*.cpp)
    foreach(file IN LISTS files)
        get_filename_component(name ${file} NAME_WE)
        if(layer STREQUAL cli AND name IN_LIST CLI_WITH_TORCH)
            check_file(${layer} ${file} "${allowed};data;runs;neural;learning" TRUE)
        else()
            check_file(${layer} ${file} "${allowed}" ${torch})
        endif()
    endforeach()
endforeach()

file(GLOB files ${SOURCE}/../include/neurasp/*.hpp ${SOURCE}/../include/neurasp/*.hpp.in)
foreach(file IN LISTS files)
    set(torch FALSE)
    if(file MATCHES "/semantic_loss\\.hpp$")
        set(torch TRUE)
    endif()
    check_file("the public interface" ${file} neurasp ${torch})
endforeach()

# The Python module: the public headers, and what answers and reports look like on the outside.
file(GLOB files ${SOURCE}/../python/core/*.hpp ${SOURCE}/../python/core/*.cpp)
foreach(file IN LISTS files)
    check_file("the Python module" ${file} "core;neurasp;base;protocol;runs" FALSE)
endforeach()

# A file that a person cannot hold in the head wants to be two.
set(most_lines 400)
file(GLOB_RECURSE files ${SOURCE}/*.?pp ${SOURCE}/../include/*.?pp ${SOURCE}/../bench/*.?pp
    ${SOURCE}/../tests/*.?pp ${SOURCE}/../python/*.?pp ${SOURCE}/../python/*.py)
foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REGEX MATCHALL "\n" line_ends "${text}")
    list(LENGTH line_ends count)
    if(count GREATER most_lines)
        list(APPEND mistakes "${file}: ${count} lines (at most ${most_lines})")
    endif()
endforeach()

if(mistakes)
    list(JOIN mistakes "\n  " mistakes)
    message(FATAL_ERROR "Against the architecture:\n  ${mistakes}")
endif()
