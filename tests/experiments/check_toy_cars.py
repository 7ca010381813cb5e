#!/usr/bin/env python3
"""Compares the results of experiments/toy_cars/run with probabilities summed here over all labellings.

usage: check_toy_cars.py RUNS

RUNS is .../runs/toy_cars. The rules are evaluated here in plain Python, for every way to label the boxes; nothing of
the experiment is used but the detector's output.
"""

import itertools
import json
import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

from expectations import close, expect, mistakes

LABELS = ["car", "cat", "person", "truck", "other"]
# cat < person < car, truck; by transitivity also cat < car, truck.
SMALLER = {("cat", "person"), ("person", "car"), ("person", "truck"), ("cat", "car"), ("cat", "truck")}
# Known from a computation older than this program, for the paper's two pictures.
KNOWN = {"toy(i1,b0)": 0.96885, "toy(i1,b2)": 0.79942}
SVG = "{http://www.w3.org/2000/svg}"


def boxes_of(picture):
    """Name, corners and probabilities of LABELS of each box that is kept."""
    kept = [found for found in picture["detections"] if found.get("kept") is not False]
    boxes = []
    for number, found in enumerate(kept):
        scores = found.get("p_norm")
        if scores is None:
            scores = {found["label"]: found["class_conf"]}
            rest = 1 - found["class_conf"]
            scores["other"] = scores.get("other", 0) + rest
        named = [scores.get(label, 0) for label in LABELS[:-1]]
        row = named + [sum(scores.values()) - sum(named)]
        boxes.append((found.get("id", f"b{number}"), found["box_px"], [p / sum(row) for p in row]))
    return boxes


def toys_of(boxes, labels):
    """The toys among boxes with these labels. Pairs of boxes are pairs of their numbers."""
    pairs = list(itertools.permutations(range(len(boxes)), 2))
    area = [(x2 - x1) * (y2 - y1) for _, (x1, y1, x2, y2), _ in boxes]
    bottom = [corners[3] for _, corners, _ in boxes]
    not_smaller = {(b, a) for a, b in pairs if bottom[a] >= bottom[b] and area[a] < area[b]}
    smaller = {(a, b) for b, a in not_smaller}
    smaller |= {(a, b) for a, b in pairs if (labels[a], labels[b]) in SMALLER and (a, b) not in not_smaller}
    return {a for a, b in smaller if (labels[b], labels[a]) in SMALLER}


def brute_force(boxes):
    """P(toy) of each box; the most probable labelling with its toys, and the lead over the next one."""
    toy = [0.0] * len(boxes)
    ranking = []
    for labels in itertools.product(LABELS, repeat=len(boxes)):
        probability = 1.0
        for (_, _, row), label in zip(boxes, labels):
            probability *= row[LABELS.index(label)]
        toys = toys_of(boxes, labels)
        for number in toys:
            toy[number] += probability
        ranking.append((probability, labels, toys))
    ranking.sort(key=lambda entry: -entry[0])
    lead = ranking[0][0] - ranking[1][0] if len(ranking) > 1 else 1.0
    return toy, ranking[0], lead


def check_answers(folder, image, picture):
    """Compares the answers about one picture; returns P(toy) of its boxes."""
    boxes = boxes_of(picture)
    toy, (probability, labels, toys), lead = brute_force(boxes)
    marginals = json.loads((folder / f"{image}.marginals.json").read_text())
    best = json.loads((folder / f"{image}.map.json").read_text())["models"][0]
    expect(len(marginals["variables"]) == len(boxes), f"{image}: not one random variable for each box")
    expected = set()
    for number, (name, _, row) in enumerate(boxes):
        atom = f"toy({image},{name})"
        found = marginals["atoms"].get(atom, 0.0)
        expect(close(found, toy[number]), f"P({atom}) = {found}, expected {toy[number]}")
        for label, share in zip(LABELS, row):
            found = marginals["atoms"].get(f"label(1,{image},{name},{label})")
            expect(close(found, share), f"{image} {name} {label}: {found}, expected {share}")
        expected.add(f"label(1,{image},{name},{labels[number]})")
        if number in toys:
            expected.add(atom)
    expect(close(best["probability"], probability), f"{image}: most probable {best['probability']}, not {probability}")
    if lead > 1e-12:
        expect(set(best["atoms"]) == expected, f"{image}: most probable {best['atoms']}, expected {sorted(expected)}")
    return {name: share for (name, _, _), share in zip(boxes, toy)}


def check_drawing(runs, image, toys):
    path = runs / f"{image}.svg"
    root = xml.parse(path).getroot()
    frames = [part for part in root.iter(f"{SVG}rect") if part.get("stroke")]
    expect(len(frames) == len(toys), f"{path}: {len(frames)} frames, expected {len(toys)}")
    texts = [part.text for part in root.iter(f"{SVG}text")]
    said = sorted(text for text in texts if re.fullmatch(r"toy 0\.\d\d|toy 1\.00", text))
    expected = sorted(f"toy {share:.2f}" for share in toys.values() if share >= 0.5)
    expect(said == expected, f"{path}: says {said}, expected {expected}")
    committed = runs.parent.parent / "experiments" / "toy_cars" / f"{image}.svg"
    if root.find(f"{SVG}image") is None:
        expect(committed.read_bytes() == path.read_bytes(), f"{path} differs from {committed}: put the new one there")


def check_table(runs, toys):
    table = (runs / "table.md").read_text()
    rows = re.findall(r"^\| (i\d) \| (b\d) \| \w+ \| \S+ \| (\S+) \| (toy|no toy) \|", table, re.M)
    found = {f"toy({image},{box})": share for image, box, share, _ in rows}
    expect(found == {atom: f"{share:.5f}" for atom, share in toys.items()}, f"the table says {found}")
    said = {f"toy({image},{box})" for image, box, _, conclusion in rows if conclusion == "toy"}
    expect(said == set(KNOWN), f"toys in the table are {said}, expected {set(KNOWN)}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    runs = Path(sys.argv[1]).resolve()
    source = runs.parent.parent / "experiments" / "toy_cars" / "detections.json"
    toys = {}
    for image, picture in json.loads(source.read_text())["images"].items():
        shares = check_answers(runs, image, picture)
        check_drawing(runs, image, shares)
        toys.update({f"toy({image},{name})": share for name, share in shares.items()})
    for atom, share in KNOWN.items():
        expect(close(toys[atom], share, 5e-6), f"P({atom}) = {toys[atom]} here, {share} is known")
    check_table(runs, toys)
    made_up = json.loads((runs / "made_up" / "detections.json").read_text())["images"]
    shares = [share for image in made_up for share in check_answers(runs / "made_up", image, made_up[image]).values()]
    expect(len(made_up) >= 10, "too few made-up pictures")
    expect(any(0.01 < share < 0.99 for share in shares), "no made-up picture leaves a doubt")
    for mistake in mistakes:
        print(f"check_toy_cars: {mistake}", file=sys.stderr)
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
