"""Reads programs of ProbLog: the translation, its queries and its evidence."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from ._problog_clauses import Asked, Reader
from ._problog_modes import Key, components
from ._problog_rules import Rules, concrete
from ._problog_text import Names, Writer, check_growth, check_kinds
from ._prolog import Mistake, Node, Term, input_error, replaced, variables, written
from .answers import Instances
from .errors import InputError, UsageError
from .numbers import How, Probability
from .options import Options
from .program import Program, query_numbers

Found = Dict[Key, List[Tuple[Node, ...]]]


@dataclass
class Query:
    """A query: its atom, the text that asks for it, and the atom's variables by their names in the text."""

    atom: Term
    negated: bool
    text: str
    variables: Dict[str, str]

    def written(self, atom: Optional[Term] = None) -> str:
        return ("\\+" if self.negated else "") + written(self.atom if atom is None else atom)


class ProblogProgram:
    """A program of ProbLog, read by :func:`neurasp.from_problog`.

    ``program`` is the translation, a :class:`neurasp.Program` that answers any question, and ``text`` is its text;
    ``observation`` has the evidence as constraints for ``observe=``, or is None.
    """

    def __init__(self, program: Program, observation: Optional[str], queries: List[Query], names: Names,
                 impossible: InputError) -> None:
        self.program = program
        self.observation = observation
        self._queries = queries
        self._names = names
        self._impossible = impossible

    @property
    def text(self) -> str:
        """The translation, in the language of this package."""
        return self.program.text

    @property
    def queries(self) -> List[str]:
        """The queries as ProbLog writes them, each once."""
        return list(dict.fromkeys(query.written() for query in self._queries))

    def __repr__(self) -> str:
        return self.text if self.observation is None else f"{self.text}\n% evidence\n{self.observation}"

    def answers(self, **options: Any) -> Instances:
        """The probability of each query given the evidence: a mapping from atoms as ProbLog writes them to numbers.

        A query with variables has one answer for each instance that can hold; if there is none, the query itself has
        probability 0. ``options`` are those of :class:`neurasp.Options`. Impossible evidence is an
        :class:`neurasp.InputError`; if a limit or samples leave it open, answers may be None.
        """
        asked = Options.of(options, "answers")
        data = self.program.ask_each(self.observation, [query.text for query in self._queries], asked)
        if data["exact"] and data["log_probability"] is None:
            raise self._impossible
        how = How(data["how"])
        found = query_numbers(data, how)
        numbers: Dict[str, Optional[Probability]] = {}
        for query in self._queries:
            instances = [one for one in data["queries"] if one["instance_of"] == query.text]
            if not instances:
                numbers.setdefault(query.written(), Probability(float(query.negated), how=how))
            for one in instances:
                values = {query.variables[name]: self._names.read(value) for name, value in one["bindings"].items()}
                atom = replaced(query.atom, values)
                assert isinstance(atom, Term)
                number = found[one["query"]]
                numbers[query.written(atom)] = _complement(number) if query.negated and number is not None else number
        return Instances(data, numbers)


def from_problog(text: str, *, name: str = "<problog>") -> ProblogProgram:
    """Reads a program of ProbLog: probabilistic facts and clauses, annotated disjunctions, queries and evidence.

    >>> read = neurasp.from_problog('''
    ...     0.1::burglary.  0.2::earthquake.
    ...     0.9::alarm :- burglary.
    ...     0.4::alarm :- earthquake.
    ...     evidence(alarm).
    ...     query(burglary).''')
    >>> read.answers()
    burglary  0.55773956
    >>> print(read.text)
    0.1 : burglary.
    0.2 : earthquake.
    0.9 : alarm_cause1.
    alarm :- burglary, alarm_cause1.
    0.4 : alarm_cause2.
    alarm :- earthquake, alarm_cause2.
    >>> read.observation
    ':- not alarm.'

    The answers are those of ProbLog. The part without lists, meta calls and growing terms can be read; anything else is
    an :class:`neurasp.InputError` that shows the place and says why. ``name`` is the name of the text in messages.
    """
    if not isinstance(text, str):
        raise UsageError(f"a program is a text, not {type(text).__name__}")
    mistakes: List[Mistake] = []
    try:
        return _translated(text, name, mistakes)
    except Mistake as mistake:
        mistakes.append(mistake)
    raise input_error(name, text, sorted(mistakes, key=lambda one: one.span))


def _translated(text: str, name: str, mistakes: List[Mistake]) -> ProblogProgram:
    def stop_at_mistakes() -> None:
        if reader.mistakes:
            mistakes.extend(reader.mistakes[:-1])
            raise reader.mistakes[-1]

    reader = Reader(text)
    stop_at_mistakes()
    rules = Rules(reader)
    stop_at_mistakes()
    names = Names(rules.rules, [*(head.atom for clause in reader.clauses for head in clause.heads),
                                *(asked.atom for asked in [*reader.queries, *reader.evidence])])
    writer = Writer(names)
    found = _instances(rules, names, writer)
    rules.finish(found)
    stop_at_mistakes()
    program = Program(_program_text(rules, writer), name=f"{name}, translated")
    if rules.dependencies.cyclic:
        _check_negation(program, rules)
    evidence = [f":- {'' if asked.negated else 'not '}{writer.atom(atom)}."
                for asked in reader.evidence for atom in concrete(asked, found)]
    queries = [_query(atom, asked.negated, writer) for asked in reader.queries for atom in concrete(asked, found)]
    spans = [Mistake(asked.span, "problog-inconsistent", "the evidence is impossible: no world agrees with it")
             for asked in reader.evidence[:1]]
    return ProblogProgram(program, "\n".join(dict.fromkeys(evidence)) or None, queries, names,
                          input_error(name, text, spans))


def _query(atom: Term, negated: bool, writer: Writer) -> Query:
    names = {variable: f"V{at + 1}" for at, variable in enumerate(variables(atom))}
    return Query(atom, negated, writer.atom(atom, names.__getitem__), {new: old for old, new in names.items()})


def _complement(number: Probability) -> Probability:
    return Probability(1.0 - number, None, 1.0 - number.upper, 1.0 - number.lower, number.exact, number.how)


def _instances(rules: Rules, names: Names, writer: Writer) -> Found:
    """What grounding says about the values of probabilities, and about queries and evidence with bodies."""
    wanted = {rule.heads[0][1].key for rule in rules.rules
              if rule.only_frame and rule.heads[0][1].name.split(" ")[0] in ("values", "asked")}
    if not wanted:
        return {}
    frame = [rule for rule in rules.rules if rule.frame]
    check_growth(frame)
    lines = [writer.rule(rule) for rule in check_kinds(frame)]
    used = {literal.term.key for rule in frame for literal in rule.body if literal.kind in ("atom", "not")}
    made = {term.key for rule in frame for _, term in rule.heads}
    lines += [f"#defined {names.predicate(key[0])}/{key[1]}." for key in sorted(used - made)]
    lines += [f"#show {names.predicate(key[0])}/{key[1]}." for key in sorted(wanted)]
    (model,) = Program("\n".join(lines)).models()
    found: Found = {}
    for text in model.atoms:
        atom = names.read(text)
        assert isinstance(atom, Term)
        found.setdefault(atom.key, []).append(atom.args)
    return found


def _program_text(rules: Rules, writer: Writer) -> str:
    kept = sorted((rule for rule in rules.rules if not rule.only_frame), key=lambda rule: rule.span[0])
    check_growth(kept)
    lines = list(dict.fromkeys(writer.rule(rule) for rule in check_kinds(kept)))
    made = {term.key for rule in kept for _, term in rule.heads}
    known = sorted(key for key in rules.reader.defined if " " not in key[0])
    used = {literal.term.key for rule in kept for literal in rule.body if literal.kind in ("atom", "not")}
    asked = {one.atom.key for one in [*rules.reader.queries, *rules.reader.evidence]}
    lines += [f"#defined {writer.names.predicate(name)}/{arity}." for name, arity in sorted((used | asked) - made)]
    if any(" " in term.name for rule in kept for chance, term in rule.heads if chance is None):
        lines += [f"#show {writer.names.predicate(name)}/{arity}." for name, arity in known]
    return "\n".join(lines)


def _check_negation(program: Program, rules: Rules) -> None:
    """Raises: Mistake if an atom depends on its own negation, for which ProbLog has no meaning."""
    graph: Dict[int, Set[int]] = {}
    negative: List[Tuple[int, int]] = []
    for line in program.ground(aspif=True).splitlines():
        fields = line.split()
        if fields[:2] != ["1", "0"] or fields[2] != "1" or fields[4] != "0":
            continue
        head, body = int(fields[3]), [int(field) for field in fields[6:]]
        graph.setdefault(head, set()).update(map(abs, body))
        negative += [(head, -literal) for literal in body if literal < 0]
    component = components(graph)
    if not any(component[head] == component.get(used) for head, used in negative):
        return
    cyclic = rules.dependencies.cyclic
    for clause in rules.reader.clauses:
        for literal in clause.body:
            if literal.kind == "not" and clause.heads[0].atom.key in cyclic and literal.term.key in \
                    rules.dependencies.graph and rules.dependencies.component[literal.term.key] \
                    == rules.dependencies.component[clause.heads[0].atom.key]:
                raise Mistake(literal.term.span, "problog-negative-cycle", "an atom depends on its own negation "
                              "through this; ProbLog gives such programs no meaning", "if several solutions are meant, "
                              "write the program in ASP: docs/coming-from.md shows how")
