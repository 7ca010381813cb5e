"""The groups of a circuit as work on buffers: gathers, products and sums of rows, and the way back.

A buffer has one row for each number of the circuit and one column for each example. A group is one gather of all
operands and a reduction of equally wide sums into a slice of the buffer. On the way back a group multiplies the same
gathered rows by the derivatives of its sums, which are contiguous rows, and one product with a sparse matrix of ones
adds them to the derivatives of the other factors. Where all sums of a group have the same outcomes as right operands,
these are not gathered but stretched over the group, and products for their derivatives are added up before they are
scattered. Nothing is ever a loop over nodes.
"""

from __future__ import annotations

import mmap
from typing import Any, Callable, Dict, List, NamedTuple, Tuple

import torch

from ._layers import Group

# On the CPU the operands of so many bytes are gathered at once, so that they are still in a near cache when they are
# multiplied and added up; elsewhere it only bounds the memory.
CHUNK_BYTES = {"cpu": 1 << 21}
CHUNK_BYTES_ELSEWHERE = 1 << 28
# Where rows are scattered by a product with a sparse matrix; elsewhere index_add_ is one fast operation.
SPARSE_ON = ("cpu",)
# So many terms are added up one by one, and more of them if there are many rows; else one reduction costs less.
_FEW = 4
_MANY_ROWS = 32
# Torch 2 warns about matrices that were neither checked nor declared not to be.
_UNCHECKED: Dict[str, Any] = (
    {"check_invariants": False} if hasattr(torch.sparse, "check_sparse_tensor_invariants") else {})
_HUGE_PAGE = 1 << 21  # bytes


def room_for(like: torch.Tensor, rows: int, columns: int) -> torch.Tensor:
    """An empty buffer. On Linux it asks for huge pages, with which calls took about a twentieth to a tenth less."""
    size = rows * columns * like.element_size()
    advice = getattr(mmap, "MADV_HUGEPAGE", None)
    if like.device.type != "cpu" or advice is None or size < _HUGE_PAGE:
        return like.new_empty((rows, columns))
    memory = mmap.mmap(-1, size + 2 * _HUGE_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    try:
        memory.madvise(advice)
    except OSError:  # a kernel without huge pages
        pass
    bytes_ = torch.frombuffer(memory, dtype=torch.uint8)
    start = -bytes_.data_ptr() % _HUGE_PAGE
    return bytes_[start:start + size].view(like.dtype).view(rows, columns)


class Block(NamedTuple):
    """A part of a group: some of its rows, and some of their terms, which are added to the rows if others were before.

    All of it are views of buffers, made once, because making them costs as much as the arithmetic of a small group.
    """

    operands: torch.Tensor  # the rows of the left operands, then those of the right ones
    gathered: torch.Tensor  # where they are gathered
    left: torch.Tensor
    right: torch.Tensor
    left_room: torch.Tensor
    right_room: torch.Tensor
    needed: torch.Tensor  # the operands that a sum of products gathers: not the outcomes that all rows have
    needed_room: torch.Tensor
    pairs: List[Tuple[torch.Tensor, torch.Tensor]]  # of operands, where they are added up one by one
    table: torch.Tensor  # the left operands: terms x rows x examples
    factors: torch.Tensor  # all operands: operands of a sum x rows x examples
    place: slice  # of the rows in the buffer
    rows: torch.Tensor
    is_first: bool
    outcomes: Tuple[int, ...]  # the right operands of every row, if all have the same ones
    products: torch.Tensor  # on the way back: products for the other factors, then the sums for these outcomes


def divide(groups: List[Group], lefts: torch.Tensor, rights: torch.Tensor, to: torch.Tensor,
           start: int) -> List[Block]:
    """Groups in blocks that have room in a near cache; their sums are the rows of `to` from `start` on."""
    chunk = CHUNK_BYTES.get(to.device.type, CHUNK_BYTES_ELSEWHERE)
    most = max(1, chunk // (2 * to.shape[1] * to.element_size()))
    widest = max((min(group.width, most) for group in groups), default=0)
    largest = min(most, max((group.terms for group in groups), default=0))
    scratch = room_for(to, 2 * largest + widest, to.shape[1])
    blocks = []
    term = 0
    for group in groups:
        left = lefts[term:term + group.terms].view(group.width, group.rows)
        right = rights[term:term + group.terms].view(group.width, group.rows)
        width = min(group.width, most)
        height = max(1, most // width)
        for row in range(0, group.rows, height):
            part = slice(row, min(row + height, group.rows))
            place = slice(start + part.start, start + part.stop)
            for first in range(0, group.width, width):
                terms = slice(first, first + width)
                blocks.append(_block(left[terms, part], right[terms, part], to, place, scratch, first == 0,
                                     group.outcomes[terms]))
        term += group.terms
        start += group.rows
    return blocks


def _block(left: torch.Tensor, right: torch.Tensor, to: torch.Tensor, place: slice, scratch: torch.Tensor,
           is_first: bool, outcomes: Tuple[int, ...]) -> Block:
    count = left.numel()
    width = left.shape[0]
    rows = to[place]
    operands = torch.cat((left.reshape(-1), right.reshape(-1)))
    gathered = scratch[:len(operands)]
    left_room, right_room = gathered[:count], gathered[count:]
    table = left_room.view(width, *rows.shape)
    pairs = []
    if outcomes:
        pairs = [(one, to[outcome:outcome + 1]) for one, outcome in zip(table.unbind(0), outcomes)]
    elif width <= _FEW or len(rows) >= _MANY_ROWS:
        pairs = list(zip(table.unbind(0), right_room.view(table.shape).unbind(0)))
    needed = slice(0, count if outcomes else 2 * count)
    return Block(operands, gathered, operands[:count], operands[count:], left_room, right_room, operands[needed],
                 gathered[needed], pairs, table, gathered.view(-1, *rows.shape), place, rows, is_first, outcomes,
                 scratch[count:2 * count + len(outcomes)])


Reduce = Callable[[Block], None]


def walk(blocks: List[Block], values: torch.Tensor, reduce: Reduce) -> None:
    """Computes the rows of all blocks, one after the other."""
    gather = torch.index_select
    for block in blocks:
        gather(values, 0, block.operands, out=block.gathered)
        reduce(block)


def walk_sums(blocks: List[Block], values: torch.Tensor) -> None:
    """The same for sums of products, without the operands that these do not need."""
    gather = torch.index_select
    for block in blocks:
        gather(values, 0, block.needed, out=block.needed_room)
        sum_of_products(block)


def walk_two(blocks: List[Block], left_from: torch.Tensor, right_from: torch.Tensor, reduce: Reduce) -> None:
    """The same with right operands from another buffer."""
    for block in blocks:
        torch.index_select(left_from, 0, block.left, out=block.left_room)
        torch.index_select(right_from, 0, block.right, out=block.right_room)
        reduce(block)


def sum_of_products(block: Block) -> None:
    rows = block.rows
    if block.pairs:
        first = 0
        if block.is_first:
            torch.mul(*block.pairs[0], out=rows)
            first = 1
        for one, other in block.pairs[first:]:
            rows.addcmul_(one, other)
        return
    block.left_room.mul_(block.right_room)
    if block.is_first:
        torch.sum(block.table, 0, out=rows)
    else:
        rows.add_(block.table.sum(0))


def log_sum(block: Block) -> None:
    block.left_room.add_(block.right_room)
    total = torch.logsumexp(block.table, 0)
    block.rows.copy_(total if block.is_first else torch.logaddexp(block.rows, total))


def maximum(block: Block) -> None:
    block.left_room.add_(block.right_room)
    greatest = torch.amax(block.table, 0)
    block.rows.copy_(greatest if block.is_first else torch.maximum(block.rows, greatest))


class WayBack:
    """From the derivative of the root to those of all rows, for sums of products."""

    def __init__(self, blocks: List[Block], values: torch.Tensor, is_wanted: torch.Tensor) -> None:
        self.by_row = room_for(values, *values.shape)
        self._steps = [(_shared_back if block.outcomes else _pairs_back)(block, values, self.by_row, is_wanted)
                       for block in reversed(blocks)]

    def go(self, root: int, seed: Any) -> torch.Tensor:
        """The derivatives of the root by all rows, times the seed; those of rows that are not wanted mean nothing."""
        self.by_row.zero_()
        self.by_row[root] = seed
        for step in self._steps:
            step()
        return self.by_row


def _pairs_back(block: Block, values: torch.Tensor, by_row: torch.Tensor,
                is_wanted: torch.Tensor) -> Callable[[], None]:
    """Adds each operand times the derivative of its sum to the derivative of the other factor of its product."""
    gather = torch.index_select
    operands, gathered, factors, by_sum = block.operands, block.gathered, block.factors, by_row[block.place]
    scatter = _scatter(torch.cat((block.right, block.left)), gathered, by_row, is_wanted)

    def step() -> None:
        gather(values, 0, operands, out=gathered)
        factors.mul_(by_sum)
        scatter()

    return step


def _shared_back(block: Block, values: torch.Tensor, by_row: torch.Tensor,
                 is_wanted: torch.Tensor) -> Callable[[], None]:
    """The same for rows that have their right operands in common."""
    gather, multiply, add_up = torch.index_select, torch.mul, torch.sum
    left, left_room, table, by_sum = block.left, block.left_room, block.table, by_row[block.place]
    count = len(left)
    products, sums = block.products[:count].view(table.shape), block.products[count:]
    numbers = torch.tensor(block.outcomes, dtype=torch.int64, device=values.device)
    first, last = block.outcomes[0], block.outcomes[-1]
    outcomes = values[first:last + 1].unsqueeze(1)
    is_slice = block.outcomes == tuple(range(first, last + 1))
    scatter = _scatter(torch.cat((left, numbers)), block.products, by_row, is_wanted)

    def step() -> None:
        gather(values, 0, left, out=left_room)
        table.mul_(by_sum)
        add_up(table, 1, out=sums)
        multiply(outcomes if is_slice else gather(values, 0, numbers).unsqueeze(1), by_sum, out=products)
        scatter()

    return step


def _scatter(target: torch.Tensor, rows: torch.Tensor, by_row: torch.Tensor,
             is_wanted: torch.Tensor) -> Callable[[], Any]:
    """Adds each of the rows to its target."""
    if by_row.device.type not in SPARSE_ON:
        return lambda: by_row.index_add_(0, target, rows)
    chosen = is_wanted[target].nonzero().squeeze(1)
    ones = by_row.new_ones(len(chosen))
    matrix = torch.sparse_coo_tensor(torch.stack((target[chosen], chosen)), ones, (len(by_row), len(target)),
                                     **_UNCHECKED).coalesce()
    return lambda: by_row.addmm_(matrix, rows)


def shares(blocks: List[Block], values: torch.Tensor, root: int) -> torch.Tensor:
    """How much of the root's maximum hangs on each row; equal terms have equal shares."""
    greatest = torch.zeros_like(values)  # how many terms are the greatest
    share = torch.zeros_like(values)
    share[root] = (values[root] > -torch.inf).to(values.dtype)

    def chosen(block: Block) -> torch.Tensor:
        torch.index_select(values, 0, block.operands, out=block.gathered)
        block.left_room.add_(block.right_room)
        return (block.table == block.rows).to(values.dtype)

    for block in blocks:
        greatest[block.place] += chosen(block).sum(0)
    for block in reversed(blocks):
        part = chosen(block).mul_(share[block.place] / greatest[block.place]).view(-1, values.shape[1])
        share.index_add_(0, block.left, part)
        share.index_add_(0, block.right, part)
    return share
