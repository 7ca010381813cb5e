#!/usr/bin/env bash
# Shows what the neurasp command does, on three small programs.
#
# usage: examples/run-tour.sh [path of the neurasp command]
set -euo pipefail

neurasp=$(command -v "${1:-neurasp}") || {
    echo "error: there is no command '${1:-neurasp}'; scripts/demo builds it" >&2
    exit 4
}
neurasp=$(realpath "$neurasp")
cd "$(dirname "${BASH_SOURCE[0]}")"

title() { printf '\n--- %s\n\n' "$1"; }

# Prints a command as a user would type it in examples/, then runs it.
show() {
    local word line='neurasp'
    for word in "$@"; do
        [[ $word =~ ^[A-Za-z0-9_./=-]+$ ]] || word="'$word'"
        line+=" $word"
    done
    printf '$ %s\n' "$line"
    "$neurasp" "$@"
}

# Reads atoms a(Row,Column,Number) and prints the board.
board() {
    { grep -oE 'a\([0-8],[0-8],[1-9]\)' || true; } | sort | tr -dc '0-9\n' | awk '
        { printf "%s%s", substr($0, 3, 1), substr($0, 2, 1) == 8 ? "\n" : " " }
        END { exit NR != 81 }'
}

title 'A coin shows heads with probability 0.1; heads wins (coin.lp)'
show prob coin.lp -q win -q 'not win'

title 'Two digits are read by a network; their sum is known to be 1 (digit_addition.lp)'
echo 'What is the probability of that sum, and which digits are they, most likely?'
show prob digit_addition.lp -p digit_addition.json -o ':- not addition(i1,i2,1).'
echo
show map digit_addition.lp -p digit_addition.json -o ':- not addition(i1,i2,1).'

title 'A Sudoku board is read by a network and solved (sudoku.lp)'
echo 'The network takes the 8 in the last row for a 3 (0.6 against 0.392), but the row has a 3 already.'
echo 'The most probable stable model reads it right and fills the empty cells:'
echo '$ neurasp map sudoku.lp -p sudoku.json      (its atoms a(Row,Column,Number), as a board)'
"$neurasp" map sudoku.lp -p sudoku.json | board
