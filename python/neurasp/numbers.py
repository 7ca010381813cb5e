"""A probability: a float that also knows its logarithm, its bounds and how it was found."""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional


class How:
    """How an answer came about: which engine, which limit ended it, and how long it took."""

    __slots__ = ("exact", "interrupted", "engine", "limit", "why", "models_seen", "solver_calls", "seconds")

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.exact: bool = data["exact"]
        self.interrupted: bool = data["interrupted"]
        self.engine: str = data["engine"]
        self.limit: str = data["limit"]
        self.why: str = data["why"]
        self.models_seen: int = data["models_seen"]
        self.solver_calls: int = data["solver_calls"]
        self.seconds: float = data["seconds"]

    def __repr__(self) -> str:
        ending = "exact" if self.exact else f"not exact: {self.limit or 'a limit was reached'}"
        return f"<{self.engine}, {ending}, {self.seconds:.3g} s; {self.why}>"


class Probability(float):
    """A probability as a float.

    ``log`` is its natural logarithm, which is right even where the float underflows to 0. Where ``exact`` is false, the
    true value lies between ``lower`` and ``upper``, and the float is the lower bound. For an estimate
    from samples, they are the ends of its confidence interval, and the float is the mean. ``how`` says how it was
    found.
    """

    log: float
    lower: float
    upper: float
    exact: bool
    how: Optional[How]

    def __new__(cls, value: float, log: Optional[float] = None, lower: Optional[float] = None,
                upper: Optional[float] = None, exact: bool = True, how: Optional[How] = None) -> "Probability":
        self = super().__new__(cls, value)
        if log is None:
            log = math.log(value) if value > 0 else -math.inf
        self.log = log
        self.lower = value if lower is None else lower
        self.upper = value if upper is None else upper
        self.exact = exact
        self.how = how
        return self

    @classmethod
    def of(cls, data: Mapping[str, Any], how: Optional[How]) -> "Probability":
        """From an object of the protocol with the members probability, log_probability and perhaps bounds."""
        return cls.from_json(data["probability"], data["log_probability"], data.get("bounds"), how)

    @classmethod
    def from_json(cls, value: float, log: Optional[float], bounds: Optional[Mapping[str, float]],
                  how: Optional[How]) -> "Probability":
        if bounds is None:
            return cls(value, log, how=how)
        return cls(value, log, bounds["lower"], bounds["upper"], False, how)

    def __repr__(self) -> str:
        if self.exact:
            return float.__repr__(self)
        return f"{self.lower:.6g} .. {self.upper:.6g}"

    __str__ = __repr__

    def __reduce__(self) -> Any:
        return Probability, (float(self), self.log, self.lower, self.upper, self.exact)
