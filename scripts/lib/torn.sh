# The test picture that a digit reader, just trained, cannot decide about; training is not the same to the last
# bit on every machine, so a picture that was chosen once might be plain to the next network. Needs common.sh.
# shellcheck shell=bash

TORN_IMAGES=examples/data/mnist-subset-test-images-idx3-ubyte.gz
TORN_PAIRS=examples/addition/sums-test.csv
TORN_SIDE=28 # pixels

# Reads `predict --split test --format json`, which has an example a line, and prints the rows of the pictures whose most
# probable digit is closest to 1/2, the best first. That is where two digits share nearly everything.
candidate_rows() {
    local csv=$1
    sed -nE 's/.*"name":"[^"]*:([0-9]+)".*"digit\(i1\)":\{"outcomes":"[^"]*","probability":([0-9.e-]+).*"digit\(i2\)":\{"outcomes":"[^"]*","probability":([0-9.e-]+).*/\1 \2 \3/p' |
        awk -v FS='[ ,]' -v csv="$csv" '
            BEGIN {
                while ((getline line < csv) > 0) pair[++lines] = line
                split(pair[1], names, ",")
                for (i in names) column[names[i]] = i
            }
            function gap(p) { return p > 0.5 ? p - 0.5 : 0.5 - p }
            { split(pair[$1], cells, ","); print gap($2), cells[column["a"]]; print gap($3), cells[column["b"]] }' |
        sort -g | awk '!seen[$2]++ { print $2 }'
}

# extract_picture IMAGES ROW FILE: one picture of an IDX file with many, as an IDX file. In blocks of 16 bytes the header is
# one and a picture is 49.
extract_picture() {
    {
        printf '\0\0\10\3\0\0\0\1\0\0\0\34\0\0\0\34'
        dd if="$1" bs=16 skip=$((1 + $2 * 49)) count=49 status=none
    } >"$3"
}

# print_picture FILE: the picture in characters, two for each pixel.
print_picture() {
    od -An -v -tu1 -w$TORN_SIDE -j16 "$1" | awk '{
        line = ""
        for (i = 1; i <= NF; ++i) line = line ($i > 170 ? "##" : $i > 85 ? "++" : $i > 25 ? ".." : "  ")
        sub(/ +$/, "", line)
        if (line != "") print "        " line
    }'
}

# find_torn_picture COMMAND EXPERIMENT: sets torn_picture (a file), torn_first and torn_second (digits).
find_torn_picture() {
    local command=$1 experiment=$2 row rows reading best=2 gap first p second q
    local folder=runs/addition
    torn_picture=$folder/torn-idx3-ubyte
    rows=$("$command" predict "$experiment" --split test --format json | candidate_rows "$TORN_PAIRS")
    zcat "$TORN_IMAGES" >"$folder/test-images"
    # The most probable digit alone does not say how close the second is; a few candidates are enough.
    while read -r row; do
        extract_picture "$folder/test-images" "$row" "$torn_picture.new"
        reading=$("$command" predict "$experiment" --input "i1=$torn_picture.new" \
            --input "i2=$torn_picture.new" --format json)
        read -r first p second q < <(sed -nE \
            's/.*"digit\(i2\)": *\{"([0-9])":([0-9.e-]+),"([0-9])":([0-9.e-]+).*/\1 \2 \3 \4/p' <<<"$reading") || continue
        gap=$(awk -v p="$p" -v q="$q" 'BEGIN { print p - q }')
        if awk -v a="$gap" -v b="$best" 'BEGIN { exit !(a < b) }'; then
            best=$gap torn_first=$first torn_second=$second
            mv "$torn_picture.new" "$torn_picture"
        fi
    done < <(head -n 8 <<<"$rows")
    rm -f "$torn_picture.new" "$folder/test-images"
    [[ -n ${torn_first:-} ]] || fail 1 "no picture was found that the network is torn about"
}
