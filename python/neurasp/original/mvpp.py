"""``MVPP``: programs with probabilistic rules, as the original's module of that name offers them."""

from __future__ import annotations

import itertools
import math
import os.path
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .. import _core
from .mvpp_learning import Learning
from .questions import Questions, warn_impossible
from .statements import ProbabilisticRule, lines_of, probabilistic_rule, statements

Models = List[List[str]]


class MVPP(Learning):
    """A program with probabilistic rules ``p1 a1; p2 a2; ... .``; ``@`` before a probability makes it learnable.

    ``program`` is a text or the path of a file. ``parameters`` holds the probabilities and may be changed; ``pc`` holds
    the atoms, ``learnable`` what may be learned, ``asp`` the other rules and ``pi_prime`` the program with choices
    instead of probabilities.

    >>> from mvpp import MVPP
    >>> coin = MVPP("@0.4 head; @0.6 tail. lucky :- head.")
    >>> coin.inference_obs_exact(":- not lucky.")
    0.4
    >>> coin.find_all_SM_under_obs(":- lucky.")
    [['tail']]
    """

    def __init__(self, program: str, k: int = 1, eps: float = 0.000001) -> None:
        self.k = k
        self.eps = eps
        self.pc: List[List[str]] = []
        self.parameters: List[List[float]] = []
        self.learnable: List[List[bool]] = []
        self.asp = ""
        self.pi_prime = ""
        self.remain_probs: List[float] = []
        self.pc, self.parameters, self.learnable, self.asp, self.pi_prime, self.remain_probs = self.parse(program)
        self.normalize_probs()
        self._questions: Optional[Questions] = None
        self._counts: Dict[Tuple[str, ...], float] = {}

    # --- the program ---

    def parse(self, program: str) -> Tuple[List[List[str]], List[List[float]], List[List[bool]], str, str,
                                           List[float]]:
        """Atoms, probabilities, what is learnable, the other rules, the program with choices, what is left to learn."""
        text = program
        if "\n" not in program and os.path.isfile(program):
            with open(program, encoding="utf-8") as file:
                text = file.read()
        rules: List[ProbabilisticRule] = []
        others: List[str] = []
        for statement in statements(text):
            rule = probabilistic_rule(statement)
            if rule is None:
                others.append(statement)
            else:
                rules.append(rule)
        asp = "".join(line + "\n" for line in lines_of(others))
        choices = "".join("1{" + "; ".join(rule.atoms) + "}1.\n" for rule in rules)
        remaining = [1 - sum(p for p, learned in zip(rule.probabilities, rule.learnable) if not learned)
                     for rule in rules]
        return ([rule.atoms for rule in rules], [rule.probabilities for rule in rules],
                [rule.learnable for rule in rules], asp, choices + asp, remaining)

    def normalize_probs(self) -> bool:
        """Makes the learnable probabilities of every rule positive, and a distribution with the others."""
        for probabilities, learnable, remaining in zip(self.parameters, self.learnable, self.remain_probs):
            normalize(probabilities, learnable, remaining, self.eps)
        return True

    def _asked(self) -> Questions:
        """The program for the library. Its text has the first probabilities; ``_outputs`` has those of now."""
        if self._questions is None:
            rules = "".join("; ".join(f"{'@' if any(learnable) else ''}{p!r} {atom}"
                                      for p, atom in zip(probabilities, atoms)) + ".\n"
                            for atoms, probabilities, learnable in zip(self.pc, self.parameters, self.learnable))
            self._questions = Questions(rules + self.asp)
            ground = [atoms for _, atoms, _, network, _, _, _ in self._questions.variables() if not network]
            # As the library prints them: constants and arithmetic in them are evaluated.
            if [len(atoms) for atoms in ground] == [len(atoms) for atoms in self.pc]:
                self.pc = ground
        return self._questions

    def _outputs(self, parameters: Optional[Sequence[Sequence[float]]] = None) -> "_core.Outputs":
        outputs = _core.Outputs()
        for index, probabilities in enumerate(self.parameters if parameters is None else parameters):
            outputs.set_rule(index, list(probabilities))
        return outputs

    # --- models ---

    def find_one_SM_under_obs(self, obs: str) -> Models:
        """A list of one stable model that satisfies the observation, or an empty list."""
        return self.find_k_SM_under_obs(obs, 1)

    def find_all_SM_under_obs(self, obs: str) -> Models:
        """All stable models that satisfy the observation."""
        return self.find_k_SM_under_obs(obs, 0)

    def find_k_SM_under_obs(self, obs: str, k: int = 3) -> Models:
        """Up to ``k`` stable models that satisfy the observation; all of them if ``k`` is 0."""
        return [model["atoms"] for model in self._asked().models(obs, self._outputs(), k)]

    def remove_duplicate_SM(self, models: Models) -> Models:
        """The models in order, each once."""
        models.sort()
        return [model for model, _ in itertools.groupby(models)]

    def find_all_most_probable_SM_under_obs_noWC(self, obs: str) -> Models:
        """All stable models that share the highest probability. Weak constraints do not matter."""
        return self.remove_duplicate_SM(self._asked().most_probable(obs, self._outputs(), ties=True))

    def find_one_most_probable_SM_under_obs_noWC(self, obs: str = "") -> Models:
        """A list of one most probable stable model, or an empty list. Weak constraints do not matter."""
        return self._asked().most_probable(obs, self._outputs())

    def find_all_opt_SM_under_obs_WC(self, obs: str) -> Models:
        """The stable models of least cost; without weak constraints, all of them."""
        models = self._asked().models(obs, self._outputs(), optimal=True)
        return self.remove_duplicate_SM([model["atoms"] for model in models])

    # --- probabilities ---

    def _choice_of(self, model: Sequence[str]) -> List[Optional[int]]:
        """For each rule, the number of its atom that the model has."""
        atoms = set(model)
        return [next((i for i, atom in enumerate(rule) if atom in atoms), None) for rule in self.pc]

    def _log_count(self, model: Sequence[str], choice: List[Optional[int]]) -> float:
        """log Num: the number of stable models with this total choice; infinite if there is none."""
        key = tuple(rule[i] for rule, i in zip(self.pc, choice) if i is not None)
        if key not in self._counts:
            # Independent of the parameters, so that small ones do no harm: P = 1 / (choices * Num).
            even = [[1 / len(rule)] * len(rule) for rule in self.pc]
            fixed = "".join(f":- not {atom}.\n" for atom in key)
            found = next(self._asked().models(fixed, self._outputs(even), 1), None)
            choices = sum(math.log(len(rule)) for rule in self.pc)
            self._counts[key] = math.inf if found is None else -float(found["log_probability"]) - choices
        return self._counts[key]

    def _log_probability(self, model: Sequence[str]) -> float:
        self._asked()
        choice = self._choice_of(model)
        total = -self._log_count(model, choice)
        for probabilities, i in zip(self.parameters, choice):
            if i is None:
                return -math.inf
            total += math.log(probabilities[i]) if probabilities[i] > 0 else -math.inf
        return total

    def prob_of_interpretation(self, I: Any) -> float:  # noqa: E741, N803 - the original's name
        """P(I) of a stable model: the product of its atoms' probabilities, divided by the number of models with them."""
        while len(I) > 0 and not isinstance(I[0], str):
            I = I[0]  # noqa: E741, N806
        return math.exp(self._log_probability(I))

    def inference_obs_exact(self, obs: str) -> float:
        """P(O)."""
        return self._asked().probability(obs, self._outputs())

    # --- gradients, as Proposition 1 has them ---

    def gradient(self, ruleIdx: int, atomIdx: int, obs: str) -> float:  # noqa: N803
        """The derivative of log P(O) by one probability."""
        found = self._asked().gradient(obs, self._outputs())
        if found is None:
            warn_impossible(obs)
            return 0.0
        return found[self.pc[ruleIdx][atomIdx]]

    def mvppLearnRule(self, ruleIdx: int, models: Models, probs: Sequence[float]) -> Any:  # noqa: N802, N803
        """The derivatives for one rule, from models that satisfy the observation and their probabilities."""
        self._asked()
        total = math.fsum(probs)
        if total <= 0:
            return np.zeros(len(self.pc[ruleIdx]))
        shares = [0.0] * len(self.pc[ruleIdx])
        for model, probability in zip(models, probs):
            i = next((i for i, atom in enumerate(self.pc[ruleIdx]) if atom in model), None)
            if i is not None and probability > 0:
                shares[i] += probability / total / max(self.parameters[ruleIdx][i], 1e-300)
        whole = math.fsum(shares)
        return np.array([2 * share - whole for share in shares])

    def mvppLearn(self, models: Models) -> Any:  # noqa: N802
        """The derivatives for all rules from models that satisfy the observation; 0 where nothing is learnable."""
        logs = [self._log_probability(model) for model in models]
        highest = max(logs, default=-math.inf)
        scaled = [math.exp(log - highest) if highest > -math.inf else 0.0 for log in logs]
        return self._masked([self.mvppLearnRule(index, models, scaled) for index in range(len(self.pc))])

    def gradients_one_obs(self, obs: str, opt: bool = False) -> Any:
        """The derivatives of log P(O) for all rules; with ``opt``, only models of least cost count."""
        found = self._asked().gradient(obs, self._outputs(), opt)
        if found is None:
            warn_impossible(obs)
            return self._masked([np.zeros(len(atoms)) for atoms in self.pc])
        return self._masked([np.array([found[atom] for atom in atoms]) for atoms in self.pc])

    def gradients_multi_obs(self, list_of_obs: Sequence[str]) -> List[List[float]]:
        """The sum of :meth:`gradients_one_obs` over observations, as lists."""
        total = [[0.0] * len(rule) for rule in self.parameters]
        for obs in list_of_obs:
            total = [[a + float(b) for a, b in zip(one, other)]
                     for one, other in zip(total, self.gradients_one_obs(obs))]
        return total

    def _masked(self, rows: List[Any]) -> Any:
        """An array of the rows; 0 for what is not learnable. Rows of different lengths are objects."""
        for row, learnable in zip(rows, self.learnable):
            row[[not learned for learned in learnable]] = 0
        if len({len(row) for row in rows}) <= 1:
            return np.array(rows)
        array = np.empty(len(rows), dtype=object)
        array[:] = rows
        return array


def normalize(probabilities: List[float], learnable: Sequence[bool], remaining: float, eps: float) -> None:
    """Puts learnable probabilities between ``eps`` and ``1 - eps``, then makes them sum to ``remaining``."""
    learned = [i for i, flag in enumerate(learnable) if flag]
    for i in learned:
        if probabilities[i] >= 1:
            probabilities[i] = 1 - eps
        elif probabilities[i] <= 0:
            probabilities[i] = eps
    total = sum(probabilities[i] for i in learned)
    for i in learned:
        probabilities[i] = probabilities[i] / total * remaining
