"""Networks that our library saves run in Python, and those that Python saves run in our library.

usage: python_exchange.py NEURAL_TESTS; exit status 77 means that this Python has no Torch.
"""

import os
import subprocess
import sys
import tempfile

try:
    import torch
    from torch import nn
except ImportError:
    print("this Python has no Torch")
    sys.exit(77)


def run_tests(executable, folder, name):
    environment = dict(os.environ, NEURASP_EXCHANGE_FOLDER=folder)
    subprocess.run([executable, "--gtest_brief=1", f"--gtest_filter=PythonExchange.{name}"],
                   env=environment, check=True)


def read_floats(path, *shape):
    with open(path, "rb") as file:
        return torch.frombuffer(bytearray(file.read()), dtype=torch.float32).reshape(shape)


def write_floats(path, tensor):
    with open(path, "wb") as file:
        file.write(bytes(tensor.detach().contiguous().view(torch.uint8).flatten().tolist()))


def check_ours(executable, folder):
    run_tests(executable, folder, "WritesANetworkForPython")
    network = torch.jit.load(f"{folder}/ours.pt")
    batch = read_floats(f"{folder}/ours.input", 3, 1, 28, 28)
    expected = read_floats(f"{folder}/ours.output", 3, 10)
    assert torch.allclose(network(batch), expected, atol=1e-6), "outputs differ"
    network.eval()
    assert not network.training and not network.conv1.training
    network.train()

    # The same architecture in Python, from the same seed, has the same weights.
    torch.manual_seed(7)
    theirs = nn.Sequential(
        nn.Conv2d(1, 6, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(6, 16, 5), nn.MaxPool2d(2), nn.ReLU(),
        nn.Flatten(), nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
        nn.Softmax(1))
    ours = list(network.parameters())
    assert len(ours) == len(list(theirs.parameters()))
    for a, b in zip(ours, theirs.parameters()):
        assert torch.allclose(a, b, rtol=1e-6, atol=1e-7), "weights of the same seed differ"
    assert torch.allclose(theirs(batch), expected, atol=1e-5)

    # It can be trained further.
    network(batch)[:, 0].sum().backward()
    assert ours[0].grad is not None


def check_theirs(executable, folder):
    network = nn.Sequential(nn.Linear(5, 4), nn.BatchNorm1d(4), nn.Dropout(0.5), nn.Linear(4, 3), nn.Softmax(1))
    network(torch.rand(8, 5))  # moves the statistics
    network.eval()
    batch = torch.rand(4, 5)
    torch.jit.script(network).save(f"{folder}/theirs.pt")
    torch.save(network.state_dict(), f"{folder}/weights.pt")
    write_floats(f"{folder}/theirs.input", batch)
    write_floats(f"{folder}/theirs.output", network(batch))
    run_tests(executable, folder, "ReadsANetworkOfPython")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_ours(sys.argv[1], folder)
        check_theirs(sys.argv[1], folder)


main()
