"""Why a query is as probable as it is: reasons, and the most probable models with and without it."""

from __future__ import annotations

from html import escape
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from .answers import Answer, Model, shown
from .numbers import Probability


class Reason:
    """Outcomes that together make the query as certain as a whole total choice would; none can be left out."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.outcomes: List[Tuple[str, float]] = [(o["atom"], o["probability"]) for o in data["outcomes"]]
        """Atoms with their probabilities before anything is observed; none if the query holds in any case."""
        self.probability = Probability(data["probability"], data["log_probability"])
        self.share: float = data["share"]
        """How much of the query's probability it accounts for."""
        self.certainty: float = data["certainty"]
        """P(query | outcomes, O): below 1 where free choices decide."""

    @property
    def atoms(self) -> List[str]:
        return [atom for atom, _ in self.outcomes]

    def __repr__(self) -> str:
        why = ", ".join(self.atoms) or "in any case"
        certainty = "" if self.certainty == 1.0 else f", certainty {shown(self.certainty)}"
        return f"{why}  (share {shown(self.share)}{certainty})"


class Explanation(Answer):
    """Why a query has its probability: a collection of :class:`Reason`, that of the likeliest total choice first.

    ``with_query`` and ``without_query`` are the most probable models that have the query, and that do not, or None.
    ``only_with`` and ``only_without`` list the shown atoms that only one of the two has.
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        super().__init__(data)
        self.query: str = data["query"]
        value = data["probability"]
        self.probability = None if value is None else Probability.from_json(value, None, data.get("bounds"), self.how)
        self.reasons = [Reason(reason) for reason in data["reasons"]]
        self.disjoint: bool = data["disjoint"]
        self.truncated: bool = data["truncated"]
        self.with_query: Optional[Model] = _model(data["with_query"])
        self.without_query: Optional[Model] = _model(data["without_query"])
        self.only_with: List[str] = data["only_with"]
        self.only_without: List[str] = data["only_without"]

    def __iter__(self) -> Iterator[Reason]:
        return iter(self.reasons)

    def __len__(self) -> int:
        return len(self.reasons)

    def __getitem__(self, index: int) -> Reason:
        return self.reasons[index]

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        return ["reason", "share", "certainty"], [(", ".join(r.atoms) or "in any case", r.share, r.certainty)
                                                  for r in self.reasons]

    def _title(self) -> str:
        if self.probability is None:
            return f"{self.query}: the observation is impossible"
        return f"{self.query}: {self.probability if not self.probability.exact else shown(self.probability)}"

    def __repr__(self) -> str:
        lines = [self._title(), *(f"  because {reason!r}" for reason in self.reasons)]
        if self.truncated:
            lines.append("  ... and further reasons")
        for title, model in (("with", self.with_query), ("without", self.without_query)):
            if model is not None:
                lines.append(f"  most probable model {title} it: {model!r}")
        if self._mark():
            lines.append(self._mark())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from .notebook import tree

        reasons = []
        for reason in self.reasons:
            outcomes = [tree(f"{escape(atom)}: {shown(number)}", []) for atom, number in reason.outcomes]
            reasons.append(tree(f"share {shown(reason.share)}", outcomes or [tree("in any case", [])]))
        if self.truncated:
            reasons.append(tree("... and further reasons", []))
        models = [tree(f"most probable model {title} it: {escape(repr(model))}", [])
                  for title, model in (("with", self.with_query), ("without", self.without_query)) if model is not None]
        return f"<ul>{tree(escape(self._title()), reasons + models)}</ul>"


def _model(data: Optional[Mapping[str, Any]]) -> Optional[Model]:
    return None if data is None else Model(data)
