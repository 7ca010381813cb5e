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


class Derivation:
    """How a model comes to have the query, or not: a tree of literals with the rules that they follow from."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.steps: List[Dict[str, Any]] = data["steps"]
        """As in ``docs/schema/explain.json``; steps name each other by their place in this list."""
        self._roots: List[Dict[str, Any]] = data["query"]

    def _walk(self) -> Iterator[Tuple[int, str, str]]:
        """Depth, literal and cause of each step; one that was shown before is not opened again."""
        seen = set()
        open_steps = [(0, link) for link in reversed(self._roots)]
        while open_steps:
            depth, link = open_steps.pop()
            number = link["step"]
            if number is None or number in seen:
                yield depth, link["literal"], "" if number is None else "see above"
                continue
            seen.add(number)
            step = self.steps[number]
            below = list(step.get("body", []))
            for rule in step.get("blocked", []):
                below += rule["because"]
            below = list({child["literal"]: child for child in below}.values())  # rules may be blocked by the same
            cause = step.get("rule") or " ".join(rule["rule"] for rule in step.get("blocked", []))
            if "outcome" in step:
                cause = f"{step['outcome']} has probability {shown(step['probability'])}"
            yield depth, link["literal"], f"{step['kind'].replace('_', ' ')}: {cause}" if cause else step["kind"]
            open_steps += [(depth + 1, child) for child in reversed(below)]

    def __repr__(self) -> str:
        return "\n".join(f"{'  ' * depth}{literal}{f'  ({cause})' if cause else ''}"
                         for depth, literal, cause in self._walk())

    def _repr_html_(self) -> str:
        from .notebook import outline

        return outline(self._walk())


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
        self.why: Optional[Derivation] = _derivation(data["why"])
        """How ``with_query`` comes to have the query."""
        self.why_not: Optional[Derivation] = _derivation(data["why_not"])
        """Why ``without_query`` does not have it."""
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
        from .notebook import code, table

        parts = [f"<p>{code(self._title(), 'font-weight:bold')}</p>"]
        if self.reasons:
            columns, rows = self._rows()
            certain = all(reason.certainty == 1.0 for reason in self.reasons)
            parts.append(table(columns[:2] if certain else columns, [row[:2] if certain else row for row in rows]))
        if self.truncated:
            parts.append("<p>... and further reasons</p>")
        for title, model, why, found in (("with", self.with_query, "why", self.why),
                                         ("without", self.without_query, "why not", self.why_not)):
            if model is not None:
                parts.append(f"<p style='margin:0.8em 0 0 0'>most probable model {title} it, "
                             f"{shown(model.probability)}:<br/>{code(' '.join(model.atoms))}</p>")
            if found is not None:
                parts.append(f"<p style='margin:0.3em 0 0 0'><i>{why}</i></p>{found._repr_html_()}")
        if self._mark():
            parts.append(f"<p><b>{escape(self._mark())}</b></p>")
        return "".join(parts)


def _model(data: Optional[Mapping[str, Any]]) -> Optional[Model]:
    return None if data is None else Model(data)


def _derivation(data: Optional[Mapping[str, Any]]) -> Optional[Derivation]:
    return None if data is None else Derivation(data)
