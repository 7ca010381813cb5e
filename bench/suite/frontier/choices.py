"""Questions about many random variables at once: sums, k of n, permutations, Sudoku, requirements."""

import itertools
from collections import defaultdict
from math import prod

from .instance import MOST_STATES, Instance, alternatives, distribution, named, probability, stream, text


def exactly(count, of, seed=None):
    """Exactly so many of some independent atoms hold."""
    rng = stream(f"kofn{of}-{count}", seed)
    numbers = [probability(rng) for _ in range(of)]

    def value():
        row = [1.0] + [0.0] * count
        for p in numbers:
            row = [row[k] * (1 - p) + (row[k - 1] * p if k else 0.0) for k in range(count + 1)]
        return row[count]

    return Instance(named(f"kofn_{of}_{count}", seed), "kofn", text(f"{p} : x({i})." for i, p in enumerate(numbers)),
                    text([f":- #count {{ X : x(X) }} != {count}."]), value)


def addition(digits, seed=None):
    """Two numbers with so many random digits each have a given sum; the rules pass a carry on."""
    rng = stream(f"add{digits}", seed)
    total = sum(rng.randrange(10 ** (digits - 1), 10**digits) for _ in range(2))
    lines, rows = [], {}
    for number in "ab":
        for place in range(digits):
            rows[number, place] = distribution(rng, 10)
            lines.append(alternatives([f"d({number},{place})={digit}" for digit in range(10)], rows[number, place]))
    lines += ["carry(0,0).", "s(I,S) :- d(a,I,A), d(b,I,B), carry(I,C), S = (A+B+C) \\ 10.",
              "carry(I+1,C1) :- d(a,I,A), d(b,I,B), carry(I,C), C1 = (A+B+C) / 10."]
    wanted = [total // 10**place % 10 for place in range(digits)]

    def value():
        carries = {0: 1.0}
        for place, digit in enumerate(wanted):
            following = defaultdict(float)
            for (carry, p), a, b in itertools.product(carries.items(), range(10), range(10)):
                if (a + b + carry) % 10 == digit:
                    following[(a + b + carry) // 10] += p * rows["a", place][a] * rows["b", place][b]
            carries = following
        return carries.get(total // 10**digits, 0.0)

    observation = [f":- not s({place},{digit})." for place, digit in enumerate(wanted)]
    observation.append(f":- not carry({digits},{total // 10**digits}).")
    return Instance(named(f"add_{digits}", seed), "add", text(lines), text(observation), value)


def permutation(size, seed=None):
    """A random relation is a permutation: one atom in each row and each column."""
    rng = stream(f"perm{size}", seed)
    numbers = [[probability(rng) for _ in range(size)] for _ in range(size)]
    lines = [f"{p} : x({i},{j})." for i, row in enumerate(numbers) for j, p in enumerate(row)]

    def value():
        used = {0: 1.0}  # by the set of columns
        for row in numbers:
            following = defaultdict(float)
            for (columns, weight), j in itertools.product(used.items(), range(size)):
                if not columns >> j & 1:
                    others = prod(1 - p for k, p in enumerate(row) if k != j)
                    following[columns | 1 << j] += weight * row[j] * others
            used = following
        return used[(1 << size) - 1]

    observation = [f":- I = 0..{size - 1}, #count {{ J : x(I,J) }} != 1.",
                   f":- J = 0..{size - 1}, #count {{ I : x(I,J) }} != 1."]
    return Instance(named(f"perm_{size}", seed), "perm", text(lines), text(observation), value)


CELLS = range(16)


def unit(cell):
    """The row, column and box of a cell of a 4 x 4 Sudoku."""
    row, column = divmod(cell, 4)
    return row, 4 + column, 8 + row // 2 * 2 + column // 2


def fillings(rows):
    """The sum, over fillings without a digit twice in a row, column or box, of the products of the cells' numbers. A cell
    has four numbers and perhaps a fifth: it may be empty. None if there are too many states."""
    states = {(0,) * 12: 1.0}  # by the digits that are used in each row, column and box
    for cell, row in zip(CELLS, rows):
        following = defaultdict(float)
        for state, weight in states.items():
            for digit, p in enumerate(row):
                after = list(state)
                if p == 0 or digit < 4 and any(state[at] >> digit & 1 for at in unit(cell)):
                    continue
                for at in unit(cell) if digit < 4 else ():
                    after[at] |= 1 << digit
                if cell % 4 == 3:
                    after[cell // 4] = 0  # the row is complete
                if cell % 8 == 7:
                    after[8 + cell // 4 - 1] = after[8 + cell // 4] = 0  # and so are two boxes
                following[tuple(after)] += weight * p
        states = following
        if len(states) > MOST_STATES:
            return None
    return sum(states.values())


def sudoku(kind, seed=None):
    """`free`: 16 cells with a digit each. `perc`: cells may be empty, the others must not clash. `percfree`: there is a
    solution, which the rules choose freely, and it must agree with the cells that are not empty."""
    rng = stream("sudoku4" + kind, seed)
    outcomes = ["1", "2", "3", "4"] + ["empty"] * (kind != "free")
    rows = [distribution(rng, len(outcomes)) for _ in CELLS]
    lines = [alternatives([f"c({cell})={outcome}" for outcome in outcomes], row) for cell, row in zip(CELLS, rows)]
    pairs = [(a, b) for a, b in itertools.combinations(CELLS, 2) if set(unit(a)) & set(unit(b))]
    lines.append(" ".join(f"peer({a},{b})." for a, b in pairs))
    observation = ":- peer(A,B), c(A,V), c(B,V), V = 1..4."
    if kind == "percfree":
        lines += ["1 { sol(I,1..4) } 1 :- I = 0..15.", ":- peer(A,B), sol(A,V), sol(B,V)."]
        observation = ":- c(I,V), V != empty, not sol(I,V)."

    def value():
        if kind != "percfree":
            return fillings(rows)
        agreeing = fillings([[p + row[4] for p in row[:4]] for row in rows])
        return agreeing / fillings([[1.0] * 4] * 16)  # each of the 288 solutions counts the same

    return Instance(named(f"sudoku4_{kind}", seed), "sudoku4", text(lines), text([observation]), value)


def requirements(clauses, seed=None, name="road_r"):
    """Independent labels satisfy all clauses. `clauses`: the text of a DIMACS file."""
    rng = stream(name.split("_")[0], seed)
    head, *body = [line.split() for line in clauses.splitlines() if line.strip() and line[0] != "c"]
    labels = int(head[2])
    numbers = [None] + [probability(rng) for _ in range(labels)]
    clauses = [[int(literal) for literal in line if literal != "0"] for line in body]
    observation = [":- " + ", ".join(f"not x({lit})" if lit > 0 else f"x({-lit})" for lit in clause) + "."
                   for clause in clauses]

    def value():
        return clauses_probability(numbers, clauses)

    return Instance(named(name, seed), "road_r", text(f"{numbers[v]} : x({v})." for v in range(1, labels + 1)),
                    text(observation), value)


def clauses_probability(numbers, clauses):
    """Label by label; a state is what is left of the clauses."""
    waiting = set(range(1, len(numbers)))
    states = {frozenset(map(frozenset, clauses)): 1.0}
    while waiting:
        mentioned = defaultdict(int)
        for state in states:
            for clause in state:
                for literal in clause:
                    mentioned[abs(literal)] += 1
        label = max(sorted(waiting), key=lambda v: mentioned[v])
        waiting.remove(label)
        following = defaultdict(float)
        for state, weight in states.items():
            for literal, p in ((label, numbers[label]), (-label, 1 - numbers[label])):
                after = frozenset(clause - {-literal} for clause in state if literal not in clause)
                if frozenset() not in after:
                    following[after] += weight * p
        states = following
        if len(states) > MOST_STATES:
            return None
    return sum(states.values())
