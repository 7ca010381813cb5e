"""The original's tests: of a network, of what its most probable outcomes satisfy, and of inference."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Dict, Iterator, List, Mapping, Sequence, Tuple

import torch

from .. import _core
from ..errors import UsageError
from .questions import Questions
from .statements import has_weak_constraints
from .steps import Call, Engine

_KEPT_VERDICTS = 200_000


class Testing:
    """What :class:`NeurASP` does to test."""

    device: torch.device
    domain: Dict[str, List[str]]
    e: Dict[str, Any]
    nnMapping: Dict[str, Any]
    nnOutputs: Dict[str, Dict[str, Any]]
    mvpp: Dict[str, Any]
    infer: Callable[..., List[List[str]]]
    satisfy: Callable[[Sequence[str], str], bool]
    _renamed: Callable[[Mapping[str, Any]], Dict[str, Any]]
    _output: Callable[[str, Any], Any]
    _text: Callable[[str], Questions]
    _calls_under: Callable[[str], List[Call]]
    _with_calls: Callable[[str, Sequence[Call]], str]
    _testers: Dict[Any, Engine]
    _verdicts: Dict[Any, bool]

    def testNN(self, nn: str, testLoader: Any) -> Tuple[float, float]:  # noqa: N802, N803
        """The accuracy of a network in percent: of whole outputs, and of single ones.

        ``testLoader`` yields inputs and labels: numbers of outcomes, or 0 and 1 for outputs of one column.
        """
        network = self.nnMapping[nn]
        network.eval()
        correct = total = single_correct = single_total = 0
        with torch.no_grad():
            for data, target in testLoader:
                output = network(data.to(self.device))
                if target.shape == output.shape[:-1]:
                    predicted = output.argmax(dim=-1)
                elif target.shape == output.shape:
                    predicted = (output >= 0.5).int()
                else:
                    raise UsageError(f"labels of shape {tuple(target.shape)} do not fit outputs of shape "
                                     f"{tuple(output.shape)}")
                target = target.to(self.device).reshape(predicted.shape)
                right = (target.int() == predicted.int()).reshape(target.shape[0], -1)
                correct += int(right.all(1).sum())
                total += target.shape[0]
                single_correct += int(right.sum())
                single_total += target.numel()
        return 100.0 * correct / total, 100.0 * single_correct / single_total

    def testInferenceResults(self, dataList: Sequence[Any], obsList: Sequence[str]) -> float:  # noqa: N802, N803
        """In percent, for how many examples the most probable stable model satisfies the observation."""
        assert len(dataList) == len(obsList), "Error: the length of dataList does not equal to the length of obsList"
        correct = 0
        for data, observation in zip(dataList, obsList):
            models = self.infer(data, obs=":- mistake.", mvpp=self.mvpp["program_asp"])
            correct += any(self.satisfy(model, observation) for model in models)
        return 100.0 * correct / len(dataList)

    def testConstraint(self, dataList: Sequence[Any], obsList: Sequence[str],  # noqa: N802
                       mvppList: Sequence[str]) -> None:  # noqa: N803
        """Prints, for each program, the share of examples for which the networks' most probable outcomes satisfy it.

        A program with weak constraints, in its text or in the observation, is satisfied by outcomes of least cost.
        """
        assert len(dataList) == len(obsList), "Error: the length of dataList does not equal to the length of obsList"
        for network in self.nnMapping.values():
            network.eval()
        choices = [self._choice(data, observation) for data, observation in zip(dataList, obsList)]
        for number, program in enumerate(mvppList):
            if self.mvpp["program_pr"] and program.startswith(self.mvpp["program_pr"]):
                program = program[len(self.mvpp["program_pr"]):]
            print(f"The accuracy for constraint {number + 1} is {self._share(program, choices, obsList)}")

    def _choice(self, data: Mapping[str, Any], observation: str) -> Dict[Call, List[float]]:
        """For each call, rows with 1 for the most probable outcome and 0 for the others."""
        renamed = self._renamed(data)
        rows: Dict[Call, List[float]] = {}
        with torch.no_grad():
            for m, t in self._calls_under(observation):
                numbers: List[float] = self._output(m, renamed[t]).reshape(-1).tolist()
                self.nnOutputs.setdefault(m, {})[t] = numbers
                count = len(self.domain[m])
                if count == 2 and len(numbers) == self.e[m]:
                    chosen = [0 if p >= 0.5 else 1 for p in numbers]
                else:
                    parts = [numbers[i:i + count] for i in range(0, len(numbers), count)]
                    chosen = [part.index(max(part)) for part in parts]
                rows[m, t] = [float(i == j) for i in chosen for j in range(count)]
        return rows

    def _share(self, program: str, choices: Sequence[Dict[Call, List[float]]], observations: Sequence[str]) -> float:
        """The share of assignments that satisfy program and observation."""
        weak = has_weak_constraints(program)
        plain = self._text(self._with_calls(program, ()))
        least: Dict[Tuple[Call, ...], List[int]] = {}
        optimal: Dict[str, bool] = {}
        count = 0
        for index, (choice, text) in enumerate(zip(choices, observations)):
            if text not in optimal:
                optimal[text] = weak or has_weak_constraints(text)
            if optimal[text]:
                least.setdefault(tuple(choice), []).append(index)
            else:
                count += self._holds(program, plain, choice, text)
        for calls, members in least.items():
            count += _of_least_cost(self._tester(program, calls), calls, [choices[index] for index in members],
                                    [observations[index] for index in members])
        return float(count) / len(observations)

    def _holds(self, program: str, questions: Questions, choice: Dict[Call, List[float]], observation: str) -> bool:
        """Whether an assignment satisfies program and observation. With its atoms as facts little is left to ground."""
        key = (program, observation, tuple(itertools.chain.from_iterable(choice.values())))
        if key not in self._verdicts:
            if len(self._verdicts) >= _KEPT_VERDICTS:
                self._verdicts.clear()
            facts = "".join(f"{m}({i},{t},{value}).\n" for (m, t), row in choice.items()
                            for i, value in self._chosen(m, row))
            found = questions.models(facts + observation, _core.Outputs(), 1)
            self._verdicts[key] = next(found, None) is not None
        return self._verdicts[key]

    def _chosen(self, m: str, row: List[float]) -> Iterator[Tuple[int, str]]:
        """Events with their chosen outcomes."""
        domain = self.domain[m]
        for place, number in enumerate(row):
            if number == 1.0:
                yield place // len(domain), domain[place % len(domain)]

    def _tester(self, program: str, calls: Tuple[Call, ...]) -> Engine:
        key = (program, calls)
        if key not in self._testers:
            self._testers[key] = Engine(self._text(self._with_calls(program, calls)), optimal=True)
        return self._testers[key]


def _of_least_cost(engine: Engine, calls: Tuple[Call, ...], choices: Sequence[Dict[Call, List[float]]],
                   observations: Sequence[str]) -> int:
    """How many of the assignments have least cost: P(O) in optimal mode is positive if they are certain."""
    ids = [engine.identity(text, observations[place + 1:]) for place, text in enumerate(observations)]
    frame = engine.frame(calls, len(ids), gradients=False)
    for network, term, block, position in frame.calls:
        rows = torch.tensor([choice[network, term] for choice in choices], dtype=torch.float64)
        block.values[position].copy_(rows.reshape(block.values[position].shape))
    return sum(frame.possible(status) for status in frame.run(ids))
