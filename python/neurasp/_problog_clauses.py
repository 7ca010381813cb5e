"""ProbLog's clauses: bodies as lists of literals, heads with their probabilities, queries and evidence."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from ._problog_unread import CONTINUOUS, META, UNSUPPORTED
from ._prolog import Mistake, Node, Number, Parser, Span, Term, Text, Var, replaced, variables, written

ORDER = {"<": "<", ">": ">", "=<": "<=", ">=": ">=", "=:=": "=", "=\\=": "!="}
_EQUAL = {"=": "=", "==": "=", "\\=": "!=", "\\==": "!="}
TESTS = {**ORDER, **_EQUAL, "is": "="}
_OPPOSITE = {"<": ">=", ">": "=<", "=<": ">", ">=": "<", "=:=": "=\\=", "=\\=": "=:=", "==": "\\==", "\\==": "==",
             "=": "\\=", "\\=": "=", "is": "=\\="}
_REAL: Dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "**": operator.pow, "^": operator.pow, "min": min, "max": max, "abs": abs, "mod": operator.mod}


@dataclass
class Literal:
    """Part of a body. ``kind`` is "atom", "not", "test" (a comparison, or ``is``) or "range" (``between``)."""

    kind: str
    term: Term


@dataclass
class Head:
    probability: Optional[Node]  # None: the clause is certain
    atom: Term
    learnable: bool = False


@dataclass
class Clause:
    heads: List[Head]
    body: List[Literal]
    span: Span

    def variables(self) -> List[str]:
        """Of the heads' atoms and of the body."""
        found: Dict[str, None] = {}
        for part in [*(head.atom for head in self.heads), *(literal.term for literal in self.body)]:
            found.update(dict.fromkeys(variables(part)))
        return list(found)


@dataclass
class Asked:
    """A query, or evidence. ``instances`` is an atom whose instances say which instances of ``atom`` are meant."""

    atom: Term
    negated: bool
    instances: Optional[Term]
    span: Span


def number(node: Node) -> Any:
    """The value of an arithmetic term without variables: a Fraction wherever that is exact."""
    if isinstance(node, Number):
        return Fraction(node.text) if node.integer is None else Fraction(node.integer)
    if isinstance(node, Term) and node.name == "-" and len(node.args) == 1:
        return -number(node.args[0])
    if isinstance(node, Term) and node.name in _REAL and len(node.args) in (1, 2):
        try:
            return _REAL[node.name](*map(number, node.args))
        except (ZeroDivisionError, OverflowError, TypeError) as error:
            raise Mistake(node.span, "problog-probability", f"'{written(node)}' has no value: {error}") from error
    raise Mistake(node.span, "problog-probability", f"'{written(node)}' is not a number, so it cannot be a probability")


class Reader:
    """All clauses of a text; ``mistakes`` has what could not be read."""

    def __init__(self, text: str) -> None:
        parser = Parser(text)
        terms = parser.clauses()
        self.mistakes = parser.mistakes
        self.clauses: List[Clause] = []
        self.queries: List[Asked] = []
        self.evidence: List[Asked] = []
        self.defined: Set[Tuple[str, int]] = set()  # predicates that have a clause, even if it can never apply
        self.unknown_fails = False
        self._helpers = 0
        self._own = {part.key for term in terms for part in _head_atoms(term)}
        for term in terms:
            try:
                self._statement(term)
            except Mistake as mistake:
                self.mistakes.append(mistake)
        self._inhibit()

    def _inhibit(self) -> None:
        """A head ``\\+a`` keeps ``a`` from being true: a holds if a clause is for it and none is against it."""
        against = {_term(head.atom.args[0]).key for clause in self.clauses for head in clause.heads
                   if head.atom.name == "\\+"}
        for clause in self.clauses:
            for head in clause.heads:
                if head.atom.name == "\\+":
                    atom = _term(head.atom.args[0])
                    head.atom = Term(f"against {atom.name}", atom.args, atom.span)
                elif head.atom.key in against:
                    head.atom = Term(f"for {head.atom.name}", head.atom.args, head.atom.span)
        for name, arity in sorted(against):
            args = tuple(Var(f"X{at + 1}") for at in range(arity))
            body = [Literal("atom", Term(f"for {name}", args)), Literal("not", Term(f"against {name}", args))]
            self.clauses.append(Clause([Head(None, Term(name, args))], body, (0, 0)))
            self.defined.update({(name, arity), *(literal.term.key for literal in body)})

    def _statement(self, node: Node) -> None:
        if isinstance(node, Term) and node.key == (":-", 1):
            self._directive(node)
            return
        head, body = node.args if isinstance(node, Term) and node.key == (":-", 2) else (node, Term("true"))
        if isinstance(head, Term) and head.name in ("query", "evidence") and len(head.args) in (1, 2):
            self._asked(head, body)
            return
        heads = [self._head(part) for part in _parts(head, ";")]
        if len(heads) > 1 and any(one.probability is None for one in heads):
            raise Mistake(head.span, "problog-syntax", "each head of an annotated disjunction needs a probability")
        self.defined.update(one.atom.key for one in heads if one.atom.name != "\\+")
        bodies = self._bodies(body, [*variables(head)])
        if heads[0].probability is not None and len(bodies) > 1:
            bodies = [[self._either(bodies, body.span)]]
        for literals in bodies:
            clause = _unified(Clause(heads, literals, node.span))
            if clause is not None:
                self.clauses.append(clause)

    def _directive(self, node: Term) -> None:
        goal = node.args[0]
        if goal == Term("unknown", (Term("fail"),)):
            self.unknown_fails = True
            return
        why = "libraries are not loaded" if isinstance(goal, Term) and goal.name in ("use_module", "consult") \
            else "directives run goals while the program is loaded, and nothing is run here"
        raise Mistake(node.span, "problog-unsupported", f"the directive ':- {written(goal)}' cannot be read: {why}")

    def _head(self, node: Node) -> Head:
        probability: Optional[Node] = None
        learnable = False
        if isinstance(node, Term) and node.key == ("::", 2):
            probability, node = node.args
            learnable = isinstance(probability, Term) and probability.name == "t"
            probability = _annotation(probability)
        if isinstance(node, Term) and node.key == ("~", 2):
            raise Mistake(node.span, "problog-continuous", "continuous distributions cannot be read: random variables "
                          "have finitely many outcomes here")
        if isinstance(node, Term) and node.key == ("\\+", 1):
            return Head(probability, Term("\\+", (self._atom(node.args[0]),), node.span), learnable)
        atom = self._atom(node)
        if atom.key in (("true", 0), ("fail", 0), ("false", 0), ("between", 3)) or atom.name in TESTS:
            raise Mistake(node.span, "problog-syntax", f"'{written(atom)}' is built in and cannot be defined")
        return Head(probability, atom, learnable)

    def _atom(self, node: Node) -> Term:
        if isinstance(node, Var):
            raise Mistake(node.span, "problog-unsupported", f"the goal '{written(node)}' is a variable: {META}")
        if not isinstance(node, Term) or node.name in (",", ";", "-", "+", "*", "/", "\\+", "::"):
            raise Mistake(node.span, "problog-syntax", f"'{written(node)}' is not an atom")
        if node.key == (":", 2):
            raise Mistake(node.span, "problog-unsupported",
                          f"'{written(node)}' cannot be read: there are no scopes here",
                          "a probability is followed by '::'" if isinstance(node.args[0], Number) else "")
        if node.name in UNSUPPORTED and node.key not in self._own:
            raise Mistake(node.span, "problog-unsupported",
                          f"'{node.name}/{len(node.args)}' cannot be read: {UNSUPPORTED[node.name]}")
        for part in node.args:
            _check_data(part)
        return node

    def _asked(self, head: Term, body: Node) -> None:
        goal, seen = head.args[0], True
        if len(head.args) == 2:
            if head.name == "query" or head.args[1] not in (Term("true"), Term("false")):
                raise Mistake(head.span, "problog-syntax", f"write {head.name}(atom)"
                              + (", evidence(atom,true) or evidence(atom,false)" if head.name == "evidence" else ""))
            seen = head.args[1] == Term("true")
        while isinstance(goal, Term) and goal.key == ("\\+", 1):
            goal, seen = goal.args[0], not seen
        atom = self._atom(goal)
        if atom.name in TESTS:
            raise Mistake(atom.span, "problog-syntax", f"'{written(atom)}' is not an atom that clauses define")
        for literals in self._bodies(body, variables(atom)):
            clause = _unified(Clause([Head(None, atom)], literals, head.span))
            if clause is not None:
                self._ask(head.name, clause, not seen)

    def _ask(self, kind: str, clause: Clause, negated: bool) -> None:
        atom, instances = clause.heads[0].atom, None
        bound = {name for literal in clause.body if literal.kind != "not" for name in variables(literal.term)}
        open_evidence = kind == "evidence" and bool(set(variables(atom)) - bound)
        if clause.body or open_evidence:
            body = clause.body + ([Literal("atom", atom)] if open_evidence else [])
            inside = {name for literal in body if literal.kind != "not" for name in variables(literal.term)}
            instances = self._helper("asked", [name for name in variables(atom) if name in inside], clause.span)
            self.clauses.append(Clause([Head(None, instances)], body, clause.span))
        asked = Asked(atom, negated, instances, clause.span)
        (self.queries if kind == "query" else self.evidence).append(asked)

    # --- bodies ---

    def _helper(self, kind: str, names: List[str], span: Span) -> Term:
        self._helpers += 1
        atom = Term(f"{kind} {self._helpers}", tuple(Var(name, span) for name in names), span)
        self.defined.add(atom.key)
        return atom

    def _either(self, bodies: List[List[Literal]], span: Span) -> Literal:
        """One atom for a disjunction in the body of a probabilistic clause, whose choice the alternatives share."""
        sets = [sorted({name for literal in literals for name in variables(literal.term)}) for literals in bodies]
        if any(names != sets[0] for names in sets):
            raise Mistake(span, "problog-unsupported", "the alternatives of this disjunction have different variables, "
                          "so it is not clear for which of them there is a choice")
        atom = self._helper("either", sets[0], span)
        for literals in bodies:
            clause = _unified(Clause([Head(None, atom)], literals, span))
            if clause is not None:
                self.clauses.append(clause)
        return Literal("atom", atom)

    def _bodies(self, node: Node, outside: List[str]) -> List[List[Literal]]:
        """The alternatives of a body: its disjunctive normal form. ``outside`` has variables of the rest."""
        if isinstance(node, Term) and node.key == (",", 2):
            first, second = node.args
            left = self._bodies(first, outside + variables(second))
            right = self._bodies(second, outside + variables(first))
            return [one + other for one in left for other in right]
        if isinstance(node, Term) and node.key == (";", 2):
            return [one for part in node.args for one in self._bodies(part, outside)]
        if node in (Term("true"), Term("otherwise")):
            return [[]]
        if node in (Term("fail"), Term("false")):
            return []
        if isinstance(node, Term) and node.key == ("\\+", 1):
            return self._negated(node.args[0], outside, node.span)
        return [[self._positive(node)]]

    def _positive(self, node: Node) -> Literal:
        if isinstance(node, Term) and len(node.args) == 2 and node.name in TESTS:
            for part in node.args:
                (_check_data if node.name in _EQUAL else check_arithmetic)(part)
            return Literal("test", node)
        if isinstance(node, Term) and node.key == ("between", 3):
            for part in node.args:
                check_arithmetic(part)
            return Literal("range", node)
        if isinstance(node, Term) and node.key == ("::", 2):
            raise Mistake(node.span, "problog-syntax", "a probability belongs to the head of a clause, not to its body")
        return Literal("atom", self._atom(node))

    def _negated(self, node: Node, outside: List[str], span: Span) -> List[List[Literal]]:
        inside = variables(node)
        plain = isinstance(node, Term) and node.name not in (",", ";", "\\+", "true", "fail", "false", "between")
        if isinstance(node, Term) and len(node.args) == 2 and node.name in _OPPOSITE:
            return [[self._positive(Term(_OPPOSITE[node.name], node.args, span))]]
        if plain and isinstance(node, Term) and len(inside) == sum(map(len, map(variables, node.args))):
            return [[Literal("not", self._atom(node))]]
        bodies = self._bodies(node, outside)
        atom = self._helper("holds", [name for name in inside if name in outside], span)
        for literals in bodies:
            clause = _unified(Clause([Head(None, atom)], literals, span))
            if clause is not None:
                self.clauses.append(clause)
        return [[Literal("not", atom)]]


def _annotation(node: Node) -> Node:
    """The probability of a head, checked."""
    if isinstance(node, Term) and node.name == "t":
        if len(node.args) != 1 or isinstance(node.args[0], Var):
            raise Mistake(node.span, "problog-unsupported", "a learnable probability needs a value to begin with",
                          "write t(0.5)::")
        return node.args[0]
    if isinstance(node, Term) and node.name in CONTINUOUS:
        raise Mistake(node.span, "problog-continuous", "continuous distributions cannot be read: random variables have "
                      "finitely many outcomes here")
    if isinstance(node, Term) and node.name == "nn":
        raise Mistake(node.span, "problog-neural", "neural predicates of DeepProbLog cannot be read",
                      "write a neural rule, nn(m(1,X),[..]) :- Body; docs/coming-from.md shows how")
    if node == Term("?"):
        raise Mistake(node.span, "problog-unsupported", "decisions (DTProbLog) cannot be read")
    return node


def _head_atoms(node: Node) -> List[Term]:
    """The atoms that a clause defines."""
    head = node.args[0] if isinstance(node, Term) and node.key == (":-", 2) else node
    found = []
    for part in _parts(head, ";"):
        part = part.args[1] if isinstance(part, Term) and part.key == ("::", 2) else part
        if isinstance(part, Term):
            found.append(part)
    return found


def _parts(node: Node, separator: str) -> List[Node]:
    if isinstance(node, Term) and node.key == (separator, 2):
        return _parts(node.args[0], separator) + _parts(node.args[1], separator)
    return [node]


def _check_data(node: Node) -> None:
    """Terms of atoms are constants, variables and functions; Prolog does not evaluate arithmetic there."""
    if isinstance(node, Term):
        if not (node.name[0].isalpha() or node.name[0] == "'") or node.name in ("is", "mod", "xor", "rem", "div"):
            raise Mistake(node.span, "problog-unsupported", f"'{written(node)}' is a term with an operator, which "
                          "cannot be read", "arithmetic is evaluated by 'is': write Y is X+1 and use Y")
        for part in node.args:
            _check_data(part)


_INTEGER = {"+": 2, "-": 2, "*": 2, "//": 2, "div": 2, "mod": 2, "**": 2, "^": 2, "min": 2, "max": 2, "abs": 1,
            "/\\": 2, "\\/": 2, "xor": 2, "/": 2}


def check_arithmetic(node: Node) -> None:
    if isinstance(node, Text) or isinstance(node, Term) and not node.args:
        raise Mistake(node.span, "problog-arithmetic", f"'{written(node)}' is not a number")
    if isinstance(node, Term):
        if _INTEGER.get(node.name) != len(node.args) and node.key != ("-", 1):
            raise Mistake(node.span, "problog-arithmetic", f"'{node.name}/{len(node.args)}' cannot be read in "
                          "arithmetic; integers have + - * // mod ** min max abs")
        for part in node.args:
            check_arithmetic(part)


def _unified(clause: Clause) -> Optional[Clause]:
    """The clause with its equations solved, or None if one can never hold."""
    earlier: Set[str] = set()
    for at, literal in enumerate(clause.body):
        if literal.kind == "test" and literal.term.name == "=":
            values: Dict[str, Node] = {}
            if not _unify(literal.term.args[0], literal.term.args[1], values):
                return None
            clash = earlier.intersection(variables(literal.term))
            if clash:
                raise Mistake(literal.term.span, "problog-order", f"this gives '{sorted(clash)[0]}' a value after a "
                              "negation or comparison has used it", "move it to the beginning of the body")
            rest = [one for index, one in enumerate(clause.body) if index != at]
            return _unified(Clause([replace(head, atom=replaced(head.atom, values), probability=None
                                            if head.probability is None else replaced(head.probability, values))
                                    for head in clause.heads],
                                   [Literal(one.kind, _term(replaced(one.term, values))) for one in rest],
                                   clause.span))
        # Comparisons of numbers and 'is' fail in Prolog if they come too early; the others give another answer.
        if literal.kind == "not" or literal.kind == "test" and literal.term.name in _EQUAL:
            earlier.update(variables(literal.term))
    return clause


def _term(node: Node) -> Term:
    assert isinstance(node, Term)
    return node


def _unify(left: Node, right: Node, values: Dict[str, Node]) -> bool:
    """Whether two terms can be made equal; ``values`` then says how. Its values have no variables that it replaces."""
    left, right = replaced(left, values), replaced(right, values)
    if isinstance(right, Var) and not isinstance(left, Var):
        left, right = right, left
    if isinstance(left, Var):
        if left == right:
            return True
        if left.name in variables(right):
            return False
        for name in values:
            values[name] = replaced(values[name], {left.name: right})
        values[left.name] = right
        return True
    if isinstance(left, Term) and isinstance(right, Term):
        return left.key == right.key and all(_unify(one, other, values) for one, other in zip(left.args, right.args))
    if isinstance(left, Number) and isinstance(right, Number):
        return (left.integer is None) == (right.integer is None) and Fraction(number(left)) == Fraction(number(right))
    return left == right


def unifiable(left: Term, right: Term) -> bool:
    """Whether instances of the two atoms may be equal; their variables are different even if named alike."""
    apart: Dict[str, Node] = {name: Var("' " + name) for name in variables(right)}
    return _unify(left, replaced(right, apart), {})
