#!/usr/bin/env python3
"""Checks the results of experiments/mvpp/run: the paper's numbers, sums of digits, and learned probabilities.

usage: check_mvpp.py RUNS

RUNS is .../runs/mvpp. Learned probabilities must maximise a likelihood that is written down here without rules.
"""

import csv
import json
import math
import re
import sys
from pathlib import Path

from expectations import close, expect, mistakes


def read_json(path):
    return json.loads(path.read_text())


def seen(data, name):
    with open(data / f"{name}.csv", newline="") as file:
        return [row[0] for row in csv.reader(file)][1:]


def check_coin(runs):
    """Appendix A: two stable models, of 0.1 and 0.9, and P(O) = 0.9."""
    models = {frozenset(m["atoms"]): m["probability"] for m in read_json(runs / "coin.models.json")["models"]}
    expect(set(models) == {frozenset(["head", "win"]), frozenset(["-head", "-win"])}, f"coin: models {models}")
    expect(close(models.get(frozenset(["head", "win"])), 0.1), f"coin: {models}")
    expect(close(models.get(frozenset(["-head", "-win"])), 0.9), f"coin: {models}")
    expect(close(read_json(runs / "coin.prob.json")["probability"], 0.9), "coin: P(O) is not 0.9")


def check_digits(data, runs):
    """Sums of two digits, by the neural rule and by probabilistic rules, against the sum over all pairs."""
    first, second = (rows[0] for rows in read_json(data / "digits.json")["digit"].values())
    expected = {}
    for a, p in enumerate(first):
        expected[f"addition(d1,d1,{2 * a})"] = p
        for b, q in enumerate(second):
            for pair in ("d1,d2", "d2,d1"):
                atom = f"addition({pair},{a + b})"
                expected[atom] = expected.get(atom, 0) + p * q
    for b, q in enumerate(second):
        expected[f"addition(d2,d2,{2 * b})"] = q
    for name in ("digits", "digits_mvpp"):
        atoms = {atom: p for atom, p in read_json(runs / f"{name}.json")["atoms"].items() if atom.startswith("add")}
        expect(expected.keys() <= atoms.keys(), f"{name}: missing {expected.keys() - atoms.keys()}")
        for atom, found in atoms.items():  # a picture's sum with itself is even
            expect(close(found, expected.get(atom, 0)), f"{name}: P({atom}) = {found}, not {expected.get(atom, 0)}")


def learned(runs, name):
    rules = read_json(runs / name / "rules.json")
    for rule in rules:
        expect(close(sum(rule["probabilities"]), 1), f"{name}: {rule} is not a distribution")
    return {atom: p for rule in rules for atom, p in zip(rule["atoms"], rule["probabilities"])}


def last_loss(runs, name):
    """The loss of the last epoch, which is minus the mean of log P(O) before its step."""
    events = [json.loads(line) for line in (runs / name / "log.jsonl").read_text().splitlines()]
    return [event["loss"] for event in events if event["event"] == "epoch"][-1]


def check_frequencies(data, runs):
    flips, throws = seen(data, "coin"), seen(data, "die")
    heads, found = flips.count("win") / len(flips), learned(runs, "coin")["head"]
    expect(close(found, heads, 1e-4), f"coin: head {found}, {heads} of the flips")
    for side in "1234":
        share, found = throws.count(side) / len(throws), learned(runs, "die")[f"die({side})"]
        expect(close(found, share, 1e-4), f"die: side {side} {found}, {share} of the throws")


def check_alarm(data, runs):
    """No alarm has probability (1 - b) * 0.8, so the likelihood is greatest where that is the share of quiet nights."""
    nights = seen(data, "alarm")
    quiet = nights.count("not alarm") / len(nights)
    expect(quiet < 0.79, "alarm: the data leave no doubt about burglaries")
    found = learned(runs, "alarm")
    expect(close(found["burglary"], 1 - quiet / 0.8, 1e-4), f"alarm: {found}, expected {1 - quiet / 0.8}")
    expect(set(found) == {"burglary", "-burglary"}, f"alarm: a fixed rule was learned: {found}")


def mixture_loss(heads, parameters):
    """Minus the mean log-likelihood of numbers of heads in five tosses of a coin chosen at random."""
    take, a, b = parameters
    if not all(0 < p < 1 for p in parameters):
        return math.inf
    total = 0.0
    for k in heads:
        total += math.log(
            math.comb(5, k) * (take * a**k * (1 - a) ** (5 - k) + (1 - take) * b**k * (1 - b) ** (5 - k))
        )
    return -total / len(heads)


def descend(loss, point):
    """Goes downhill along the axes and the last direction, with smaller and smaller steps (Hooke and Jeeves)."""

    def probe(base, value, step):
        for axis in range(len(base)):
            for sign in (1, -1):
                trial = base[:axis] + [base[axis] + sign * step] + base[axis + 1 :]
                at_trial = loss(trial)
                if at_trial < value:
                    base, value = trial, at_trial
                    break
        return base, value

    step, value = 0.05, loss(point)
    while step > 1e-6:
        near, lower = probe(point, value, step)
        if lower >= value:
            step /= 2
            continue
        while lower < value:
            ahead = [2 * new - old for new, old in zip(near, point)]
            point, value = near, lower
            near, lower = probe(ahead, loss(ahead), step)
    return point, value


def check_mixture(data, runs):
    counts = [int(k) for k in seen(data, "mixture")]
    # The likelihood depends only on how often each number occurs, so six weighted numbers replace all rows.
    shares = [counts.count(k) / len(counts) for k in range(6)]

    def loss(parameters):
        return sum(share * mixture_loss([k], parameters) for k, share in enumerate(shares) if share)

    best, least = descend(loss, [0.5, 0.6, 0.4])
    found = learned(runs, "mixture")
    mine = [found["coin(a)"], found["side(a,1,head)"], found["side(b,1,head)"]]
    expect(all(close(p, q, 2e-3) for p, q in zip(mine, best)), f"mixture: {mine}, expected {best}")
    expect(loss(mine) <= least + 1e-6, f"mixture: loss {loss(mine)}, {least} is possible")
    expect(close(last_loss(runs, "mixture"), least, 1e-5), f"mixture: the log says {last_loss(runs, 'mixture')}")


def check_table(runs):
    rows = re.findall(r"^\| (\w+) \| `.*\| (\S+) \| [\w ]+ \| (\S+) \| \S+ \|$", (runs / "table.md").read_text(), re.M)
    expect(len(rows) == 9, f"the table has {len(rows)} rows of learned probabilities, expected 9")
    for name, best, found in rows:
        expect(close(float(best), float(found), 2e-3), f"table: {name} learned {found}, most likely {best}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    runs = Path(sys.argv[1]).resolve()
    data = runs.parent.parent / "data" / "mvpp"
    check_coin(runs)
    check_digits(data, runs)
    check_frequencies(data, runs)
    check_alarm(data, runs)
    check_mixture(data, runs)
    check_table(runs)
    for mistake in mistakes:
        print(f"check_mvpp: {mistake}", file=sys.stderr)
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
