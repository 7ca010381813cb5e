"""What a training run did, epoch by epoch."""

from __future__ import annotations

import csv
import io
import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from .confusion import Confusion
from .notebook import curves, table


@dataclass
class Epoch:
    """One pass over the data."""

    number: int
    loss: float
    examples: int
    impossible: int
    seconds: float
    metrics: Dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        metrics = "".join(f"  {name} {value:.4g}" for name, value in self.metrics.items())
        impossible = f"  {self.impossible} of {self.examples} impossible" if self.impossible else ""
        return f"epoch {self.number}  loss {self.loss:.4f}  {self.seconds:.1f} s{metrics}{impossible}"


class History(Sequence[Epoch]):
    """What a training run did: a sequence of epochs, and how it ended."""

    def __init__(self, epochs: Optional[List[Epoch]] = None) -> None:
        self.epochs = epochs or []
        self.finished = ""
        """Empty, or why the run ended early."""
        self.confusions: Dict[str, Confusion] = {}
        """What ``validate`` returned as :class:`neurasp.Confusion` for the weights that were kept."""

    def __getitem__(self, index: Any) -> Any:
        return self.epochs[index]

    def __len__(self) -> int:
        return len(self.epochs)

    def __repr__(self) -> str:
        return "\n".join([*map(str, self.epochs), *([self.finished] if self.finished else [])]) or "no epoch yet"

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        names = list(dict.fromkeys(name for epoch in self.epochs for name in epoch.metrics))
        columns = ["epoch", "loss", *names, "impossible", "seconds"]
        return columns, [(epoch.number, epoch.loss, *(epoch.metrics.get(name) for name in names), epoch.impossible,
                          epoch.seconds) for epoch in self.epochs]

    def to_dict(self) -> Dict[str, Any]:
        """Epochs and ending as plain data."""
        return {"epochs": [vars(epoch) for epoch in self.epochs], "finished": self.finished,
                "confusions": {name: one.to_dict() for name, one in self.confusions.items()}}

    def to_csv(self, path: Union[None, str, "os.PathLike[str]"] = None) -> str:
        """A table with a header and one row for each epoch, as text; with ``path``, also as a file."""
        columns, rows = self._rows()
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *rows])
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text.getvalue())
        return text.getvalue()

    def to_pandas(self) -> Any:
        """A pandas DataFrame; pandas must be installed."""
        import pandas

        columns, rows = self._rows()
        return pandas.DataFrame.from_records(rows, columns=columns)

    def _repr_html_(self) -> str:
        columns, rows = self._rows()
        series = {name: [(float(row[0]), float(row[i])) for row in rows if row[i] is not None]
                  for i, name in enumerate(columns) if name not in ("epoch", "seconds", "impossible")}
        left_out = {"seconds"} if any(epoch.impossible for epoch in self.epochs) else {"seconds", "impossible"}
        kept = [i for i, name in enumerate(columns) if name not in left_out]
        return curves(series) + table([columns[i] for i in kept], [tuple(row[i] for i in kept) for row in rows],
                                      self.finished)

    def protocol_json(self) -> str:
        """The history as the command's runs write it (docs/schema/history.json)."""
        epochs = []
        for epoch in self.epochs:
            evaluation = {"split": "validation", "examples": 0, "seconds": 0.0,
                          "metrics": [{"name": name, "value": value, "is_share": 0.0 <= value <= 1.0}
                                      for name, value in epoch.metrics.items()]}
            epochs.append({"epoch": epoch.number, "batches": 0, "examples": epoch.examples, "loss": epoch.loss,
                           "mean_log_probability": -epoch.loss, "impossible": epoch.impossible,
                           "seconds": {"data": 0.0, "network": epoch.seconds, "symbolic": 0.0, "compile": 0.0},
                           "evaluations": [evaluation] if epoch.metrics else [], "learning_rates": []})
        confusions = [{"split": "validation", "network": name, "outcomes": one.outcomes,
                       "counts": [count for row in one.counts for count in row]}
                      for name, one in self.confusions.items()]
        return json.dumps({"epochs": epochs, "early": [], "points": [], "impossible_examples": [],
                           "confusions": confusions})
