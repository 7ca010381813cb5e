# Configuring and building a preset. Needs common.sh.
# shellcheck shell=bash

# configure_preset PRESET [OPTION...]: quietly, unless it fails.
configure_preset() {
    local preset=$1 log=build/$1/configure.log
    mkdir -p "build/$preset"
    cmake --preset "$preset" "${@:2}" >"$log" 2>&1 || {
        cat "$log" >&2
        fail 1 "cmake could not configure the preset '$preset'"
    }
}

# build_preset PRESET JOBS [OPTION...]: configures quietly, with these options of cmake, then builds.
build_preset() {
    local preset=$1 jobs=$2
    say "Building preset '$preset' in build/$preset"
    configure_preset "$preset" "${@:3}"
    cmake --build --preset "$preset" -j "$jobs"
}
