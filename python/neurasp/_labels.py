"""Outputs of networks next to the outcomes that are known to be right."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional

import torch

from ._inputs import by_term
from ._steps import Plan
from .confusion import Confusion
from .errors import UsageError

_LEAST = 1e-12  # probability of a label in the loss


class Labelled(NamedTuple):
    """The outputs for one term, and the numbers of their true outcomes."""

    network: str
    rows: torch.Tensor  # examples x events x outcomes
    truth: torch.Tensor  # examples x events


def labelled_rows(program: Any, inputs: Dict[Any, Any], labels: Any, plan: Optional[Plan] = None,
                  outputs: Optional[List[torch.Tensor]] = None) -> List[Labelled]:
    """Outputs that the plan has are used; for other labels, the networks run. A label is the number of an outcome,
    from 0."""
    found = []
    shapes = program._shapes
    for key, numbers in by_term(labels).items():
        network, term = key if isinstance(key, tuple) else (_only_network(shapes), key)
        if network not in shapes:
            raise UsageError(f"labels name the network '{network}', which the program does not call; "
                             f"it calls {', '.join(shapes) or 'none'}")
        if term not in inputs and (network, term) not in inputs:
            raise UsageError(f"labels name '{term}', for which there is no input")
        m = list(shapes).index(network)
        events, outcomes = shapes[network]
        if plan is not None and outputs is not None and term in plan.terms[m]:
            blocks = outputs[m].view(len(plan.terms[m]), -1, events, outcomes)
            rows = blocks[plan.terms[m].index(term)]
        else:
            alone = [[term] if index == m else [] for index in range(len(shapes))]
            rows = program.networks.outputs(shapes, alone, inputs)[m].view(-1, events, outcomes)
        wanted = torch.as_tensor(numbers, device=rows.device).long()
        if wanted.numel() != rows.shape[0] * events or not bool(((wanted >= 0) & (wanted < outcomes)).all()):
            raise UsageError(f"labels of '{network}' for '{term}' are {rows.shape[0]} x {events} numbers from 0 to "
                             f"{outcomes - 1}, the numbers of outcomes")
        found.append(Labelled(network, rows, wanted.reshape(rows.shape[0], events)))
    if not found:
        raise UsageError("labels is empty")
    return found


def label_loss(labelled: Iterable[Labelled], smoothing: float, class_weights: Any) -> torch.Tensor:
    """The mean over the terms of the mean cross-entropy, as torch defines it, but of probabilities."""
    if not 0.0 <= smoothing < 1.0:
        raise UsageError(f"label_smoothing is a number from 0 to below 1, not {smoothing!r}")
    losses = []
    for network, rows, truth in labelled:
        weights = _weights_of(class_weights, network, rows)
        costs = -torch.log(rows.clamp_min(_LEAST))
        if weights is not None:
            costs = costs * weights
        loss = costs.gather(2, truth.unsqueeze(2)).sum()
        if smoothing > 0.0:
            loss = (1.0 - smoothing) * loss + smoothing / rows.shape[2] * costs.sum()
        losses.append(loss / (truth.numel() if weights is None else weights[truth].sum()))
    return torch.stack(losses).mean()


def _weights_of(class_weights: Any, network: str, rows: torch.Tensor) -> Optional[torch.Tensor]:
    given = class_weights.get(network) if isinstance(class_weights, Mapping) else class_weights
    if given is None:
        return None
    weights = torch.as_tensor(given, device=rows.device, dtype=rows.dtype)
    if weights.shape != rows.shape[2:] or not bool((weights > 0).all()):
        raise UsageError(f"class_weights of '{network}' are {rows.shape[2]} numbers above 0, one for each outcome")
    return weights


def confusion_of(program: Any, inputs: Dict[Any, Any], labels: Any) -> Confusion:
    with torch.no_grad():
        labelled = labelled_rows(program, inputs, labels)
    networks = {one.network for one in labelled}
    if len(networks) > 1:
        raise UsageError(f"a confusion matrix is that of one network; labels name {', '.join(sorted(networks))}")
    network = networks.pop()
    names = next(values for name, _, _, values in program._training.networks() if name == network)
    size = len(names)
    counts = torch.zeros(size * size, dtype=torch.long)
    for _, rows, truth in labelled:
        places = truth.cpu() * size + rows.argmax(2).cpu()
        counts += torch.bincount(places.flatten(), minlength=size * size)
    return Confusion([str(name) for name in names], counts.view(size, size).tolist())


def _only_network(shapes: Mapping[str, Any]) -> str:
    if len(shapes) != 1:
        raise UsageError("the program has several networks: say whose labels they are, {network: {term: labels}}")
    return next(iter(shapes))
