"""Checks the results of `experiments/sudoku_solving/run --tiny`: check_sudoku_solving.py ROOT/runs/sudoku_solving

Boards: a solver of our own finds exactly one solution of each puzzle, the listed one; the files that the networks read
say the same. Learning: a puzzle has one solution, so P(O) is the product of 81 probabilities. The loss of rules is 81
times that of labels, in every epoch of runs that differ in nothing else, and that of observed solutions. Predictions: a
saved network is run here, once and one by one, and the accuracies must be those of the log.
"""

import array
import csv
import json
import math
import re
import sys
import zipfile
from pathlib import Path

RUNS = ["few", "labels", "rules", "park-labels", "park-rules", "original-labels"]
RUNS += ["original-observed", "original-rules"]
PEERS = [
    [d for d in range(81) if d != c and (d // 9 == c // 9 or d % 9 == c % 9 or box(d) == box(c))]
    for box in [lambda c: (c // 27, c % 9 // 3)]
    for c in range(81)
]


def solutions(board, most=2):
    """Up to `most` solutions; the blank cell with the fewest digits left is tried first."""
    blanks = [c for c in range(81) if board[c] == 0]
    if not blanks:
        return [list(board)]
    left = {c: set(range(1, 10)) - {board[d] for d in PEERS[c]} for c in blanks}
    cell = min(blanks, key=lambda c: len(left[c]))
    found = []
    for digit in left[cell]:
        board[cell] = digit
        found += solutions(board, most - len(found))
        board[cell] = 0
        if len(found) >= most:
            break
    return found


def read_table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def check_boards(data):
    """The test boards, as pairs of lists of digits."""
    for name, tables in (("train", ["train", "puzzles"]), ("test", ["test"])):
        numbers = (data / f"{name}.idx").read_bytes()
        assert numbers[:4] == bytes([0, 0, 8, 3]) and numbers[8:16] == bytes([0, 0, 0, 9] * 2)
        boards = [list(numbers[i : i + 81]) for i in range(16, len(numbers), 81)]
        listed = [line.split(",") for line in (data / f"seed-1/{name}.csv").read_text().split()]
        assert boards == [[int(d) for d in puzzle] for puzzle, _ in listed]
        for board, (_, solution) in zip(boards, listed, strict=True):
            assert solutions(board) == [[int(d) for d in solution]], "not the only solution"
            assert 23 <= 81 - board.count(0) <= 45
        for table in tables:
            for row, board, pair in zip(read_table(data / f"{table}.csv"), boards, listed, strict=True):
                assert row["puzzle"] == pair[0]
                assert row["solution"] == ("" if table == "puzzles" else pair[1])
                if "givens" in row:
                    assert row["givens"] == " ".join(f":- not sol({c},img,{d})." for c, d in enumerate(board) if d)
                if "cells" in row:
                    assert row["cells"] == " ".join(f":- not sol({c},img,{d})." for c, d in enumerate(pair[1]))
    return [tuple([int(d) for d in text] for text in pair) for pair in listed]


class SavedCnn:
    """Convolutions of 3 x 3 with relu on one channel for each number from 0 to 9, then one of 1 x 1."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            root = archive.namelist()[0].split("/")[0]
            count = sum(name.startswith(f"{root}/data/") for name in archive.namelist())
            parts = [self.floats(archive.read(f"{root}/data/{i}")) for i in range(count)]
        self.layers = list(zip(parts[::2], parts[1::2], strict=True))

    @staticmethod
    def floats(data):
        numbers = array.array("f", data)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers.tolist()

    @staticmethod
    def convolve(channels, weights, biases, kernel):
        reach, result = kernel // 2, []
        for out, bias in enumerate(biases):
            image = [bias] * 81
            for i, channel in enumerate(channels):
                for y in range(-reach, reach + 1):
                    for x in range(-reach, reach + 1):
                        weight = weights[((out * len(channels) + i) * kernel + y + reach) * kernel + x + reach]
                        for row in range(max(0, -y), min(9, 9 - y)):
                            for column in range(max(0, -x), min(9, 9 - x)):
                                image[9 * row + column] += weight * channel[9 * (row + y) + column + x]
            result.append(image)
        return result

    def probabilities(self, board):
        channels = [[float(digit == number) for digit in board] for number in range(10)]
        for weights, biases in self.layers[:-1]:
            channels = self.convolve(channels, weights, biases, 3)
            channels = [[max(0.0, number) for number in channel] for channel in channels]
        scores = self.convolve(channels, *self.layers[-1], 1)
        return [self.softmax([channel[c] for channel in scores]) for c in range(81)]

    @staticmethod
    def softmax(scores):
        powers = [math.exp(score - max(scores)) for score in scores]
        return [power / sum(powers) for power in powers]

    def at_once(self, board):
        return [1 + row.index(max(row)) for row in self.probabilities(board)]

    def one_by_one(self, board):
        board = list(board)
        while 0 in board:
            rows = self.probabilities(board)
            cell = max((c for c in range(81) if board[c] == 0), key=lambda c: max(rows[c]))
            board[cell] = 1 + rows[cell].index(max(rows[cell]))
        return board


def read_log(folder):
    entries = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    losses = [entry["loss"] for entry in entries if entry["event"] == "epoch"]
    return losses, [entry["metrics"] for entry in entries if entry["event"] == "evaluation"][-1]


def check_predictions(folder, boards):
    network = SavedCnn(folder / "sol.pt")
    metrics = read_log(folder)[1]
    for prefix, solve in (("", network.at_once), ("one by one: ", network.one_by_one)):
        right = [[a == b for a, b in zip(solve(puzzle), solution)] for puzzle, solution in boards]
        accuracy = sum(map(sum, right)) / (81 * len(right))
        whole = sum(map(all, right)) / len(right)
        # one cell may differ if two outcomes are equally probable up to rounding
        assert abs(metrics[f"{prefix}accuracy of sol"] - accuracy) <= 0.02, (prefix, accuracy, metrics)
        assert abs(metrics[f"{prefix}whole outputs of sol"] - whole) <= 1e-9, (prefix, whole, metrics)


def check_losses(runs):
    for labels, rules in (("labels", "rules"), ("park-labels", "park-rules"), ("original-labels", "original-rules")):
        pairs = list(zip(read_log(runs / labels)[0], read_log(runs / rules)[0], strict=True))
        assert len(pairs) >= 2 and pairs[0][0] > pairs[-1][0], f"{labels}: nothing is learned"
        for supervised, semantic in pairs:
            assert abs(semantic / supervised / 81 - 1) < 1e-3, (labels, supervised, semantic)
    observed, rules = read_log(runs / "original-observed")[0], read_log(runs / "original-rules")[0]
    for a, b in zip(observed, rules, strict=True):
        assert abs(a / b - 1) < 1e-6, "observing the solution differs from finding it by rules"


def main():
    runs = Path(sys.argv[1])
    seed = runs / "tiny/seed-1"
    boards = check_boards(runs.parents[1] / "data/sudoku_solving/tiny")
    check_losses(seed)
    check_predictions(seed / "original-rules", boards)
    rows = (runs / "table.md").read_text().splitlines()
    assert len(rows) == 2 + len(RUNS)
    for row, run in zip(rows[2:], RUNS, strict=True):
        shown = [float(cell) for cell in re.findall(r"\| (\d+\.\d)(?= \|)", row)][:4]
        metrics = list(read_log(seed / run)[1].values())
        assert all(abs(a - 100 * b) <= 0.051 for a, b in zip(shown, metrics, strict=True)), (row, metrics)


if __name__ == "__main__":
    main()
