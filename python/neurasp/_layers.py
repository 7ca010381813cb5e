"""A circuit in the form in which tensors evaluate it: layers of equally wide sums of products of two.

Every number of a circuit is a row: first the value 1, the outcomes, the constants and a 0, then one row for each step,
which is a sum of products of two earlier rows. A product of many factors is a balanced tree of steps. Steps that are
equally far from the root form a layer. Those of a layer that decide between the same outcomes form a group if they are
many: their terms have the right operands in common, so that only the left ones need a gather, and the derivatives by
the outcomes are plain sums over the group. Of the others, steps of a layer with about as many terms form a group. The
operands of a group are a table of `width` rows, one column for each step, padded with terms that add 0.

Layers are counted from the root, as late as possible, because decisions about one variable then meet in a layer far
more often. An order of its own, all decisions about one variable after the other, was only counted: it needs more
groups for grids and for counts of items, and slightly fewer for boards of Sudoku.

The derivatives of the root have the same form, because the derivative by a row is a sum over its uses: the derivative
by the step that uses it times the other factor. So the way back can be a second list of groups without scattered
additions, which is what logarithms need: they can be added up in a table, but not one by one in their places.
"""

from __future__ import annotations

from array import array
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import torch

# So many more terms cost about as much as one more group does (measured at batch 256).
_TERMS_OF_A_GROUP = 32
# Fewer terms with the same outcomes are not worth a group of their own.
LEAST_SHARED = 256


class Group(NamedTuple):
    width: int
    rows: int
    outcomes: Tuple[int, ...] = ()  # the right operands of every row, if all have the same ones

    @property
    def terms(self) -> int:
        return self.width * self.rows


class Groups(NamedTuple):
    """Groups in the order in which they are computed; operands lie one after the other, group by group."""

    groups: List[Group]
    left: torch.Tensor
    right: torch.Tensor


class Layers(NamedTuple):
    fixed: int  # rows that are no steps
    forward: Groups
    root: int


class Reversed(NamedTuple):
    """The way back as groups. Rows of derivatives: 0, the root's, then those of the groups."""

    groups: Groups
    input_places: torch.Tensor  # for each outcome, where its derivative is; 0 if the root does not depend on it


class _Terms:
    """The steps of a circuit, children first: term by term its step and its two operands."""

    def __init__(self, fixed: int, zero: int) -> None:
        self.fixed = fixed
        self.zero = zero
        self.target = array("q")
        self.left = array("q")
        self.right = array("q")
        self.level = [0] * fixed

    def add(self, terms: Sequence[Tuple[int, int]]) -> int:
        """A row that is the sum of these products; an existing one if it is equal."""
        if not terms:
            return self.zero
        if len(terms) == 1 and 0 in terms[0]:
            return terms[0][0] or terms[0][1]
        step = len(self.level)
        level = self.level
        above = 0
        for one, other in terms:
            self.target.append(step)
            self.left.append(one)
            self.right.append(other)
            above = max(above, level[one], level[other])
        level.append(above + 1)
        return step

    def multiply(self, factors: List[int]) -> int:
        """Pairs those that are there first, so that few layers are needed."""
        factors.sort(key=self.level.__getitem__)
        while len(factors) > 1:
            pairs = [self.add([pair]) for pair in zip(factors[::2], factors[1::2])]
            factors = pairs + factors[len(factors) // 2 * 2:]
        return factors[0] if factors else 0


def _read(flat: Dict[str, Any], fixed: int) -> Tuple[_Terms, int]:
    kinds, first, inputs, children = flat["kinds"], flat["first"], flat["inputs"], flat["children"]
    terms = _Terms(fixed, fixed - 1)
    rows = [0] * len(kinds)
    for node in range(1, len(kinds)):
        start, stop = first[node], first[node + 1]
        below = [rows[child] for child in children[start:stop]]
        if kinds[node]:
            rows[node] = terms.add(list(zip(below, inputs[start:stop])))
        else:
            rows[node] = terms.multiply([row for row in (*below, *inputs[start:stop]) if row])
    return terms, rows[flat["root"]]


def _tensor(numbers: Any) -> torch.Tensor:
    if not len(numbers):
        return torch.empty(0, dtype=torch.int64)
    return torch.frombuffer(array("q", numbers), dtype=torch.int64)


class _Steps(NamedTuple):
    """The terms that the root depends on, and for each row its layer."""

    target: torch.Tensor
    left: torch.Tensor
    right: torch.Tensor
    layer: torch.Tensor


def _used_steps(terms: _Terms, root: int) -> _Steps:
    depth = [-1] * len(terms.level)  # how far from the root; -1: unused
    depth[root] = 0
    target, left, right = terms.target, terms.left, terms.right
    kept = array("q")
    for term in range(len(target) - 1, -1, -1):  # a step's terms lie behind those of its operands
        above = depth[target[term]]
        if above >= 0:
            one, other = left[term], right[term]
            depth[one] = max(depth[one], above + 1)
            depth[other] = max(depth[other], above + 1)
            kept.append(term)
    chosen = _tensor(kept).flip(0)
    return _Steps(_tensor(target)[chosen], _tensor(left)[chosen], _tensor(right)[chosen], max(depth) - _tensor(depth))


def _outcomes_right(steps: _Steps, input_count: int) -> _Steps:
    """The same with outcomes as right operands, in ascending order within a step."""
    target, left, right, layer = steps
    is_swapped = (left > 0) & (left <= input_count) & ((right == 0) | (right > input_count))
    left, right = torch.where(is_swapped, right, left), torch.where(is_swapped, left, right)
    order = torch.argsort(right, stable=True)
    order = order[torch.argsort(target[order], stable=True)]
    return _Steps(target[order], left[order], right[order], layer)


def _shared_outcomes(steps: _Steps, input_count: int) -> Tuple[torch.Tensor, List[Tuple[int, ...]]]:
    """For each row the number of the outcomes that it shares with many of its layer, and those; 0 is none."""
    sets: Dict[Tuple[int, ...], int] = {}
    members: Dict[Tuple[int, int], List[int]] = {}  # by layer and set
    target, right, layer = steps.target.tolist(), steps.right.tolist(), steps.layer.tolist()
    start = 0
    for stop in range(1, len(target) + 1):
        if stop < len(target) and target[stop] == target[start]:
            continue
        if 0 < right[start] and right[stop - 1] <= input_count:
            number = sets.setdefault(tuple(right[start:stop]), len(sets) + 1)
            members.setdefault((layer[target[start]], number), []).append(target[start])
        start = stop
    outcomes: List[Tuple[int, ...]] = [(), *sets]
    shared = torch.zeros(len(layer), dtype=torch.int64)
    for (_, number), rows in members.items():
        if len(rows) * len(outcomes[number]) >= LEAST_SHARED:
            shared[torch.tensor(rows)] = number
    return shared, outcomes


class _Arrangement:
    """Rows with terms, by stage and by number of terms, in groups."""

    def __init__(self, owner: torch.Tensor, stage: torch.Tensor) -> None:
        self.owner = owner
        width = torch.bincount(owner, minlength=len(stage))
        rows = width.nonzero().squeeze(1)
        scale = int(width.max()) + 1 if len(rows) else 1
        kinds, kind_of, counts = torch.unique(stage[rows] * scale + width[rows], return_inverse=True,
                                              return_counts=True)
        group_of_kind, self.sizes = _merge(kinds.tolist(), counts.tolist(), scale)
        self.stages = dict(zip(group_of_kind, (kind // scale for kind in kinds.tolist())))  # of a group
        group_of_row = torch.tensor(group_of_kind, dtype=torch.int64)[kind_of]
        order = torch.argsort(group_of_row, stable=True)
        self.rows = rows[order]  # in the order of the groups
        self.place = torch.zeros(len(stage), dtype=torch.int64)  # of a row, in this order
        self.place[self.rows] = torch.arange(len(rows))
        self.group = torch.zeros(len(stage), dtype=torch.int64)
        self.group[rows] = group_of_row
        self.width = width

    def groups(self, left: torch.Tensor, right: torch.Tensor, padding: int) -> Groups:
        """Operands in tables. `padding` is a left operand that adds 0."""
        counts = torch.tensor([count for _, count in self.sizes], dtype=torch.int64)
        widths = torch.tensor([width for width, _ in self.sizes], dtype=torch.int64)
        table_start = torch.cumsum(counts * widths, 0) - counts * widths
        row_start = torch.cumsum(counts, 0) - counts
        by_owner = torch.argsort(self.owner, stable=True)
        owner = self.owner[by_owner]
        term_start = torch.cumsum(self.width, 0) - self.width
        rank = torch.arange(len(owner)) - term_start[owner]
        group = self.group[owner]
        place = table_start[group] + rank * counts[group] + self.place[owner] - row_start[group]
        total = int((counts * widths).sum())
        lefts = torch.full((total,), padding, dtype=torch.int64)
        rights = torch.zeros(total, dtype=torch.int64)
        lefts[place] = left[by_owner]
        rights[place] = right[by_owner]
        return Groups([Group(width, count) for width, count in self.sizes], lefts, rights)


def _merge(kinds: List[int], counts: List[int], scale: int) -> Tuple[List[int], List[Tuple[int, int]]]:
    """For each kind (stage * scale + width, ascending) its group, and each group's width and rows.

    A kind joins the group of the next wider one of its stage if the padding costs less than another group.
    """
    group_of = [0] * len(kinds)
    sizes: List[Tuple[int, int]] = []
    for at in range(len(kinds) - 1, -1, -1):
        stage, width = divmod(kinds[at], scale)
        if sizes and stage == kinds[at + 1] // scale:
            padding = (sizes[-1][0] - width) * counts[at]
            if padding <= max(_TERMS_OF_A_GROUP, width * counts[at] // 8):
                sizes[-1] = (sizes[-1][0], sizes[-1][1] + counts[at])
                group_of[at] = len(sizes) - 1
                continue
        sizes.append((width, counts[at]))
        group_of[at] = len(sizes) - 1
    last = len(sizes) - 1  # stages were walked from the last to the first
    return [last - group for group in group_of], sizes[::-1]


def make_layers(flat: Dict[str, Any], input_count: int) -> Layers:
    fixed = input_count + 2 + len(flat["constants"])
    terms, root = _read(flat, fixed)
    steps = _outcomes_right(_used_steps(terms, root), input_count)
    shared, outcomes = _shared_outcomes(steps, input_count)

    forward = _Arrangement(steps.target, steps.layer * len(outcomes) + shared)
    row = torch.arange(len(terms.level))
    row[forward.rows] = torch.arange(fixed, fixed + len(forward.rows))

    groups, left, right = forward.groups(row[steps.left], row[steps.right], fixed - 1)
    groups = [Group(width, rows, outcomes[forward.stages[number] % len(outcomes)])
              for number, (width, rows, _) in enumerate(groups)]
    return Layers(fixed, Groups(groups, left, right), int(row[root]))


def reverse(layers: Layers, input_count: int) -> Reversed:
    """The derivatives of the root by all outcomes, in groups."""
    fixed, forward, root = layers
    left, right = forward.left, forward.right
    target, stage = [], [torch.full((fixed,), len(forward.groups), dtype=torch.int64)]
    place = fixed
    for number, group in enumerate(forward.groups):
        target.append(torch.arange(place, place + group.rows).repeat(group.width))
        stage.append(torch.full((group.rows,), len(forward.groups) - 1 - number, dtype=torch.int64))
        place += group.rows
    by_term = torch.cat([_tensor(()), *target])
    # A use of a row: by which step, and times which other row.
    wanted_left = (left != 0) & ((left <= input_count) | (left >= fixed))
    wanted_right = (right != 0) & ((right <= input_count) | (right >= fixed))
    used = torch.cat((left[wanted_left], right[wanted_right]))
    by = torch.cat((by_term[wanted_left], by_term[wanted_right]))
    other = torch.cat((right[wanted_left], left[wanted_right]))
    backward = _Arrangement(used, torch.cat(stage))
    derivative = backward.place + 2
    derivative[backward.width == 0] = 0
    derivative[root] = 1
    return Reversed(backward.groups(derivative[by], other, 0), derivative[1:input_count + 1].clone())
