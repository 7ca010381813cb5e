"""Inputs and observations of a batch, as people write them."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import torch

from .errors import UsageError
from .texts import term_text, value_text

Inputs = Mapping[Any, Any]


def by_term(inputs: Inputs) -> Dict[Any, Any]:
    if not isinstance(inputs, Mapping):
        raise UsageError("inputs is a dictionary from terms to batched tensors: {\"a\": tensor, \"b\": tensor}")
    result: Dict[Any, Any] = {}
    for key, value in inputs.items():
        if isinstance(value, Mapping):  # of one network
            result.update({(key, term_text(term)): tensor for term, tensor in value.items()})
        else:
            result[key if type(key) is str else term_text(key)] = value
    return result


def input_of(inputs: Dict[Any, Any], network: str, term: str) -> Any:
    own = inputs.get((network, term))
    return inputs[term] if own is None else own


def first(block: Any) -> Any:
    return block[0] if isinstance(block, (tuple, list)) else block


def batch_size(inputs: Dict[Any, Any]) -> Optional[int]:
    """The number of examples; None if there is no input that says so."""
    for block in inputs.values():
        tensor = first(block)
        if not isinstance(tensor, torch.Tensor) or tensor.dim() == 0:
            raise UsageError(f"an input is a tensor with the batch as its first dimension, found {tensor!r:.60}")
        return int(tensor.shape[0])
    return None


def common_size(blocks: List[Any], terms: Sequence[str], size: int) -> int:
    for block, term in zip(blocks, terms):
        found = first(block).shape[0]
        if size == 0:
            size = found
        if found != size:
            raise UsageError(f"inputs differ in the size of the batch: '{term}' has {found} rows, others have {size}")
    return size


def joined(blocks: List[torch.Tensor]) -> torch.Tensor:
    return blocks[0] if len(blocks) == 1 else torch.cat(blocks)


def observation_keys(observe: Any, values: Any, size: Optional[int]) -> List[Any]:
    """One hashable key for each example: (text, values)."""
    if isinstance(observe, str):
        if values is None:
            return [(observe, None)] * (1 if size is None else size)
        values = _plain(values)
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            if size != 1:
                raise UsageError(f"values has one entry for each example, as a list or a tensor, not {values!r}")
            values = [values]
        keys: List[Any] = [(observe, _hashable(value)) for value in values]
    elif observe is None:
        raise UsageError("loss and log_prob need observe=, a text such as ':- not sum({}).'")
    else:
        if values is not None:
            raise UsageError("values go with a single template; a list of observations has its values filled in")
        keys = [(text, None) for text in observe]
        for text, _ in keys:
            if not isinstance(text, str):
                raise UsageError(f"an observation is a text, not {text!r}")
    if size is not None and len(keys) != size:
        raise UsageError(f"the batch has {size} example{'' if size == 1 else 's'}, but there "
                         f"{'is' if len(keys) == 1 else 'are'} {len(keys)} "
                         f"{'value' if isinstance(observe, str) else 'observation'}{'' if len(keys) == 1 else 's'}")
    return keys


def _plain(values: Any) -> Any:
    return values.tolist() if hasattr(values, "tolist") else values


def _hashable(value: Any) -> Any:
    value = _plain(value)
    return tuple(_plain(part) for part in value) if isinstance(value, (list, tuple)) else value


def observation_of(key: Any) -> Tuple[str, List[str]]:
    text, values = key
    if values is None:
        return text, []
    if isinstance(values, tuple):
        return text, [value_text(value) for value in values]
    return text, [value_text(values)]
