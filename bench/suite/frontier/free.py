"""Programs whose outcomes leave free choices: P(O) weighs each total choice by the share of its stable models that
satisfy the observation."""

from collections import defaultdict
from itertools import product
from math import gcd

from .connectivity import reaching, schedule
from .graphs import REACHED, random_digraph, random_graph
from .instance import MOST_NUMBERS, Instance, named, probability, stream, text


def colouring(nodes, edges, colours, seed):
    """A free colouring of a random graph gives the first and the last node the same colour."""
    rng = stream(f"color{nodes}-{edges}-{colours}", seed)
    graph = [(a, b, probability(rng)) for a, b in random_graph(nodes, edges, rng)]
    lines = [f"{p} : e({a},{b})." for a, b, p in graph]
    lines += [f"1 {{ col(X,1..{colours}) }} 1 :- X = 0..{nodes - 1}.", ":- e(A,B), col(A,C), col(B,C)."]
    return Instance(f"color_n{nodes}_m{edges}_c{colours}_s{seed}", "color", text(lines),
                    text([f":- col(0,C), not col({nodes - 1},C)."]), lambda: share_of_colourings(nodes, graph, colours))


def share_of_colourings(nodes, graph, colours):
    """Along a frontier. A state has, for each colouring of the frontier, how many colourings of what lies behind agree with
    it, divided by their greatest common divisor: only their ratios matter."""
    ends = (0, nodes - 1)
    frontier = []
    states = {(1,): 1.0}
    for kind, what in schedule(range(nodes), [{a, b} for a, b, _ in graph]):
        if kind == "leave" and what in ends:
            continue  # both are needed at the end
        if kind == "enter":
            frontier.append(what)
            states = merged((tuple(n for n in state for _ in range(colours)), p) for state, p in states.items())
        elif kind == "leave":
            at = frontier.index(what)
            below = colours ** (len(frontier) - at - 1)
            frontier.remove(what)
            states = merged((without(state, colours, below), p) for state, p in states.items())
        else:
            a, b, present = graph[what]
            keep = differ(frontier, a, b, colours)
            states = merged(pair for state, p in states.items() for pair in (
                (state, p * (1 - present)), (tuple(n * k for n, k in zip(state, keep)), p * present)))
        if len(states) * colours ** len(frontier) > MOST_NUMBERS:
            return None
    same = [1 - k for k in differ(frontier, *ends, colours)]
    return sum(p * sum(n * s for n, s in zip(state, same)) / sum(state) for state, p in states.items() if any(state))


def differ(frontier, a, b, colours):
    """For each colouring of the frontier: do the two nodes differ?"""
    at, other = frontier.index(a), frontier.index(b)
    return [int(values[at] != values[other]) for values in product(range(colours), repeat=len(frontier))]


def without(state, colours, below):
    """Summed over the colours of a node; `below`: how far apart they are."""
    block = colours * below
    return tuple(sum(state[start + low + colour * below] for colour in range(colours))
                 for start in range(0, len(state), block) for low in range(below))


def merged(pairs):
    following = defaultdict(float)
    for state, p in pairs:
        divisor = gcd(*state) or 1
        following[tuple(n // divisor for n in state)] += p
    return following


def open_reachability(nodes, arcs, seed):
    """Every third arc also needs a free switch, which is on in half of the models."""
    rng = stream(f"openreach{nodes}-{arcs}", seed)
    lines, events = [], []
    for number, (a, b) in enumerate(random_digraph(nodes, arcs, rng)):
        p = probability(rng, 0.2, 0.9)
        lines.append(f"{p} : e({a},{b}).")
        if number % 3 == 0:
            lines += [f"{{ sw({a},{b}) }}.", f"on({a},{b}) :- e({a},{b}), sw({a},{b})."]
        else:
            lines.append(f"on({a},{b}) :- e({a},{b}).")
        events.append(([(a, b)], p / 2 if number % 3 == 0 else p))
    return Instance(f"openreach_n{nodes}_m{arcs}_s{seed}", "openreach", text(lines + REACHED),
                    text([f":- not reached({nodes - 1})."]), lambda: reaching(range(nodes), events, 0, {nodes - 1}))


def free_chain(length, seed=None):
    """Each random atom allows a free one; no two neighbours of these hold together. Does the last one hold?"""
    rng = stream(f"chainfree{length}", seed)
    numbers, lines = [], []
    for i in range(length):
        numbers.append(probability(rng))
        lines += [f"{numbers[-1]} : r({i}).", f"{{ f({i}) }} :- r({i})."]
        if i:
            lines.append(f":- f({i}), f({i - 1}).")

    def value():
        """Only the last run of allowed atoms matters. Of its length, Fibonacci numbers say how many sets have no two
        neighbours, and how many of these have the last atom."""
        total, before, sets, run = 0.0, 1, 1, 1.0  # sets of a run shorter by two or one, and the run's probability
        for size in range(1, length + 1):
            run *= numbers[length - size]
            with_last, before, sets = before, sets, before + sets
            stops = 1 - numbers[length - size - 1] if size < length else 1.0
            total += run * stops * with_last / sets
        return total

    return Instance(named(f"chainfree_{length}", seed), "chainfree", text(lines), text([f":- not f({length - 1})."]), value)
