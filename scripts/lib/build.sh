# Configuring and building a preset. Needs common.sh.
# shellcheck shell=bash

# build_preset PRESET JOBS: configures quietly, then builds.
build_preset() {
    local preset=$1 jobs=$2
    say "Building preset '$preset' in build/$preset"
    mkdir -p "build/$preset"
    local log=build/$preset/configure.log
    cmake --preset "$preset" >"$log" 2>&1 || {
        cat "$log" >&2
        fail 1 "cmake could not configure the preset '$preset'"
    }
    cmake --build --preset "$preset" -j "$jobs"
}
