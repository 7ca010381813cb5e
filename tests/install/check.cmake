# Installs the built tree into an empty prefix, then builds and runs the project beside this file
# against it, as a user of the library would, and asks the installed command for its version.
#
#   cmake -D BUILD=... -D CONFIG=... -D GENERATOR=... -D COMPILER=... -D VERSION=... -P check.cmake

cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        list(JOIN ARGV " " command)
        message(FATAL_ERROR "failed (${status}): ${command}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

set(work ${BUILD}/tests/install)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})

run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${work}/project -G ${GENERATOR}
    -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work}/project --config ${CONFIG})
run(${work}/project/coin)
message(STATUS "outside project: ${output}")

run(${prefix}/bin/neurasp --version)
if(NOT output MATCHES "${VERSION}")
    message(FATAL_ERROR "`neurasp --version` says `${output}`, expected ${VERSION} in it")
endif()
message(STATUS "installed command: ${output}")
