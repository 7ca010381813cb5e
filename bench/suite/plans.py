"""Observations of three kinds, many of each, for plan_bench: sums as constraints, ends of a path as facts, givens of
a Sudoku as constraints."""

import itertools
import random

from processes import json_lines

SUM_RULES = """\
nn(d(1,X,I),[0,1,2,3,4,5,6,7,8,9]) :- X=(a;b), I=0..3.
carry(0,0).
s(I,(A+B+C)\\10) :- d(0,a,I,A), d(0,b,I,B), carry(I,C).
carry(I+1,(A+B+C)/10) :- d(0,a,I,A), d(0,b,I,B), carry(I,C).
"""
PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def sums(count):
    """Sums of two numbers of four digits, spread over all possible sums."""
    for total in range(0, 19999, 19999 // count + 1):
        digits = [f":- not s({i},{total // 10**i % 10})." for i in range(4)]
        yield " ".join([*digits, f":- not carry(4,{total // 10**4})."])


def path_ends(count):
    pairs = itertools.islice(itertools.combinations(range(16), 2), count)
    return [f"sp(external,{a}). sp(external,{b})." for a, b in pairs]


def givens(count):
    """Puzzles with one solution each: digits renamed, rows and columns moved within their bands."""
    source = random.Random(7)
    for _ in range(count):
        digit = dict(zip("123456789", source.sample("123456789", 9)))
        row, column = ([3 * band + i for band in range(3) for i in source.sample(range(3), 3)] for _ in range(2))
        cells = ((i, PUZZLE[row[i // 9] * 9 + column[i % 9]]) for i in range(81))
        yield " ".join(f":- not sol({i},img,{digit[d]})." for i, d in cells if d != "0")


def units(context, Unit):
    path = context.root / "experiments/shortest_path"
    kinds = [
        ("sum of 4 digits, constraints", sums(20 if context.quick else 1000), [], [SUM_RULES]),
        ("ends of a path, facts", path_ends(3 if context.quick else 60), ["--optimal"],
         [path / name for name in ("grid.lp", "p.lp", "r.lp", "o.lp")]),
        ("givens of a Sudoku, constraints", givens(3 if context.quick else 40), [],
         [context.root / "experiments/sudoku_solving/sudoku.lp"]),
    ]
    return [Unit(name, 10, lambda k=kind: make_plans(context, *k)) for name, *kind in
            ((kind[0], *kind) for kind in kinds)]


def make_plans(context, name, observations, options, program):
    folder = context.work / "plans"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "observations").write_text("".join(f"{text}\n" for text in observations))
    if program == [SUM_RULES]:
        program = [folder / "sum.lp"]
        program[0].write_text(SUM_RULES)
    return json_lines([context.program("plan_bench"), *options, name, folder / "observations", *program], name)
