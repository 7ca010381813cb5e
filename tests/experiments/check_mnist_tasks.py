"""Checks the results of `experiments/mnist_tasks/run --tiny`: check_mnist_tasks.py ROOT/runs/mnist_tasks

Every row of every table is compared with the labels of its pictures, and the loss of the first batch with what brute
force says: an untrained network gives each outcome about the same probability, so P(O) is about the share of total
choices that satisfy the observation.
"""

import csv
import gzip
import itertools
import json
import math
import sys
from pathlib import Path

RUNS = Path(sys.argv[1]).resolve()
ROOT = RUNS.parents[1]
HASY = ROOT / "experiments/mnist_tasks/hasy"
ROWS, BATCH = 16, 16


def check(good, what):
    if not good:
        sys.exit(f"check_mnist_tasks: {what}")


def unpacked(path):
    return gzip.decompress(path.read_bytes())


DIGITS = unpacked(ROOT / "examples/data/mnist-subset-train-labels-idx1-ubyte.gz")[8:]
OPERATORS = unpacked(HASY / "operators-labels-idx1-ubyte.gz")[8:]
TEST = {int(line) for line in (HASY / "test.csv").read_text().split()[1:]}


def rows(task):
    with open(ROOT / f"data/mnist_tasks/tiny/{task}.csv", newline="") as file:
        return [{name: int(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def apply(operator, a, b):
    return (a + b, a - b, a * b)[operator]


# For each task: the pictures of a row, and whether outcomes for them fit the row.


def sum_fits(row, d):
    half = len(d) // 2
    return int("".join(map(str, d[:half]))) + int("".join(map(str, d[half:]))) == row["total"]


def grid_fits(row, d):
    return (d[0] + d[1], d[2] + d[3], d[0] + d[2], d[1] + d[3]) == tuple(row[n] for n in ("r1", "r2", "c1", "c2"))


def member_fits(row, d):
    return (row["d"] in d) == (row["l"] == 1)


def apply_fits(row, o):
    a, b, c = row["d1"], row["d2"], row["d3"]
    return (
        apply(o[1], apply(o[0], a, b), c) == row["r1"]
        and apply(o[3], apply(o[2], a, b), c) == row["r2"]
        and apply(o[2], apply(o[0], a, b), c) == row["c1"]
        and apply(o[3], apply(o[1], a, b), c) == row["c2"]
    )


def share(fits, row, pictures, outcomes):
    """The share of total choices that fit, by trying them all."""
    choices = itertools.product(range(outcomes), repeat=pictures)
    return sum(fits(row, choice) for choice in choices) / outcomes**pictures


def share_of_sum(row, pictures):
    """The same for long sums, by the number of ways to make each column's sum."""
    ways = {0: 1}
    for column in range(pictures // 2):
        longer = {}
        for known, count in ways.items():
            for a, b in itertools.product(range(10), repeat=2):
                total = known + (a + b) * 10**column
                longer[total] = longer.get(total, 0) + count
        ways = longer
    return ways[row["total"]] / 10**pictures


TASKS = {
    "mnistAdd2": (4, sum_fits),
    "mnistAdd3": (6, sum_fits),
    "add2x2": (4, grid_fits),
    "member3": (3, member_fits),
    "member5": (5, member_fits),
    "apply2x2": (4, apply_fits),
}


def check_task(task, pictures, fits):
    table = rows(task)
    check(len(table) == ROWS, f"{task} has {len(table)} rows")
    labels, outcomes = (OPERATORS, 3) if task == "apply2x2" else (DIGITS, 10)
    for number, row in enumerate(table):
        shown = [row[f"i{i}"] for i in range(1, pictures + 1)]
        check(fits(row, [labels[p] for p in shown]), f"{task}: row {number} is wrong")
        check(task != "apply2x2" or TEST.isdisjoint(shown), f"{task}: row {number} shows a test picture")
    if task.startswith("mnistAdd"):
        shown = [row[f"i{i}"] for row in table for i in range(1, pictures + 1)]
        check(len(set(shown)) == len(shown), f"{task} uses a picture twice")

    losses = []
    for row in table[:BATCH]:
        if fits is sum_fits:
            losses.append(-math.log(share_of_sum(row, pictures)))
        elif fits is member_fits:
            among = 1 - 0.9**pictures
            losses.append(-math.log(among if row["l"] else 1 - among))
        else:
            losses.append(-math.log(share(fits, row, pictures, outcomes)))
    expected = sum(losses) / len(losses)
    folder = RUNS / "tiny/seed-1" / task
    lines = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    first = next(entry for entry in lines if entry["event"] == "batch")
    check(first["batch"] == 1, f"{task}: the first record is of batch {first['batch']}")
    check(
        abs(first["loss"] - expected) < 0.06,
        f"{task} begins with a loss of {first['loss']:.3f}, not of about {expected:.3f}",
    )
    result = json.loads((folder / "test.json").read_text())
    check(result["examples"] == (len(TEST) if task == "apply2x2" else 1000), f"{task}: {result['examples']} tested")
    accuracy = next(value for name, value in result["metrics"].items() if name.startswith("accuracy"))
    line = next(line for line in (RUNS / "table.md").read_text().splitlines() if line.startswith(f"| {task} |"))
    check(f"| {100 * accuracy:.2f} |" in line, f"the table's line of {task} lacks {100 * accuracy:.2f}")


def check_operators():
    """Checks the numbers of pictures against the original, and that no test picture is also used for training."""
    images = unpacked(HASY / "operators-images-idx3-ubyte.gz")[16:]
    pictures = [images[begin : begin + 1024] for begin in range(0, len(images), 1024)]
    counts = tuple(OPERATORS.count(operator) for operator in range(3))
    check(counts == (90, 118, 1509) and len(pictures) == 1717, f"there are {counts} operators")
    check(set(images) == {0, 255}, "operators are not black and white")
    train = {picture for number, picture in enumerate(pictures) if number not in TEST}
    check(len(TEST) == 331 and all(pictures[number] not in train for number in TEST), "train and test overlap")


check_operators()
for name, (count, fits_row) in TASKS.items():
    check_task(name, count, fits_row)
