"""Small networks whose outputs are known by hand."""

import torch

from conftest import ADDITION

import neurasp


class Table(torch.nn.Module):
    """Its input are row numbers, its output those rows of probabilities: a network with nothing to hide."""

    def __init__(self, rows, dtype=torch.float64):
        super().__init__()
        self.rows = torch.nn.Parameter(torch.tensor(rows, dtype=dtype))

    def forward(self, numbers):
        return self.rows[numbers.long()]


class Scores(torch.nn.Module):
    """Features to raw scores."""

    def __init__(self, features=4, outcomes=3, seed=0, dtype=torch.float32):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.weight = torch.nn.Parameter(torch.randn((features, outcomes), generator=generator).to(dtype))

    def forward(self, x):
        return x @ self.weight


A = [0.1, 0.7, 0.2]
B = [0.3, 0.3, 0.4]
PAIR = {"a": torch.tensor([0]), "b": torch.tensor([1])}


def adder(**settings):
    """The sum of two digits from 0 to 2, read from the rows A and B."""
    return neurasp.Program(ADDITION, digit=Table([A, B]), **settings)


def scored_adder(seed=0, **settings):
    return neurasp.Program(ADDITION, digit=neurasp.logits(Scores(seed=seed)), **settings)


def batch(size, seed=0, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    inputs = {name: torch.randn((size, 4), generator=generator).to(dtype) for name in "ab"}
    sums = torch.randint(0, 5, (size,), generator=generator)
    return inputs, sums
