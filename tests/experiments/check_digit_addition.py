"""Checks the results of `experiments/digit_addition/run --tiny`: check_digit_addition.py ROOT/runs/digit_addition

Sums and pictures are made again from the data in ROOT/examples; what untrained networks lose and what digits imply for
sums is known without any of our code.
"""

import csv
import gzip
import json
import math
import struct
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

RUNS = Path(sys.argv[1]).resolve()
ROOT = RUNS.parents[1]
DATA = ROOT / "data/digit_addition/tiny"
SIZE = 28 * 28


def check(good, what):
    if not good:
        sys.exit(f"check_digit_addition: {what}")


def unpacked(name):
    return gzip.decompress((ROOT / "examples/data" / name).read_bytes())


def rows(split):
    with open(DATA / f"sums-{split}.csv", newline="") as file:
        return [tuple(int(row[name]) for name in ("a", "b", "sum")) for row in csv.DictReader(file)]


def events(method, kind):
    lines = (RUNS / "tiny/seed-1" / method / "log.jsonl").read_text().splitlines()
    return [entry for entry in map(json.loads, lines) if entry["event"] == kind]


def check_data():
    for split, count in (("train", 2000), ("test", 500)):
        labels = unpacked(f"mnist-subset-{split}-labels-idx1-ubyte.gz")[8:]
        images = unpacked(f"mnist-subset-{split}-images-idx3-ubyte.gz")[16:]
        pairs = (DATA / f"pairs-{split}-idx3-ubyte").read_bytes()
        table = rows(split)
        check(len(table) == count, f"{len(table)} pairs in {split}")
        check(struct.unpack(">4I", pairs[:16]) == (2051, count, 56, 28), f"head of the pictures of {split}")
        check(len(pairs) == 16 + count * 2 * SIZE, f"size of the pictures of {split}")
        for number, (a, b, total) in enumerate(table):
            check(labels[a] + labels[b] == total, f"{split}: {a} and {b} do not make {total}")
            begin = 16 + number * 2 * SIZE
            both = images[a * SIZE : (a + 1) * SIZE] + images[b * SIZE : (b + 1) * SIZE]
            check(pairs[begin : begin + 2 * SIZE] == both, f"{split}: picture {number} is not {a} above {b}")


def check_beginning():
    """An untrained network assigns about 1/10 to every digit, or about 1/19 to every sum as a class."""
    ways = [sum(1 for a in range(10) if 0 <= total - a <= 9) for total in range(19)]
    table = rows("train")
    expected = sum(-math.log(ways[total] / 100) for _, _, total in table) / len(table)
    first = events("rules", "batch")[0]["loss"]
    check(abs(first - expected) < 0.4, f"rules begin with a loss of {first:.3f}, not of about {expected:.3f}")
    first = events("cnn", "batch")[0]["loss"]
    check(abs(first - math.log(19)) < 0.2, f"the CNN begins with a loss of {first:.3f}, not of about ln 19")


def check_curves():
    digits, sums, baseline = [], [], []
    for entry in events("rules", "evaluation"):
        digits.append(entry["metrics"]["accuracy of digit"])
        sums.append(entry["metrics"]["sum"])
    for entry in events("cnn", "evaluation"):
        baseline.append(entry["metrics"]["accuracy of sum"])
    for method in ("rules", "cnn"):
        found = [entry["batch"] for entry in events(method, "evaluation")]
        check(found == list(range(25, 251, 25)), f"{method} was evaluated after the batches {found}")
    for digit, total in zip(digits, sums, strict=True):
        # A sum is wrong only if one of its digits is; two digits make a sum.
        check(total >= 1 - 2 * (1 - digit) - 1e-9, f"{digit} of digits are right, but only {total} of sums")
    check(digits[-1] > 0.8, f"only {digits[-1]} of digits are right")
    check(sums[-1] > baseline[-1] + 0.3, f"sums: {sums[-1]} by rules, {baseline[-1]} without")
    counts = [0] * 19
    for _, _, total in rows("test"):
        counts[total] += 1
    check(baseline[-1] > max(counts) / 500, "the CNN does not beat the most frequent sum")
    return digits[-1], sums[-1], baseline[-1]


def check_report(digits, sums, baseline):
    picture = ElementTree.parse(RUNS / "curve.svg").getroot()
    lines = [line.get("points").split() for line in picture.iter("{http://www.w3.org/2000/svg}polyline")]
    check([len(line) for line in lines] == [10, 10, 10], "the picture has not three lines of ten points")
    table = (RUNS / "table.md").read_text()
    for row in (
        f"| digits right, % | {100 * digits:.2f} |",
        f"| sums right, % | {100 * sums:.2f} | {100 * baseline:.2f} |",
    ):
        check(row in table, f"the table lacks '{row}'")


check_data()
check_beginning()
check_report(*check_curves())
