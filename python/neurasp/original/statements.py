"""Program texts as the original's classes look at them: statements, constants, probabilistic rules.

What a program means is the library's business. This module only finds the parts that the original's attributes name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Tuple

_NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_CHOICE = re.compile(rf"(@?)({_NUMBER})\s+(\S.*)", re.DOTALL)
_CONSTANT = re.compile(r"#const\s+([a-z_][\w']*)\s*=\s*(.+?)\s*(?:\.\s*(?:\[[a-z]+\])?)?$", re.DOTALL)


@dataclass
class ProbabilisticRule:
    """A rule ``p1 a1; p2 a2; ... .`` as it is written."""

    atoms: List[str]
    probabilities: List[float]
    learnable: List[bool]


def _skip(text: str, at: int) -> int:
    """The end of the comment or string that starts here; ``at`` itself if none does."""
    if text.startswith("%*", at):
        depth, at = 1, at + 2
        while at < len(text) and depth > 0:
            pair = text[at:at + 2]
            depth += (pair == "%*") - (pair == "*%")
            at += 2 if pair in ("%*", "*%") else 1
    elif text[at] == "%":
        end = text.find("\n", at)
        at = len(text) if end < 0 else end
    elif text[at] == '"':
        at += 1
        while at < len(text) and text[at] != '"':
            at += 2 if text[at] == "\\" else 1
        at += 1
    return at


def _ends(text: str, at: int, before: str) -> bool:
    """Whether the full stop here ends a statement: it belongs neither to an interval nor to a number."""
    after = text[at + 1:at + 2]
    if after == "." or text[at - 1:at] == ".":
        return False
    if after.isdigit():
        return not (text[at - 1:at].isdigit() or before == "" or before[-1] in ";|@:")
    return True


def statements(text: str) -> List[str]:
    """The statements of a program, without comments; each with its full stop, weak constraints with their weights.

    >>> statements('a. % b.\\n0.4 c; 0.6 d. :~ a. [1, "x."]')
    ['a.', '0.4 c; 0.6 d.', ':~ a. [1, "x."]']
    """
    found: List[str] = []
    now, at = "", 0
    while at < len(text):
        character = text[at]
        if character in '%"':
            end = _skip(text, at)
            now += text[at:end] if character == '"' else " "
            at = end
            continue
        now += character
        at += 1
        if character == "." and _ends(text, at - 1, now[:-1].strip()):
            if now.lstrip().startswith((":~", "#const")):
                tail = _weights(text, at)
                now += text[at:tail]
                at = tail
            found.append(now.strip())
            now = ""
    if now.strip():
        found.append(now.strip())
    return found


def _weights(text: str, at: int) -> int:
    """The end of ``[...]`` after a weak constraint; ``at`` if it has none."""
    start = at
    while start < len(text) and (text[start].isspace() or text[start] == "%"):
        start = _skip(text, start) if text[start] == "%" else start + 1
    if text[start:start + 1] != "[":
        return at
    while start < len(text) and text[start] != "]":
        start = _skip(text, start) if text[start] == '"' else start + 1
    return start + 1


def parts_of(text: str, separator: str) -> List[str]:
    """The text cut at separators that neither a bracket nor a string encloses."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(text):
        if text[at] == '"':
            at = _skip(text, at)
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if text[at] == separator and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    return [*parts, text[start:].strip()]


def without_spaces(atom: str) -> str:
    """An atom as clingo prints it. Spaces in strings stay.

    >>> without_spaces('d(0, x, "big car")')
    'd(0,x,"big car")'
    """
    made, at = "", 0
    while at < len(atom):
        end = max(_skip(atom, at), at + 1)
        made += atom[at:end].strip() if end == at + 1 else atom[at:end]
        at = end
    return made


def probabilistic_rule(statement: str) -> Optional[ProbabilisticRule]:
    """The statement as a rule ``p1 a1; p2 a2; ... .``, or None if it is another one.

    >>> probabilistic_rule("@0.4 a; @0.6 b.").learnable
    [True, True]
    >>> probabilistic_rule("1 {p; q} 1.") is None
    True
    """
    head = statement[:-1] if statement.endswith(".") else statement
    parts = [_CHOICE.fullmatch(part) for part in parts_of(head, ";")]
    if len(parts) < 2 or any(part is None or part.group(3)[0] in "{:" or ":-" in part.group(3) for part in parts):
        return None
    chosen = [part for part in parts if part is not None]
    return ProbabilisticRule([without_spaces(part.group(3)) for part in chosen],
                             [float(part.group(2)) for part in chosen], [part.group(1) == "@" for part in chosen])


def constants_of(text: str) -> Dict[str, str]:
    """What ``#const`` defines.

    >>> constants_of("#const a=1. #const k=7. % size = seven.")
    {'a': '1', 'k': '7'}
    """
    found = (_CONSTANT.match(statement) for statement in statements(text) if statement.startswith("#const"))
    return {match.group(1): match.group(2) for match in found if match}


def is_neural(statement: str) -> bool:
    """Whether this is a neural rule."""
    return re.match(r"nn\s*\(", statement) is not None


def has_weak_constraints(text: str) -> bool:
    """Whether some statement prefers models: ``:~``, ``#minimize`` or ``#maximize``."""
    return any(statement.startswith((":~", "#minim", "#maxim")) for statement in statements(text))


def is_constraint(statement: str) -> bool:
    """Whether the statement only forbids models."""
    return statement.startswith(":-")


def split_observation(text: str) -> Tuple[str, str]:
    """The constraints of an observation, and its facts and rules."""
    found = statements(text)
    return ("\n".join(one for one in found if is_constraint(one)),
            "\n".join(one for one in found if not is_constraint(one)))


def evidence(text: str) -> List[str]:
    """The observations of an evidence file, which ``#evidence`` separates."""
    return [part.strip() for part in text.split("#evidence") if part.strip()]


def lines_of(found: List[str]) -> Iterator[str]:
    """Statements, each on one line, as the original's attributes have them."""
    for statement in found:
        yield " ".join(statement.split("\n")) if '"' not in statement else statement
