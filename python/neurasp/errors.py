"""The exceptions and warnings of this package."""

from __future__ import annotations

import json
from typing import Any


class Error(Exception):
    """The base of all errors that this package raises on purpose."""


class InputError(Error, ValueError):
    """A mistake in a program, an observation, a query or a network output.

    The text shows file, line and column with a caret and says what to do; ``diagnostics`` holds the same as data,
    one dictionary each, with the members that ``docs/schema/error.json`` lists.
    """

    def __init__(self, text: str, diagnostics: str = "[]") -> None:
        super().__init__(text)
        self.diagnostics: list[dict[str, Any]] = json.loads(diagnostics)
        self._json = diagnostics

    @property
    def code(self) -> str:
        """The stable name of the first mistake, such as ``"duplicate-outcome"``."""
        return str(self.diagnostics[0]["code"]) if self.diagnostics else ""

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self._json)


class LimitError(Error, RuntimeError):
    """A limit was reached before there was anything to answer with."""


class UnavailableError(Error, OSError):
    """A file or a library is missing or does not fit."""


class UsageError(Error, ValueError):
    """A call that this package does not allow; the text names it."""


class NoCircuit(Error, RuntimeError):
    """The question has no circuit, or none within the limits; the text says why."""


class ProgramWarning(UserWarning):
    """Something in a program, an observation or a query that is probably not meant."""
