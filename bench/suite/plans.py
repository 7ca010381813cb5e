"""Observations of three kinds, many of each, for plan_bench: sums as constraints, ends of a path as facts, givens of
a Sudoku as constraints."""

import itertools
import random

from processes import json_lines

SUM_RULES = """\
nn(d(1,X,I),[0,1,2,3,4,5,6,7,8,9]) :- X=(a;b), I=0..{last}.
carry(0,0).
s(I,(A+B+C)\\10) :- d(0,a,I,A), d(0,b,I,B), carry(I,C).
carry(I+1,(A+B+C)/10) :- d(0,a,I,A), d(0,b,I,B), carry(I,C).
"""
PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def sums_of(digits):
    return f"sums of {digits} digit{'s' if digits > 1 else ''}"


def sums(digits, count):
    """Sums of two random numbers with so many digits; few digits have few distinct sums."""
    source = random.Random(digits)
    for _ in range(count):
        total = source.randrange(10**digits) + source.randrange(10**digits)
        constraints = [f":- not s({i},{total // 10**i % 10})." for i in range(digits)]
        yield " ".join([*constraints, f":- not carry({digits},{total // 10**digits})."])


def tables(count):
    """Sums of the rows and columns of two by two digits."""
    source = random.Random(2)
    for _ in range(count):
        a, b, c, d = (source.randrange(10) for _ in range(4))
        yield f":- not add2x2({a + b},{c + d},{a + c},{b + d})."


def removed_edges(count):
    source = random.Random(3)
    for _ in range(count):
        a, b = source.sample(range(16), 2)
        yield f"sp(external,{a}). sp(external,{b}). removed({';'.join(map(str, source.sample(range(24), 8)))})."


def costs(count):
    source = random.Random(4)
    for _ in range(count):
        a, b = source.sample(range(16), 2)
        prices = " ".join(f"cost({e},{source.choice((2, 6))})." for e in range(24))
        yield f"mrp(external,{a}). mrp(external,{b}). {prices}"


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
    few = context.quick
    experiments = context.root / "experiments"
    path, reliable = experiments / "shortest_path", experiments / "most_reliable_path"
    kinds = [(sums_of(n), sums(n, 40 if few else 30000), [], SUM_RULES.format(last=n - 1))
             for n in ((4,) if few else (1, 2, 4, 8, 15))]
    kinds += [
        ("rows and columns", tables(20 if few else 3000), [], [experiments / "mnist_tasks/add2x2.lp"]),
        ("ends of a path", path_ends(3 if few else 60), ["--optimal"],
         [path / name for name in ("grid.lp", "p.lp", "r.lp", "o.lp")]),
        ("ends and removed edges", removed_edges(3 if few else 966), ["--optimal"],
         [path / name for name in ("grid.lp", "p.lp", "r.lp", "o.lp", "nr.lp")]),
        ("ends and costs", costs(3 if few else 1800), ["--optimal"],
         [reliable / name for name in ("grid.lp", "path.lp", "reliable.lp")]),
        ("givens of a Sudoku", givens(3 if few else 40), [], [experiments / "sudoku_solving/sudoku.lp"]),
    ]
    return [Unit(name, 10, lambda k=kind: make_plans(context, *k)) for name, *kind in
            ((kind[0], *kind) for kind in kinds)]


def make_plans(context, name, observations, options, program):
    """Together, then some of them on their own: the ratio of the times for one observation."""
    folder = context.work / "plans"
    folder.mkdir(parents=True, exist_ok=True)
    texts = list(observations)
    if isinstance(program, str):
        (folder / "program.lp").write_text(program)
        program = [folder / "program.lp"]

    def plan(texts, *more):
        (folder / "observations").write_text("".join(f"{text}\n" for text in texts))
        return json_lines([context.program("plan_bench"), *options, *more, name, folder / "observations", *program], name)

    lines = plan(texts)
    if "ms_per_plan" in lines[0]:
        alone = plan(list(dict.fromkeys(texts))[:100], "--alone")[0]
        lines[0]["ms_alone"] = alone["ms_per_plan"]
        lines[0]["times_faster"] = alone["ms_per_plan"] / lines[0]["ms_per_plan"]
    return lines
