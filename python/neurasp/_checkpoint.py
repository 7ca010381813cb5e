"""Checkpoints as files that hold tensors and plain data only: reading one runs no code of it.

``torch.load(weights_only=True)`` of torch 1.13 refuses even floats, so plain data goes into a text of JSON, in which
tensors are numbers of a list.
"""

from __future__ import annotations

import json
import os
from typing import Any, List

import torch

from .errors import UsageError


def write(path: str, state: Any) -> None:
    """Replaces the file only when the new one is complete."""
    tensors: List[torch.Tensor] = []
    text = json.dumps(_plain(state, tensors))
    write_weights(path, {"data": text, "tensors": tensors})


def write_weights(path: str, weights: Any) -> None:
    """The same for what ``torch.load(weights_only=True)`` reads anyway: a dictionary of tensors."""
    torch.save(weights, path + ".new")
    os.replace(path + ".new", path)


def read(path: str) -> Any:
    """What was written, on the CPU."""
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
        return _restored(json.loads(found["data"]), found["tensors"])
    except (RuntimeError, ValueError, KeyError, TypeError, EOFError) as error:
        raise UsageError(f"{path} is not a checkpoint of neurasp.fit: {error}") from error


def _plain(value: Any, tensors: List[torch.Tensor]) -> Any:
    """Lists have a tag in front: those of the value, pairs of a dictionary, or the number of a tensor."""
    if isinstance(value, torch.Tensor):
        tensors.append(value.detach())
        return ["tensor", len(tensors) - 1]
    if isinstance(value, dict):
        return ["dict", *([_plain(key, tensors), _plain(part, tensors)] for key, part in value.items())]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(_plain(part, tensors) for part in value)]
    return value


def _restored(value: Any, tensors: List[torch.Tensor]) -> Any:
    if not isinstance(value, list):
        return value
    kind, *parts = value
    if kind == "tensor":
        return tensors[parts[0]]
    if kind == "dict":
        return {_restored(key, tensors): _restored(part, tensors) for key, part in parts}
    items = [_restored(part, tensors) for part in parts]
    return tuple(items) if kind == "tuple" else items
