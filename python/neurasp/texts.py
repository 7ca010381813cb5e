"""Observations, terms and network outputs as people write them, and as the core takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Sequence, Tuple, Union

from . import _core
from .errors import UsageError


@dataclass
class Source:
    """All that a program is read from; programs are copied and pickled as this."""

    texts: List[Tuple[str, str]]  # names and texts
    constants: Dict[str, str]
    logits: Tuple[str, ...]
    allow_script: bool
    allow_include: bool
    isolate: bool

    def read(self) -> "_core.Program":
        return _core.Program(self.texts, list(self.constants.items()), self.allow_script, self.allow_include)


def named_texts(text: Union[str, Sequence[str]], name: Union[None, str, Sequence[str]]) -> List[Tuple[str, str]]:
    """Texts with the names that error messages give them."""
    texts = list(text) if isinstance(text, (list, tuple)) else [text]
    for part in texts:
        if not isinstance(part, str):
            raise UsageError(f"a program is a text, not {type(part).__name__}; to read a file, write "
                             "Program.from_file(path)")
    if name is None:
        names = ["<program>"] if len(texts) == 1 else [f"<program {i + 1}>" for i in range(len(texts))]
    else:
        names = [name] if isinstance(name, str) else list(name)
    if len(names) != len(texts):
        raise UsageError(f"there are {len(texts)} texts, but {len(names)} names for them")
    return list(zip(names, texts))


def term_text(term: Any) -> str:
    """A term of a call as the core names it: ``"i1"``, ``7``, ``("i1", "b2")`` for two terms."""
    if isinstance(term, tuple):
        return ",".join(term_text(part) for part in term)
    if isinstance(term, (str, int)) and not isinstance(term, bool):
        return str(term)
    raise UsageError(f"a term is a text, an integer or a tuple of these, not {term!r}")


def value_text(value: Any) -> str:
    """A value for a hole of an observation, as ASP text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise UsageError("a value for a hole is a number or a text; True and False are neither in a program")
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if isinstance(value, float):
        if not value.is_integer():
            raise UsageError(f"a value for a hole is an integer or a text, not {value!r}: programs have integers only")
        value = int(value)
    if isinstance(value, int):
        return str(value)
    raise UsageError(f"a value for a hole is an integer or a text, not {value!r}")


def value_texts(values: Any) -> List[str]:
    """The values of one observation: one value, or several in a list or tuple."""
    if values is None:
        return []
    if hasattr(values, "tolist") and not isinstance(values, str):
        values = values.tolist()
    if isinstance(values, (list, tuple)):
        return [value_text(value) for value in values]
    return [value_text(values)]


def observed(observe: Any, values: Any) -> List[Tuple[str, List[str]]]:
    """What one question observes, a text, several, or nothing: texts with the values of their holes."""
    if observe is None:
        if values is not None:
            raise UsageError("values fill the holes of an observation: give observe= as well")
        return []
    if isinstance(observe, str):
        return [(observe, value_texts(values))]
    if values is not None:
        raise UsageError("values go with a single observation")
    texts = list(observe)
    for text in texts:
        if not isinstance(text, str):
            raise UsageError(f"an observation is a text, not {text!r}")
    return [(text, []) for text in texts]


def core_observations(texts: Iterable[Tuple[str, List[str]]]) -> List["_core.Observation"]:
    return [_core.Observation(text, values, "<observe>") for text, values in texts]


def _flatten(numbers: Any, where: str) -> Iterator[float]:
    if hasattr(numbers, "detach"):
        numbers = numbers.detach().cpu().tolist()
    elif hasattr(numbers, "tolist"):
        numbers = numbers.tolist()
    if isinstance(numbers, (list, tuple)):
        for number in numbers:
            yield from _flatten(number, where)
    elif isinstance(numbers, (int, float)) and not isinstance(numbers, bool):
        yield float(numbers)
    else:
        raise UsageError(f"{where} must be numbers, found {numbers!r}")


def network_outputs(outputs: Any, logits: Iterable[str] = ()) -> "_core.Outputs":
    """``{"digit": {"i1": [[0.1, 0.9]]}}``; lists, numpy arrays or tensors."""
    result = _core.Outputs()
    if outputs is None:
        outputs = {}
    if not isinstance(outputs, Mapping):
        raise UsageError("outputs is a dictionary: {network: {terms: rows of probabilities}}")
    for network, by_terms in outputs.items():
        if not isinstance(by_terms, Mapping):
            raise UsageError(f"outputs of '{network}' are a dictionary from terms to rows of probabilities")
        for terms, numbers in by_terms.items():
            where = f"the outputs of '{network}' for '{term_text(terms)}'"
            result.set(str(network), term_text(terms), list(_flatten(numbers, where)))
    for network in logits:
        result.declare_logits(network)
    return result
