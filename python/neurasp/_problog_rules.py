"""The rules of ASP that a ProbLog program becomes.

Every choice that ProbLog makes, one for each clause and each value of all its variables, becomes a random variable. Our
random variables exist whatever else is true, so their bodies may only use what grounding decides. Where a body
depends on chance, ``maybe`` predicates stand for what can become true at all; they are decided.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from ._problog_clauses import Asked, Clause, Head, Literal, Reader, number, unifiable
from ._problog_modes import Dependencies, Key, Modes
from ._prolog import Mistake, Node, Span, Term, Var, replaced, variables, written


@dataclass
class Rule:
    """``heads`` have their probabilities; None in a rule that is not probabilistic."""

    heads: List[Tuple[Any, Term]]
    body: List[Literal]
    span: Span
    frame: bool = False  # grounding decides it, so that it helps to find out which instances there are
    only_frame: bool = False  # it is not part of the program
    learnable: bool = False


@dataclass
class Pending:
    """A clause whose probabilities depend on variables: their values are the instances of ``values``."""

    clause: Clause
    values: Term
    index: int


@dataclass
class Rules:
    """Of a whole program. ``finish`` adds those that need the instances which the rules of the frame give."""

    reader: Reader
    rules: List[Rule] = field(default_factory=list)
    pending: List[Pending] = field(default_factory=list)

    def __post_init__(self) -> None:
        modes = self.modes = Modes(self.reader)
        self._clauses = [self._certain(clause) for clause in modes.clauses]
        self.dependencies = Dependencies(self._clauses)
        wanted = {key for key, needed in modes.needed.items() if needed}
        self._decided = self.dependencies.decided(wanted)
        self._by_head: Dict[Key, List[Tuple[int, Clause, Head]]] = {}
        for index, clause in enumerate(self._clauses):
            for head in clause.heads:
                self._by_head.setdefault(head.atom.key, []).append((index, clause, head))
        self._simple: Dict[Key, bool] = {}
        self._common: Set[Key] = set()
        self._maybe_made: Set[Key] = set()
        self._maybe_wanted: List[Key] = []
        self._numbers: Dict[str, int] = {}
        for index, clause in enumerate(self._clauses):
            try:
                self._clause(index, clause)
            except Mistake as mistake:
                self.reader.mistakes.append(mistake)
        for asked in [*self.reader.queries, *self.reader.evidence]:
            if modes.needed.get(asked.atom.key):
                body = [] if asked.instances is None else [Literal("atom", asked.instances)]
                self._add(self._wanted_atom(asked.atom), body, asked.span, frame=True, only_frame=True)
        while self._maybe_wanted:
            self._maybe(self._maybe_wanted.pop())

    def _add(self, head: Term, body: Sequence[Literal], span: Span, **flags: bool) -> None:
        self.rules.append(Rule([(None, head)], list(body), span, **flags))

    def _certain(self, clause: Clause) -> Clause:
        """A clause whose only probability is 1 is certain."""
        head = clause.heads[0]
        if len(clause.heads) == 1 and head.probability is not None and not head.learnable \
                and not variables(head.probability) and number(head.probability) == 1:
            return replace(clause, heads=[Head(None, head.atom)])
        return clause

    # --- bodies ---

    def _wanted_atom(self, atom: Term) -> Term:
        return Term(f"wanted {atom.name} {len(atom.args)}", tuple(self.modes.given(atom)), atom.span)

    def _wanted(self, index: int, clause: Clause) -> List[Literal]:
        """That some caller wants the clause, where its variables come from callers."""
        if not all(self.modes.needed.get(head.atom.key) for head in clause.heads) or not clause.variables():
            return []
        atoms = {self._wanted_atom(head.atom) for head in clause.heads}
        if len(atoms) == 1:
            return [Literal("atom", atoms.pop())]
        names = self.modes.bound_by_callers(clause)
        common = Term(f"wanted clause {index}", tuple(Var(name, clause.span) for name in names), clause.span)
        if common.key not in self._common:
            self._common.add(common.key)
            for head in clause.heads:
                self._add(common, [Literal("atom", self._wanted_atom(head.atom))], clause.span, frame=True)
        return [Literal("atom", common)]

    def _possible(self, body: Sequence[Literal], negation: bool = True) -> List[Literal]:
        """A body that grounding decides and that holds wherever the given one can hold."""
        found = []
        for literal in body:
            if literal.kind in ("test", "range"):
                found.append(literal)
            elif literal.term.key in self._decided or literal.term.key not in self.dependencies.graph:
                if literal.kind == "atom" or negation:
                    found.append(literal)
            elif literal.kind == "atom":
                found.append(Literal("atom", self._maybe_atom(literal.term)))
        return found

    def _is_decided(self, body: Sequence[Literal]) -> bool:
        return all(literal.kind in ("test", "range") or literal.term.key in self._decided for literal in body)

    def _maybe_atom(self, atom: Term) -> Term:
        if atom.key not in self._maybe_made:
            self._maybe_made.add(atom.key)
            self._maybe_wanted.append(atom.key)
        return Term(f"maybe {atom.name}", atom.args, atom.span)

    def _maybe(self, key: Key) -> None:
        for index, clause, head in self._by_head.get(key, ()):
            body = self._wanted(index, clause) + self._possible(clause.body)
            self._add(self._maybe_atom(head.atom), body, clause.span, frame=True)

    # --- clauses ---

    def _clause(self, index: int, clause: Clause) -> None:
        asking = clause.heads[0].atom.name.startswith("asked ")
        wanted = self._wanted(index, clause)
        for at, literal in enumerate(clause.body):
            if literal.kind in ("atom", "not") and self.modes.needed.get(literal.term.key):
                self._add(self._wanted_atom(literal.term), wanted + self._possible(clause.body[:at], negation=False),
                          literal.term.span, frame=True, only_frame=asking)
        if asking:
            self._add(clause.heads[0].atom, self._possible(clause.body), clause.span, frame=True, only_frame=True)
        elif clause.heads[0].probability is None:
            self._add(clause.heads[0].atom, wanted + clause.body, clause.span,
                      frame=clause.heads[0].atom.key in self._decided)
        else:
            self._choice(index, _solved(clause), wanted)

    def _choice(self, index: int, clause: Clause, wanted: List[Literal]) -> None:
        names = [name for head in clause.heads for name in variables(_given(head))]
        if not names:
            self._random(index, clause, wanted, {})
            return
        if any(head.learnable for head in clause.heads):
            raise Mistake(clause.span, "problog-unsupported", "a learnable probability cannot depend on variables")
        values = Term(f"values {index}", tuple(Var(name) for name in dict.fromkeys(names)))
        self._add(values, wanted + self._possible(clause.body), clause.span, frame=True, only_frame=True)
        self.pending.append(Pending(clause, values, index))

    def finish(self, found: Dict[Key, List[Tuple[Node, ...]]]) -> None:
        """Adds the rules that depend on instances of the frame."""
        for one in self.pending:
            wanted = self._wanted(one.index, one.clause)
            for instance in found.get(one.values.key, []):
                given = dict(zip(variables(one.values), instance))
                try:
                    self._random(one.index, one.clause, wanted, given)
                except Mistake as mistake:
                    self.reader.mistakes.append(mistake)
                    break
        asked = [*self.reader.queries, *self.reader.evidence]
        for atom in dict.fromkeys(atom for one in asked for atom in concrete(one, found)):
            if self.modes.needed.get(atom.key):
                self._add(self._wanted_atom(atom), [], atom.span)

    def _random(self, index: int, clause: Clause, wanted: List[Literal], given: Dict[str, Node]) -> None:
        """The random variables of a clause, for the given values of the variables in its probabilities."""
        chances = [_chance(head, given) for head in clause.heads]
        total = sum(chances)
        if total > 1 + Fraction(1, 10**6):
            raise Mistake(clause.span, "problog-probability",
                          f"the probabilities of this clause sum to {float(total):.6g}, which is more than 1")
        names = [name for name in clause.variables() if not name.startswith("_!")]
        decided = self._is_decided(clause.body)
        direct = not given and all(self._is_simple(head.atom.key) for head in clause.heads)
        arguments = tuple(Var(name) for name in names)
        number_of = self._number(clause, index)
        if direct:
            outcomes = [head.atom for head in clause.heads]
        elif len(clause.heads) == 1:
            outcomes = [Term(f"cause {number_of} {clause.heads[0].atom.name}", arguments)]
        else:
            outcomes = [Term(f"pick {number_of}", (*arguments, Term(str(at + 1)))) for at in range(len(clause.heads))]
        heads = list(zip(chances, outcomes))
        if len(heads) > 1 and total < 1:
            none = Term(f"pick {number_of}", (*arguments, Term("none")))
            heads.append((1 - total, Term(f"none {number_of}", arguments) if direct else none))
        # A ground atom binds nothing: without it the random variable exists where it does not matter.
        binding = [literal for literal in clause.body if literal.kind in ("test", "range") or variables(literal.term)
                   or literal.term.key in self._decided]
        rule = Rule(heads, wanted + self._possible(binding), clause.span,
                    learnable=any(head.learnable for head in clause.heads))
        self.rules.append(_instance(rule, given))
        if direct:
            return
        for head, outcome in zip(clause.heads, outcomes):
            body = [] if decided else clause.body
            effect = Rule([(None, head.atom)], [*body, Literal("atom", outcome)], clause.span)
            self.rules.append(_instance(effect, given))

    def _number(self, clause: Clause, index: int) -> int:
        """Clauses with one head are numbered by its predicate, the others together."""
        kind = clause.heads[0].atom.name if len(clause.heads) == 1 else ""
        known = self._numbers.get(f"{kind} {index}")
        if known is None:
            known = self._numbers[f"{kind} {index}"] = self._numbers[kind] = self._numbers.get(kind, 0) + 1
        return known

    def _is_simple(self, key: Key) -> bool:
        """Whether the atoms of a predicate can be outcomes themselves: each belongs to one choice and nothing else."""
        if key not in self._simple:
            self._simple[key] = self._find_simple(key)
        return self._simple[key]

    def _find_simple(self, key: Key) -> bool:
        ground: Set[Term] = set()
        other: List[Term] = []
        for _, clause, head in self._by_head[key]:
            names = {name for name in clause.variables() if not name.startswith("_!")}
            if head.probability is None or variables(head.probability) or not self._is_decided(clause.body) \
                    or names - set(variables(head.atom)) or head.atom in ground:
                return False
            if names:
                other.append(head.atom)
            else:
                ground.add(head.atom)
        atoms = [*other, *ground]
        return not any(unifiable(one, rival) for at, one in enumerate(other) for rival in atoms[at + 1:])


def concrete(asked: Asked, found: Dict[Key, List[Tuple[Node, ...]]]) -> List[Term]:
    """The atoms that a query or evidence is about."""
    if asked.instances is None:
        return [asked.atom]
    atoms = []
    for instance in found.get(asked.instances.key, []):
        atom = replaced(asked.atom, dict(zip(variables(asked.instances), instance)))
        assert isinstance(atom, Term)
        atoms.append(atom)
    return atoms


def _given(head: Head) -> Node:
    assert head.probability is not None
    return head.probability


def _chance(head: Head, given: Dict[str, Node]) -> Any:
    chance = number(replaced(_given(head), given))
    if not 0 <= chance <= 1:
        raise Mistake(_given(head).span, "problog-probability",
                      f"{'this' if given else written(_given(head))} is not a probability"
                      + (f": its value is {float(chance):.6g}" if given else ""))
    return chance


def _instance(rule: Rule, given: Dict[str, Node]) -> Rule:
    def at(term: Term) -> Term:
        changed = replaced(term, given)
        assert isinstance(changed, Term)
        return changed

    return replace(rule, heads=[(chance, at(term)) for chance, term in rule.heads],
                   body=[Literal(literal.kind, at(literal.term)) for literal in rule.body])


def _solved(clause: Clause) -> Clause:
    """The clause with ``P is ...`` put into its probabilities where P serves nothing else: P may then be real."""
    for at, literal in enumerate(clause.body):
        result = literal.term.args[0] if literal.kind == "test" and literal.term.name == "is" else None
        rest = [one for index, one in enumerate(clause.body) if index != at]
        if not isinstance(result, Var) or result.name in Clause(clause.heads, rest, clause.span).variables():
            continue
        if any(result.name in variables(_given(head)) for head in clause.heads):
            heads = [replace(head, probability=replaced(_given(head), {result.name: literal.term.args[1]}))
                     for head in clause.heads]
            return _solved(Clause(heads, rest, clause.span))
    return clause
