# Debian packages: which purpose needs which, and how they are installed. Needs common.sh.
# shellcheck shell=bash

# For each purpose, lines of a package and why it is needed.
declare -A PACKAGES=(
    [build]='
g++                 compiles the library and the command
cmake               describes the build
ninja-build         runs it
ccache              makes the second build quick
gringo              contains libclingo, which grounds and solves, and the clingo command for the tests
libcli11-dev        reads the command line
nlohmann-json3-dev  reads and writes JSON
libtomlplusplus-dev reads experiment files
libfmt-dev          formats text
zlib1g-dev          unpacks gzip files and NumPy archives
libpng-dev          reads PNG pictures
libjpeg-dev         reads JPEG pictures'
    [torch]='
libtorch-dev          runs and trains the networks
libopenblas0-pthread  makes their matrix products quick'
    [bench]='
python3             runs the benchmarks and draws their pictures'
    [experiments]='
python3             makes data, tables and pictures
python3-pil         draws boards
fonts-liberation    draws their digits'
    [python]='
python3             runs the Python package
python3-dev         holds the headers that its core is compiled with
python3-venv        makes a virtual environment for it
pybind11-dev        joins C++ and Python
python3-torch       runs and trains the networks
python3-numpy       turns network outputs into arrays'
    [notebooks]='
python3-ipykernel   runs the cells of notebooks
python3-nbclient    executes notebooks and stores what they show
python3-matplotlib  draws their pictures
graphviz            draws their circuits'
    [test]='
libgtest-dev        runs the unit tests
libgmock-dev        provides their matchers
clang-format        checks the format of the code
python3-pytest      runs the tests of the Python package
python3-jsonschema  checks its answers against docs/schema
python3-pandas      takes its answers as tables
mypy                checks its type hints'
    [wheel]='
curl                downloads the source package of clingo
libpng-dev          is put into the wheel, with its licence
libjpeg62-turbo-dev is put into the wheel, with its licence'
    [lint]='
clang-tidy          looks for likely mistakes in the code'
    [fuzz]='
clang               compiles the fuzz targets
libclang-rt-14-dev  contains libFuzzer'
)

is_installed() {
    [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null) == ii* ]]
}

# ensure_packages PURPOSE...: installs the packages that are missing for these purposes. Fetches package lists
# only if something is missing, so it is quick the second time.
ensure_packages() {
    local purpose package why missing=() reasons=''
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "apt is not available; assuming that these packages (Debian names) are installed:"
        for purpose in "$@"; do
            awk 'NF { print "    " $0 }' <<<"${PACKAGES[$purpose]}"
        done
        return
    fi

    for purpose in "$@"; do
        while read -r package why; do
            if [[ -z $package ]] || is_installed "$package"; then continue; fi
            missing+=("$package")
            reasons+=$(printf '    %-22s%s' "$package" "$why")$'\n'
        done <<<"${PACKAGES[$purpose]}"
    done
    ((${#missing[@]})) || return 0

    say "These Debian packages are missing; apt will install them:"
    printf '%s' "$reasons"
    install_packages "${missing[@]}"
}

install_packages() {
    local by=() line="apt-get install --no-install-recommends $*"
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail 4 "nothing can be installed without root or sudo. As root, run:
    apt-get update && $line"
        by=(sudo)
        # Without a terminal, no password can be typed.
        [[ -t 0 ]] || by+=(-n)
    fi
    by+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)

    # Old package lists may be enough, so go on after a failure.
    "${by[@]}" update || say "apt-get update failed; trying with the existing package lists."
    "${by[@]}" install -y --no-install-recommends "$@" ||
        fail 4 "apt could not install the packages. To see why, run this as root:
    apt-get update && $line"
}
