"""What an instance is, and the random numbers of its generator."""

import random
from collections.abc import Callable
from dataclasses import dataclass

# Of a computation in Python; beyond that it gives up.
MOST_STATES = 60_000
MOST_NUMBERS = 1 << 20  # in one table


@dataclass
class Instance:
    name: str
    family: str
    program: str  # the text of a NeurASP program
    observation: str
    value: Callable[[], float | None]  # P(O), computed without circuits; None if that is too expensive


def named(name, seed):
    """The seed is part of the name, unless the family has none by default."""
    return name if seed is None else f"{name}_s{seed}"


def stream(name, seed):
    return random.Random(name if seed is None else f"{name}-{seed}")


def probability(rng, low=0.05, high=0.95):
    return round(rng.uniform(low, high), 2)


def distribution(rng, outcomes):
    """Numbers with four digits that sum to 1."""
    parts = [rng.randint(1, 20) for _ in range(outcomes)]
    total = sum(parts)
    row = [round(part / total, 4) for part in parts]
    row[-1] = round(1 - sum(row[:-1]), 4)
    return row


def alternatives(atoms, row):
    """An annotated disjunction."""
    return " | ".join(f"{p} : {atom}" for atom, p in zip(atoms, row)) + "."


def text(lines):
    return "\n".join(lines) + "\n"
