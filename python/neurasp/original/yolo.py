"""Detectors: neural rules ``nn(m(yolo,t),[labels])``, whose events are the boxes that a network finds."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, Tuple

from .. import _core
from ..errors import UsageError
from .questions import Questions
from .statements import is_neural, parts_of

_PREFIX = "neurasp_detector_"


class Detectors:
    """The detectors among the statements of a program. The library sees them as ordinary rules that find the terms."""

    def __init__(self, found: Sequence[str]) -> None:
        self.rewritten: List[str] = []
        self._domains: Dict[str, List[str]] = {}
        for statement in found:
            self.rewritten.append(self._rule(statement) if is_neural(statement) else statement)

    def _rule(self, statement: str) -> str:
        head, separator, body = statement.partition(":-")
        call, outcomes = parts_of(head.strip().rstrip(".").strip()[2:].strip()[1:-1], ",")
        name, arguments = call[:-1].split("(", 1)
        events, *terms = parts_of(arguments, ",")
        if events != "yolo":
            return statement
        self._domains[name.strip()] = parts_of(outcomes.strip()[1:-1], ",")
        return f"{_PREFIX}{name.strip()}({','.join(terms)}){'' if separator else '.'}{separator}{body}"

    def found(self, questions: Questions) -> List[Tuple[str, str, List[str]]]:
        """Network, term and labels of every detector."""
        if not self._domains:
            return []
        result = []
        for model in questions.models("", _core.Outputs(), 1):
            for atom in model["atoms"]:
                if atom.startswith(_PREFIX):
                    name, term = atom[len(_PREFIX):-1].split("(", 1)
                    result.append((name, term, self._domains[name]))
        return result

    @staticmethod
    def detect(output: Any, post_processing: Any) -> Any:
        """The boxes (label, x1, y1, x2, y2, confidence) in the output of a detector."""
        if not post_processing:
            raise UsageError("infer() needs postProcessing= for a detector: a function that turns its output into "
                             "boxes (label, x1, y1, x2, y2, confidence)")
        return post_processing(output)

    @staticmethod
    def rules(m: str, t: str, boxes: Any, domain: Sequence[str]) -> str:
        """Facts and probabilistic rules for the boxes whose labels the program knows."""
        text = ""
        for index, (label, x1, y1, x2, y2, confidence) in enumerate(boxes):
            if label in domain:
                atom = f"{m}({t}, b{index}, {label})"
                text += f"box({t}, b{index}, {x1}, {y1}, {x2}, {y2}).\n"
                text += f"@{confidence} {atom}; @{1 - confidence} -{atom}.\n"
        return text
