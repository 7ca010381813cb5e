#!/usr/bin/env python3
"""Checks the results of `experiments/sudoku_image/run --tiny`: check_sudoku_image.py ROOT/runs/sudoku_image.

Independent of NeurASP and of the generator: puzzles are solved by a search of its own, pictures are compared with
their labels by the ink in each cell, and the reading that the program calls most probable is compared with all
boards that differ from it in one or two cells.
"""

import csv
import gzip
import itertools
import json
import math
import struct
import sys
from pathlib import Path


def fail(text):
    sys.exit(f"check_sudoku_image: {text}")


def clash(variant, a, b):
    """Whether two different cells cannot hold the same digit."""
    (r1, c1), (r2, c2) = divmod(a, 9), divmod(b, 9)
    if r1 == r2 or c1 == c2 or (r1 // 3, c1 // 3) == (r2 // 3, c2 // 3):
        return True
    if variant == "antiknight":
        return {abs(r1 - r2), abs(c1 - c2)} == {1, 2}
    if variant == "x":
        return (r1 == c1 and r2 == c2) or (r1 + c1 == 8 and r2 + c2 == 8)
    if variant == "offset":
        return (r1 % 3, c1 % 3) == (r2 % 3, c2 % 3)
    return False


def neighbours(variant):
    return [[b for b in range(81) if b != a and clash(variant, a, b)] for a in range(81)]


def solutions(board, around, most):
    """Up to `most` ways to fill the board; the cell with the fewest possible digits is filled first."""
    best, choices = None, range(10)
    for cell in range(81):
        if board[cell] == "0":
            used = {board[other] for other in around[cell]}
            left = [digit for digit in "123456789" if digit not in used]
            if len(left) < len(choices):
                best, choices = cell, left
    if best is None:
        return [board]
    found = []
    for digit in choices:
        found += solutions(board[:best] + digit + board[best + 1 :], around, most - len(found))
        if len(found) >= most:
            break
    return found


def check_puzzles(data, name):
    variant = name if name in ("antiknight", "x", "offset") else "classic"
    around = neighbours(variant)
    tables = sorted(data.glob(f"{name}-*.csv"))
    rows = [row for path in tables for row in csv.DictReader(open(path, newline=""))]
    if not rows:
        fail(f"no table of {name}")
    for row in rows:
        if not 28 <= 81 - row["puzzle"].count("0") <= 33:
            fail(f"{name} {row['idx']}: not about 30 givens")
        if solutions(row["puzzle"], around, 2) != [row["solution"]]:
            fail(f"{name} {row['idx']}: the solution is not the only one")
        if row["label"].replace("empty", "0").replace(" ", "") != row["puzzle"]:
            fail(f"{name} {row['idx']}: the label is not the puzzle")
    return rows


def check_ink(data, rows):
    """On a clean board the middle of a cell is white if and only if the cell is empty."""
    pixels = gzip.open(data / "clean-idx3-ubyte.gz").read()
    shape = struct.unpack(">3I", pixels[4:16])
    if shape != (len(rows), 250, 250) or len(pixels) != 16 + math.prod(shape):
        fail(f"clean pictures have the shape {shape}")
    for row in rows:
        start = 16 + 62500 * int(row["idx"])
        for cell, digit in enumerate(row["puzzle"]):
            top, left = round(250 / 9 * (cell // 9 + 0.5)), round(250 / 9 * (cell % 9 + 0.5))
            darkest = min(
                pixels[start + 250 * y + x]
                for y in range(top - 5, top + 6)
                for x in range(left - 5, left + 6)
            )
            if (darkest < 100) != (digit != "0"):
                fail(f"clean {row['idx']}: cell {cell} should show '{digit}'")


def read_answer(path):
    """For one board: log probabilities of each cell's outcomes, the most probable reading, the filled board, P."""
    answer = json.loads(path.read_text())
    cells = [answer["networks"][f"identify(img), event {cell}"] for cell in range(81)]
    if any(abs(sum(cell.values()) - 1) > 1e-4 or len(cell) != 10 for cell in cells):
        fail(f"{path}: the network's outputs are not distributions")
    logs = [
        {value.replace("empty", "0"): math.log(max(p, 1e-300)) for value, p in cell.items()}
        for cell in cells
    ]
    [model] = answer["models"]
    reading, filled = [None] * 81, [None] * 81
    for atom in model["atoms"]:
        first, second, third = atom[atom.index("(") + 1 : -1].split(",")
        if atom.startswith("identify("):
            reading[int(first)] = third.replace("empty", "0")
        else:
            filled[9 * int(first) + int(second)] = third
    return logs, "".join(reading), "".join(filled), model["probability"]


def check_reading(path):
    """Checks the most probable reading of one board: its probability, and that no similar reading is better.

    P of a model is the product of its outcomes, divided by the number of solutions that the reading has.
    """
    logs, reading, filled, probability = read_answer(path)
    around = neighbours("classic")

    def log_probability(board):
        product = math.fsum(logs[cell][board[cell]] for cell in range(81))
        clashes = any(board[c] != "0" and board[c] in {board[o] for o in around[c]} for c in range(81))
        ways = 0 if clashes else len(solutions(board, around, 1000))
        return product - math.log(ways) if ways else -math.inf

    if any(seen not in ("0", digit) for seen, digit in zip(reading, filled, strict=True)):
        fail(f"{path}: the solution is not one of what was read")
    if solutions(filled, around, 1) != [filled] or any(
        filled[cell] == filled[other] for cell in range(81) for other in around[cell]
    ):
        fail(f"{path}: a number repeats")
    best = log_probability(reading)
    if abs(best - math.log(probability)) > 1e-3:
        fail(f"{path}: P = {probability}, but it should be {math.exp(best)}")
    gains = [
        (logs[cell][value] - logs[cell][reading[cell]], cell, value)
        for cell in range(81)
        for value in logs[cell]
        if value != reading[cell]
    ]
    for changes in itertools.chain(zip(gains), itertools.combinations(gains, 2)):
        cells = {cell for _, cell, _ in changes}
        if sum(gain for gain, _, _ in changes) <= 1e-6 or len(cells) < len(changes):
            continue
        board = list(reading)
        for _, cell, value in changes:
            board[cell] = value
        if log_probability("".join(board)) > best + 1e-6:
            fail(f"{path}: a better reading changes {changes}")


def check_measures(runs):
    measured = sorted(runs.glob("*/*-solve.json"))
    names = {path.name.split("-")[0] for path in measured}
    if names != {"clean", "x", "offset"}:
        fail(f"only these were measured: {sorted(names)}")
    for path in measured:
        measure = json.loads(path.read_text())
        for name, value in measure["metrics"].items():
            boards = value * measure["examples"] * (81 if name.startswith("accuracy") else 1)
            if not 0 <= value <= 1 or abs(boards - round(boards)) > 1e-6:
                fail(f"{path}: '{name}' is {value}, which is not a share of {measure['examples']} boards")
        read = json.loads(path.with_name(path.name.replace("solve", "read")).read_text())["metrics"]
        solve = measure["metrics"]
        # A board that the network alone reads right is also the most probable one with rules, and has one solution.
        steps = [read["whole outputs of identify"], read["board"], solve["board"], solve["solution"]]
        if "not proven" not in read and "not proven" not in solve and steps != sorted(steps):
            fail(f"{path}: rules made it worse: {steps}")
        if path.name == "clean-solve.json" and solve["accuracy of identify"] < 0.9:
            fail(f"{path}: the network has learned nothing")
    table = (runs / "table.md").read_text()
    if not all(f"**{name}**" in table for name in names):
        fail("table.md lacks a part")


def main():
    runs = Path(sys.argv[1])
    data = runs.parent.parent / "data" / "sudoku_image"
    for name in ("clean", "varied", "antiknight", "x", "offset"):
        rows = check_puzzles(data, name)
        if name == "clean":
            check_ink(data, rows)
    check_reading(runs / "picture.json")
    check_measures(runs)
    if not (runs / "picture.svg").read_text().rstrip().endswith("</svg>"):
        fail("picture.svg is not complete")


if __name__ == "__main__":
    main()
