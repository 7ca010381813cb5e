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
    labels = {"a": torch.arange(9)[mine] % 3} if step % 2 else None
    loss = parallel({name: tensor[mine] for name, tensor in inputs.items()}, observe=":- not sum({}).",
                    values=values[mine], labels=labels, alpha=0.25 if step % 2 else 0.0)
    optimizer.zero_grad(); loss.backward(); optimizer.step()
if rank == 0:
    torch.save(program.state_dict(), sys.argv[2])
torch.distributed.barrier()
torch.distributed.destroy_process_group()
"""


FITTING = """
import sys
sys.path.insert(0, sys.argv[1])
import torch, neurasp
from networks import batch, scored_adder
torch.distributed.init_process_group("gloo")
rank = torch.distributed.get_rank()
program = scored_adder()
parallel = torch.nn.parallel.DistributedDataParallel(program)
data = [(*batch(4, seed=2 * step + rank)[:1], ":- not sum({}).", batch(4, seed=2 * step + rank)[1]) for step in range(3)]
scores = iter([1.0, 0.0, 0.0, 1.0] if rank == 0 else [0.0, 1.0, 2.0, 3.0])  # those of the first process count
history = neurasp.fit(parallel, data, epochs=4, validate=lambda inner: next(scores), patience=2, folder=sys.argv[2])
assert len(history) == 3, history
torch.save(program.state_dict(), sys.argv[2] + f"/rank{rank}.pt")
torch.distributed.barrier()
torch.distributed.destroy_process_group()  # else its threads may still run when the process ends
"""


def run_two(script, argument):
    """Runs the script in two processes; returns what the first one and the second one print."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ranks = []
    for rank in range(2):
        environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1",
                       "MASTER_PORT": str(port), "GLOO_SOCKET_IFNAME": "lo"}
        ranks.append(subprocess.Popen([sys.executable, "-c", script, str(HERE), str(argument)], env=environment,
                                      stdout=subprocess.PIPE, text=True))
    printed = [rank.communicate(timeout=120)[0] for rank in ranks]
    assert [rank.returncode for rank in ranks] == [0, 0]
    return printed


def test_fit_in_two_processes(tmp_path):
    """Both stop when the first one's score has not improved, with equal weights; only the first prints and writes."""
    first, second = run_two(FITTING, tmp_path)
    assert "epoch 3" in first and second == ""
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "checkpoint.pt", "best.pt", "epochs.csv",
                                                          "rank0.pt", "rank1.pt"}
    weights = [torch.load(tmp_path / name) for name in ("rank0.pt", "rank1.pt", "best.pt")]
    for name, tensor in weights[0].items():
        assert torch.equal(tensor, weights[1][name]) and torch.equal(tensor, weights[2][name])


def test_two_processes_equal_one(tmp_path):
    from networks import batch, scored_adder

    weights = tmp_path / "weights.pt"
    run_two(RANK, weights)

    alone = scored_adder().double()
    optimizer = torch.optim.SGD(alone.parameters(), lr=0.5)
    for step in range(5):
        inputs, values = batch(9, seed=step, dtype=torch.float64)
        values[:4 if step == 2 else 3] = 9
        labels = {"a": torch.arange(9) % 3} if step % 2 else None
        loss = alone.loss(inputs, observe=":- not sum({}).", values=values, labels=labels,
                          alpha=0.25 if step % 2 else 0.0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    together = torch.load(weights)
    for name, tensor in alone.state_dict().items():
        assert torch.allclose(together[name], tensor, rtol=0, atol=1e-12)
