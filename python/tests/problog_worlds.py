"""Random programs of ProbLog, and their probabilities by summing over all worlds, from the definition alone.

A clause is (heads, body, variables): heads are (probability or None, atom), a body is a list of (sign, atom) and of tests
(operator, term, term), and an atom is (predicate, terms). Variables are capital letters, constants are integers.
There is one choice for each clause with probabilities and each value of all its variables. Predicates have
levels, and negation looks at lower levels only, so that each choice has one model.
"""

import itertools
import operator

CONSTANTS = (1, 2, 3)
LEVEL = {"e": 0, "n": 0, "a": 1, "b": 2, "c": 3, "d": 4}
ARITY = {"e": 2, "n": 1, "a": 1, "b": 1, "c": 2, "d": 0}
TESTS = {"<": operator.lt, "\\=": operator.ne, "=:=": operator.eq, ">=": operator.ge}


def atom_text(atom):
    return atom[0] + (f"({','.join(map(str, atom[1]))})" if atom[1] else "")


def literal_text(literal):
    if literal[0] in TESTS:
        return f"{literal[1]} {literal[0]} {literal[2]}"
    return ("" if literal[0] == "+" else "\\+ ") + atom_text(literal[1])


def clause_text(clause):
    heads, body, _ = clause
    left = "; ".join(("" if p is None else f"{p}::") + atom_text(atom) for p, atom in heads)
    return left + (" :- " + ", ".join(map(literal_text, body)) if body else "") + "."


def program_text(clauses, evidence, queries):
    lines = [clause_text(clause) for clause in clauses]
    lines += [f"evidence({atom_text(atom)},{'true' if seen else 'false'})." for atom, seen in evidence]
    return "\n".join(lines + [f"query({atom_text(atom)})." for atom in queries])


def random_program(rng):
    """Clauses, evidence and queries."""
    clauses = [([(None, ("n", (i,)))], [], ()) for i in CONSTANTS]
    pairs = rng.sample(list(itertools.product(CONSTANTS, CONSTANTS)), rng.randint(2, 4))
    clauses += [([(None, ("e", pair))], [], ()) for pair in pairs]
    for _ in range(rng.randint(1, 3)):
        clauses.append(([(rng.choice((0.2, 0.5, 0.7)), ("a", (rng.choice(CONSTANTS),)))], [], ()))
    for name in ("a", "b", "b", "b", "c", "c", "d", "d"):
        if rng.random() < 0.8:
            clauses.append(random_clause(rng, name))
    order = clauses[:]
    rng.shuffle(order)
    possible = [(name, terms) for name in "abcd" for terms in itertools.product(CONSTANTS, repeat=ARITY[name])
                if any(atom[0] == name for heads, _, _ in clauses for _, atom in heads)]
    evidence = [(atom, rng.random() < 0.5) for atom in rng.sample(possible, rng.choice((0, 0, 1, 2)))]
    return order, evidence, possible


def random_clause(rng, name):
    level = LEVEL[name]
    below = [one for one in "enabcd" if LEVEL[one] < level]
    body, bound = [], []
    for _ in range(rng.randint(1, 2)):
        used = rng.choice(below + [name] * (name in "bc"))
        terms = tuple(rng.choice(("X", "Y", "X", rng.choice(CONSTANTS))) for _ in range(ARITY[used]))
        body.append(("+", (used, terms)))
        bound += sorted({term for term in terms if isinstance(term, str)} - set(bound))
    choices = bound + [rng.choice(CONSTANTS)]
    if rng.random() < 0.5:
        used = rng.choice(below)
        body.append(("-", (used, tuple(rng.choice(choices) for _ in range(ARITY[used])))))
    if rng.random() < 0.3 and bound:
        body.append((rng.choice(list(TESTS)), rng.choice(bound), rng.choice(choices)))
    count = rng.choice((1, 1, 2))
    total = {1: (None, 0.3, 0.6, 1.0, 0), 2: (0.2, 0.5)}[count]
    heads = [(rng.choice(total), (name, tuple(rng.choice(choices) for _ in range(ARITY[name])))) for _ in range(count)]
    return heads, body, tuple(bound)


def choices_of(clauses):
    """Of each clause and each value of its variables: the heads with their probabilities, the body, both ground."""
    for heads, body, names in clauses:
        for values in itertools.product(CONSTANTS, repeat=len(names)):
            given = dict(zip(names, values))

            def at(atom, given=given):
                return atom[0], tuple(given.get(term, term) for term in atom[1])

            tests = [one for one in body if one[0] in TESTS]
            if all(TESTS[sign](given.get(left, left), given.get(right, right)) for sign, left, right in tests):
                yield ([(p, at(atom)) for p, atom in heads],
                       [(one[0], at(one[1])) for one in body if one[0] not in TESTS])


def possible_atoms(ground):
    """What can be true in some world: negation is left out."""
    true = set()
    while True:
        more = {atom for heads, body in ground for _, atom in heads
                if all(sign == "-" or one in true for sign, one in body)} - true
        if not more:
            return true
        true |= more


def model(rules):
    """The atoms that follow, level by level."""
    true = set()
    for level in sorted(set(LEVEL.values())):
        here = [(head, body) for head, body in rules if LEVEL[head[0]] == level]
        changed = True
        while changed:
            changed = False
            for head, body in here:
                if head not in true and all((one in true) == (sign == "+") for sign, one in body):
                    true.add(head)
                    changed = True
    return true


def by_worlds(clauses, evidence, queries, most=4096):
    """P(query | evidence) of each query; None if the evidence is impossible, "large" if there are too many worlds."""
    ground = list(choices_of(clauses))
    can_be = possible_atoms(ground)
    ground = [(heads, body) for heads, body in ground if all(sign == "-" or one in can_be for sign, one in body)]
    certain = [(heads[0][1], body) for heads, body in ground if heads[0][0] is None]
    random = [(heads, body) for heads, body in ground if heads[0][0] is not None]
    worlds = 1
    for heads, _ in random:
        worlds *= len(heads) + 1
    if worlds > most:
        return "large"
    mass, sums = 0.0, dict.fromkeys(queries, 0.0)
    for picked in itertools.product(*(range(len(heads) + 1) for heads, _ in random)):
        weight, rules = 1.0, list(certain)
        for at, (heads, body) in zip(picked, random):
            weight *= heads[at][0] if at < len(heads) else 1 - sum(p for p, _ in heads)
            if at < len(heads):
                rules.append((heads[at][1], body))
        if weight > 0:
            true = model(rules)
            if all((atom in true) == seen for atom, seen in evidence):
                mass += weight
                for atom in queries:
                    sums[atom] += weight * (atom in true)
    return None if mass < 1e-12 else {atom: value / mass for atom, value in sums.items()}
