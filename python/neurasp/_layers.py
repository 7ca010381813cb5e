"""A circuit in the form in which tensors evaluate it: layers of equally wide sums of products of two.

Every number of a circuit is a row: first the value 1, the outcomes, the constants and a 0, then one row for each step,
which is a sum of products of two earlier rows. Steps that are equally far from the root form a layer, and those of a layer
with about as many terms a group. The operands of a group are a table of `width` rows, one column for each step,
padded with terms that add 0. Steps of a layer that decide between the same outcomes form a group of their own if they are
many: their terms have the right operands in common, so that only the left ones need a gather, and the derivatives by
the outcomes are plain sums over the group.

The derivatives of the root have the same form, because the derivative by a row is a sum over its uses: the derivative
by the step that uses it times the other factor. So the way back can be a second list of groups without scattered
additions, which is what logarithms need: they can be added up in a table, but not one by one in their places.

The layers are those of the evaluator in C++ (src/circuit/layers.cpp), and are put into tables there as well
(src/circuit/layer_tables.cpp).
"""

from __future__ import annotations

from array import array
from typing import Any, Dict, List, NamedTuple, Tuple

import torch

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
    root: int
    constants: List[float]  # of the rows between the outcomes and the 0
    forward: Groups
    # The way back. Rows of derivatives: 0, the root's, then those of the groups. Left operands are derivatives.
    back: Groups
    input_places: torch.Tensor  # for each outcome, where its derivative is; 0 if the root does not depend on it


def _tensor(numbers: bytes) -> torch.Tensor:
    own = array("q")  # torch warns about memory that cannot be written
    own.frombytes(numbers)
    return torch.frombuffer(own, dtype=torch.int64) if len(own) else torch.empty(0, dtype=torch.int64)


def _groups(tables: Dict[str, Any]) -> Groups:
    return Groups([Group(*group) for group in tables["groups"]], _tensor(tables["left"]), _tensor(tables["right"]))


def make_layers(core: Any) -> Layers:
    """The layers of a compiled question of the core."""
    found = core.layers(LEAST_SHARED)
    return Layers(found["fixed"], found["root"], found["constants"], _groups(found["values"]),
                  _groups(found["derivatives"]), _tensor(found["input_places"]))
