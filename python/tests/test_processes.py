"""Two processes train as one would: the mean is over the possible examples of both."""

import os
import pathlib
import socket
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
if not torch.distributed.is_available():
    pytest.skip("this torch has no distributed training", allow_module_level=True)

HERE = pathlib.Path(__file__).parent

RANK = """
import os, sys
sys.path.insert(0, sys.argv[1])
import torch
from networks import batch, scored_adder
torch.distributed.init_process_group("gloo")
rank = torch.distributed.get_rank()
program = scored_adder().double()
parallel = torch.nn.parallel.DistributedDataParallel(program)
optimizer = torch.optim.SGD(parallel.parameters(), lr=0.5)
for step in range(5):
    inputs, values = batch(9, seed=step, dtype=torch.float64)
    values[:4 if step == 2 else 3] = 9  # impossible; once all that this rank has
    mine = slice(0, 4) if rank == 0 else slice(4, 9)
    loss = parallel({name: tensor[mine] for name, tensor in inputs.items()}, observe=":- not sum({}).",
                    values=values[mine])
    optimizer.zero_grad(); loss.backward(); optimizer.step()
if rank == 0:
    torch.save(program.state_dict(), sys.argv[2])
"""


def test_two_processes_equal_one(tmp_path):
    from networks import batch, scored_adder

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    weights = tmp_path / "weights.pt"
    ranks = []
    for rank in range(2):
        environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1",
                       "MASTER_PORT": str(port), "GLOO_SOCKET_IFNAME": "lo"}
        ranks.append(subprocess.Popen([sys.executable, "-c", RANK, str(HERE), str(weights)], env=environment))
    assert [rank.wait(timeout=120) for rank in ranks] == [0, 0]

    alone = scored_adder().double()
    optimizer = torch.optim.SGD(alone.parameters(), lr=0.5)
    for step in range(5):
        inputs, values = batch(9, seed=step, dtype=torch.float64)
        values[:4 if step == 2 else 3] = 9
        loss = alone.loss(inputs, observe=":- not sum({}).", values=values)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    together = torch.load(weights)
    for name, tensor in alone.state_dict().items():
        assert torch.allclose(together[name], tensor, rtol=0, atol=1e-12)
