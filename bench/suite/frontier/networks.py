"""Bayesian networks written as rules, one rule for each row and value of a table, and networks of noisy-ors."""

import itertools

from .elimination import Factor, probability_of_evidence
from .instance import Instance, alternatives, distribution, named, probability, stream, text


def bayes(name, family, cards, parents, evidence, rng):
    """`cards`: the number of values of each node; `parents` come before their children."""
    lines, factors = [], []
    for node, card in enumerate(cards):
        numbers = []
        for row, values in enumerate(itertools.product(*[range(cards[parent]) for parent in parents[node]])):
            weights = distribution(rng, card)
            numbers += weights
            body = ", ".join(f"x({parent},{value})" for parent, value in zip(parents[node], values))
            source = f"r({node},{row}" if values else f"x({node}"
            lines.append(alternatives([f"{source},{value})" for value in range(card)], weights))
            if values:
                lines += [f"x({node},{value}) :- {body}, r({node},{row},{value})." for value in range(card)]
        factors.append(Factor((*parents[node], node), numbers))
    observation = [f":- not x({node},{value})." for node, value in evidence.items()]
    return Instance(name, family, text(lines), text(observation),
                    lambda: probability_of_evidence(cards, factors, evidence))


def hidden_markov(steps, states, seed=None, symbols=3):
    """The probability of a sequence of symbols."""
    rng = stream(f"hmm{steps}-{states}", seed)
    cards, parents, evidence = [], [], {}
    for step in range(steps):
        cards += [states, symbols]
        parents += [[2 * step - 2] if step else [], [2 * step]]
        evidence[2 * step + 1] = rng.randrange(symbols)
    return bayes(named(f"hmm_{steps}_k{states}", seed), "hmm", cards, parents, evidence, rng)


def random_network(nodes, window, most_parents, most_values, seed):
    """Parents are among the nodes of a window before a node."""
    rng = stream(f"bn{nodes}-{window}-{most_parents}-{most_values}", seed)
    cards = [rng.choice([2, most_values]) for _ in range(nodes)]
    parents = [[]]
    for node in range(1, nodes):
        candidates = range(max(0, node - window), node)
        parents.append(sorted(rng.sample(candidates, min(node, rng.randint(1, most_parents)))))
    evidence = {nodes - 1: 0, nodes // 2: 1, nodes // 3: 0}
    return bayes(f"bn_n{nodes}_w{window}_p{most_parents}_k{most_values}_s{seed}", "bn", cards, parents, evidence, rng)


def grid_network(side, seed=None):
    """Nodes with two values; parents are to the left and above."""
    rng = stream(f"gridbn{side}", seed)
    parents = [([node - 1] if node % side else []) + ([node - side] if node >= side else [])
               for node in range(side * side)]
    return bayes(named(f"gridbn_{side}x{side}", seed), "gridbn", [2] * (side * side), parents, {side * side - 1: 1}, rng)


# The structure of ALARM (Beinlich and others 1989) and ASIA (Lauritzen, Spiegelhalter 1988): the number of values and the
# parents of each node. The numbers in the tables are random.
ALARM = """
HISTORY 2 LVFAILURE; CVP 3 LVEDVOLUME; PCWP 3 LVEDVOLUME; HYPOVOLEMIA 2; LVEDVOLUME 3 HYPOVOLEMIA LVFAILURE; LVFAILURE 2;
STROKEVOLUME 3 HYPOVOLEMIA LVFAILURE; ERRLOWOUTPUT 2; HRBP 3 ERRLOWOUTPUT HR; HREKG 3 ERRCAUTER HR; ERRCAUTER 2;
HRSAT 3 ERRCAUTER HR; INSUFFANESTH 2; ANAPHYLAXIS 2; TPR 3 ANAPHYLAXIS; EXPCO2 4 ARTCO2 VENTLUNG; KINKEDTUBE 2;
MINVOL 4 INTUBATION VENTLUNG; FIO2 2; PVSAT 3 FIO2 VENTALV; SAO2 3 PVSAT SHUNT; PAP 3 PULMEMBOLUS; PULMEMBOLUS 2;
SHUNT 2 INTUBATION PULMEMBOLUS; INTUBATION 3; PRESS 4 INTUBATION KINKEDTUBE VENTTUBE; DISCONNECT 2; MINVOLSET 3;
VENTMACH 4 MINVOLSET; VENTTUBE 4 DISCONNECT VENTMACH; VENTLUNG 4 INTUBATION KINKEDTUBE VENTTUBE;
VENTALV 4 INTUBATION VENTLUNG; ARTCO2 3 VENTALV; CATECHOL 2 ARTCO2 INSUFFANESTH SAO2 TPR; HR 3 CATECHOL;
CO 3 HR STROKEVOLUME; BP 3 CO TPR
"""
ASIA = """
asia 2; tub 2 asia; smoke 2; lung 2 smoke; bronc 2 smoke; either 2 lung tub; xray 2 either; dysp 2 bronc either
"""


def known_network(name, family, structure, evidence, seed=None):
    nodes = {parts[0]: (int(parts[1]), parts[2:]) for parts in map(str.split, structure.split(";"))}
    order = []
    while len(order) < len(nodes):  # parents first, in rounds
        for node, (_, parents) in nodes.items():
            if node not in order and all(parent in order for parent in parents):
                order.append(node)
    place = {node: i for i, node in enumerate(order)}
    return bayes(named(name, seed), family, [nodes[node][0] for node in order],
                 [[place[parent] for parent in nodes[node][1]] for node in order],
                 {place[node]: value for node, value in evidence.items()}, stream(name, seed))


def alarm(seed=None):
    return known_network("alarm", "known", ALARM, {"BP": 1, "HRBP": 0, "CVP": 2, "PRESS": 1}, seed)


def asia(seed=None):
    return known_network("asia", "known", ASIA, {"xray": 1, "dysp": 0}, seed)


def noisy_or(layers, width, fan, seed):
    """Layers of noisy-ors; all nodes of the last layer hold."""
    rng = stream(f"nor{layers}-{width}-{fan}", seed)
    lines, factors = [], []
    for i in range(width):
        p = probability(rng)
        lines.append(f"{p} : a(0,{i}).")
        factors.append(Factor((i,), [1 - p, p]))
    for layer in range(1, layers):
        for i in range(width):
            causes = []
            for d in range(fan):
                j = min(max(i + rng.choice([-1, 1]) * d, 0), width - 1) if d else i
                p = probability(rng)
                lines += [f"{p} : w({layer},{i},{d}).", f"a({layer},{i}) :- a({layer - 1},{j}), w({layer},{i},{d})."]
                causes.append(((layer - 1) * width + j, p))
            factors.append(cause_factor(causes, layer * width + i))
    last = (layers - 1) * width
    observation = [f":- not a({layers - 1},{i})." for i in range(width)]
    return Instance(f"noisyor_l{layers}_w{width}_f{fan}_s{seed}", "noisyor", text(lines), text(observation),
                    lambda: probability_of_evidence([2] * (layers * width), factors, {last + i: 1 for i in range(width)}))


def cause_factor(causes, effect):
    """P(effect | causes) of a noisy-or; a cause may be named twice."""
    parents = tuple(sorted({cause for cause, _ in causes}))
    numbers = []
    for values in itertools.product((0, 1), repeat=len(parents)):
        holds = dict(zip(parents, values))
        fails = 1.0
        for cause, p in causes:
            fails *= 1 - p * holds[cause]
        numbers += [fails, 1 - fails]
    return Factor((*parents, effect), numbers)
