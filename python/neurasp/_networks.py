"""The networks of a program: a batch of inputs in, rows of probabilities out."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence, Tuple

import torch

from ._inputs import common_size, input_of, joined
from .errors import UsageError

Shapes = Mapping[str, Tuple[int, int]]  # events and outcomes of each network, in the order of the program


class logits(torch.nn.Module):  # noqa: N801 - it reads like a declaration: digit=neurasp.logits(net)
    """Declares that a network returns raw scores: they are softmaxed (a single column: sigmoided)."""

    def __init__(self, network: torch.nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Any) -> Any:
        return self.network(*inputs)


class Networks(torch.nn.Module):
    """Networks by name. Unlike ModuleDict it takes any name: a program may well call a network ``type``."""

    def __init__(self, networks: Mapping[str, torch.nn.Module], raw: Sequence[str], halve: bool) -> None:
        super().__init__()
        self._raw = tuple(raw)  # names of networks that return logits
        self._halve = halve  # derivatives of single columns: those of Proposition 1 count both outcomes
        for name, network in networks.items():
            if not isinstance(network, torch.nn.Module):
                raise UsageError(f"the network '{name}' must be a torch.nn.Module, found {type(network).__name__}; "
                                 "settings of a program are keyword arguments, too: is the name misspelt?")
            self._modules[name] = network

    def __getitem__(self, name: str) -> torch.nn.Module:
        network = self._modules[name]
        assert network is not None
        return network

    def __contains__(self, name: str) -> bool:
        return name in self._modules

    def items(self) -> List[Tuple[str, torch.nn.Module]]:
        return [(name, self[name]) for name in self._modules]

    def outputs(self, shapes: Shapes, terms_of: Sequence[Sequence[str]], inputs: Dict[Any, Any]) -> List[torch.Tensor]:
        """The outputs of every network: one block of rows for each of its terms, on the networks' devices."""
        outputs: List[torch.Tensor] = []
        size = 0
        for (name, shape), terms in zip(shapes.items(), terms_of):
            if not terms:
                outputs.append(torch.empty((0, shape[0] * shape[1])))
                continue
            if name not in self:
                raise UsageError(f"the program calls the network '{name}', which was not given: "
                                 f"Program(text, {name}=...) takes a torch.nn.Module")
            blocks = [input_of(inputs, name, term) for term in terms]
            size = common_size(blocks, terms, size)
            outputs.append(self._rows(name, shape, blocks, size * len(terms)))
        return outputs

    def _rows(self, name: str, shape: Tuple[int, int], blocks: List[Any], rows: int) -> torch.Tensor:
        events, outcomes = shape
        network = self[name]
        if isinstance(blocks[0], (tuple, list)):
            output = network(*(joined([block[i] for block in blocks]) for i in range(len(blocks[0]))))
        else:
            output = network(joined(blocks))
        if not isinstance(output, torch.Tensor):
            raise UsageError(f"the network '{name}' must return a tensor, found {type(output).__name__}")
        if output.numel() == rows * events * outcomes:
            output = output.reshape(rows, events, outcomes)
        elif outcomes == 2 and output.numel() == rows * events:
            output = output.reshape(rows, events, 1)
        else:
            raise UsageError(f"the network '{name}' must return {rows} x {events * outcomes} numbers ({events} event"
                             f"{'s' if events > 1 else ''} with {outcomes} outcomes each), found a tensor of shape "
                             f"{tuple(output.shape)}")
        if not output.is_floating_point():
            raise UsageError(f"the network '{name}' must return floating-point numbers, found {output.dtype}")
        raw = isinstance(network, logits) or name in self._raw
        if output.dtype in (torch.float16, torch.bfloat16):
            output = output.float() if raw else _rounded_rows(output.float())
        if output.shape[2] == 1:
            one = torch.sigmoid(output) if raw else output
            output = torch.cat((one, 1 - one), dim=2)
            if self._halve:
                output = 0.5 * output + 0.5 * output.detach()
        elif raw:
            output = torch.softmax(output, dim=2)
        return output.reshape(rows, events * outcomes)


def _rounded_rows(output: torch.Tensor) -> torch.Tensor:
    """Rows that were distributions before they were rounded to half precision, as distributions again."""
    sums = output.detach().sum(2, keepdim=True)
    rounded = (output.shape[2] > 1) & ((sums - 1).abs() < 0.02)
    return torch.where(rounded, output / sums, output)


def on_cpu(outputs: Sequence[torch.Tensor]) -> List[torch.Tensor]:
    """All on the CPU and of one type: double if any is, so that numbers with many digits keep them."""
    kind = torch.float64 if any(output.dtype == torch.float64 for output in outputs) else torch.float32
    return [output.to("cpu", kind).contiguous() for output in outputs]


def back(result: torch.Tensor, outputs: Sequence[torch.Tensor]) -> torch.Tensor:
    """The result where the networks' outputs are, in double precision if that device has it."""
    for output in outputs:
        if output.numel() > 0:
            if output.device.type == "mps":
                result = result.to(torch.float32)
            return result.to(output.device)
    return result
