"""Network outputs in, derivatives out: one observation or a batch of them, compiled once and evaluated often.

A frame has fixed memory for the outputs of a list of calls and for the derivatives by them, so that a step of training
copies a few numbers, runs a circuit, and allocates nothing.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import torch

from .. import _core
from ..errors import UsageError
from .questions import Questions

LEAST = 10e-8  # outputs are put between this and 1 minus this
AT_ONCE = 64  # new observations that are prepared together
COMPILE_SECONDS = 60.0  # for the circuit of one observation; after that its models are searched in every step
_IMPOSSIBLE = 2  # this status and those above it have no gradient: ExampleStatus in neurasp/training.hpp

_ONE = torch.ones((), dtype=torch.float64)

Call = Tuple[str, str]  # network and term
Shapes = Mapping[str, Tuple[int, int]]  # events and outcomes of each network


class Block:
    """The rows of one network: for each of its terms, example and event one row of outcomes.

    Views of this memory are made once: a step of training should cost no more than the few numbers it copies.
    """

    def __init__(self, name: str, shape: Tuple[int, int], terms: List[str], size: int) -> None:
        self.name, self.terms = name, terms
        self.events, self.outcomes = shape
        self.values = torch.empty((len(terms), size * self.events, self.outcomes), dtype=torch.float64)
        self.gradient = torch.zeros_like(self.values)
        self.rows = len(terms) * size
        self._by_term = list(self.values)
        self._columns = [(rows[:, 0], rows[:, 1]) for rows in self._by_term]
        self._views: Dict[Any, torch.Tensor] = {}
        self._raw = True  # whether some rows may not be distributions

    def put(self, index: int, output: torch.Tensor) -> int:
        """Copies the output for a term. Returns its number of columns: 1 if it only has the first of two outcomes."""
        rows = self._by_term[index]
        numbers = output.detach()
        if numbers.shape == rows.shape:
            rows.copy_(numbers)
        elif numbers.numel() == rows.numel():
            rows.copy_(numbers.reshape(rows.shape))
        elif self.outcomes == 2 and numbers.numel() == rows.shape[0]:
            first, second = self._columns[index]
            first.copy_(numbers.reshape(-1)).clamp_(LEAST, 1 - LEAST)
            torch.sub(_ONE, first, out=second)
            return 1
        else:
            raise UsageError(f"the network '{self.name}' must return {rows.numel()} numbers for '{self.terms[index]}' "
                             f"({rows.shape[0]} rows of {self.outcomes} outcomes), found {tuple(output.shape)}")
        self._raw = True
        return self.outcomes

    def normalize(self) -> None:
        """Makes the rows distributions of positive numbers."""
        if self._raw:
            self.values.clamp_(LEAST, 1 - LEAST)
            self.values.div_(self.values.sum(2, keepdim=True))
            self._raw = False

    def derivative(self, index: int, output: torch.Tensor, columns: int, factor: float) -> torch.Tensor:
        """The derivative by the output of a term, times a factor, like the output."""
        key = (index, columns, output.shape)
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = self.gradient[index][:, :columns].view(output.shape)
        if output.device.type != "cpu":
            return (view * factor).to(output.device, output.dtype)
        # New memory each time, because autograd may keep it.
        return torch.mul(view, factor, out=torch.empty(output.shape, dtype=output.dtype))


class Frame:
    """Memory and layout for examples that all make the same calls."""

    def __init__(self, training: "_core.Training", shapes: Shapes, calls: Sequence[Call], size: int) -> None:
        by_network: Dict[str, List[str]] = {name: [] for name in shapes}
        for network, term in calls:
            by_network[network].append(term)
        self.size = size
        self.blocks = [Block(name, shapes[name], terms, size) for name, terms in by_network.items()]
        self._by_name = {block.name: block for block in self.blocks}
        self.calls = [(network, term, self._by_name[network], by_network[network].index(term))
                      for network, term in calls]
        self.rule_numbers: Optional[torch.Tensor] = None
        self.rule_gradient: Optional[torch.Tensor] = None
        self._untouched: Dict[int, List[Tuple[torch.Tensor, torch.Tensor]]] = {}
        self._logs = torch.empty(size, dtype=torch.float64)
        self._layout = _core.Layout(training, [block.terms for block in self.blocks])
        self._limits = _core.Limits()
        self._step = _core.Step()
        self._step.block_size = size
        self._step.outputs = [(block.values.data_ptr(), block.rows) for block in self.blocks]
        self._number = 0

    def with_gradients(self, rules: Optional[torch.Tensor]) -> "Frame":
        """Makes :meth:`run` compute derivatives, also by the probabilities of learnable rules."""
        self._step.gradients = [(block.gradient.data_ptr(), block.rows) for block in self.blocks]
        if rules is not None:
            self.rule_numbers = rules
            self.rule_gradient = torch.zeros((self.size, rules.numel()), dtype=torch.float64)
            self._step.rule_numbers = rules.data_ptr()
            self._step.rule_gradients = self.rule_gradient.data_ptr()
        return self

    def run(self, ids: List[int]) -> bytes:
        """Evaluates the circuits. Returns one status for each example."""
        self._step.observations = ids
        self._number += 1
        self._step.step = self._number
        for block in self.blocks:
            block.gradient.zero_()
        if self.rule_gradient is not None:
            self.rule_gradient.zero_()
        return self._layout.run_double(self._step, self._logs.data_ptr(), self._limits)

    def derivatives(self, outputs: Sequence[torch.Tensor], columns: Sequence[int], factor: float) -> List[torch.Tensor]:
        """The derivatives by the outputs of the calls, times a factor, each like its output."""
        return [block.derivative(position, output, count, factor)
                for output, count, (_, _, block, position) in zip(outputs, columns, self.calls)]

    def possible(self, status: int) -> bool:
        return status < _IMPOSSIBLE

    @property
    def logs(self) -> torch.Tensor:
        """log P(O) of each example."""
        return self._logs

    def complete(self, identity: int) -> None:
        """Adds Proposition 1's derivative by the outcomes of events that do not matter for this one observation.

        All ``n`` outcomes of such an event have the same derivative, 1 for the outcome itself minus 1 for each other
        one. The circuit does not mention the event, so its derivatives are 0 so far.
        """
        found = self._untouched.get(identity)
        if found is None:
            found = []
            for block in self.blocks:
                if block.outcomes > 2:
                    idle = (block.gradient == 0).all(2, keepdim=True)
                    if bool(idle.any()):
                        found.append((block.gradient, idle.double() * (2 - block.outcomes)))
            self._untouched[identity] = found
        for gradient, constant in found:
            gradient.add_(constant)


class Engine:
    """A program with the circuits of its observations."""

    def __init__(self, questions: Questions, method: str = "exact", optimal: bool = False, proposition1: bool = True,
                 samples: int = 10, compile_seconds: float = COMPILE_SECONDS) -> None:
        self.questions = questions
        self.training = _core.Training(questions.program._core, method, samples, 1, proposition1, optimal,
                                       compile_seconds, "", 1, _core.Limits())
        self._ids: Dict[str, int] = {}
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
            found = Frame(self.training, self.shapes, calls, size)
            self._frames[key] = found.with_gradients(self.rule_numbers) if gradients else found
        return self._frames[key]
