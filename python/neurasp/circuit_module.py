"""A circuit as a torch module, evaluated layer by layer.

_layers.py has a circuit as groups of equally wide sums of products of two, which the core makes from the layers of its
own evaluator; _blocks.py computes them: one gather and one reduction for each group, never a loop over nodes. The
derivatives by all inputs are computed along with the value, so that backward has one product left to do, and nothing as
large as the circuit waits for it. It is one function of autograd, because autograd would copy the whole buffer for every
slice that is written; the price is that it cannot be differentiated twice. For torch.compile it is one operator, which
the graph around it calls.

Semirings: "sum" gives P(O); "log" its logarithm, in the range of logarithms; "max" takes the greatest in place of the
sum: the logarithm of the most probable choice; its derivatives mark that choice's outcomes (of equal ones, each in part).

"log" computes with plain numbers, too, because exponentials would cost several times more than all the rest. Examples
whose P(O) comes near the end of the range are computed again: of float in double, of double with logarithms, both ways
and with the same groups. This is what the evaluator in C++ does (src/circuit/batch_evaluator.hpp). Derivatives by a
probability of 0 are right in every case.

Costs: moving rows takes nearly all of the time, two thirds of it on the way back. Tried and not kept:

- logarithms throughout: exponentials cost four times more than everything else;
- index_add_ for the derivatives on the CPU: twice as slow as a product with a sparse matrix of ones;
- the derivatives as groups, too: twice as many gathers, and three times as many groups;
- fresh buffers for every call: page faults took half of the time;
- segment_reduce: six times slower than a sum over a table;
- embedding_bag over rows that are multiplied with their weights before: slow in double, no faster in float;
- rows of a group in the order of their operands: no faster at 14,000 edges; at 150,000 a short run was, by a twentieth
  or more, which has not been repeated;
- fewer examples at a time, so that the buffers fit into a near cache: every group then costs its operations more often.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import torch

from ._blocks import WayBack, divide, log_sum, maximum, room_for, shares, walk, walk_sums, walk_two
from ._layers import Group, make_layers
from .errors import UsageError

if TYPE_CHECKING:
    from .compiled import Compiled

_SEMIRINGS = ("log", "sum", "max")
# A smaller P(O) may have lost parts of its sum to underflow.
_LEAST = {torch.float32: 1e-25, torch.float64: 1e-250}
# Examples of a batch are taken in turn: on the CPU rows of so many bytes, which is enough for what a row costs besides
# its numbers, and everywhere so many that neither of the two buffers becomes larger than this.
_ROW_BYTES = 1 << 10
_BUFFER_BYTES = 1 << 29
_ROOMS = 4  # so many sets of buffers are kept: the sizes of batches, and types


class _Room:
    """The buffers of an evaluation of so many examples, and the work on them."""

    def __init__(self, module: "CircuitModule", like: torch.Tensor, columns: int) -> None:
        self.values = room_for(like, module._fixed + module._steps, columns)
        self.blocks = divide(module._groups, module.left, module.right, self.values, module._fixed)
        self._is_wanted = module.is_wanted
        self._back: Optional[WayBack] = None

    @property
    def back(self) -> WayBack:
        if self._back is None:
            self._back = WayBack(self.blocks, self.values, self._is_wanted)
        return self._back


class CircuitModule(torch.nn.Module):
    """A compiled question as a module: probabilities of its outcomes in, P(O) or its logarithm out.

    ``forward`` takes a tensor of batch x inputs, in the order of ``compiled.variables`` (``compiled.weights`` gives
    one row), and returns one number for each example: P(O) with the semiring "sum", else a logarithm. It computes in
    the type of its argument, half precision in float.
    """

    left: torch.Tensor
    right: torch.Tensor
    is_wanted: torch.Tensor  # for each row, whether its derivative is
    back_left: torch.Tensor  # the way back in groups, for logarithms
    back_right: torch.Tensor
    input_places: torch.Tensor

    def __init__(self, compiled: "Compiled", semiring: str = "log") -> None:
        super().__init__()
        if semiring not in _SEMIRINGS:
            raise UsageError(f"there is no semiring '{semiring}'; there are {', '.join(_SEMIRINGS)}")
        self.semiring = semiring
        self.input_count = compiled.inputs
        layers = make_layers(compiled._core)
        # Python's numbers and not a buffer, which would lose digits in .to(torch.float32).
        self._constants = layers.constants
        self._fixed: int = layers.fixed
        self._root: int = layers.root
        self._groups: List[Group] = layers.forward.groups
        self._steps: int = sum(group.rows for group in self._groups)
        row = torch.arange(self._fixed + self._steps)
        buffers = {"left": layers.forward.left, "right": layers.forward.right,
                   "is_wanted": (row > 0) & ((row <= self.input_count) | (row >= self._fixed))}
        if semiring == "log":
            self._back_groups: List[Group] = layers.back.groups
            buffers.update(back_left=layers.back.left, back_right=layers.back.right, input_places=layers.input_places)
        for name, numbers in buffers.items():
            self.register_buffer(name, numbers, persistent=False)
        self._start()

    def extra_repr(self) -> str:
        return (f"{self.input_count} inputs, {self._steps} steps in "
                f"{len(self._groups)} groups, semiring={self.semiring!r}")

    def _start(self) -> None:
        self._rooms: Dict[Any, _Room] = {}  # that no thread uses at this moment
        self._lock = threading.Lock()
        self._number = next(_NUMBERS)
        _MODULES[self._number] = self

    def __getstate__(self) -> Any:
        own = ("_rooms", "_lock", "_number")
        return {name: value for name, value in self.__dict__.items() if name not in own}

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)  # type: ignore[no-untyped-call]
        self._start()

    def _apply(self, *args: Any, **kwargs: Any) -> Any:
        result = super()._apply(*args, **kwargs)  # type: ignore[no-untyped-call]
        self._rooms.clear()
        return result

    def forward(self, weights: torch.Tensor) -> torch.Tensor:
        if weights.dim() != 2 or weights.shape[1] != self.input_count:
            raise UsageError(f"the circuit takes batch x {self.input_count} probabilities, found a tensor of shape "
                             f"{tuple(weights.shape)}")
        kind = weights.dtype if weights.dtype == torch.float64 else torch.float32
        return _run(self, weights.to(kind)).to(weights.dtype)

    def evaluate(self, weights: torch.Tensor, derivatives: bool) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        """The value of every example, and its derivatives by the weights if they are wanted."""
        columns = max(1, min(len(weights), _columns_at_once(weights, self._fixed + self._steps)))
        key = (columns, weights.dtype, weights.device)
        with self._lock:
            room = self._rooms.pop(key, None)
        with torch.inference_mode():  # nothing is recorded in here, so operations need not look whether it should be
            if room is None:
                room = _Room(self, weights, columns)
            parts = [self._evaluate(part, derivatives, room) for part in torch.split(weights, columns)]
        with self._lock:
            self._rooms[key] = room
            while len(self._rooms) > _ROOMS:
                del self._rooms[next(iter(self._rooms))]
        # Copies, because autograd does not keep what was made in there.
        return (torch.cat([value for value, _ in parts]),
                torch.cat([gradient for _, gradient in parts]) if derivatives else None)  # type: ignore[misc]

    def _evaluate(self, weights: torch.Tensor, derivatives: bool,
                  room: _Room) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        count = len(weights)
        self._fill(room, weights)
        if self.semiring == "max":
            return self._greatest(weights, derivatives, room)
        walk_sums(room.blocks, room.values)
        root = room.values[self._root].clone()
        if self.semiring == "sum":
            return root[:count], self._derivatives(room, 1.0)[:count] if derivatives else None
        fits = (root >= _LEAST[root.dtype]) & (root <= torch.finfo(root.dtype).max)
        result = torch.log(root)[:count]
        gradient = None
        if derivatives:
            seed = torch.where(fits, root, torch.ones_like(root)).reciprocal()
            gradient = self._derivatives(room, seed)[:count]
        fits = fits[:count]
        if not bool(fits.all()):
            self._again(weights, ~fits, result, gradient)
        return result, gradient

    def _again(self, weights: torch.Tensor, chosen: torch.Tensor, result: torch.Tensor,
               gradient: Optional[torch.Tensor]) -> None:
        """Puts the numbers of the chosen examples, from a wider range, in their places."""
        if weights.dtype != torch.float64:
            value, derivatives = self.evaluate(weights[chosen].double(), gradient is not None)
        else:
            value, derivatives = self._with_logarithms(weights[chosen], gradient is not None)
        result[chosen] = value.to(result.dtype)
        if gradient is not None and derivatives is not None:
            gradient[chosen] = derivatives.clamp_max(torch.finfo(gradient.dtype).max).to(gradient.dtype)

    def _with_logarithms(self, weights: torch.Tensor,
                         derivatives: bool) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        room = _Room(self, weights, len(weights))
        self._fill(room, weights)
        room.values[:self._fixed].log_()
        walk(room.blocks, room.values, log_sum)
        value = room.values[self._root].clone()
        if not derivatives:
            return value, None
        by_row = weights.new_full((2 + sum(group.rows for group in self._back_groups), len(weights)), -torch.inf)
        by_row[1] = 0.0
        walk_two(divide(self._back_groups, self.back_left, self.back_right, by_row, 2), by_row, room.values, log_sum)
        by_input = by_row.index_select(0, self.input_places).transpose(0, 1)
        shift = torch.where(torch.isinf(value), torch.full_like(value, torch.inf), value)  # P(O) = 0: 0
        return value, torch.exp(by_input - shift.unsqueeze(1))

    def _greatest(self, weights: torch.Tensor, derivatives: bool,
                  room: _Room) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        count = len(weights)
        room.values[:self._fixed].log_()
        walk(room.blocks, room.values, maximum)
        root = room.values[self._root].clone()
        if not derivatives:
            return root[:count], None
        share = shares(room.blocks, room.values, self._root)
        by_log = share[1:self.input_count + 1, :count].transpose(0, 1).contiguous()
        return root[:count], torch.where(by_log > 0, by_log / weights, torch.zeros_like(by_log))

    def _fill(self, room: _Room, weights: torch.Tensor) -> None:
        """The rows that are no steps: 1, the outcomes, the constants, 0."""
        table = room.values[:self._fixed]
        table[0] = 1.0
        table[1:self.input_count + 1, :len(weights)] = weights.transpose(0, 1)
        table[1:self.input_count + 1, len(weights):] = 1.0
        constants = torch.tensor([*self._constants, 0.0], dtype=weights.dtype, device=weights.device)
        table[self.input_count + 1:] = constants.unsqueeze(1)

    def _derivatives(self, room: _Room, seed: Any) -> torch.Tensor:
        """The root's derivatives by the inputs, times the seed: batch x inputs."""
        by_row = room.back.go(self._root, seed)
        return by_row[1:self.input_count + 1].transpose(0, 1).contiguous()


def _columns_at_once(like: torch.Tensor, rows: int) -> int:
    most = _BUFFER_BYTES // rows
    if like.device.type == "cpu":
        most = min(most, _ROW_BYTES)
    return max(1, most // like.element_size())


class _Evaluate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, module: CircuitModule, weights: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        value, gradient = module.evaluate(weights, ctx.needs_input_grad[1])
        ctx.save_for_backward(gradient)
        return value

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, outer: torch.Tensor) -> Any:
        gradient, = ctx.saved_tensors
        return None, outer.unsqueeze(1) * gradient


# torch.compile sees a circuit as one operator: unrolled, it would be hundreds of operations on buffers that are kept,
# with a branch on numbers. Operators take numbers and tensors only, so each module has a number.
_NUMBERS = itertools.count()
_MODULES: "weakref.WeakValueDictionary[int, CircuitModule]" = weakref.WeakValueDictionary()


def _operator(weights: torch.Tensor, number: int, derivatives: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    value, gradient = _MODULES[number].evaluate(weights, derivatives)
    return value, weights.new_empty((0,)) if gradient is None else gradient


def _shapes(weights: torch.Tensor, number: int, derivatives: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    return weights.new_empty((weights.shape[0],)), weights.new_empty(weights.shape if derivatives else (0,))


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(output[1])


def _back(ctx: Any, outer: torch.Tensor, _: Any) -> Any:
    gradient, = ctx.saved_tensors
    return outer.unsqueeze(1) * gradient, None, None


def _never() -> bool:
    return False


_is_compiling: Any = _never
_circuit: Any = None
_make_operator: Any = getattr(torch.library, "custom_op", None)  # torch 2.4
if _make_operator is not None:
    _is_compiling = getattr(torch, "compiler").is_compiling
    _circuit = _make_operator("neurasp::circuit", _operator, mutates_args=(),
                              schema="(Tensor weights, int number, bool derivatives) -> (Tensor, Tensor)")
    _circuit.register_fake(_shapes)
    _circuit.register_autograd(_back, setup_context=_keep)


def _run(module: CircuitModule, weights: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor
    if _is_compiling():
        result, _ = _circuit(weights, module._number, torch.is_grad_enabled() and weights.requires_grad)
    else:
        # A function of autograd is asked for derivatives by every argument that has some, also where none are recorded.
        result = _Evaluate.apply(module, weights if torch.is_grad_enabled() else weights.detach())
    return result


if _make_operator is None and hasattr(torch, "compiler"):  # torch 2.1 to 2.3: a graph break
    _run = torch.compiler.disable(_run)
