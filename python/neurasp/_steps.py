"""One batch on its way through the core, as functions of autograd."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional, Sequence, Set

import torch

from . import _core
from .errors import UsageError


class LogProbability(torch.autograd.Function):
    """log P(O) of a batch; derivatives are computed along with it and wait for backward."""

    @staticmethod
    def forward(ctx: Any, step: "Step", rule_numbers: torch.Tensor,  # type: ignore[override]
                *outputs: torch.Tensor) -> Any:
        wanted = ctx.needs_input_grad
        logs, by_rules, by_outputs = step.run(rule_numbers, outputs, wanted[1], any(wanted[2:]))
        ctx.blocks = step.blocks
        ctx.save_for_backward(by_rules, *by_outputs)
        return logs

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, outer: torch.Tensor) -> Any:
        by_rules, *by_outputs = ctx.saved_tensors
        outer = torch.nan_to_num(outer, nan=0.0, posinf=0.0, neginf=0.0)
        rule_gradient = outer @ by_rules if ctx.needs_input_grad[1] else None
        gradients: List[Optional[torch.Tensor]] = []
        for gradient, blocks, needed in zip(by_outputs, ctx.blocks, ctx.needs_input_grad[2:]):
            if not needed or not blocks:
                gradients.append(None)
                continue
            weights = outer.to(gradient.dtype)
            gradients.append((gradient.view(blocks, weights.numel(), -1) * weights.view(1, -1, 1)).view_as(gradient))
        return (None, rule_gradient, *gradients)


class SharedLogProbability(torch.autograd.Function):
    """log P(O) of examples that share rows: derivatives are computed in backward, weighted with what comes in."""

    @staticmethod
    def forward(ctx: Any, step: "Step", rule_numbers: torch.Tensor,  # type: ignore[override]
                *outputs: torch.Tensor) -> Any:
        logs, _, _ = step.run(rule_numbers, outputs, False, False)
        ctx.step = step
        ctx.save_for_backward(rule_numbers, *outputs)
        return logs

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, outer: torch.Tensor) -> Any:
        rule_numbers, *outputs = ctx.saved_tensors
        weights = torch.nan_to_num(outer, nan=0.0, posinf=0.0, neginf=0.0).tolist()
        needed = ctx.needs_input_grad
        _, by_rules, by_outputs = ctx.step.run(rule_numbers, outputs, needed[1], any(needed[2:]), weights)
        by_outputs = by_outputs or [None] * len(outputs)
        return (None, by_rules if needed[1] else None, *by_outputs)


class Step:
    """One batch for the core: which observation each example has, and where its rows are.

    Example ``e`` reads row ``members[e]`` of every block, or row ``e`` where there are no members.
    """

    def __init__(self, plan: "Plan", ids: List[int], size: int, seed: int, number: int,
                 members: Optional[List[int]] = None) -> None:
        self.layout = plan.layout
        self.ids = ids
        self.blocks = [len(terms) for terms in plan.terms]
        self.size = size
        self.seed = seed
        self.number = number
        self.members = members
        self.status: bytes = b""

    def run(self, rule_numbers: torch.Tensor, outputs: Sequence[torch.Tensor], by_rules: bool, by_outputs: bool,
            weights: Optional[List[float]] = None) -> Any:
        step = _core.Step()
        step.observations = self.ids
        if self.members is not None:
            step.members = self.members
        if weights is not None:
            step.weights = weights
        step.block_size = self.size
        step.seed = self.seed
        step.step = self.number
        step.outputs = [(output.data_ptr(), output.shape[0]) for output in outputs]
        logs = torch.empty(len(self.ids), dtype=torch.float64)
        gradients = [torch.zeros_like(output) for output in outputs] if by_outputs else []
        step.gradients = [(gradient.data_ptr(), gradient.shape[0]) for gradient in gradients]
        examples = () if weights is not None else (len(self.ids),)
        rules = torch.zeros((*examples, rule_numbers.numel()), dtype=torch.float64)
        if rule_numbers.numel() > 0:
            step.rule_numbers = rule_numbers.data_ptr()
            if by_rules:
                step.rule_gradients = rules.data_ptr()
        run = self.layout.run_double if _is_double(outputs) else self.layout.run_float
        self.status = run(step, logs.data_ptr(), _core.Limits())
        return logs, rules, gradients


def _is_double(outputs: Sequence[torch.Tensor]) -> bool:
    return bool(outputs) and outputs[0].dtype == torch.float64


class Plan:
    """Which terms each network is run on, for inputs with these keys."""

    def __init__(self, keys: Iterable[Any]) -> None:
        self.keys = set(keys)
        self.terms: List[List[str]] = []
        self.layout: Any = None
        self._covered: Set[int] = set()

    def missing(self, ids: Sequence[int]) -> List[int]:
        covered = self._covered
        return [i for i in dict.fromkeys(ids) if i not in covered]

    def extend(self, training: "_core.Training", ids: List[int]) -> None:
        networks = [shape[0] for shape in training.networks()]
        while len(self.terms) < len(networks):
            self.terms.append([])
        for i in ids:
            prepared = training.at(i)
            for network, term in prepared["calls"][:prepared["relevant_calls"]]:
                if term not in self.keys and (network, term) not in self.keys:
                    raise UsageError(f"there is no input for '{term}', which the network '{network}' is called for; "
                                     f"inputs has {', '.join(sorted(map(str, self.keys))) or 'nothing'}")
                terms = self.terms[networks.index(network)]
                if term not in terms:
                    terms.append(term)
        self._covered.update(ids)
        self.layout = _core.Layout(training, self.terms)
