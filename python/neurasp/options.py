"""The keyword arguments that every question takes, and how they reach the core."""

from __future__ import annotations

import difflib
import os
import time
from dataclasses import dataclass, field, fields
from typing import Any, Callable, Mapping, Optional, Union

from . import _core
from .errors import UsageError


@dataclass
class Options:
    """What a question may be asked with, beside observation and outputs. All are keyword arguments of the questions.

    >>> neurasp.Program("0.3 : rain.").query("rain", engine="enumerate", time_limit=10)
    0.3
    """

    engine: str = "auto"
    """``"auto"``, ``"enumerate"`` or ``"circuit"``."""
    optimal: bool = False
    """Only the stable models of least cost count (weak constraints, ``#minimize``)."""
    all_atoms: bool = False
    """Models list all true atoms, not only the shown ones."""
    circuit_folder: Union[str, "os.PathLike[str]"] = ""
    """Compiled circuits are kept in this folder and found there again."""
    samples: int = 0
    """Estimate probabilities from so many samples instead of computing them."""
    seed: int = 0
    """The same seed gives the same samples."""
    time_limit: Optional[float] = None
    """Seconds on the clock, for the whole call."""
    model_limit: Optional[int] = None
    """Stable models that a search visits."""
    memory_limit: Optional[float] = None
    """Megabytes for models that are kept, and for circuits."""
    node_limit: Optional[int] = None
    """Nodes of a circuit."""
    ground_limit: Optional[int] = None
    """Ground rules; twenty million unless you say otherwise."""
    progress: Optional[Callable[..., None]] = None
    """Called about ten times a second with (phase, done, total, lower, upper, seconds)."""

    _started: float = field(default_factory=time.monotonic, init=False, repr=False)

    @classmethod
    def of(cls, given: Mapping[str, Any], call: str) -> "Options":
        """The options of a call. Raises: UsageError for one that does not exist."""
        known = [field.name for field in fields(cls) if field.init]
        for name in given:
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                hint = f"; did you mean '{close[0]}'?" if close else f"; there are {', '.join(known)}"
                raise UsageError(f"{call}() has no argument '{name}'{hint}")
        return cls(**given)

    def __post_init__(self) -> None:
        for name in ("samples", "seed", "model_limit", "node_limit", "ground_limit"):
            setattr(self, name, whole_number(name, getattr(self, name)))
        for name in ("time_limit", "memory_limit"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, (bool, str)) or not float(value) >= 0):
                raise UsageError(f"{name} is a number that is not negative, not {value!r}")
        if self.progress is not None and not callable(self.progress):
            raise UsageError(f"progress is a function, not {self.progress!r}")

    def settings(self) -> "_core.Settings":
        if self.engine not in _core.engine_names():
            raise UsageError(f"there is no engine '{self.engine}'; there are {', '.join(_core.engine_names())}")
        return _core.Settings(engine=self.engine, optimal=bool(self.optimal), all_atoms=bool(self.all_atoms),
                              circuit_folder=os.fspath(self.circuit_folder), samples=self.samples, seed=self.seed)

    def seconds_left(self) -> Optional[float]:
        """Of the time limit, since the call began."""
        if self.time_limit is None:
            return None
        return max(0.0, self.time_limit - (time.monotonic() - self._started))

    def limits(self) -> "_core.Limits":
        memory = None if self.memory_limit is None else int(self.memory_limit * 1_000_000)
        return _core.Limits(seconds=self.seconds_left(), models=self.model_limit, bytes=memory, nodes=self.node_limit,
                            ground_rules=self.ground_limit, progress=self.progress)


def whole_number(name: str, value: Any, least: int = 0) -> Optional[int]:
    """The value as an integer; None stays None. Raises: UsageError that names the argument."""
    if value is None:
        return None
    try:
        if isinstance(value, bool) or value.__index__() < least:
            raise TypeError
    except (AttributeError, TypeError):
        raise UsageError(f"{name} is a whole number from {least}, not {value!r}") from None
    return int(value)
