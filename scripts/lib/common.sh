# Shared by the scripts; source it. Sets strict mode, ROOT and the working directory.
# shellcheck shell=bash

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$ROOT"

if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    BOLD=$'\033[1m' RED=$'\033[31m' PLAIN=$'\033[0m'
else
    BOLD='' RED='' PLAIN=''
fi

say() { printf '%s==> %s%s\n' "$BOLD" "$*" "$PLAIN"; }

# fail CODE MESSAGE...: the exit codes are those of the command (CONTRIBUTING.md, "Errors").
fail() {
    local code=$1
    shift
    printf '%serror:%s %s\n' "$RED" "$PLAIN" "$*" >&2
    exit "$code"
}

usage_error() { fail 2 "$1 (see $0 --help)"; }

# as_typed WORD...: the command line as a person types it, with quotes only around words that need them.
as_typed() {
    local word line=''
    for word in "$@"; do
        [[ $word =~ ^[A-Za-z0-9_./=:,@%+-]+$ ]] || word="'${word//\'/\'\\\'\'}'"
        line+="${line:+ }$word"
    done
    printf '%s\n' "$line"
}

# Checks the argument of -j.
require_number() {
    [[ ${1:-} =~ ^[1-9][0-9]*$ ]] || usage_error "-j needs a positive number, got '${1:-}'"
}

# Prints the comment block at the head of a script: its --help.
print_head_comment() { sed -n '2,${/^#/!q;s/^# \{0,1\}//;p}' "$1"; }

# The files that clang-format checks.
cxx_files() {
    local dirs=() dir
    for dir in src include tests bench examples python; do
        [[ -d $dir ]] && dirs+=("$dir")
    done
    find "${dirs[@]}" -type f \( -name '*.cpp' -o -name '*.hpp' \) -print0 | sort -z
}
