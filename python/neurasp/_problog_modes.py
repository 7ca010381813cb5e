"""What depends on what in a ProbLog program, and which arguments of a predicate its callers must give.

Prolog answers a goal from its clauses downwards, so a clause may use variables that only the caller binds, such as T in
``weather(sun,T) :- T > 0, P is T-1, weather(sun,P).`` Rules are grounded upwards. Predicates with such arguments get a
second predicate that says for which values they are wanted.
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import Dict, Hashable, Iterable, List, Mapping, Sequence, Set, Tuple, TypeVar

from ._problog_clauses import Asked, Clause, Literal, Reader
from ._prolog import Mistake, Node, Span, Term, Var, replaced, variables, written

Key = Tuple[str, int]
Vertex = TypeVar("Vertex", bound=Hashable)


def components(graph: Mapping[Vertex, Iterable[Vertex]]) -> Dict[Vertex, int]:
    """The strongly connected component of each vertex, by number (Tarjan's algorithm without recursion)."""
    order: Dict[Vertex, int] = {}
    low: Dict[Vertex, int] = {}
    found: Dict[Vertex, int] = {}
    open_vertices: List[Vertex] = []
    count = 0
    for root in graph:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        open_vertices.append(root)
        work = [(root, iter(graph[root]))]
        while work:
            vertex, following = work[-1]
            for successor in following:
                if successor not in order:
                    order[successor] = low[successor] = len(order)
                    open_vertices.append(successor)
                    work.append((successor, iter(graph.get(successor, ()))))
                    break
                if successor not in found:
                    low[vertex] = min(low[vertex], order[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[vertex])
                if low[vertex] == order[vertex]:
                    while open_vertices:
                        member = open_vertices.pop()
                        found[member] = count
                        if member == vertex:
                            break
                    count += 1
    return found


class Dependencies:
    """Which predicates depend on chance, on negation, on each other."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.graph: Dict[Key, Set[Key]] = {}
        negations: List[Tuple[Key, Key]] = []
        self.negating: Set[Key] = set()
        chance: Set[Key] = set()
        for clause in clauses:
            for head in clause.heads:
                used = self.graph.setdefault(head.atom.key, set())
                for literal in clause.body:
                    if literal.kind in ("atom", "not"):
                        used.add(literal.term.key)
                        self.graph.setdefault(literal.term.key, set())
                    if literal.kind == "not":
                        negations.append((head.atom.key, literal.term.key))
                        self.negating.add(head.atom.key)
                if head.probability is not None:
                    chance.add(head.atom.key)
        self.component = components(self.graph)
        self.cyclic = {head for head, used in negations if self.component[head] == self.component[used]}
        self.chance = self.reaching(chance)

    def reaching(self, targets: Set[Key]) -> Set[Key]:
        """The predicates that depend on one of the targets, and these."""
        found = set(targets)
        while True:
            more = {key for key, used in self.graph.items() if key not in found and used & found}
            if not more:
                return found
            found |= more

    def decided(self, wanted: Set[Key]) -> Set[Key]:
        """The predicates whose atoms grounding decides, if those in ``wanted`` are asked for by demand."""
        cyclic = {key for key in self.graph for other in self.cyclic if self.component[key] == self.component[other]}
        open_keys = self.chance | self.reaching(cyclic) | (self.reaching(wanted) & self.reaching(self.negating))
        return set(self.graph) - open_keys


class Modes:
    """``needed[p]`` has the positions of p that callers must bind. Clauses come out with local variables marked."""

    def __init__(self, reader: Reader) -> None:
        self.needed: Dict[Key, List[int]] = {}
        self.reader = reader
        changed = True
        while changed:
            changed = False
            for clause in reader.clauses:
                try:
                    changed = self._visit(clause)[1] or changed
                except Mistake:
                    pass  # reported below, when it is known what is needed
        self.clauses: List[Clause] = []
        for clause in reader.clauses:
            try:
                self.clauses.append(self._visit(clause)[0])
            except Mistake as mistake:
                reader.mistakes.append(mistake)
        for asked in [*reader.queries, *reader.evidence]:
            try:
                self._check_asked(asked)
            except Mistake as mistake:
                reader.mistakes.append(mistake)

    def given(self, atom: Term) -> List[Node]:
        """The arguments of an atom that its callers bind."""
        return [atom.args[at] for at in self.needed.get(atom.key, ())]

    def bound_by_callers(self, clause: Clause) -> List[str]:
        """The variables that every head has at a position that callers bind."""
        common = [[name for part in self.given(head.atom) for name in variables(part)] for head in clause.heads]
        return [name for name in dict.fromkeys(common[0]) if all(name in names for names in common)]

    def _defined(self, atom: Term) -> None:
        if atom.key in self.reader.defined or self.reader.unknown_fails:
            return
        known = [name for name, _ in self.reader.defined if " " not in name]
        close = difflib.get_close_matches(atom.name, known, 1)
        raise Mistake(atom.span, "problog-undefined", f"no clause defines '{atom.name}/{len(atom.args)}'",
                      f"did you mean '{close[0]}'?" if close and close[0] != atom.name else "")

    def _visit(self, clause: Clause) -> Tuple[Clause, bool]:
        """Walks through a clause as Prolog does. Returns it, and whether callers must bind more than was known."""
        changed = False
        bound = set(self.bound_by_callers(clause))

        def require(names: Iterable[str], span: Span, where: str) -> None:
            nonlocal changed
            for name in names:
                if name in bound:
                    continue
                for head in clause.heads:
                    places = [at for at, part in enumerate(head.atom.args) if name in variables(part)]
                    if not places:
                        raise Mistake(span, "problog-unsafe", f"'{_shown(name)}' has no value {where}", "a variable "
                                      "gets its value from an atom before it in the body, or from the caller through "
                                      "every head")
                    needed = self.needed.setdefault(head.atom.key, [])
                    if not set(places) & set(needed):
                        needed.append(places[0])
                        changed = True
                bound.add(name)

        body = []
        for literal in clause.body:
            term = literal.term
            if literal.kind in ("atom", "not"):
                self._defined(term)
                heads = {name for head in clause.heads for name in variables(head.atom)}
                if literal.kind == "not":
                    require([name for name in variables(term) if name in heads], term.span, "here")
                for part in self.given(term):
                    require(variables(part), term.span,
                            f"when '{term.name}/{len(term.args)}' is called, which needs it")
                if literal.kind == "not":
                    local: Dict[str, Node] = {name: Var("_!" + name, term.span) for name in variables(term)
                                              if name not in bound}
                    renamed = replaced(term, local)
                    assert isinstance(renamed, Term)
                    literal = Literal("not", renamed)
                else:
                    bound.update(variables(term))
            elif literal.kind == "range" or term.name == "is":
                inputs = term.args[1:] if term.name == "is" else term.args[:2]
                result = term.args[0] if term.name == "is" else term.args[2]
                require([name for part in inputs for name in variables(part)], term.span, "here")
                if not isinstance(result, Var):
                    require(variables(result), term.span, "here")
                bound.update(variables(result))
            else:
                require(variables(term), term.span, "here")
            body.append(literal)
        for head in clause.heads:
            require(variables(head.atom), head.atom.span, "after the body")
            if head.probability is not None:
                names = [name for name in variables(head.probability) if name not in bound]
                if names:
                    raise Mistake(head.probability.span, "problog-probability",
                                  f"the probability '{_shown(names[0])}' has no value after the body")
        return replace(clause, body=body), changed

    def _check_asked(self, asked: Asked) -> None:
        self._defined(asked.atom)
        bound = set() if asked.instances is None else set(variables(asked.instances))
        for part in self.given(asked.atom):
            if set(variables(part)) - bound:
                at = 1 + list(asked.atom.args).index(part)
                raise Mistake(asked.span, "problog-unsafe", f"argument {at} of '{written(asked.atom)}' needs a value: "
                              f"a clause of '{asked.atom.name}/{len(asked.atom.args)}' uses it before giving it one")


def _shown(name: str) -> str:
    return "_" if name.startswith("_?") else name
