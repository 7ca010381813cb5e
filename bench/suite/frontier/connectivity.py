"""Probabilities of events about random graphs, by dynamic programming along a frontier: edges are decided one after the
other, and of the nodes behind it only that is kept which later edges can depend on (Sekine, Imai 1995; Knuth's Simpath,
The Art of Computer Programming 4A, 7.1.4)."""

from collections import defaultdict

from .instance import MOST_STATES


def frontier_order(nodes, neighbours, first):
    """An order of the nodes in which few at a time have both earlier and later neighbours (greedy)."""
    order, waiting, seen = [*first], set(nodes) - {*first}, {*first}
    while waiting:
        def cost(node):
            open_nodes = {v for v in seen | {node} if neighbours[v] - seen - {node}}
            return len(open_nodes), node not in {w for v in seen for w in neighbours[v]}, node
        best = min(waiting, key=cost)
        waiting.remove(best)
        seen.add(best)
        order.append(best)
    return order


def schedule(nodes, events, first=()):
    """Steps ("enter", node), ("event", index) and ("leave", node); `events` are sets of nodes."""
    neighbours = {v: set() for v in nodes}
    for members in events:
        for v in members:
            neighbours[v] |= members - {v}
    place = {v: i for i, v in enumerate(frontier_order(nodes, neighbours, first))}
    left = {v: sum(v in members for members in events) for v in nodes}
    for node in sorted(nodes, key=place.get):
        yield "enter", node
        for index, members in enumerate(events):
            if node in members and all(place[v] <= place[node] for v in members):
                yield "event", index
                for v in members:
                    left[v] -= 1
                    if not left[v]:
                        yield "leave", v
        if not neighbours[node]:
            yield "leave", node


def reaching(nodes, events, source, wanted):
    """P(all nodes of `wanted` are reached from the source). An event is a list of arcs with the probability that they are
    there. None if there are too many states.

    A state has the nodes of the frontier that are reached; for each other node, which ones it leads to; and demands: sets of
    nodes of which one at least must be reached later. All are bit masks."""
    members = [{v for arc in arcs for v in arc} for arcs, _ in events]
    coming = set(wanted)
    done = 0.0
    states = {(0, (), ()): 1.0}
    first = [source, *sorted(wanted)] if len(wanted) < 3 else [source]
    for kind, what in schedule(nodes, members, first):
        following = defaultdict(float)
        coming.discard(what if kind == "enter" else None)
        for state, p in states.items():
            if kind == "enter":
                following[enter(state, what, what == source, what in wanted)] += p
            elif kind == "leave":
                after = leave(state, what)
                if after is not None:
                    following[after] += p
            else:
                arcs, present = events[what]
                following[state] += p * (1 - present)
                following[joined(state, arcs, not coming)] += p * present
        if not coming:  # states without demands have succeeded
            done += sum(p for state, p in following.items() if not state[2])
            following = {state: p for state, p in following.items() if state[2]}
        states = following
        if len(states) > MOST_STATES:
            return None
    return done


def enter(state, node, reached, wanted):
    mask, leads, demands = state
    bit = 1 << node
    if reached:
        return mask | bit, leads, demands
    return mask, tuple(sorted((*leads, (node, 0)))), minimal((*demands, bit)) if wanted else demands


def leave(state, node):
    """None if a demand can no longer be met."""
    mask, leads, demands = state
    others = ~(1 << node)
    if (1 << node) in demands:
        return None
    leads = tuple((v, to & others) for v, to in leads if v != node)
    return mask & others, leads, minimal(demand & others for demand in demands)


def joined(state, arcs, complete):
    """`complete`: all wanted nodes have been seen."""
    mask, leads, demands = state
    leads = dict(leads)
    for start, end in arcs:
        if mask >> end & 1:
            continue
        new = 1 << end | leads[end]
        if mask >> start & 1:
            mask |= new
            leads = {v: to & ~new for v, to in leads.items() if not new >> v & 1}
            demands = [demand for demand in demands if not demand & new]
        else:
            before = [v for v, to in leads.items() if v == start or to >> start & 1]
            for v in before:
                leads[v] |= new & ~(1 << v)
            helpers = sum(1 << v for v in before)
            demands = [demand | helpers if demand & new else demand for demand in demands]
    demands = minimal(demands)
    if complete and len(demands) == 1:  # whatever reaches one of these nodes decides; where they lead does not matter
        leads = {v: 0 if demands[0] >> v & 1 else to for v, to in leads.items()}
    return mask, tuple(sorted(leads.items())), demands


def minimal(demands):
    demands = set(demands)
    return tuple(sorted(d for d in demands if not any(e != d and e & d == e for e in demands)))


def simple_path(nodes, edges, ends):
    """P(the present edges form one simple path between the two ends, and nothing else). A state has the mate of each node
    of the frontier: itself if it has no edge yet, the other end of its path, or -1 inside of a path."""
    states = {(): 1.0}
    for kind, what in schedule(nodes, [{a, b} for a, b, _ in edges]):
        following = defaultdict(float)
        for state, p in states.items():
            mate = dict(state)
            if kind == "enter":
                mate[what] = what
                following[tuple(sorted(mate.items()))] += p
            elif kind == "leave":
                if (mate[what] not in (what, -1)) == (what in ends):
                    del mate[what]
                    following[tuple(sorted(mate.items()))] += p
            else:
                a, b, present = edges[what]
                following[state] += p * (1 - present)
                if extend(mate, a, b, ends):
                    following[tuple(sorted(mate.items()))] += p * present
        states = following
    return sum(states.values())


def extend(mate, a, b, ends):
    """Adds an edge, if both nodes may have one more and it closes no cycle."""
    far_a, far_b = mate[a], mate[b]
    if -1 in (far_a, far_b) or far_a == b:
        return False
    if (a in ends and far_a != a) or (b in ends and far_b != b):
        return False
    for node, far, other in ((a, far_a, far_b), (b, far_b, far_a)):
        if node == far:
            mate[node] = other
        else:
            mate[node] = -1
            if far in mate:
                mate[far] = other
    return True
