"""The form of ``learn`` that takes batches: a data set of (dictionary of batched tensors, list of observations)."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import torch

from ..errors import UsageError
from .questions import warn_impossible
from .steps import Call, Engine, Frame


def _grouped(engine: Engine, static: Sequence[Call], observations: Sequence[str],
             ) -> Iterator[Tuple[Tuple[Call, ...], List[int], List[int]]]:
    """Examples that make the same calls: the calls, the examples' places in the batch, and their observations."""
    groups: Dict[Tuple[Call, ...], Tuple[List[int], List[int]]] = {}
    for place, text in enumerate(observations):
        identity = engine.identity(text, observations[place + 1:])
        places, ids = groups.setdefault(engine.calls(identity, static), ([], []))
        places.append(place)
        ids.append(identity)
    for calls, (places, ids) in groups.items():
        yield calls, places, ids


def _backward(owner: Any, engine: Engine, data: Dict[str, Any], observations: Sequence[str], lr: float) -> None:
    """Adds the gradient of the mean of -log P(O) over the possible examples."""
    size = len(observations)
    outputs: Dict[Call, torch.Tensor] = {}
    steps: List[Tuple[Frame, List[int], bytes]] = []
    for calls, places, ids in _grouped(engine, owner._static_calls(), observations):
        frame = engine.frame(calls, len(places))
        for call in calls:
            if call not in outputs:
                outputs[call] = owner._output(call[0], data[call[1]]).reshape(size, -1)
        frame.read([outputs[call].detach()[places] for call in calls])
        status = frame.run(ids)
        for place, one in zip(places, status):
            if not frame.possible(one):
                warn_impossible(observations[place], 5)
        steps.append((frame, places, status))
    possible = sum(frame.possible(one) for frame, _, status in steps for one in status)
    gradients = {call: torch.zeros_like(output) for call, output in outputs.items()}
    for frame, places, _ in steps:
        for network, term, block, position in frame.calls:
            rows = block.gradient[position].reshape(len(places), block.events, block.outcomes)
            target = gradients[network, term]
            if target.shape[1] != rows.shape[1] * rows.shape[2]:  # one column: the second outcome moves against it
                rows = rows[:, :, :1] - rows[:, :, 1:]
            target[places] = (rows.reshape(len(places), -1) / -max(possible, 1)).to(target)
    pairs = [(output, gradients[call]) for call, output in outputs.items() if output.requires_grad]
    if pairs:
        torch.autograd.backward([output for output, _ in pairs], [gradient for _, gradient in pairs])
    by_rules = [frame.rule_gradient for frame, _, _ in steps if frame.rule_gradient is not None]
    if by_rules:
        owner._update_rules(engine, torch.cat(by_rules) / max(possible, 1), lr)


def learn_batches(owner: Any, dataset: Iterable[Any], epoch: int, *, opt: bool, lr: float, bar: bool,
                  seed: Optional[int], accStep: int, valDataset: Any) -> None:  # noqa: N803 - the successor's names
    """Trains on batches. ``accStep`` prints the accuracy after so many batches; ``valDataset`` is used for it."""
    from .learning import with_bar

    if dataset is None:
        raise UsageError("learn() needs dataList and obsList, or a data set that yields batches")
    if seed is not None:
        torch.manual_seed(seed)
    engine = owner._engine("exact", opt, proposition1=False)
    steps = 0
    for _ in range(epoch):
        for network in owner.nnMapping.values():
            network.train()
        for data, observations in with_bar(dataset) if bar else dataset:  # type: ignore[arg-type]
            _backward(owner, engine, owner._renamed(data), list(observations), lr)
            owner._update()
            steps += 1
            if accStep and steps % accStep == 0:
                print(f"Training accuracy at interation {steps}:")
                _accuracy(owner, [(data, observations)] if valDataset is None else valDataset)
        if valDataset is not None and not accStep:
            _accuracy(owner, valDataset)


def _accuracy(owner: Any, batches: Iterable[Any]) -> None:
    """Prints how many examples the networks' most probable outcomes satisfy."""
    data: List[Dict[str, Any]] = []
    texts: List[str] = []
    for inputs, observations in batches:
        for place, text in enumerate(observations):
            data.append({term: tensor[place:place + 1] for term, tensor in inputs.items()})
            texts.append(text)
    owner.testConstraint(data, texts, [owner.mvpp["program"]])
    for network in owner.nnMapping.values():
        network.train()
