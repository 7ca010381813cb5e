"""Confusion matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from .errors import UsageError
from .notebook import table


@dataclass
class Confusion:
    """How often each outcome was concluded where each was expected.

    Matrices of the same outcomes can be added, so that a loop over batches needs no more than ``+``.

    >>> seen = Confusion(["cat", "dog"], [[3, 1], [0, 2]])
    >>> print(seen)
    expected \\ concluded  cat  dog  recall
    cat                     3    1    0.75
    dog                     0    2       1
    >>> seen.accuracy, seen.balanced_accuracy
    (0.8333333333333334, 0.875)
    """

    outcomes: List[str]
    counts: List[List[int]]
    """Row by row: ``counts[expected][concluded]``."""

    def __add__(self, other: "Confusion") -> "Confusion":
        if self.outcomes != other.outcomes:
            raise UsageError("matrices of different outcomes cannot be added")
        return Confusion(self.outcomes, [[a + b for a, b in zip(mine, others)]
                                         for mine, others in zip(self.counts, other.counts)])

    @property
    def accuracy(self) -> float:
        """The share of right conclusions; 0 if there are none."""
        total = sum(sum(row) for row in self.counts)
        return sum(self.counts[k][k] for k in range(len(self.outcomes))) / total if total else 0.0

    @property
    def recall(self) -> Dict[str, Optional[float]]:
        """For each outcome, how often it was concluded where it was expected; None if it never was."""
        return {name: _ratio(self.counts[k][k], sum(self.counts[k])) for k, name in enumerate(self.outcomes)}

    @property
    def precision(self) -> Dict[str, Optional[float]]:
        """For each outcome, how often it was expected where it was concluded; None if it never was."""
        return {name: _ratio(self.counts[k][k], self._concluded(k)) for k, name in enumerate(self.outcomes)}

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the outcomes that were expected."""
        return _mean(list(self.recall.values()))

    @property
    def macro_f1(self) -> float:
        """The mean of ``2 * right / (expected + concluded)`` over the outcomes that occur."""
        return _mean([_ratio(2 * self.counts[k][k], sum(self.counts[k]) + self._concluded(k))
                      for k in range(len(self.outcomes))])

    def to_dict(self) -> Dict[str, Any]:
        """Outcomes and counts as plain data."""
        return {"outcomes": self.outcomes, "counts": self.counts}

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each expected and a column for each concluded outcome."""
        import pandas

        return pandas.DataFrame(self.counts, index=pandas.Index(self.outcomes, name="expected"),
                                columns=pandas.Index(self.outcomes, name="concluded"))

    def _concluded(self, outcome: int) -> int:
        return sum(row[outcome] for row in self.counts)

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        recall = self.recall
        return (["expected \\ concluded", *self.outcomes, "recall"],
                [(name, *row, recall[name]) for name, row in zip(self.outcomes, self.counts)])

    def __str__(self) -> str:
        columns, rows = self._rows()
        lines = [columns, *([*map(str, row[:-1]), "" if row[-1] is None else f"{row[-1]:.4g}"] for row in rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
        return "\n".join("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                                   for i, (cell, width) in enumerate(zip(line, widths))) for line in lines)

    def _repr_html_(self) -> str:
        return table(*self._rows())


def _ratio(part: int, whole: int) -> Optional[float]:
    return part / whole if whole else None


def _mean(values: List[Optional[float]]) -> float:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else 0.0
