"""Queries: their literals and variables."""

from __future__ import annotations

import re
from typing import List

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_VARIABLE = re.compile(r"(?<![\w'])_*[A-Z]")


def has_variables(query: str) -> bool:
    """Whether a variable is named in the query; ``_`` is none.

    >>> has_variables('sum(N), not odd'), has_variables('name("Ann", _)')
    (True, False)
    """
    return isinstance(query, str) and _VARIABLE.search(_STRING.sub("", query)) is not None


def literals(query: str) -> List[str]:
    """The literals of a conjunction: the text cut at commas and semicolons that no bracket or string encloses."""
    parts, depth, start, quoted, at = [], 0, 0, False, 0
    while at < len(query):
        character = query[at]
        if quoted:
            if character == "\\":
                at += 1
            elif character == '"':
                quoted = False
        elif character == '"':
            quoted = True
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character in ",;" and depth == 0:
            parts.append(query[start:at].strip())
            start = at + 1
        at += 1
    parts.append(query[start:].strip())
    return [part for part in parts if part]


def without_holes(text: str) -> str:
    """The text as part of a template: its braces are braces."""
    return text.replace("{", "{{").replace("}", "}}")
