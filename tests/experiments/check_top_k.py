"""Checks the results of `experiments/top_k/run`: check_top_k.py ROOT/runs/top_k

Data: every label is a best choice, by trying all choices. Predictions: the saved networks are run here, and their
outputs judged; the shares must be those of the table. Learning: P(O) of the test examples is the probability of all
best choices together, and is summed over them here.
"""

import csv
import re
import sys
from itertools import combinations
from pathlib import Path

from judged_columns import check_column
from run_files import read_numbers, read_table
from saved_mlp import SavedMlp

COLUMNS = ["labels", "rules"]
CHOICES = [frozenset(some) for size in range(8) for some in combinations(range(10), size)]


class Example:
    def __init__(self, line, input_line):
        values, weights, chosen = (
            [int(word) for word in text.split(",")] for text in re.findall(r"\[(.*?)\]", line)
        )
        self.numbers, self.label = values, frozenset(chosen)
        assert len(values) == 10 and set(weights) == {2}
        assert [int(cell) for cell in input_line] == values, "the network's input is wrong"
        greatest = max(map(self.sum, CHOICES))
        self.best = [choice for choice in CHOICES if self.sum(choice) == greatest]
        assert self.label in self.best, "a label is not a best choice"

    def sum(self, choice):
        return sum(self.numbers[item] for item in choice)

    def judge(self, choice):
        return {
            "at most 7 items": len(choice) <= 7,
            "a best choice": choice in self.best,
            "label": choice == self.label,
        }


def read_examples(data):
    lines = (data / "generated/data.txt").read_text().splitlines()
    with open(data / "values.csv", newline="") as file:
        inputs = list(csv.reader(file))
    examples = [Example(*pair) for pair in zip(lines, inputs, strict=True)]
    parts = [read_numbers(data / f"{name}.rows") for name in ("train", "validation", "test")]
    assert sum(parts, []) == list(range(len(examples))), "the split leaves out rows, or has some twice"
    return [examples[row] for row in parts[2]]


def main():
    runs = Path(sys.argv[1])
    test = read_examples(runs.parent.parent / "data/top_k")
    table = read_table(runs / "table.md", COLUMNS)
    for column in COLUMNS:
        network = SavedMlp(runs / column / "in.pt", inputs=10)
        predictions, verdicts = check_column(network, column, test, table)
        if column == "rules":
            best = sum(verdict["a best choice"] for verdict in verdicts)
            assert len(set(predictions)) > 1 and best > 0, "the network has learned nothing from rules"
    print("top_k: data, predictions and probabilities agree")


if __name__ == "__main__":
    main()
