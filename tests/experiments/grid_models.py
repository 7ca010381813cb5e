"""Paths on the 4x4 grid, counted without logic programming.

Edges 0..11 are horizontal, row by row; 12..23 vertical, column by column. A set of edges where the two ends have
odd degree and all other nodes even degree differs from any other such set by some of the nine squares of the grid:
there are 2^9 of them, and among them is everything that the rules of the path experiments allow.
"""

from functools import cache
from itertools import combinations

EDGES = {}
for row in range(4):
    for column in range(3):
        EDGES[3 * row + column] = (4 * row + column, 4 * row + column + 1)
for column in range(4):
    for row in range(3):
        EDGES[12 + 3 * column + row] = (4 * row + column, 4 * row + column + 4)
NUMBER = {ends: edge for edge, ends in EDGES.items()}


def degrees(edges, ends):
    """The number of edges of each node; an end has one more, to the outside."""
    result = [int(node in ends) for node in range(16)]
    for edge in edges:
        for node in EDGES[edge]:
            result[node] += 1
    return result


def is_p(edges, ends):
    return all(degree in (0, 2) for degree in degrees(edges, ends))


def is_r(edges, ends):
    """Whether all edges and the two ends, which are joined outside, are connected."""
    reached = set(ends)
    while True:
        more = {node for edge in edges if reached & set(EDGES[edge]) for node in EDGES[edge]}
        if more <= reached:
            return all(set(EDGES[edge]) <= reached for edge in edges)
        reached |= more


@cache
def p_models(first, last):
    """All sets of edges that satisfy p, for two ends."""
    squares = []
    for row in range(3):
        for column in range(3):
            node = 4 * row + column
            corners = [(node, node + 1), (node + 4, node + 5), (node, node + 4), (node + 1, node + 5)]
            squares.append(frozenset(NUMBER[pair] for pair in corners))
    # From the first end along its row, then along the last end's column.
    start = set()
    low, high = sorted((first % 4, last % 4))
    start |= {NUMBER[4 * (first // 4) + c, 4 * (first // 4) + c + 1] for c in range(low, high)}
    low, high = sorted((first // 4, last // 4))
    start |= {NUMBER[4 * r + last % 4, 4 * r + last % 4 + 4] for r in range(low, high)}
    found = []
    for size in range(len(squares) + 1):
        for some in combinations(squares, size):
            edges = frozenset(start)
            for square in some:
                edges ^= square
            if is_p(edges, (first, last)):
                found.append(edges)
    return found


@cache
def paths(first, last):
    """All simple paths between two ends: the sets of edges that satisfy p and r."""
    return [edges for edges in p_models(first, last) if is_r(edges, (first, last))]


def cheapest(models, cost):
    least = min(cost(model) for model in models)
    return [model for model in models if cost(model) == least]


def self_test():
    """The numbers of simple paths from corner to corner of square grids are known: 2, 12, 184 (OEIS A007764)."""
    assert len(paths(0, 15)) == 184, len(paths(0, 15))
    assert all(len(p_models(a, b)) >= len(paths(a, b)) for a, b in ((0, 1), (5, 10), (3, 12)))
