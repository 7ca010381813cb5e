# Writes OUTPUT, a small source that says which commit was built and how, at every build but only if it
# changes: a commit costs one compilation and the linking of the command. No time or path is in it, so that the
# same sources give the same bytes.
#
#   cmake -D SOURCE=... -D INPUT=build_info.cpp.in -D OUTPUT=build_info.cpp -D BUILD=... -D TORCH=...
#       [-D GIT=/usr/bin/git] [-D COMMIT=...] -P WriteBuildInfo.cmake

cmake_minimum_required(VERSION 3.25)

function(git result)
    # No lock: another git may be at work in this tree.
    execute_process(COMMAND ${GIT} --no-optional-locks -C ${SOURCE} ${ARGN}
        OUTPUT_VARIABLE output RESULT_VARIABLE status ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status EQUAL 0)
        set(output "")
    endif()
    set(${result} "${output}" PARENT_SCOPE)
endfunction()

set(MODIFIED false)
if(NOT COMMIT) # nobody has named one: that of the tree, unless the sources only lie in somebody else's
    if(GIT)
        git(prefix rev-parse --show-prefix --is-inside-work-tree)
        if(prefix STREQUAL "\ntrue" OR prefix STREQUAL "true")
            git(COMMIT rev-parse --short=12 HEAD)
            git(changes status --porcelain --untracked-files=no)
            if(changes)
                set(MODIFIED true)
            endif()
        endif()
    endif()
endif()
if(NOT COMMIT) # an archive that git has made
    file(READ ${SOURCE}/cmake/archived_commit.txt archived)
    if(archived MATCHES "^([0-9a-f]+)")
        string(SUBSTRING ${CMAKE_MATCH_1} 0 12 COMMIT)
    endif()
endif()

configure_file(${INPUT} ${OUTPUT} @ONLY)
