"""Runs a saved multi-layer perceptron without torch, for the checks of experiments.

A TorchScript file is a ZIP archive; data/0, data/1, ... in it are the numbers (little-endian floats) of the first
linear layer's weights, of its biases, of the next layer's weights, and so on. There is a relu between layers.
"""

import array
import math
import sys
import zipfile


class SavedMlp:
    def __init__(self, path, inputs):
        self.layers = []
        with zipfile.ZipFile(path) as archive:
            root = archive.namelist()[0].split("/")[0]
            count = sum(name.startswith(f"{root}/data/") for name in archive.namelist())
            parts = [_floats(archive.read(f"{root}/data/{i}")) for i in range(count)]
        for weights, biases in zip(parts[::2], parts[1::2], strict=True):
            if len(weights) != inputs * len(biases):
                raise ValueError(f"{path}: a layer of {len(weights)} weights does not fit")
            rows = [weights[i * inputs : (i + 1) * inputs] for i in range(len(biases))]
            self.layers.append((rows, biases))
            inputs = len(biases)

    def scores(self, numbers):
        """The raw scores for one input; an outcome is predicted if its score is positive."""
        for index, (rows, biases) in enumerate(self.layers):
            if index > 0:
                numbers = [max(0.0, number) for number in numbers]
            numbers = [
                bias + math.fsum(w * x for w, x in zip(row, numbers, strict=True))
                for row, bias in zip(rows, biases, strict=True)
            ]
        return numbers


def log_probability(scores, models):
    """The logarithm of the probability that exactly the outcomes of one of the models (sets of numbers) are true."""
    yes = [_log_sigmoid(score) for score in scores]
    no = [_log_sigmoid(-score) for score in scores]
    logs = [
        sum(yes[i] if i in model else no[i] for i in range(len(scores))) for model in models
    ]
    top = max(logs)
    return top + math.log(math.fsum(math.exp(log - top) for log in logs))


def _log_sigmoid(x):
    return -math.log1p(math.exp(-x)) if x > 0 else x - math.log1p(math.exp(x))


def _floats(data):
    numbers = array.array("f", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()
