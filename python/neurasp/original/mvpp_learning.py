"""Learning the probabilities of rules: gradient ascent with exact derivatives, or with samples."""

from __future__ import annotations

import os.path
import time
from typing import Any, Callable, List, Optional, Sequence, Union

import numpy as np

from .. import _core
from .questions import Questions, warn_impossible
from .statements import evidence

Models = List[List[str]]
_RULE = "#" * 55


class Learning:
    """What :class:`MVPP` does with derivatives and samples."""

    pc: List[List[str]]
    parameters: List[List[float]]
    learnable: List[List[bool]]
    asp: str
    normalize_probs: Callable[[], bool]
    gradients_multi_obs: Callable[[Sequence[str]], List[List[float]]]
    find_one_SM_under_obs: Callable[[str], Models]
    _asked: Callable[[], Questions]
    _outputs: Callable[[], "_core.Outputs"]
    _masked: Callable[[List[Any]], Any]

    # --- exact ---

    def learn_exact(self, list_of_obs: Union[str, Sequence[str]], lr: float = 0.01, thres: float = 0.0001,
                    max_iter: Optional[int] = None) -> None:
        """Ascends until no probability moves by more than ``thres``, or for ``max_iter`` iterations.

        ``list_of_obs`` is a list of observations, or the path of a file in which ``#evidence`` separates them.
        """
        observations = _observations(list_of_obs)
        print(f"Start learning by exact computation with {len(observations)} observations...\n\n"
              f"Initial parameters: {self.parameters}")
        started = time.time()
        iteration, going_on = 1, True
        while going_on:
            print(f"\n#### Iteration {iteration} ####\n")
            before = [list(rule) for rule in self.parameters]
            for rule, learnable, derivatives in zip(self.parameters, self.learnable,
                                                    self.gradients_multi_obs(observations)):
                for i, learned in enumerate(learnable):
                    if learned:
                        rule[i] += min(max(lr * derivatives[i], -0.2), 0.2)
            self.normalize_probs()
            going_on = self._report(started, before) > thres
            iteration += 1
            if max_iter is not None and iteration > max_iter:
                going_on = False
        print(f"\nFinal parameters: {self.parameters}")

    def _report(self, started: float, before: List[List[float]]) -> float:
        """Prints where the probabilities are; returns the largest change."""
        self._report_parameters(started)
        change = max((abs(new - old) for rule, was in zip(self.parameters, before) for new, old in zip(rule, was)),
                     default=0.0)
        print(f"Max change on probabilities: {change}")
        return change

    def _report_parameters(self, started: float) -> None:
        print(f"After {time.time() - started} seconds of training (in total)")
        print(f"Current parameters: {self.parameters}")

    # --- samples ---

    def k_sample(self) -> Models:
        """All stable models of one total choice, which is drawn."""
        self._asked()
        fixed = ""
        for atoms, probabilities in zip(self.pc, self.parameters):
            weights = np.array(probabilities)
            fixed += f":- not {np.random.choice(atoms, p=weights / weights.sum())}.\n"
        return [model["atoms"] for model in self._asked().models(fixed, self._outputs())]

    def sample(self, num: int = 1) -> Models:
        """The stable models of ``num`` total choices."""
        return [model for _ in range(num) for model in self.k_sample()]

    def sample_obs(self, obs: str, num: int = 50) -> Models:
        """``num`` independent samples of stable models given the observation; an empty list if P(O) = 0.

        ``numpy.random.seed`` makes them reproducible.
        """
        models = self._asked().sample(obs, self._outputs(), num, int(np.random.randint(0, 2**31 - 1)))
        if not models:
            warn_impossible(obs)
        return models

    def sample_obs2(self, obs: str, num: int = 50) -> Models:
        """The same as :meth:`sample_obs`."""
        return self.sample_obs(obs, num)

    def gradient_given_models(self, ruleIdx: int, models: Models) -> Any:  # noqa: N803
        """The derivatives for one rule from samples: how often they have each atom, over its probability."""
        counts = np.zeros(len(self.pc[ruleIdx]))
        if not models:
            return counts
        for model in models:
            for i, atom in enumerate(self.pc[ruleIdx]):
                counts[i] += atom in model
        shares = counts / np.maximum(self.parameters[ruleIdx], 1e-300) / len(models)
        return 2 * shares - shares.sum()

    def gradients_one_obs_by_sampling(self, obs: str, num: int = 50) -> Any:
        """The derivatives for all rules from ``num`` samples."""
        models = self.sample_obs(obs, num)
        return self._masked([self.gradient_given_models(index, models) for index in range(len(self.pc))])

    def gradients_multi_obs_by_sampling(self, list_of_obs: Sequence[str], num: int = 50) -> Any:
        """The sum over observations."""
        return self._sum([self.gradients_one_obs_by_sampling(obs, num) for obs in list_of_obs])

    def gradients_multi_obs_by_one_sample(self, list_of_obs: Sequence[str]) -> Any:
        """The sum over observations, each with the first stable model found, however probable it is."""
        found = [self.find_one_SM_under_obs(obs) for obs in list_of_obs]
        return self._sum([self._masked([self.gradient_given_models(index, models) for index in range(len(self.pc))])
                          for models in found])

    def _sum(self, gradients: List[Any]) -> Any:
        rows = [np.zeros(len(atoms)) for atoms in self.pc]
        for gradient in gradients:
            rows = [row + more for row, more in zip(rows, gradient)]
        return self._masked(rows)

    def _climb(self, lr: float, gradients: Any) -> None:
        self.parameters = [[p + lr * float(d) for p, d in zip(rule, derivatives)]
                           for rule, derivatives in zip(self.parameters, gradients)]
        self.normalize_probs()

    def learn_by_sampling(self, list_of_obs: Union[str, Sequence[str]], num_of_samples: int = 50, lr: float = 0.01,
                          thres: float = 0.0001, max_iter: Optional[int] = None, num_pretrain: int = 1) -> None:
        """As :meth:`learn_exact`, with derivatives from samples, after ``num_pretrain`` steps with one model each."""
        observations = _observations(list_of_obs)
        print(f"Start learning by sampling with {len(observations)} observations...\n\n"
              f"Initial parameters: {self.parameters}")
        started = time.time()
        assert type(num_pretrain) is int
        if num_pretrain >= 1:
            print(f"\n{_RULE}\nParameter Pre-training for {num_pretrain} iterations...\n{_RULE}")
            for iteration in range(num_pretrain):
                print(f"\n#### Iteration {iteration + 1} for Pre-Training ####\n"
                      "Generating 1 stable model for each observation...\n")
                self._climb(lr, self.gradients_multi_obs_by_one_sample(observations))
                self._report_parameters(started)
        print(f"\n{_RULE}\nParameter Training for {max_iter} iterations or until converge...\n{_RULE}")
        iteration, going_on = 1, True
        while going_on:
            print(f"\n#### Iteration {iteration} ####")
            before = [list(rule) for rule in self.parameters]
            print(f"Generating {num_of_samples} stable model(s) for each observation...\n")
            self._climb(lr, self.gradients_multi_obs_by_sampling(observations, num_of_samples))
            going_on = self._report(started, before) > thres
            iteration += 1
            if max_iter is not None and iteration > max_iter:
                going_on = False
        print(f"\nFinal parameters: {self.parameters}")


def _observations(given: Union[str, Sequence[str]]) -> List[str]:
    """A list of observations, or those of an evidence file."""
    if isinstance(given, str) and os.path.isfile(given):
        with open(given, encoding="utf-8") as file:
            return evidence(file.read())
    return list(given)
