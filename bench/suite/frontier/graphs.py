"""Graphs with random edges: reachability, reliability, influence among friends, simple paths."""

from .connectivity import reaching, simple_path
from .instance import Instance, named, probability, stream, text

REACHED = ["reached(0).", "reached(Y) :- reached(X), on(X,Y)."]


def random_graph(nodes, edges, rng):
    """A random tree with further edges."""
    found = {(rng.randrange(node), node) for node in range(1, nodes)}
    while len(found) < min(edges, nodes * (nodes - 1) // 2):
        a, b = rng.randrange(nodes), rng.randrange(nodes)
        if a != b:
            found.add((min(a, b), max(a, b)))
    return sorted(found)


def random_digraph(nodes, arcs, rng):
    """A path from the first node to the last, through all others, with further arcs."""
    inner = list(range(1, nodes - 1))
    rng.shuffle(inner)
    path = [0, *inner, nodes - 1]
    found = set(zip(path, path[1:]))
    while len(found) < arcs:
        a, b = rng.randrange(nodes), rng.randrange(nodes)
        if a != b:
            found.add((a, b))
    return sorted(found)


def grid(side):
    """Edges to the right and down, row by row."""
    found = []
    for node in range(side * side):
        if (node + 1) % side:
            found.append((node, node + 1))
        if node + side < side * side:
            found.append((node, node + side))
    return found


def smokers(people, friendships, seed, conjunction=False):
    """Stress makes a person smoke, and smoking friends do with some probability, in each direction. Does the last person
    smoke (and the first one not)?"""
    rng = stream(f"smokers{people}-{friendships}", seed)
    graph = random_graph(people, friendships, rng)
    lines, events = [], []
    for person in range(people):
        p = probability(rng, 0.05, 0.5)
        lines.append(f"{p} : stress({person}).")
        events.append(([(people, person)], p))  # from a source of their own
    for pair in graph:
        for a, b in (pair, pair[::-1]):
            p = probability(rng, 0.05, 0.6)
            lines += [f"{p} : influence({a},{b}).", f"friend({a},{b})."]
            events.append(([(a, b)], p))
    lines += ["smokes(X) :- stress(X).", "smokes(Y) :- friend(X,Y), influence(X,Y), smokes(X)."]
    last = people - 1

    def value():
        nodes = range(people + 1)
        single = reaching(nodes, events, people, {last})
        if not conjunction or single is None:
            return single
        both = reaching(nodes, events, people, {0, last})
        return None if both is None else single - both

    observation = [":- smokes(0)."] * conjunction + [f":- not smokes({last})."]
    name = f"smokers_n{people}_m{friendships}_s{seed}" + "_conj" * conjunction
    return Instance(name, "smokers", text(lines), text(observation), value)


def reachability(name, family, nodes, arcs, undirected, rng, wanted=None):
    """Is the last node reached from the first? With `wanted`: are all of these?"""
    lines, events = [], []
    for a, b in arcs:
        p = probability(rng, 0.1, 0.9)
        directions = [(a, b), (b, a)] if undirected else [(a, b)]
        lines.append(f"{p} : e({a},{b}).")
        lines += [f"on({x},{y}) :- e({a},{b})." for x, y in directions]
        events.append((directions, p))
    observation = [f":- not reached({nodes - 1})."] if wanted is None else [f":- V = 0..{nodes - 1}, not reached(V)."]
    wanted = {nodes - 1} if wanted is None else wanted
    return Instance(name, family, text(lines + REACHED), text(observation),
                    lambda: reaching(range(nodes), events, 0, wanted))


def directed(nodes, arcs, seed):
    rng = stream(f"reach{nodes}-{arcs}", seed)
    return reachability(f"reach_n{nodes}_m{arcs}_s{seed}", "reach", nodes, random_digraph(nodes, arcs, rng), False, rng)


def undirected(nodes, edges, seed):
    rng = stream(f"rel{nodes}-{edges}", seed)
    return reachability(f"rel_n{nodes}_m{edges}_s{seed}", "rel", nodes, random_graph(nodes, edges, rng), True, rng)


def grid_reliability(side, seed=None):
    rng = stream(f"relgrid{side}", seed)
    return reachability(named(f"relgrid_{side}x{side}", seed), "relgrid", side * side, grid(side), True, rng)


def all_terminal(side, seed=None):
    rng = stream(f"allterm{side}", seed)
    return reachability(named(f"allterm_{side}x{side}", seed), "allterm", side * side, grid(side), True, rng,
                        wanted=set(range(side * side)))


def directed_grid(side, seed=None):
    """Both directions of every edge are independent."""
    rng = stream(f"dirgrid{side}", seed)
    arcs = [arc for edge in grid(side) for arc in (edge, edge[::-1])]
    return reachability(named(f"dirgrid_{side}x{side}", seed), "dirgrid", side * side, arcs, False, rng)


def paths(side, seed=None):
    """The present edges form a simple path between opposite corners, and nothing else."""
    rng = stream(f"path{side}", seed)
    last = side * side - 1
    lines, edges = [f"node(0..{last}). end(0). end({last})."], []
    for a, b in grid(side):
        p = probability(rng, 0.1, 0.9)
        lines += [f"{p} : e({a},{b}).", f"on({a},{b}) :- e({a},{b}). on({b},{a}) :- e({a},{b})."]
        edges.append((a, b, p))
    observation = [":- end(X), #count { Y : on(X,Y) } != 1.", ":- node(X), not end(X), #count { Y : on(X,Y) } = 1.",
                   ":- node(X), #count { Y : on(X,Y) } > 2.", ":- on(X,Y), not reached(X)."]
    return Instance(named(f"path_{side}x{side}", seed), "path", text(lines + REACHED), text(observation),
                    lambda: simple_path(range(last + 1), edges, {0, last}))
