"""Network outputs in, derivatives out: one observation or a batch of them, compiled once and evaluated often.

A frame has fixed memory for the outputs of a list of calls and for the derivatives by them, so that a step of training
is one call of the core. An example at a time, each operation of torch costs as much as a small circuit.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

import torch

from .. import _core
from ..errors import UsageError
from .questions import Questions

LEAST = 10e-8  # outputs are put between this and 1 minus this
AT_ONCE = 64  # new observations that are prepared together
COMPILE_SECONDS = 60.0  # for the circuit of one observation; after that its models are searched in every step
_IMPOSSIBLE = 2  # this status and those above it have no gradient: ExampleStatus in neurasp/training.hpp

_IS_DOUBLE = {torch.float64: True, torch.float32: False}  # the kinds of numbers that the core reads

Call = Tuple[str, str]  # network and term
Shapes = Mapping[str, Tuple[int, int]]  # events and outcomes of each network


class Block(NamedTuple):
    """The memory for one network: for each of its terms, example and event one row of outcomes."""

    terms: List[str]
    events: int
    outcomes: int
    values: torch.Tensor
    gradient: torch.Tensor
    rows: int  # as the core counts them: one for each term and example


def _block(shape: Tuple[int, int], terms: List[str], size: int) -> Block:
    events, outcomes = shape
    values = torch.empty((len(terms), size * events, outcomes), dtype=torch.float64)
    return Block(terms, events, outcomes, values, torch.zeros_like(values), len(terms) * size)


def _plain(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor as the core can read it: on the CPU, float or double, without gaps."""
    if tensor.dtype in _IS_DOUBLE and tensor.is_contiguous() and tensor.is_cpu:  # type: ignore[attr-defined]
        return tensor
    return tensor.detach().to("cpu", torch.float64).contiguous()


def _place(tensor: torch.Tensor) -> Tuple[int, int, bool]:
    """Where the numbers of a plain tensor are, how many, and whether they are double."""
    return tensor.data_ptr(), tensor.numel(), _IS_DOUBLE[tensor.dtype]


class Frame:
    """Memory and layout for examples that all make the same calls."""

    def __init__(self, training: "_core.Training", shapes: Shapes, calls: Sequence[Call], size: int,
                 rule_numbers: Optional[torch.Tensor], gradients: bool) -> None:
        by_network: Dict[str, List[str]] = {name: [] for name in shapes}
        for network, term in calls:
            by_network[network].append(term)
        blocks = {name: _block(shapes[name], terms, size) for name, terms in by_network.items()}
        self.blocks = list(blocks.values())
        self.calls = [(network, term, blocks[network], by_network[network].index(term)) for network, term in calls]
        self.logs = torch.empty(size, dtype=torch.float64)  # log P(O) of each example
        self.rule_gradient: Optional[torch.Tensor] = None
        step = _core.Step()
        step.block_size = size
        step.outputs = [(block.values.data_ptr(), block.rows) for block in self.blocks]
        if gradients:
            step.gradients = [(block.gradient.data_ptr(), block.rows) for block in self.blocks]
            if rule_numbers is not None:
                self._rule_numbers = rule_numbers  # keeps the memory alive
                self.rule_gradient = torch.zeros((size, rule_numbers.numel()), dtype=torch.float64)
                step.rule_numbers = rule_numbers.data_ptr()
                step.rule_gradients = self.rule_gradient.data_ptr()
        numbers = {name: number for number, name in enumerate(by_network)}
        self._limits = _core.Limits()
        self._core = _core.Frame(_core.Layout(training, [block.terms for block in self.blocks]), step,
                                 [(numbers[network], position) for network, _, _, position in self.calls],
                                 self.logs.data_ptr(), LEAST)

    def columns(self, call: int, output: torch.Tensor) -> int:
        """How many columns the output of a call has: one for each outcome, or one for the first of two."""
        network, term, block, _ = self.calls[call]
        rows, count = block.values.shape[1], output.numel()
        if count == rows * block.outcomes:
            return block.outcomes
        if block.outcomes == 2 and count == rows:
            return 1
        raise UsageError(f"the network '{network}' must return {rows * block.outcomes} numbers for '{term}' "
                         f"({rows} rows of {block.outcomes} outcomes), found {tuple(output.shape)}")

    def read(self, outputs: Sequence[torch.Tensor]) -> None:
        """Copies the outputs of the calls into this frame, as distributions of positive numbers."""
        for call, output in enumerate(outputs):
            self.columns(call, output)
        plain = [_plain(output) for output in outputs]
        self._core.read([_place(output) for output in plain])

    def run(self, ids: List[int]) -> bytes:
        """Evaluates the circuits. Returns one status for each example."""
        return self._core.run(ids, self._limits)

    def derivatives(self, outputs: Sequence[torch.Tensor], factor: float) -> List[torch.Tensor]:
        """The derivatives by the outputs of the calls, times a factor, each like its output."""
        # New memory each time, because autograd may keep it.
        made = [torch.empty(output.shape, dtype=torch.float64) for output in outputs]
        self._core.write([_place(tensor) for tensor in made], factor)
        return [tensor.to(output.device, output.dtype) for tensor, output in zip(made, outputs)]

    def learn(self, identity: int, outputs: Sequence[torch.Tensor], factor: float) -> Tuple[int, List[torch.Tensor]]:
        """:meth:`read`, :meth:`run` and :meth:`derivatives` for one example, in one call of the core."""
        plain = [_plain(output) for output in outputs]
        made = [torch.empty_like(output) for output in plain]
        try:
            status = self._core.learn(identity, [_place(output) for output in plain],
                                      [_place(tensor) for tensor in made], factor, self._limits)
        except ValueError:
            for call, output in enumerate(outputs):
                self.columns(call, output)
            raise
        return status, [tensor if like is output else tensor.to(output.device, output.dtype)
                        for tensor, like, output in zip(made, plain, outputs)]

    @staticmethod
    def possible(status: int) -> bool:
        return status < _IMPOSSIBLE


class Engine:
    """A program with the circuits of its observations."""

    def __init__(self, questions: Questions, method: str = "exact", optimal: bool = False, proposition1: bool = True,
                 samples: int = 10, compile_seconds: float = COMPILE_SECONDS) -> None:
        self.questions = questions
        self.training = _core.Training(questions.program._core, method, samples, 1, proposition1, optimal,
                                       compile_seconds, "", 1, _core.Limits())
        self._ids: Dict[str, int] = {}
        self._expected: Set[str] = set()
        self._calls: Dict[int, Tuple[Call, ...]] = {}
        self._frames: Dict[Any, Frame] = {}
        self.rules = self.training.rules()
        numbers = [p for rule in self.rules for p in rule[2]]
        self.rule_numbers = torch.tensor(numbers, dtype=torch.float64) if numbers else None

    @property
    def shapes(self) -> Dict[str, Tuple[int, int]]:
        return {name: (events, outcomes) for name, events, outcomes, _ in self.training.networks()}

    def identity(self, observation: str, coming: Sequence[str] = ()) -> int:
        """The number of an observation; new ones among those that come next are prepared along with it."""
        found = self._ids.get(observation)
        if found is None:
            self._expect(coming)
            new = [observation]
            for text in coming:
                if text not in self._ids and text not in new:
                    new.append(text)
                if len(new) >= AT_ONCE:
                    break
            asked = [_core.Observation(text, [], "<observation>") for text in new]
            self._ids.update(zip(new, self.training.prepare(asked, _core.Limits())))
            found = self._ids[observation]
        return found

    def _expect(self, coming: Sequence[str]) -> None:
        """Lets the library know all that comes, so that observations of one kind can share a circuit."""
        new = [text for text in dict.fromkeys(coming) if text not in self._expected]
        self._expected.update(new)
        if new:
            self.training.expect([_core.Observation(text, [], "<observation>") for text in new])

    def calls(self, identity: int, first: Sequence[Call]) -> Tuple[Call, ...]:
        """The calls that an observation needs: those that every one needs first, in that order."""
        found = self._calls.get(identity)
        if found is None:
            needed: List[Call] = [(network, term) for network, term in self.training.at(identity)["calls"]]
            found = (*(call for call in first if call in needed), *(call for call in needed if call not in first))
            self._calls[identity] = found
        return found

    def frame(self, calls: Tuple[Call, ...], size: int = 1, gradients: bool = True) -> Frame:
        """Memory for these calls; it is the same one each time."""
        key = (calls, size, gradients)
        found = self._frames.get(key)
        if found is None:
            found = self._frames[key] = Frame(self.training, self.shapes, calls, size, self.rule_numbers, gradients)
        return found
