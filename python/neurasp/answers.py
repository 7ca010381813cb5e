"""The answers to questions: they print well, turn into dictionaries, JSON and pandas, and notebooks show them."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from .numbers import How, Probability


def shown(number: float) -> str:
    """A number with eight significant digits, as the command prints it."""
    return f"{number:.8g}"


class Answer:
    """An answer as the protocol has it (``docs/schema``), with names for what is in it."""

    def __init__(self, data: Dict[str, Any]) -> None:
        self.how = How(data["how"])
        self._data = data

    @property
    def exact(self) -> bool:
        """False if a limit ended the work: then the numbers are bounds, or those of the models seen."""
        return self.how.exact

    def to_dict(self) -> Dict[str, Any]:
        """The document that the command writes with ``--format json``."""
        return {key: value for key, value in self._data.items() if key != "how"}

    def to_json(self) -> str:
        """The same as a text."""
        return json.dumps(self.to_dict())

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        """Column names and rows of the table that the answer is."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """A pandas DataFrame; pandas must be installed."""
        import pandas

        columns, rows = self._rows()
        return pandas.DataFrame.from_records(rows, columns=columns)

    def _mark(self) -> str:
        return "" if self.exact else f"not exact: {self.how.limit or 'a limit was reached'}"

    def __repr__(self) -> str:
        _, rows = self._rows()
        width = max((len(str(row[0])) for row in rows), default=0)
        lines = [f"{row[0]!s:<{width}}  {shown(row[1]) if isinstance(row[1], float) else row[1]}" for row in rows]
        if self._mark():
            lines.append(self._mark())
        return "\n".join(lines) or "(empty)"

    def _repr_html_(self) -> str:
        from .notebook import table

        columns, rows = self._rows()
        return table(columns, rows, self._mark())


class Marginals(Answer, Mapping[str, float]):
    """The probability of every shown atom given the observation: a mapping from atoms to numbers."""

    def __init__(self, data: Dict[str, Any]) -> None:
        super().__init__(data)
        self.probability = Probability.of(data, self.how)
        self.variables: List[Dict[str, Any]] = data["variables"]
        self._numbers: Dict[str, float] = dict(data["atoms"])
        for variable in self.variables:
            for atom, value in zip(variable["atoms"], variable["values"]):
                self._numbers.setdefault(atom, value)

    def __getitem__(self, atom: str) -> float:
        return self._numbers[atom.replace(" ", "")] if atom not in self._numbers else self._numbers[atom]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        return ["atom", "probability"], list(self._numbers.items())


class Gradient(Answer, Mapping[str, float]):
    """The derivatives of log P(O): a mapping from outcome atoms to numbers; empty if P(O) = 0."""

    def __init__(self, data: Dict[str, Any]) -> None:
        super().__init__(data)
        self.probability = Probability.of(data, self.how)
        self.variables: List[Dict[str, Any]] = data["gradients"] or []
        self.defined = data["gradients"] is not None
        self._numbers: Dict[str, float] = {atom: value for variable in self.variables
                                           for atom, value in zip(variable["atoms"], variable["values"])}

    def __getitem__(self, atom: str) -> float:
        return self._numbers[atom]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        return ["atom", "derivative"], list(self._numbers.items())


class Model:
    """One stable model: its probability, its shown atoms and the cost of its weak constraints."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        exact = data.get("probability_exact", True)
        value = data["probability"]
        self.probability = Probability(value, data["log_probability"], None if exact else 0.0, None, exact)
        self.atoms: List[str] = data["atoms"]
        self.cost: List[int] = data["cost"]

    def __contains__(self, atom: object) -> bool:
        return atom in self.atoms

    def __iter__(self) -> Iterator[str]:
        return iter(self.atoms)

    def __len__(self) -> int:
        return len(self.atoms)

    def to_dict(self) -> Dict[str, Any]:
        """The model as the protocol has it."""
        return dict(self._data)

    def __repr__(self) -> str:
        cost = f"  cost {' '.join(map(str, self.cost))}" if self.cost else ""
        return f"{shown(self.probability):<12}  {' '.join(self.atoms)}{cost}"


class Models(Answer, Sequence[Model]):
    """Stable models, most probable first or as they were drawn: a sequence of :class:`Model`."""

    def __init__(self, data: Dict[str, Any]) -> None:
        super().__init__(data)
        self._models = [Model(model) for model in data["models"]]

    def __getitem__(self, index: Any) -> Any:
        return self._models[index]

    def __len__(self) -> int:
        return len(self._models)

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        return ["probability", "atoms"], [(float(m.probability), " ".join(m.atoms)) for m in self._models]

    def __repr__(self) -> str:
        lines = [repr(model) for model in self._models]
        if self._mark():
            lines.append(self._mark())
        return "\n".join(lines) or "no stable model"


class Instances(Answer, Mapping[str, Optional[Probability]]):
    """One probability for each instance of a query with variables: a mapping from instances to numbers."""

    def __init__(self, data: Dict[str, Any], numbers: Dict[str, Optional[Probability]]) -> None:
        super().__init__(data)
        self._numbers = numbers
        self.instances = list(numbers)

    def __getitem__(self, instance: str) -> Optional[Probability]:
        return self._numbers[instance]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        return ["instance", "probability"], list(self._numbers.items())


class Check(Answer):
    """What became of a program: ``summary`` with its sizes, ``diagnostics``, and what else was asked for.

    ``coherent`` is None unless it was asked for and is known; ``witness`` is a total choice without stable model.
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        super().__init__(data)
        self.summary: Dict[str, Any] = data["summary"]
        self.diagnostics: List[Dict[str, Any]] = data["diagnostics"]
        coherence = data.get("coherence", {"result": "unknown", "witness": None})
        self.coherent: Optional[bool] = {"coherent": True, "incoherent": False}.get(coherence["result"])
        self.witness: Optional[List[str]] = coherence["witness"]
        self.argmax: Optional[Dict[str, Any]] = data.get("argmax")

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        rows: List[Tuple[Any, ...]] = []
        for name, value in self.summary.items():
            if name == "log10_total_choices":
                choices = f"{10 ** value:.0f}" if value < _COUNTABLE else f"about 1e{value:.0f}"
                rows.append(("total choices", choices))
            elif name == "coherent":  # true is a proof, false is not
                found = self._data["coherence"]["result"] if "coherence" in self._data else "unknown"
                proven = {"coherent": "yes", "incoherent": "no"}
                rows.append(("coherent", proven.get(found, "yes" if value else "not known")))
            else:
                rows.append((name.replace("_", " "), _said(value)))
        return ["property", "value"], rows


_COUNTABLE = 15  # powers of ten below which a float counts exactly


def _said(value: Any) -> Any:
    """A property's value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else value
