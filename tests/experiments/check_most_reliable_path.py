"""Checks the results of `experiments/most_reliable_path/run`: check_most_reliable_path.py ROOT/runs/most_reliable_path

Data: every label is a most reliable path, by multiplying reliabilities. Predictions: the saved networks are run here,
and their outputs judged by counting on the grid; the shares must be those of the table. Learning: P(O) of the test
examples is the probability of all most reliable paths together, and is summed over them here.
"""

import csv
import math
import sys
from pathlib import Path

import grid_models as grid
from judged_columns import check_column
from run_files import read_numbers, read_table
from saved_mlp import SavedMlp

COLUMNS = ["labels", "rules"]


class Example:
    def __init__(self, line, input_line):
        numbers = [float(word) for word in line.split()]
        self.ends = tuple(sorted(int(end) for end in numbers[:2]))
        self.reliabilities = numbers[2:26]
        self.label = frozenset(edge for edge, bit in enumerate(numbers[26:]) if bit)
        self.numbers = [float(cell) for cell in input_line]
        paths = grid.paths(*self.ends)
        best = max(map(self.reliability, paths))
        self.best = [path for path in paths if math.isclose(self.reliability(path), best)]

    def reliability(self, path):
        return math.prod(self.reliabilities[edge] for edge in path)

    def check_data(self):
        assert self.label in self.best, "a label is not a most reliable path"
        ends = [float(node in self.ends) for node in range(16)]
        assert self.numbers == self.reliabilities + ends, "the network's input is wrong"

    def judge(self, edges):
        return {
            "a path": edges in grid.paths(*self.ends),
            "a most reliable path": edges in self.best,
            "label": edges == self.label,
        }


def read_examples(data):
    lines = (data / "generated/data.txt").read_text().splitlines()
    with open(data / "graphs.csv", newline="") as file:
        inputs = list(csv.reader(file))
    assert len(lines) == len(inputs)
    examples = [Example(*pair) for pair in zip(lines, inputs)]
    for example in examples:
        example.check_data()
    parts = [read_numbers(data / f"{name}.rows") for name in ("train", "validation", "test")]
    assert sum(parts, []) == list(range(len(examples))), "the split leaves out rows, or has some twice"
    return [examples[row] for row in parts[0]], [examples[row] for row in parts[2]]


def check_learned(network, train):
    """So few grids can be memorised: without any label, the network must find best paths of many of them."""
    found = 0
    for example in train:
        scores = network.scores(example.numbers)
        found += frozenset(i for i, score in enumerate(scores) if score > 0) in example.best
    assert found > len(train) / 6, f"a best path of only {found} of {len(train)} training examples"


def main():
    runs = Path(sys.argv[1])
    grid.self_test()
    train, test = read_examples(runs.parent.parent / "data/most_reliable_path")
    table = read_table(runs / "table.md", COLUMNS)
    networks = {column: SavedMlp(runs / column / "mrp.pt", inputs=40) for column in COLUMNS}
    for column, network in networks.items():
        check_column(network, column, test, table)
    check_learned(networks["rules"], train)
    print("most_reliable_path: data, predictions and probabilities agree")


if __name__ == "__main__":
    main()
