# check.cmake notices every kind of include that is against the architecture, in a small tree that is right but for
# one line.
#
#   cmake -D FOLDER=... -P must_fail.cmake

cmake_minimum_required(VERSION 3.25)

# The file `file` of the tree, with one line more; `expected` is `passes` or `fails`.
function(try expected file line)
    file(REMOVE_RECURSE ${FOLDER})
    foreach(header IN ITEMS src/base/text.hpp src/asp/rules.hpp src/data/table.hpp src/neural/net.hpp
            src/cli/app.hpp src/cli/app.cpp src/cli/train.hpp src/cli/train.cpp
            include/neurasp/question.hpp include/neurasp/semantic_loss.hpp python/core/module.cpp)
        file(WRITE ${FOLDER}/${header} "#pragma once\n#include <vector>\n")
    endforeach()
    file(APPEND ${FOLDER}/${file} "${line}\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -D "USES=base:;asp:base;data:base;neural:base,data;cli:base"
        -D TORCH=neural -D "CLI_WITH_TORCH=train.cpp" -D SOURCE=${FOLDER}/src
        -P ${CMAKE_CURRENT_LIST_DIR}/check.cmake RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if((status EQUAL 0 AND expected STREQUAL fails) OR (NOT status EQUAL 0 AND expected STREQUAL passes))
        message(SEND_ERROR "${file} with '${line}' should be a tree that ${expected}")
    endif()
endfunction()

try(passes src/asp/rules.hpp "#include \"base/text.hpp\"")
try(passes src/asp/rules.hpp "#include \"neurasp/question.hpp\"")
try(passes src/asp/rules.hpp "#include <fmt/format.h>")
try(fails src/base/text.hpp "#include \"asp/rules.hpp\"")
try(fails src/base/text.hpp "#include <asp/rules.hpp>")
try(fails src/base/text.hpp "  # include \"asp/rules.hpp\"")
try(fails src/base/text.hpp "#include \"../asp/rules.hpp\"")
try(fails src/base/text.hpp "#include \"nowhere/rules.hpp\"")
try(fails src/asp/rules.hpp "#include <torch/script.h>")
try(fails src/asp/rules.hpp "#include \"neurasp/semantic_loss.hpp\"")
try(passes src/neural/net.hpp "#include <torch/script.h>")
try(passes src/neural/net.hpp "#include \"neurasp/semantic_loss.hpp\"")

# The command: `app` is in both builds, `train` in neurasp-torch alone.
try(passes src/cli/app.cpp "#include \"base/text.hpp\"")
try(fails src/cli/app.cpp "#include \"asp/rules.hpp\"")
try(fails src/cli/app.hpp "#include \"data/table.hpp\"")
try(fails src/cli/app.cpp "#include \"neural/net.hpp\"")
try(fails src/cli/app.cpp "#include <ATen/Parallel.h>")
try(fails src/cli/app.cpp "#include \"neurasp/semantic_loss.hpp\"")
try(fails src/cli/app.cpp "#include \"cli/train.hpp\"")
try(passes src/cli/train.cpp "#include \"neural/net.hpp\"")
try(passes src/cli/train.cpp "#include <ATen/Parallel.h>")
try(passes src/cli/train.cpp "#include \"cli/train.hpp\"")
try(fails src/cli/train.cpp "#include \"asp/rules.hpp\"")

try(fails include/neurasp/question.hpp "#include \"base/text.hpp\"")
try(fails include/neurasp/question.hpp "#include <torch/types.h>")
try(passes include/neurasp/semantic_loss.hpp "#include <torch/types.h>")

try(passes python/core/module.cpp "#include \"base/text.hpp\"")
try(passes python/core/module.cpp "#include \"neurasp/question.hpp\"")
try(fails python/core/module.cpp "#include \"asp/rules.hpp\"")
try(fails python/core/module.cpp "#include <torch/types.h>")

string(REPEAT "// a line\n" 401 long)
try(fails src/base/text.hpp "${long}")
