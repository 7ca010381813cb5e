"""All instances, by family."""

from dataclasses import dataclass
from collections.abc import Callable

from . import choices, free, graphs, networks


@dataclass
class Family:
    title: str
    group: str  # which share a colour in the picture
    build: Callable  # the instances for a seed, or for the default seeds if there is None


GROUPS = ["graphs, paths", "directed cycles", "tables, noisy-or", "sums, constraints", "free choices"]


def smokers(seed):
    seed = 1 if seed is None else seed
    for people in (8, 10, 12, 15, 20, 25, 30, 40):
        yield graphs.smokers(people, int(1.2 * people), seed)
        if people <= 25:
            yield graphs.smokers(people, int(1.5 * people), seed)
        if people <= 15:
            yield graphs.smokers(people, int(2.5 * people), seed)
        if people in (10, 12, 15, 20):
            yield graphs.smokers(people, people + people // 2, seed, conjunction=True)


def directed(seed):
    for nodes, arcs in ((10, 20), (10, 30), (15, 30), (15, 45), (20, 40), (20, 60), (25, 50), (30, 60), (40, 80)):
        yield graphs.directed(nodes, arcs, 1 if seed is None else seed)


def undirected(seed):
    for nodes, edges in ((10, 14), (10, 20), (15, 21), (15, 30), (20, 29), (20, 40), (25, 36), (25, 50), (30, 44), (30, 60),
                         (40, 59)):
        yield graphs.undirected(nodes, edges, 1 if seed is None else seed)


def random_networks(seed):
    for window in (3, 5, 7, 10, 15):
        yield networks.random_network(40, window, 3, 3, 1 if seed is None else seed)
    for window in (5, 10, 15):
        yield networks.random_network(40, window, 4, 2, 2 if seed is None else seed)


def sized(build, *sizes):
    """A family without a default seed."""
    def instances(seed):
        return (build(*(size if isinstance(size, tuple) else (size,)), seed=seed) for size in sizes)
    return instances


def seeded(build, *sizes):
    """A family whose default seed is 1."""
    return lambda seed: (build(*size, 1 if seed is None else seed) for size in sizes)


def known_networks(seed):
    return [networks.alarm(seed), networks.asia(seed)]


FAMILIES = {
    "path": Family("paths between corners of a grid", GROUPS[0], sized(graphs.paths, *range(3, 9))),
    "relgrid": Family("reliability of grids", GROUPS[0], sized(graphs.grid_reliability, *range(3, 9))),
    "allterm": Family("all-terminal reliability of grids", GROUPS[0], sized(graphs.all_terminal, *range(3, 9))),
    "rel": Family("reliability of random graphs", GROUPS[0], undirected),
    "reach": Family("reachability in random digraphs", GROUPS[1], directed),
    "dirgrid": Family("directed grids", GROUPS[1], sized(graphs.directed_grid, 3, 4, 5)),
    "smokers": Family("influence among friends", GROUPS[1], smokers),
    "noisyor": Family("layers of noisy-ors", GROUPS[2],
                      seeded(networks.noisy_or, (4, 4, 3), (6, 6, 3), (8, 8, 3), (10, 10, 3), (12, 12, 3))),
    "bn": Family("random Bayesian networks, 40 nodes", GROUPS[2], random_networks),
    "known": Family("alarm, asia", GROUPS[2], known_networks),
    "gridbn": Family("grids of tables", GROUPS[2], sized(networks.grid_network, 4, 6, 8, 10, 12)),
    "hmm": Family("hidden Markov models", GROUPS[2],
                  sized(networks.hidden_markov, (10, 4), (50, 4), (100, 4), (200, 4))),
    "kofn": Family("k of n", GROUPS[3],
                   sized(choices.exactly, (7, 10), (10, 20), (10, 50), (25, 50), (20, 100), (50, 100))),
    "add": Family("sums with carries", GROUPS[3], sized(choices.addition, 1, 2, 3, 4, 5, 6, 8, 10, 15)),
    "perm": Family("permutations", GROUPS[3], sized(choices.permutation, *range(3, 8))),
    "sudoku4": Family("Sudoku 4 x 4", GROUPS[3], sized(choices.sudoku, "free", "perc", "percfree")),
    "road_r": Family("ROAD-R requirements", GROUPS[3], lambda seed: []),  # its clauses are not ours to pass on
    "color": Family("free colourings", GROUPS[4],
                    seeded(free.colouring, (6, 9, 3), (7, 11, 3), (8, 12, 3), (10, 15, 3), (12, 18, 3))),
    "chainfree": Family("chains of free switches", GROUPS[4], sized(free.free_chain, 20, 40, 80)),
    "openreach": Family("free switches on cycles", GROUPS[4],
                        seeded(free.open_reachability, (6, 12), (8, 16), (10, 20), (12, 24), (15, 30), (20, 40))),
}


def instances(seed=None, only=(), requirements=None):
    """`only`: names of families; all if there are none. `requirements`: the text of the ROAD-R file, if it is there."""
    found = []
    for name, family in FAMILIES.items():
        if not only or name in only:
            found += family.build(seed)
            if name == "road_r" and requirements:
                found.append(choices.requirements(requirements, seed))
    return found
