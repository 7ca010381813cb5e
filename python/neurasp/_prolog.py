"""Reads the syntax of Prolog: tokens, terms and clauses, with the place of each, and mistakes that show it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union

from .errors import InputError


Span = Tuple[int, int]


class Mistake(Exception):
    """One mistake in a text, at the characters ``begin`` to ``end``."""

    def __init__(self, span: Tuple[int, int], code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.span, self.code, self.message, self.hint = span, code, message, hint


def input_error(name: str, text: str, mistakes: Sequence[Mistake]) -> InputError:
    """The mistakes as the exception that the package raises: with line, column and a caret."""
    lines = text.split("\n")
    shown, data = [], []
    for mistake in mistakes:
        begin, end = mistake.span
        row, column = text.count("\n", 0, begin), begin - (text.rfind("\n", 0, begin) + 1)
        end_row, end_column = text.count("\n", 0, end), end - (text.rfind("\n", 0, end) + 1)
        line = lines[row]
        stop = end_column if end_row == row else len(line)
        blank = "".join("\t" if c == "\t" else " " for c in line[:column])
        number = str(row + 1)
        shown.append(f"{name}:{number}:{column + 1}: error: {mistake.message} [{mistake.code}]\n"
                     f"  {number} | {line}\n  {' ' * len(number)} | {blank}{'^' * max(1, stop - column)}"
                     + (f"\n  hint: {mistake.hint}" if mistake.hint else ""))
        data.append({"severity": "error", "code": mistake.code, "message": mistake.message, "file": name,
                     "line": row + 1, "column": column + 1, "end_line": end_row + 1, "end_column": end_column + 1,
                     "hint": mistake.hint or None})
    return InputError("\n".join(shown), json.dumps(data))


class Token(NamedTuple):
    kind: str  # name, quoted, string, variable, integer, real, symbol, punctuation, end
    text: str
    begin: int
    end: int
    spaced: bool  # whether white space or the beginning of the text comes before it


_TOKEN = re.compile(r"""
    (?P<space>\s+|%[^\n]*|/\*.*?\*/)
  | (?P<real>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
  | (?P<integer>0x[0-9a-fA-F]+|\d+)
  | (?P<variable>[A-Z_]\w*)
  | (?P<name>[^\W\d_]\w*)
  | (?P<quoted>'(?:[^'\\\n]|\\.|'')*')
  | (?P<string>"(?:[^"\\\n]|\\.|"")*")
  | (?P<end>\.(?=\s|%|$))
  | (?P<punctuation>[()\[\]{},|!])
  | (?P<symbol>-->|:-|<-|->|::|\\==|\\=|\\\+|\\/|=:=|=\\=|=\.\.|=@=|==|=<|>=|>>|<<|@=<|@>=|@<|@>|//|/\\|\*\*|\?-
       |[-+*/\\^<>=~:.?@\#&$;])
""", re.VERBOSE | re.DOTALL)


def tokens(text: str) -> Iterator[Token]:
    at, spaced = 0, True
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or text.startswith("/*", at) and found.lastgroup != "space":
            what = {"'": "this quote is never closed", '"': "this string is never closed",
                    "/": "this comment is never closed"}.get(text[at], f"unexpected character {text[at]!r}")
            raise Mistake((at, at + 1), "problog-syntax", what)
        kind = str(found.lastgroup)
        if kind != "space":
            yield Token(kind, found.group(), at, found.end(), spaced)
        spaced = kind == "space"
        at = found.end()


@dataclass(frozen=True)
class Var:
    name: str
    span: Tuple[int, int] = field(default=(0, 0), compare=False)


@dataclass(frozen=True)
class Number:
    """An integer or a real number, as it is written."""

    text: str
    span: Tuple[int, int] = field(default=(0, 0), compare=False)

    @property
    def integer(self) -> Optional[int]:
        try:
            return int(self.text, 0)
        except ValueError:
            return int(self.text) if self.text.isdigit() else None


@dataclass(frozen=True)
class Text:
    """A string in double quotes, without them."""

    text: str
    span: Tuple[int, int] = field(default=(0, 0), compare=False)


@dataclass(frozen=True)
class Term:
    """A constant, a function term or an atom. ``name`` keeps its quotes: ProbLog tells ``'a'`` and ``a`` apart."""

    name: str
    args: Tuple["Node", ...] = ()
    span: Tuple[int, int] = field(default=(0, 0), compare=False)

    @property
    def key(self) -> Tuple[str, int]:
        return self.name, len(self.args)


Node = Union[Var, Number, Text, Term]

_INFIX: Dict[str, Tuple[int, str]] = {
    ":-": (1200, "xfx"), "<-": (1200, "xfx"), "-->": (1200, "xfx"), ";": (1100, "xfy"), "|": (1100, "xfy"),
    "->": (1050, "xfy"), ",": (1000, "xfy"), "::": (990, "xfx"), "~": (980, "xfx"),
    **dict.fromkeys(("=", "\\=", "==", "\\==", "=:=", "=\\=", "<", ">", "=<", ">=", "is", "@<", "@>", "@=<", "@>=",
                     "=..", "=@="), (700, "xfx")),
    ":": (600, "xfy"), **dict.fromkeys(("+", "-", "/\\", "\\/", "xor"), (500, "yfx")),
    **dict.fromkeys(("*", "/", "//", "mod", "rem", "div", "<<", ">>"), (400, "yfx")),
    "**": (200, "xfx"), "^": (200, "xfy"),
}
_PREFIX: Dict[str, Tuple[int, str]] = {
    ":-": (1200, "fx"), "?-": (1200, "fx"), "\\+": (900, "fy"), "not": (900, "fy"), "-": (200, "fy"), "+": (200, "fy"),
    "\\": (200, "fy"),
}
_LISTS = "lists cannot be read: the program is grounded from its facts upwards, so terms must not grow"


class Parser:
    """Clauses of a text as terms, one after the other; ``mistakes`` gathers what is wrong with the others."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mistakes: List[Mistake] = []
        self._tokens: List[Token] = []
        self._at = 0
        self._anonymous = 0

    def clauses(self) -> List[Node]:
        try:
            for token in tokens(self.text):
                self._tokens.append(token)
        except Mistake as mistake:
            self.mistakes.append(mistake)
            while self._tokens and self._tokens[-1].kind != "end":
                self._tokens.pop()
        found: List[Node] = []
        while self._at < len(self._tokens):
            try:
                found.append(self._term(1200))
                if self._peek().kind != "end":
                    self._fail("expected an operator or the '.' that ends a clause")
                self._at += 1
            except Mistake as mistake:
                self.mistakes.append(mistake)
                while self._at < len(self._tokens) and self._tokens[self._at].kind != "end":
                    self._at += 1
                self._at += 1
        return found

    def _peek(self) -> Token:
        if self._at < len(self._tokens):
            return self._tokens[self._at]
        last = self._tokens[-1]
        raise Mistake((last.begin, last.end), "problog-syntax", "the text ends before the '.' that ends this clause")

    def _fail(self, message: str) -> NoReturn:
        token = self._peek()
        raise Mistake((token.begin, token.end), "problog-syntax", f"{message}, found '{token.text}'")

    def _next_is(self, text: str) -> bool:
        token = self._peek()
        return token.text == text and token.kind in ("punctuation", "symbol", "end")

    def _expect(self, text: str) -> Token:
        if not self._next_is(text):
            self._fail(f"expected '{text}'")
        self._at += 1
        return self._tokens[self._at - 1]

    def _term(self, most: int) -> Node:
        left, level = self._primary(most)
        while True:
            token = self._peek()
            operator = token.text if token.kind in ("symbol", "name") or token.text in (",", "|") else ""
            if operator not in _INFIX:
                return left
            level_here, kind = _INFIX[operator]
            if level_here > most or level > level_here - (kind[0] == "x"):
                return left
            self._at += 1
            right = self._term(level_here - (kind[2] == "x"))
            left = Term({"|": ";", "<-": ":-"}.get(operator, operator), (left, right), (left.span[0], right.span[1]))
            level = level_here

    def _primary(self, most: int) -> Tuple[Node, int]:
        token = self._peek()
        self._at += 1
        span = (token.begin, token.end)
        if token.kind in ("integer", "real"):
            return Number(token.text, span), 0
        if token.kind == "variable":
            name = token.text
            if name == "_":
                self._anonymous += 1
                name = f"_?{self._anonymous}"
            return Var(name, span), 0
        if token.kind == "string":
            return Text(token.text[1:-1].replace('""', '\\"'), span), 0
        if token.text == "(":
            inside = self._term(1200)
            self._expect(")")
            return inside, 0
        if token.text == "[":
            raise Mistake(span, "problog-list", _LISTS)
        if token.text == "!":
            raise Mistake(span, "problog-unsupported", "the cut '!' cannot be read: it depends on the order in which "
                          "Prolog tries clauses, which has no counterpart in rules")
        if token.kind in ("name", "quoted", "symbol"):
            return self._named(token, span, most)
        self._at -= 1
        self._fail("expected a term")

    def _named(self, token: Token, span: Tuple[int, int], most: int) -> Tuple[Node, int]:
        following = self._peek()
        if following.text == "(" and not following.spaced and (token.kind != "symbol" or token.text not in _PREFIX):
            self._at += 1
            args = [self._term(999)]
            while self._next_is(","):
                self._at += 1
                args.append(self._term(999))
            end = self._expect(")").end
            if token.text == "not" and len(args) == 1:
                return Term("\\+", tuple(args), (token.begin, end)), 0
            return Term(token.text, tuple(args), (token.begin, end)), 0
        if token.text in _PREFIX and token.kind != "quoted":
            if token.text == "-" and following.kind in ("integer", "real") and not following.spaced:
                self._at += 1
                return Number("-" + following.text, (token.begin, following.end)), 0
            level, kind = _PREFIX[token.text]
            if following.kind != "end" and following.text not in (")", ","):
                inside = self._term(min(most, level) - (kind == "fx"))
                name = {"not": "\\+", "?-": ":-"}.get(token.text, token.text)
                return Term(name, (inside,), (token.begin, inside.span[1])), level
        if token.kind == "symbol" and token.text != "?":
            self._at -= 1
            self._fail("expected a term")
        return Term(token.text, (), span), 0


def variables(node: Node) -> List[str]:
    """The names of the variables of a term, in order, each once."""
    if isinstance(node, Var):
        return [node.name]
    found: List[str] = []
    for part in node.args if isinstance(node, Term) else ():
        found += [name for name in variables(part) if name not in found]
    return found


def replaced(node: Node, values: Dict[str, Node]) -> Node:
    """The term with values for some of its variables."""
    if isinstance(node, Var):
        return values.get(node.name, node)
    if isinstance(node, Term) and node.args:
        return Term(node.name, tuple(replaced(part, values) for part in node.args), node.span)
    return node


def written(node: Node) -> str:
    """The term as ProbLog writes it."""
    if isinstance(node, Var):
        return "_" if node.name.startswith("_?") else node.name
    if isinstance(node, Number):
        return str(node.integer) if node.integer is not None else repr(float(node.text))
    if isinstance(node, Text):
        return f'"{node.text}"'
    if node.name == "\\+" and len(node.args) == 1:
        return "\\+" + written(node.args[0])
    if not node.args:
        return node.name
    if node.name in _INFIX and len(node.args) == 2:
        return f"{written(node.args[0])}{node.name}{written(node.args[1])}"
    return f"{node.name}({','.join(map(written, node.args))})"
