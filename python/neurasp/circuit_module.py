"""A circuit as a torch module, evaluated layer by layer.

_layers.py puts a circuit into groups of equally wide sums of products of two. A group is one gather for each operand
and one reduction, into a slice of a buffer that has one row for each number and one column for each example; there is
never a loop over nodes. The derivatives by all inputs are groups of the same form and are computed along with the
value, so that backward has one product left to do, and nothing as large as the circuit waits for it. It is one function
of autograd, because autograd would copy the whole buffer for every slice that is written; the price is that it cannot
be differentiated twice.

Semirings: "sum" gives P(O); "log" its logarithm, in the range of logarithms; "max" takes the greatest in place of the
sum: the logarithm of the most probable choice; its derivatives mark that choice's outcomes (of equal ones, each in part).

"log" computes with plain numbers, too, because exponentials would cost several times more than all the rest. Examples
whose P(O) comes near the end of the range are computed again: of float in double, of double with logarithms, both ways
and with the same groups. This is what the evaluator in C++ does (src/circuit/batch_evaluator.hpp). Derivatives by a
probability of 0 are right in every case.

Costs: gathers take most of the time, then products; at batch 256 a group itself costs 4 us, and the rest is 2 to 3 ns for
each edge and example in float (values and derivatives), twice as much in double. Tried and not kept:

- logarithms throughout: exponentials cost four times more than everything else;
- index_add_ for the derivatives: each costs as much as three gathers;
- fresh buffers for every call: page faults took half of the time;
- segment_reduce: six times slower than a sum over a table;
- embedding_bag over rows that are multiplied with their weights before: fewer gathers, but twice as many operations for
  each layer, so slower below 50,000 edges and no faster above;
- not gathering weights that all rows of a group share: 0 to 6 % faster;
- fewer examples at a time, so that the buffers fit into a near cache: every group then costs its 4 us more often.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import torch

from ._layers import Group, Groups, make_layers
from .errors import UsageError

if TYPE_CHECKING:
    from .compiled import Compiled

_SEMIRINGS = ("log", "sum", "max")
# A smaller P(O) may have lost parts of its sum to underflow.
_LEAST = {torch.float32: 1e-25, torch.float64: 1e-250}
# On the CPU the operands of so many bytes are gathered at once, so that they are still in a near cache when they are
# multiplied and added up; elsewhere it only bounds the memory.
_CHUNK_BYTES = {"cpu": 1 << 19}
_CHUNK_BYTES_ELSEWHERE = 1 << 28
# So many terms are added up one by one, more of them by one reduction, which costs less from here on.
_FEW = 4
# Examples of a batch are taken in turn: on the CPU rows of so many bytes, which is enough for what a row costs besides
# its numbers, and everywhere so many that neither of the two buffers becomes larger than this.
_ROW_BYTES = 1 << 10
_BUFFER_BYTES = 1 << 29
_ROOMS = 4  # so many sets of buffers are kept: the sizes of batches, and types


class _Block(NamedTuple):
    """A part of a group: some of its rows, and some of their terms, which are added to the rows if others were before.

    All of it are views of buffers, made once, because making them costs as much as the arithmetic of a small group.
    """

    left: torch.Tensor  # which rows are gathered, and where to
    left_room: torch.Tensor
    right: torch.Tensor
    right_room: Optional[torch.Tensor]  # None: every right operand is the value 1
    pairs: List[Tuple[torch.Tensor, torch.Tensor]]  # of operands, where they are few
    table: torch.Tensor  # the gathered rows: terms x rows x examples
    rows: torch.Tensor
    is_first: bool


class _Room:
    """The buffers of an evaluation of so many examples, and the work on them."""

    def __init__(self, module: "CircuitModule", like: torch.Tensor, columns: int) -> None:
        most = _rows_at_once(like, columns)
        self.values = like.new_empty((module._fixed + module._steps, columns))
        self.by_row = like.new_empty((2 + sum(group.rows for group in module._backward_groups), columns))
        scratch = like.new_empty((2, most, columns))
        forward = Groups(module._forward_groups, module.left, module.right)
        backward = Groups(module._backward_groups, module.uses, module.others)
        self.forward = _divide(forward, self.values[module._fixed:], scratch)
        self.backward = _divide(backward, self.by_row[2:], scratch)


_Reduce = Callable[[_Block], None]


class CircuitModule(torch.nn.Module):
    """A compiled question as a module: probabilities of its outcomes in, P(O) or its logarithm out.

    ``forward`` takes a tensor of batch x inputs, in the order of ``compiled.variables`` (``compiled.weights`` gives
    one row), and returns one number for each example: P(O) with the semiring "sum", else a logarithm. It computes in
    the type of its argument, half precision in float.
    """

    left: torch.Tensor
    right: torch.Tensor
    uses: torch.Tensor
    others: torch.Tensor
    input_places: torch.Tensor

    def __init__(self, compiled: "Compiled", semiring: str = "log") -> None:
        super().__init__()
        if semiring not in _SEMIRINGS:
            raise UsageError(f"there is no semiring '{semiring}'; there are {', '.join(_SEMIRINGS)}")
        self.semiring = semiring
        self.input_count = compiled.inputs
        flat = compiled.flat_nodes()
        layers = make_layers(flat, self.input_count)
        # Python's numbers and not a buffer, which would lose digits in .to(torch.float32).
        self._constants = [float(number) for number in flat["constants"]]
        self._fixed = layers.fixed
        self._root = layers.root
        self._forward_groups = layers.forward.groups
        self._backward_groups = layers.backward.groups
        for name, numbers in (("left", layers.forward.left), ("right", layers.forward.right),
                              ("uses", layers.backward.left), ("others", layers.backward.right),
                              ("input_places", layers.input_places)):
            self.register_buffer(name, numbers, persistent=False)
        self._steps = sum(group.rows for group in self._forward_groups)
        self._start()

    def extra_repr(self) -> str:
        return (f"{self.input_count} inputs, {self._steps} steps in "
                f"{len(self._forward_groups)} groups, semiring={self.semiring!r}")

    def _start(self) -> None:
        self._rooms: Dict[Any, _Room] = {}  # that no thread uses at this moment
        self._lock = threading.Lock()

    def __getstate__(self) -> Any:
        return {name: value for name, value in self.__dict__.items() if name not in ("_rooms", "_lock")}

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
        if room is None:
            room = _Room(self, weights, columns)
        parts = [self._evaluate(part, derivatives, room) for part in torch.split(weights, columns)]
        with self._lock:
            self._rooms[key] = room
            while len(self._rooms) > _ROOMS:
                del self._rooms[next(iter(self._rooms))]
        if len(parts) == 1:
            return parts[0]
        return (torch.cat([value for value, _ in parts]),
                torch.cat([gradient for _, gradient in parts]) if derivatives else None)  # type: ignore[misc]

    def _evaluate(self, weights: torch.Tensor, derivatives: bool,
                  room: _Room) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        count = len(weights)
        self._fill(room, weights)
        if self.semiring == "max":
            return self._greatest(weights, derivatives, room)
        _forward(room, _sum_of_products)
        root = room.values[self._root].clone()
        if self.semiring == "sum":
            return root[:count], self._derivatives(room, 1.0, _sum_of_products)[:count] if derivatives else None
        fits = (root >= _LEAST[root.dtype]) & (root <= torch.finfo(root.dtype).max)
        result = torch.log(root)[:count]
        gradient = None
        if derivatives:
            seed = torch.where(fits, root, torch.ones_like(root)).reciprocal()
            gradient = self._derivatives(room, seed, _sum_of_products)[:count]
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
        _forward(room, _log_sum)
        value = room.values[self._root].clone()
        if not derivatives:
            return value, None
        by_input = self._derivatives(room, 0.0, _log_sum, -torch.inf)
        shift = torch.where(torch.isinf(value), torch.full_like(value, torch.inf), value)  # P(O) = 0: 0
        return value, torch.exp(by_input - shift.unsqueeze(1))

    def _greatest(self, weights: torch.Tensor, derivatives: bool,
                  room: _Room) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        count = len(weights)
        room.values[:self._fixed].log_()
        _forward(room, _maximum)
        root = room.values[self._root].clone()
        if not derivatives:
            return root[:count], None
        share = _shares(room, self._fixed, self._root)
        by_log = share[1:self.input_count + 1, :count].transpose(0, 1)
        return root[:count], torch.where(by_log > 0, by_log / weights, torch.zeros_like(weights))

    def _fill(self, room: _Room, weights: torch.Tensor) -> None:
        """The rows that are no steps: 1, the outcomes, the constants, 0."""
        table = room.values[:self._fixed]
        table[0] = 1.0
        table[1:self.input_count + 1, :len(weights)] = weights.transpose(0, 1)
        table[1:self.input_count + 1, len(weights):] = 1.0
        constants = torch.tensor([*self._constants, 0.0], dtype=weights.dtype, device=weights.device)
        table[self.input_count + 1:] = constants.unsqueeze(1)

    def _derivatives(self, room: _Room, seed: Any, reduce: _Reduce, nothing: float = 0.0) -> torch.Tensor:
        """The root's derivatives by the inputs, times the seed: batch x inputs."""
        room.by_row[0] = nothing
        room.by_row[1] = seed
        _walk(room.backward, room.by_row, room.values, reduce)
        return room.by_row.index_select(0, self.input_places).transpose(0, 1).contiguous()


def _rows_at_once(like: torch.Tensor, columns: int) -> int:
    chunk = _CHUNK_BYTES.get(like.device.type, _CHUNK_BYTES_ELSEWHERE)
    return max(1, chunk // (columns * like.element_size()))


def _columns_at_once(like: torch.Tensor, rows: int) -> int:
    most = _BUFFER_BYTES // rows
    if like.device.type == "cpu":
        most = min(most, _ROW_BYTES)
    return max(1, most // like.element_size())


def _divide(groups: Groups, to: torch.Tensor, scratch: torch.Tensor) -> List[_Block]:
    """Groups in blocks of at most as many terms as there is room for."""
    blocks = []
    most = scratch.shape[1]
    start = place = 0
    for group in groups.groups:
        stop = start + group.terms
        left = groups.left[start:stop].view(group.width, group.rows)
        right = groups.right[start:stop].view(group.width, group.rows)
        columns = max(1, most // group.rows)
        for row in range(0, group.rows, most):
            part = slice(row, min(row + most, group.rows))
            rows = to[place + part.start:place + part.stop]
            for column in range(0, group.width, columns):
                terms = slice(column, min(column + columns, group.width))
                blocks.append(_block(left[terms, part], right[terms, part], group.is_single, rows, scratch,
                                     column == 0))
        start = stop
        place += group.rows
    return blocks


def _block(left: torch.Tensor, right: torch.Tensor, is_single: bool, rows: torch.Tensor, scratch: torch.Tensor,
           is_first: bool) -> _Block:
    count = left.numel()
    shape = (left.shape[0], *rows.shape)
    left_room, right_room = scratch[0, :count], scratch[1, :count]
    pairs = []
    if not is_single and left.shape[0] <= _FEW:
        pairs = list(zip(left_room.view(shape).unbind(0), right_room.view(shape).unbind(0)))
    return _Block(left.reshape(-1), left_room, right.reshape(-1), None if is_single else right_room, pairs,
                  left_room.view(shape), rows, is_first)


def _forward(room: _Room, reduce: _Reduce) -> None:
    _walk(room.forward, room.values, room.values, reduce)


def _walk(blocks: List[_Block], left_from: torch.Tensor, right_from: torch.Tensor, reduce: _Reduce) -> None:
    """Computes the rows of all blocks, one after the other."""
    gather = torch.index_select
    for block in blocks:
        gather(left_from, 0, block.left, out=block.left_room)
        if block.right_room is not None:
            gather(right_from, 0, block.right, out=block.right_room)
        reduce(block)


def _sum_of_products(block: _Block) -> None:
    rows = block.rows
    if block.pairs:
        first = 0
        if block.is_first:
            torch.mul(*block.pairs[0], out=rows)
            first = 1
        for one, other in block.pairs[first:]:
            rows.addcmul_(one, other)
        return
    if block.right_room is not None:
        block.left_room.mul_(block.right_room)
    if block.is_first:
        torch.sum(block.table, 0, out=rows)
    else:
        rows.add_(block.table.sum(0))


def _log_sum(block: _Block) -> None:
    if block.right_room is not None:
        block.left_room.add_(block.right_room)
    total = torch.logsumexp(block.table, 0)
    block.rows.copy_(total if block.is_first else torch.logaddexp(block.rows, total))


def _maximum(block: _Block) -> None:
    if block.right_room is not None:
        block.left_room.add_(block.right_room)
    greatest = torch.amax(block.table, 0)
    block.rows.copy_(greatest if block.is_first else torch.maximum(block.rows, greatest))


def _shares(room: _Room, fixed: int, root: int) -> torch.Tensor:
    """How much of the root's maximum hangs on each row; equal terms have equal shares."""
    values = room.values
    sizes = [len(block.rows) for block in room.forward if block.is_first]
    greatest = torch.zeros_like(values)  # how many terms are the greatest
    share = torch.zeros_like(values)
    share[root] = (values[root] > -torch.inf).to(values.dtype)
    parts = list(zip(torch.split(greatest[fixed:], sizes), torch.split(share[fixed:], sizes)))

    def chosen(block: _Block) -> torch.Tensor:
        torch.index_select(values, 0, block.left, out=block.left_room)
        if block.right_room is not None:
            torch.index_select(values, 0, block.right, out=block.right_room)
            block.left_room.add_(block.right_room)
        return (block.table == block.rows).to(values.dtype)

    place = -1
    for block in room.forward:
        place += block.is_first
        parts[place][0].add_(chosen(block).sum(0))
    for block in reversed(room.forward):
        flat = chosen(block).mul_(parts[place][1] / parts[place][0]).view(-1, values.shape[1])
        share.index_add_(0, block.left, flat)
        if block.right_room is not None:
            share.index_add_(0, block.right, flat)
        place -= block.is_first
    return share


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


def _run(module: CircuitModule, weights: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor = _Evaluate.apply(module, weights)
    return result


# torch.compile (torch 2) compiles what is before and behind a circuit and calls the circuit itself as it is: unrolled, it
# would be hundreds of operations on buffers that are kept, with a branch on numbers.
if hasattr(torch, "compiler") and hasattr(torch.compiler, "disable"):
    _run = torch.compiler.disable(_run)
