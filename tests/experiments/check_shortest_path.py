"""Checks the results of `experiments/shortest_path/run`: check_shortest_path.py ROOT/runs/shortest_path

Data: the listed paths are all shortest paths, the split is one. Predictions: the saved networks are run here, and
their outputs judged by counting on the grid; the shares must be those of the table. Learning: P(O) of the validation
examples, which rules and weak constraints define, is summed over all models here.
"""

import csv
import json
import sys
from pathlib import Path

import grid_models as grid
from run_files import read_numbers, read_table
from saved_mlp import SavedMlp, log_probability

COLUMNS = ["none", "p", "p-r-o", "p-r-o-nr"]
ROWS = ["p", "r", "nr", "p-r", "p-r-o-nr", "label"]


class Example:
    def __init__(self, line, input_line):
        cells = line.split(",")
        removed, ends, *self.listed = ([int(n) for n in cell.split("-")] for cell in cells)
        self.removed, self.ends = set(removed), tuple(sorted(ends))
        self.numbers = [float(cell) for cell in input_line]
        there = [path for path in grid.paths(*self.ends) if not path & self.removed]
        self.shortest = grid.cheapest(there, len)

    def check_data(self):
        assert set(map(frozenset, self.listed)) == set(self.shortest), "not all shortest paths are listed"
        assert len(self.removed) == 8
        expected = [edge not in self.removed for edge in range(24)]
        expected += [node in self.ends for node in range(16)]
        assert self.numbers == expected, "the network's input is wrong"

    def judge(self, edges):
        p, r = grid.is_p(edges, self.ends), grid.is_r(edges, self.ends)
        nr = not edges & self.removed
        return {
            "p": p,
            "r": r,
            "nr": nr,
            "p-r": p and r,
            "p-r-o-nr": edges in self.shortest,
            "label": edges == frozenset(self.listed[0]),
        }

    def models(self, column):
        if column == "p":
            return grid.p_models(*self.ends)
        return self.shortest if column == "p-r-o-nr" else grid.cheapest(grid.paths(*self.ends), len)


def read_examples(data):
    lines = (data / "generated/shortestPath.data").read_text().split()
    with open(data / "graphs.csv", newline="") as file:
        inputs = list(csv.reader(file))
    assert len(lines) == len(inputs)
    examples = [Example(*pair) for pair in zip(lines, inputs)]
    for example in examples:
        example.check_data()
    parts = {name: read_numbers(data / f"{name}.rows") for name in ("train", "validation", "test")}
    together = sorted(row for part in parts.values() for row in part)
    assert together == list(range(len(examples))), "the split leaves out rows, or has some twice"
    return {name: [examples[row] for row in part] for name, part in parts.items()}


def check_predictions(folder, column, test, table):
    network = SavedMlp(folder / "sp.pt", inputs=40)
    verdicts = []
    for example in test:
        scores = network.scores(example.numbers)
        verdicts.append(example.judge(frozenset(edge for edge in range(24) if scores[edge] > 0)))
    for row in ROWS:
        share = 100 * sum(verdict[row] for verdict in verdicts) / len(verdicts)
        assert abs(share - float(table[row][column])) < 0.06, f"{column}, {row}: {share} counted here"
    return sum(verdict["r"] != verdict["p"] for verdict in verdicts)


def check_learning(folder, column, validation):
    events = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    metrics = [event["metrics"] for event in events if event["event"] == "evaluation"][-1]
    network = SavedMlp(folder / "sp.pt", inputs=40)
    logs = [log_probability(network.scores(e.numbers), e.models(column)) for e in validation]
    mean = sum(logs) / len(logs)
    assert abs(mean - metrics["mean log P(O)"]) < 1e-3 * abs(mean), f"{column}: {mean} counted here"
    losses = [event["loss"] for event in events if event["event"] == "epoch"]
    assert losses[-1] < 0.8 * losses[0], f"{column}: the loss went from {losses[0]} to {losses[-1]}"


def main():
    runs = Path(sys.argv[1])
    grid.self_test()
    parts = read_examples(runs.parent.parent / "data/shortest_path")
    table = read_table(runs / "table.md", COLUMNS)
    assert set(ROWS) <= set(table), table.keys()
    telling = 0
    for column in COLUMNS:
        telling += check_predictions(runs / column, column, parts["test"], table)
        if column != "none":
            check_learning(runs / column, column, parts["validation"])
    assert telling > 0, "all predictions are alike, so this check shows nothing"
    print("shortest_path: data, predictions and probabilities agree")


if __name__ == "__main__":
    main()
