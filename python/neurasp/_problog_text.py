"""Rules as the text of a program: names, terms, arithmetic, and the kinds of values that variables have."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, Optional, Sequence, Set, Tuple

from ._problog_clauses import ORDER, TESTS, Literal
from ._problog_modes import Key, components
from ._problog_rules import Rule
from ._prolog import Mistake, Node, Number, Parser, Term, Text, Var, variables, written

_IDENTIFIER = re.compile(r"[a-z][A-Za-z0-9_]*")
_VARIABLE = re.compile(r"_*[A-Z][A-Za-z0-9_]*")
Kinds = FrozenSet[str]
_ARITHMETIC = (*ORDER, "is")


class Names:
    """Names of ASP for predicates, constants and variables of Prolog, and the way back."""

    def __init__(self, rules: Sequence[Rule], also: Iterable[Term]) -> None:
        self._taken: Set[str] = {"not", "nn"}
        self._names: Dict[str, str] = {}
        words: Set[str] = set()
        for term in [*(term for rule in rules for term in _terms(rule)), *also]:
            words |= _words(term)
        for word in sorted(words):
            if _IDENTIFIER.fullmatch(word) and word not in self._taken:
                self._names[word] = word
                self._taken.add(word)
        self.real, self.text, self.name = self._fresh("real"), self._fresh("text"), self._fresh("name")

    def _fresh(self, wish: str) -> str:
        while wish in self._taken:
            wish += "_"
        self._taken.add(wish)
        return wish

    def predicate(self, name: str) -> str:
        """Helpers of the translation have a blank in their names, such as "maybe smokes"."""
        if name not in self._names:
            parts = [re.sub(r"\W", "", part) for part in name.split(" ")]
            if parts[0] == "cause":
                parts = [*parts[2:], f"cause{parts[1]}"]
            elif parts[0] == "wanted" and parts[1] != "clause":
                parts = parts[:-1]
            elif parts[-1].isdigit():
                parts[-2:] = [parts[-2] + parts[-1]]
            wish = "_".join(parts)
            if not _IDENTIFIER.fullmatch(wish):
                wish = "p_" + re.sub(r"[^A-Za-z0-9_]", "", wish)
            self._names[name] = self._fresh(wish)
        return self._names[name]

    def term(self, node: Node, variable: Callable[[str], str]) -> str:
        if isinstance(node, Var):
            return variable(node.name)
        if isinstance(node, Number):
            return str(node.integer) if node.integer is not None else f'{self.real}("{float(node.text)!r}")'
        if isinstance(node, Text):
            return f'{self.text}("{_escaped(node.text)}")'
        if not node.args:
            if node.name.isdigit() or self._names.get(node.name) == node.name and node.name not in ("not", "nn"):
                return node.name
            if node.name[0] == "'":
                return f'"{_escaped(node.name[1:-1])}"'
            return f'{self.name}("{node.name}")' if node.name != "none" else node.name
        arguments = ",".join(self.term(part, variable) for part in node.args)
        return f"{self.predicate(node.name)}({arguments})"

    def read(self, text: str) -> Node:
        """A ground term of ASP as one of Prolog."""
        (node,) = Parser(text + " .").clauses()
        return self._back(node)

    def _back(self, node: Node) -> Node:
        if isinstance(node, Text):
            return Term(f"'{_unescaped(node.text)}'")
        if not isinstance(node, Term) or not node.args:
            return node
        if len(node.args) == 1 and isinstance(node.args[0], Text):
            inside = _unescaped(node.args[0].text)
            made: Dict[str, Node] = {self.real: Number(inside), self.text: Text(inside.replace('"', '\\"')),
                                     self.name: Term(inside)}
            if node.name in made:
                return made[node.name]
        original = {name: word for word, name in self._names.items()}.get(node.name, node.name)
        return Term(original, tuple(map(self._back, node.args)), node.span)


def _escaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\", "\\\\").replace('"', '\\"')


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _words(term: Node) -> Set[str]:
    if not isinstance(term, Term):
        return set()
    return {term.name}.union(*map(_words, term.args)) if term.args else {term.name}


def _terms(rule: Rule) -> List[Term]:
    return [*(term for _, term in rule.heads), *(literal.term for literal in rule.body)]


# --- the kinds of values ---

def _kinds(node: Node, known: Dict[str, Kinds]) -> Kinds:
    if isinstance(node, Var):
        return known.get(node.name, frozenset())
    if isinstance(node, Number):
        return frozenset(["integer" if node.integer is not None else "real"])
    return frozenset(["other"])


def _variable_kinds(rule: Rule, table: Dict[Tuple[str, int, int], Kinds]) -> Dict[str, Kinds]:
    """The kinds of values that each variable of a body can have: those at all of its places in atoms."""
    known: Dict[str, Kinds] = {}
    for literal in rule.body:
        if literal.kind == "atom":
            for at, part in enumerate(literal.term.args):
                here = table.get((*literal.term.key, at), frozenset())
                for name in variables(part):
                    inside = here if isinstance(part, Var) else frozenset(["integer", "real", "other"])
                    known[name] = known[name] & inside if name in known else inside
        elif literal.kind == "range" or literal.term.name == "is":
            result = literal.term.args[2 if literal.kind == "range" else 0]
            if isinstance(result, Var):
                known[result.name] = frozenset(["integer"])
    return known


def check_kinds(rules: Sequence[Rule]) -> List[Rule]:
    """The rules, with tests that variables are integers where they may be something else.

    Raises: Mistake where arithmetic may meet a real number.
    """
    table: Dict[Tuple[str, int, int], Kinds] = {}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            known = _variable_kinds(rule, table)
            for _, head in rule.heads:
                for at, part in enumerate(head.args):
                    place = (*head.key, at)
                    more = table.get(place, frozenset()) | _kinds(part, known)
                    if more != table.get(place):
                        table[place] = more
                        changed = True
    return [_guarded(rule, _variable_kinds(rule, table)) for rule in rules]


def _guarded(rule: Rule, known: Dict[str, Kinds]) -> Rule:
    guards = []
    for literal in rule.body:
        if literal.kind == "range" or literal.kind == "test" and literal.term.name in _ARITHMETIC:
            _check_integers(literal.term, known)
            for name in variables(literal.term):
                if "other" in known.get(name, ()):
                    guards.append(Literal("integer", Term("integer", (Var(name),))))
    return replace(rule, body=[*rule.body, *(guard for at, guard in enumerate(guards) if guard not in guards[:at])])


def _check_integers(node: Node, known: Dict[str, Kinds]) -> None:
    real = isinstance(node, Number) and node.integer is None or isinstance(node, Term) and node.name == "/"
    if real or isinstance(node, Var) and "real" in known.get(node.name, ()):
        hint = "'//' divides integers" if isinstance(node, Term) else ""
        raise Mistake(node.span, "problog-arithmetic", f"'{written(node)}' {'is' if real else 'may be'} a real number, "
                      "and arithmetic is with integers here; reals can only be handed on, and be probabilities", hint)
    for part in node.args if isinstance(node, Term) else ():
        _check_integers(part, known)


def check_growth(rules: Sequence[Rule]) -> None:
    """Raises: Mistake for a rule that would derive new terms without end."""
    graph: Dict[Key, Set[Key]] = {}
    for rule in rules:
        for _, head in rule.heads:
            used = graph.setdefault(head.key, set())
            for literal in rule.body:
                if literal.kind == "atom":
                    used.add(literal.term.key)
                    graph.setdefault(literal.term.key, set())
    component = components(graph)
    for rule in rules:
        for _, head in rule.heads:
            if not any(literal.kind == "atom" and component[literal.term.key] == component[head.key]
                       for literal in rule.body):
                continue
            if any(isinstance(part, Term) and variables(part) for part in head.args):
                raise Mistake(rule.span, "problog-growing", f"'{written(head)}' puts terms into larger terms on each "
                              "round of this recursion, which would not end")
            computed = {name for literal in rule.body if literal.term.name == "is"
                        for name in variables(literal.term.args[0])}
            computed -= {name for literal in rule.body if literal.kind == "atom"
                         and component[literal.term.key] != component[head.key] for name in variables(literal.term)}
            bounded = any(literal.kind in ("test", "range") and literal.term.name != "is" for literal in rule.body)
            if computed & set(variables(head)) and not bounded:
                raise Mistake(rule.span, "problog-growing",
                              "this recursion counts without a bound, so it would not end",
                              "compare the number with its last value in the body")


# --- writing ---

def probability_text(value: Any) -> str:
    """A decimal where that is exact, else a fraction, else the nearest float."""
    if isinstance(value, Fraction):
        rest = value.denominator
        for prime in (2, 5):
            while rest % prime == 0:
                rest //= prime
        if rest != 1 and value.denominator < 10**9:
            return f"{value.numerator}/{value.denominator}"
    return f"{float(value):.17g}" if Fraction(repr(float(value))) != Fraction(value) else repr(float(value))


class Writer:
    """Writes rules with the names of a program."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def rule(self, rule: Rule) -> str:
        counts: Dict[str, int] = {}
        for term in _terms(rule):
            _count(term, counts)
        variable = _variable_names(counts)
        heads = []
        for chance, term in rule.heads:
            mark = "" if chance is None else f"{'@' if rule.learnable else ''}{probability_text(chance)} : "
            heads.append(mark + self.atom(term, variable))
        body = ", ".join(self._literal(literal, variable) for literal in rule.body)
        return " | ".join(heads) + (f" :- {body}" if body else "") + "."

    def atom(self, atom: Term, variable: Optional[Callable[[str], str]] = None) -> str:
        arguments = ",".join(self.names.term(part, variable or str) for part in atom.args)
        return self.names.predicate(atom.name) + (f"({arguments})" if arguments else "")

    def _literal(self, literal: Literal, variable: Callable[[str], str]) -> str:
        term = literal.term
        if literal.kind in ("atom", "not"):
            return ("not " if literal.kind == "not" else "") + self.atom(term, variable)
        if literal.kind == "integer":
            return f"|{self._arithmetic(term.args[0], variable)}| >= 0"
        if literal.kind == "range":
            low, high, result = (self._arithmetic(part, variable) for part in term.args)
            return f"{result} = {low}..{high}"
        write = self._arithmetic if term.name in _ARITHMETIC else self.names.term
        left, right = (write(part, variable) for part in term.args)
        return f"{left} {TESTS[term.name]} {right}"

    def _arithmetic(self, node: Node, variable: Callable[[str], str]) -> str:
        if not isinstance(node, Term):
            return self.names.term(node, variable)
        parts = [self._arithmetic(part, variable) for part in node.args]
        parts = [f"({text})" if isinstance(part, Term) and part.name not in ("abs",) else text
                 for part, text in zip(node.args, parts)]
        if len(parts) == 1:
            return f"|{parts[0]}|" if node.name == "abs" else f"-{parts[0]}"
        left, right = parts
        # ASP rounds quotients towards zero, ProbLog downwards.
        rest = f"({left}\\{right}+{right})\\{right}"
        forms = {"//": f"({left}-({rest}))/{right}", "div": f"({left}-({rest}))/{right}", "mod": rest,
                 "min": f"({left}+{right}-|{left}-{right}|)/2", "max": f"({left}+{right}+|{left}-{right}|)/2",
                 "^": f"{left}**{right}", "/\\": f"{left}&{right}", "\\/": f"{left}?{right}", "xor": f"{left}^{right}"}
        return forms.get(node.name, f"{left}{node.name}{right}")


def _count(node: Node, counts: Dict[str, int]) -> None:
    if isinstance(node, Var):
        counts[node.name] = counts.get(node.name, 0) + 1
    for part in node.args if isinstance(node, Term) else ():
        _count(part, counts)


def _variable_names(counts: Dict[str, int]) -> Callable[[str], str]:
    names: Dict[str, str] = {}
    for name in counts:
        wish = name
        if name.startswith("_!") or name.startswith("_?") and counts[name] == 1:
            names[name] = "_"
            continue
        if not _VARIABLE.fullmatch(name):
            wish = "Any" + re.sub(r"[^A-Za-z0-9_]", "", name).lstrip("_")
        while wish in names.values() or wish != name and wish in counts:
            wish += "_"
        names[name] = wish
    return lambda name: names[name]
