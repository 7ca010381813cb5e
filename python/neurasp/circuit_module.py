"""A circuit as a torch module, evaluated layer by layer.

Nodes are put into layers such that children stand in earlier layers, and a layer has sums only or products only. Nodes
of a layer with about as many edges form a group: their edges are a table, padded with edges that change nothing, so
that a group is one gather (children's values with inputs' weights) and one reduction along the table's rows. There is
never a loop over nodes. Values of all nodes stand in one buffer, node by node, with the examples of a batch side by
side, and every group writes a slice of it. The backward pass walks the groups in reverse: a node's derivative is
spread over its edges and added to the children's.

All of it is one function of autograd and not a chain of operations, because autograd would copy the whole buffer for
every slice that is written, which costs as many times more as there are groups. The price is that it cannot be
differentiated twice.

Semirings: "sum" adds and multiplies probabilities; "log" does the same with logarithms and never underflows; "max"
takes the greatest in place of the sum, in logarithms: the value is that of the most probable total choice, and the
derivatives mark its outcomes. In logarithms, the derivative by a probability of exactly 0 is given as 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

import torch

from .errors import UsageError

if TYPE_CHECKING:
    from .compiled import Compiled

_SEMIRINGS = ("log", "sum", "max")


class _Group(NamedTuple):
    """Nodes [start, stop) of the buffer, with `width` edges each; the names are those of the tensors of edges."""

    start: int
    stop: int
    is_sum: bool
    width: int
    children: Optional[str]  # None: all of them are the node of value 1
    inputs: Optional[str]  # None: no edge has an input


class _Edges(NamedTuple):
    children: List[int]
    inputs: List[int]


def _levels(flat: Dict[str, Any]) -> List[List[int]]:
    """The nodes of each layer. Node 0 (the value 1) is layer 0; sums stand in odd layers, products in even ones."""
    kinds, first, children = flat["kinds"], flat["first"], flat["children"]
    level = [0] * len(kinds)
    layers: List[List[int]] = [[0]]
    for node in range(1, len(kinds)):
        own = 1 + max((level[child] for child in children[first[node]:first[node + 1]]), default=0)
        if own % 2 != kinds[node]:
            own += 1
        level[node] = own
        while len(layers) <= own:
            layers.append([])
        layers[own].append(node)
    return layers


def _width(edges: int) -> int:
    """The width of the table for a node with so many edges: small numbers exactly, then steps of a quarter."""
    if edges <= 8:
        return max(edges, 1)
    step = 1 << (edges.bit_length() - 3)
    return -(-edges // step) * step


class CircuitModule(torch.nn.Module):
    """A compiled question as a module: probabilities of its outcomes in, P(O) or its logarithm out.

    ``forward`` takes a tensor of batch x inputs, in the order of ``compiled.variables`` (``compiled.weights`` gives
    one row), and returns one number for each example: P(O) with the semiring "sum", else a logarithm.
    """

    def __init__(self, compiled: "Compiled", semiring: str = "log") -> None:
        super().__init__()
        if semiring not in _SEMIRINGS:
            raise UsageError(f"there is no semiring '{semiring}'; there are {', '.join(_SEMIRINGS)}")
        self.semiring = semiring
        flat = compiled.flat_nodes()
        self.input_count = compiled.inputs
        # Behind the outcomes come the circuit's constants, then a 0 for padding of sums.
        self.constants: torch.Tensor
        self.register_buffer("constants", torch.tensor([*flat["constants"], 0.0], dtype=torch.float64))
        self._zero = self.input_count + 1 + len(flat["constants"])
        self.groups: List[_Group] = []
        self.node_count, self.root = self._make_groups(flat)

    def _make_groups(self, flat: Dict[str, Any]) -> Tuple[int, int]:
        first, inputs, children = flat["first"], flat["inputs"], flat["children"]
        place = [0] * len(flat["kinds"])
        start = 1
        for number, nodes in enumerate(_levels(flat)[1:], start=1):
            by_width: Dict[int, List[int]] = {}
            for node in nodes:
                by_width.setdefault(_width(first[node + 1] - first[node]), []).append(node)
            for width, group in sorted(by_width.items()):
                padding = self._zero if number % 2 == 1 else 0
                edges = _Edges([], [])
                for offset, node in enumerate(group):
                    place[node] = start + offset
                    missing = width - (first[node + 1] - first[node])
                    edges.children.extend(place[child] for child in children[first[node]:first[node + 1]])
                    edges.children.extend([0] * missing)
                    edges.inputs.extend(inputs[first[node]:first[node + 1]])
                    edges.inputs.extend([padding] * missing)
                self._add_group(start, start + len(group), number % 2 == 1, width, edges)
                start += len(group)
        return start, place[flat["root"]]

    def _add_group(self, start: int, stop: int, is_sum: bool, width: int, edges: _Edges) -> None:
        names: List[Optional[str]] = []
        for kind, numbers in zip(("children", "inputs"), edges):
            name = f"{kind}_{len(self.groups)}" if any(numbers) else None
            if name is not None:
                self.register_buffer(name, torch.tensor(numbers), persistent=False)
            names.append(name)
        self.groups.append(_Group(start, stop, is_sum, width, names[0], names[1]))

    def forward(self, weights: torch.Tensor) -> torch.Tensor:
        if weights.dim() != 2 or weights.shape[1] != self.input_count:
            raise UsageError(f"the circuit takes batch x {self.input_count} probabilities, found a tensor of shape "
                             f"{tuple(weights.shape)}")
        rows = weights.shape[0]
        constants = self.constants.to(weights.dtype)
        table = torch.cat((weights.new_ones(1, rows), weights.transpose(0, 1),
                           constants.unsqueeze(1).expand(-1, rows)))
        if self.semiring != "sum":
            table = torch.log(table)
        result: torch.Tensor = _Evaluate.apply(self, table)
        return result

    def edges_of(self, group: _Group, values: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        """The values of a group's edges: nodes x width x batch."""
        shape = (group.stop - group.start, group.width, table.shape[1])
        if group.children is None and group.inputs is None:
            return table[:1].expand(shape[0] * shape[1], -1).reshape(shape)
        if group.inputs is None:
            return values.index_select(0, getattr(self, group.children or "")).view(shape)
        weights = table.index_select(0, getattr(self, group.inputs))
        if group.children is not None:
            below = values.index_select(0, getattr(self, group.children))
            weights = weights.mul_(below) if self.semiring == "sum" else weights.add_(below)
        return weights.view(shape)

    def reduce(self, group: _Group, edges: torch.Tensor) -> torch.Tensor:
        if self.semiring == "sum":
            return edges.sum(1) if group.is_sum else edges.prod(1)
        if not group.is_sum:
            return edges.sum(1)
        return torch.logsumexp(edges, 1) if self.semiring == "log" else edges.amax(1)

    def spread(self, group: _Group, outer: torch.Tensor, edges: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        """The derivative of a group's nodes, times the outer one, by the values of their edges."""
        outer = outer.unsqueeze(1)
        if self.semiring == "sum":
            return outer.expand_as(edges) if group.is_sum else outer * _other_factors(edges)
        if not group.is_sum:
            return outer.expand_as(edges)
        if self.semiring == "max":
            chosen = torch.zeros_like(edges)
            return chosen.scatter_(1, edges.argmax(1, keepdim=True), outer)
        return outer * torch.exp(edges - value.unsqueeze(1).clamp_min(torch.finfo(value.dtype).min))


def _other_factors(edges: torch.Tensor) -> torch.Tensor:
    """For each edge of a product, the product of the others, also where some are 0."""
    before = torch.ones_like(edges)
    after = torch.ones_like(edges)
    if edges.shape[1] > 1:
        before[:, 1:] = torch.cumprod(edges[:, :-1], 1)
        after[:, :-1] = torch.flip(torch.cumprod(torch.flip(edges[:, 1:], (1,)), 1), (1,))
    return before * after


class _Evaluate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, module: CircuitModule, table: torch.Tensor) -> Any:  # type: ignore[override]
        values = table.new_empty((module.node_count, table.shape[1]))
        values[0] = 1.0 if module.semiring == "sum" else 0.0
        for group in module.groups:
            values[group.start:group.stop] = module.reduce(group, module.edges_of(group, values, table))
        ctx.module = module
        ctx.save_for_backward(table, values)
        return values[module.root].clone()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, outer: torch.Tensor) -> Any:
        module: CircuitModule = ctx.module
        table, values = ctx.saved_tensors
        by_value = torch.zeros_like(values)
        by_table = torch.zeros_like(table)
        by_value[module.root] = outer
        for group in reversed(module.groups):
            edges = module.edges_of(group, values, table)
            spread = module.spread(group, by_value[group.start:group.stop], edges, values[group.start:group.stop])
            flat = spread.reshape(-1, table.shape[1])
            if module.semiring != "sum":
                if group.children is not None:
                    by_value.index_add_(0, getattr(module, group.children), flat)
                if group.inputs is not None:
                    by_table.index_add_(0, getattr(module, group.inputs), flat)
                continue
            below = None if group.children is None else values.index_select(0, getattr(module, group.children))
            weights = None if group.inputs is None else table.index_select(0, getattr(module, group.inputs))
            if group.children is not None:
                by_value.index_add_(0, getattr(module, group.children), flat if weights is None else flat * weights)
            if group.inputs is not None:
                by_table.index_add_(0, getattr(module, group.inputs), flat if below is None else flat * below)
        return None, by_table
