"""Exact questions about program texts, with the lists that the original's methods return."""

from __future__ import annotations

import json
import warnings
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from .. import _core
from ..errors import ProgramWarning
from ..options import Options
from ..program import Program

Variable = Tuple[str, List[str], List[str], str, str, int, int]


class Questions:
    """One program text; each observation is grounded once, as long as it is asked again and again."""

    KEPT = 16  # questions with their ground programs
    SEARCH_SECONDS = 20.0  # for a most probable model

    def __init__(self, text: str) -> None:
        self.text = text
        self.program = Program(text)
        self._asked: Dict[str, "_core.Question"] = {}

    def question(self, observation: str) -> "_core.Question":
        found = self._asked.pop(observation, None)
        if found is None:
            found = self.program._ask(observation if observation.strip() else None, None, [], Options(), warn=False)
            while len(self._asked) >= self.KEPT:
                del self._asked[next(iter(self._asked))]
        self._asked[observation] = found
        return found

    def variables(self, observation: str = "") -> List[Variable]:
        """The random variables: name, atoms, outcomes, network, terms, event, number of events."""
        return self.question(observation).variables()

    def probability(self, observation: str, outputs: "_core.Outputs") -> float:
        """P(O)."""
        answer = self.question(observation).probability(outputs, _core.Settings(), _core.Limits())
        return float(json.loads(answer)["probability"])

    def models(self, observation: str, outputs: "_core.Outputs", count: int = 0, optimal: bool = False,
               ) -> Iterator[Mapping[str, Any]]:
        """Stable models with all their atoms; all of them if ``count`` is 0."""
        settings = _core.Settings(all_atoms=True, optimal=optimal)
        stream = self.question(observation).models(outputs, settings, _core.Limits())
        found = 0
        while count == 0 or found < count:
            model = stream.next()
            if model is None:
                return
            found += 1
            yield json.loads(model)

    def most_probable(self, observation: str, outputs: "_core.Outputs", ties: bool = False) -> List[List[str]]:
        """The most probable stable model, or with ``ties`` all that are as probable; empty if there is none.

        Choices with very many models cannot be counted, and the original does not try; so the search ends after a while.
        """
        answer = json.loads(self.question(observation).most_probable(outputs, 1, ties, _core.Settings(all_atoms=True),
                                                                     _core.Limits(seconds=self.SEARCH_SECONDS)))
        if not answer["exact"]:
            warnings.warn(f"the search for the most probable stable model ended after {self.SEARCH_SECONDS:g} seconds; "
                          "there may be more probable ones than the model found", ProgramWarning, stacklevel=3)
        models = [model["atoms"] for model in answer["models"]]
        return models if ties else models[:1]

    def sample(self, observation: str, outputs: "_core.Outputs", count: int, seed: int) -> List[List[str]]:
        """Independent samples given the observation; empty if it is impossible."""
        answer = self.question(observation).sample(outputs, count, _core.Settings(all_atoms=True, seed=seed),
                                                   _core.Limits())
        return [model["atoms"] for model in json.loads(answer)["models"]]

    def gradient(self, observation: str, outputs: "_core.Outputs", optimal: bool = False,
                 ) -> Optional[Dict[str, float]]:
        """Proposition 1's derivatives of log P(O) by outcome atoms; None if P(O) = 0."""
        answer = json.loads(self.question(observation).gradient(outputs, True, _core.Settings(optimal=optimal),
                                                                _core.Limits()))
        if answer["gradients"] is None:
            return None
        return {atom: value for variable in answer["gradients"]
                for atom, value in zip(variable["atoms"], variable["values"])}


def satisfies(model: Sequence[str], text: str) -> bool:
    """Whether the model satisfies the text: its constraints hold in every model of the atoms and the other rules."""
    from .statements import split_observation

    constraints, rules = split_observation(text)
    facts = "".join(f"{atom}.\n" for atom in model)
    return Questions(facts + rules + "\n").probability(constraints, _core.Outputs()) > 1 - 1e-9


def warn_impossible(observation: str, level: int = 3) -> None:
    """P(O) = 0: log P(O) has no gradient, so the observation teaches nothing."""
    text = " ".join(observation.split())
    shown = text if len(text) <= 200 else text[:200] + "..."
    warnings.warn(f"no stable model satisfies the observation, so it teaches nothing: {shown}", ProgramWarning,
                  stacklevel=level)
