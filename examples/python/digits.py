"""Handwritten digits of examples/data as tensors: pictures from -1 to 1, and labels."""

import gzip
import pathlib

import torch

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def read(split):
    """The pictures and labels of "train" or "test"."""
    def content(kind):
        return gzip.decompress((DATA / f"mnist-subset-{split}-{kind}-ubyte.gz").read_bytes())

    pictures = torch.frombuffer(bytearray(content("images-idx3")), dtype=torch.uint8, offset=16)
    labels = torch.frombuffer(bytearray(content("labels-idx1")), dtype=torch.uint8, offset=8)
    return pictures.view(-1, 1, 28, 28).float() / 127.5 - 1, labels.long()


def network():
    """LeNet: pictures in, ten probabilities out."""
    nn = torch.nn
    return nn.Sequential(nn.Conv2d(1, 6, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(6, 16, 5), nn.MaxPool2d(2), nn.ReLU(),
                         nn.Flatten(), nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
                         nn.Linear(84, 10), nn.Softmax(1))
