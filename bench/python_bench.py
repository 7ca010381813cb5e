"""What the Python package costs, beside the same work without it. One JSON line for each workload.

usage: python_bench.py [--quick] training BATCH | call | circuit NAME

training: a step of MNIST addition with rules, and a step of the same loop with labels, in turn on the same pictures.
call: log_prob with networks that do nothing, and the part of it that the core in C++ takes.
circuit: a circuit as a torch module and the evaluator in C++, values and derivatives at batch 256, and values alone, in
turn.

Times are processor times of one thread, medians. Exit status 1 if a result is wrong: digits must be read far better
than by chance, probabilities must be the sums that they are, torch and C++ must agree to rounding.
"""

import argparse
import gzip
import json
import pathlib
import statistics
import sys
import time

import torch

import neurasp
from neurasp import _core

ROOT = pathlib.Path(__file__).resolve().parents[1]
ADDITION = """
    img(a; b).
    nn(digit(1,X), [0,1,2,3,4,5,6,7,8,9]) :- img(X).
    sum(X+Y) :- digit(0,a,X), digit(0,b,Y)."""
OBSERVE = ":- not sum({})."


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def in_turn(works, turns):
    """The median seconds of each of these, called in turn; the first round warms up."""
    times = [[seconds(work) for work in works] for _ in range(turns + 1)]
    return [statistics.median(column) for column in list(zip(*times[1:]))]


# --- training ---


def mnist(split):
    def array(kind, head):
        path = ROOT / f"examples/data/mnist-subset-{split}-{kind}-ubyte.gz"
        return torch.frombuffer(bytearray(gzip.decompress(path.read_bytes())[head:]), dtype=torch.uint8)

    return array("images-idx3", 16).view(-1, 1, 28, 28).float() / 255, array("labels-idx1", 8).long()


def lenet():
    nn = torch.nn
    return nn.Sequential(nn.Conv2d(1, 6, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(6, 16, 5), nn.MaxPool2d(2), nn.ReLU(),
                         nn.Flatten(), nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
                         nn.Linear(84, 10), nn.Softmax(1))


class Side:
    """A network that is trained: with rules, or with labels."""

    def __init__(self, has_rules):
        torch.manual_seed(1)
        self.network = lenet()
        self.program = neurasp.Program(ADDITION, digit=self.network) if has_rules else None
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-3)

    def loss(self, a, b, digits_a, digits_b):
        if self.program is not None:
            return self.program.loss({"a": a, "b": b}, observe=OBSERVE, values=digits_a + digits_b)
        rows = self.network(torch.cat((a, b)))
        return -torch.log(rows.gather(1, torch.cat((digits_a, digits_b)).unsqueeze(1))).mean()

    def step(self, batch):
        loss = self.loss(*batch)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def accuracy(self, pictures, digits):
        with torch.no_grad():
            return float((self.network(pictures).argmax(1) == digits).float().mean())


def training(batch, quick):
    pictures, digits = mnist("train")
    steps = max(100, 6400 // batch) if not quick else 60
    rules, labels = Side(True), Side(False)
    rules.program.prepare(OBSERVE, values=range(19))
    generator = torch.Generator().manual_seed(2)
    seen = {rules: [], labels: []}
    for step in range(steps):
        a, b = torch.randint(len(pictures), (2, batch), generator=generator)
        data = (pictures[a], pictures[b], digits[a], digits[b])
        for side in (rules, labels) if step % 2 else (labels, rules):
            seen[side].append(seconds(lambda s=side, d=data: s.step(d)))
    with_rules, with_labels = (statistics.median(seen[side][steps // 10:]) for side in (rules, labels))
    accuracy = rules.accuracy(*mnist("test"))
    least = 0.3 if quick else 0.6  # chance is 0.1
    return {"name": f"step, batch {batch}", "batch": batch, "steps": steps, "ours_ms": with_rules * 1e3,
            "other_ms": with_labels * 1e3, "ratio": with_rules / with_labels, "accuracy": accuracy,
            "target": 1.5 if batch == 1 else 1.1, "correct": accuracy > least,
            "detail": "" if accuracy > least else f"only {accuracy:.2f} of the digits are read right"}


# --- a call ---


class CoreCall:
    """What a call hands over to the core, ready made."""

    def __init__(self, program, ids, blocks, size):
        self.layout = program._plan.layout
        self.logs = torch.empty(size, dtype=torch.float64)
        self.gradient = torch.zeros_like(blocks)
        self.blocks = blocks
        self.step = _core.Step()
        self.step.observations = ids
        self.step.block_size = size
        self.step.outputs = [(blocks.data_ptr(), len(blocks))]
        self.step.gradients = [(self.gradient.data_ptr(), len(blocks))]
        self.limits = _core.Limits()

    def run(self):
        self.layout.run_float(self.step, self.logs.data_ptr(), self.limits)


def call(quick):
    size, repeats = 64, 20 if quick else 200
    program = neurasp.Program(ADDITION, digit=torch.nn.Identity())
    torch.manual_seed(3)
    a, b = (torch.softmax(torch.randn(size, 10), 1).requires_grad_() for _ in range(2))
    sums = torch.randint(19, (size,))

    def ours():
        return program.log_prob({"a": a, "b": b}, observe=OBSERVE, values=sums)

    def both_ways():
        a.grad = b.grad = None
        ours().sum().backward()

    found = ours().exp()
    with torch.no_grad():
        pairs = a.double().unsqueeze(2) * b.double().unsqueeze(1)
        expected = torch.stack([sum(pairs[e, i, s - i] for i in range(max(0, s - 9), min(s, 9) + 1))
                                for e, s in enumerate(sums.tolist())])
    core = CoreCall(program, program._observation_ids([(OBSERVE, s) for s in sums.tolist()]),
                    torch.cat((a, b)).detach(), size)
    core.run()
    correct = torch.allclose(found, expected, rtol=1e-5) and torch.allclose(core.logs.exp(), expected, rtol=1e-5)
    forward, alone, both = in_turn([lambda: [ours() for _ in range(50)], lambda: [core.run() for _ in range(50)],
                                    lambda: [both_ways() for _ in range(50)]], repeats // 4)
    return {"name": f"log_prob, batch {size}", "batch": size, "ours_ms": forward / 50 * 1e3, "other_ms": alone / 50 * 1e3,
            "both_ways_ms": both / 50 * 1e3, "overhead_us": (forward - alone) / 50 * 1e6, "target_us": 100.0,
            "ratio": forward / alone, "correct": correct, "detail": "" if correct else "P(O) is not the sum that it is"}


# --- circuits ---


def grids(count, size):
    """Grids of random edges: in each of them one corner is reached from the other."""
    edges = [(i * size + j, i * size + j + step) for i in range(size) for j in range(size)
             for step, fits in ((1, j + 1 < size), (size, i + 1 < size)) if fits]
    rules = "".join(f"0.9 : edge({grid},{a},{b}). " for grid in range(count) for a, b in edges)
    program = neurasp.Program(f"{rules} grid(0..{count - 1}). at(G,0) :- grid(G)."
                              "at(G,Y) :- at(G,X), edge(G,X,Y). at(G,X) :- at(G,Y), edge(G,X,Y).")
    return program.compile(observe=f":- grid(G), not at(G,{size * size - 1}).")


def half_of(count):
    """Half of the items, each of them random."""
    program = neurasp.Program("".join(f"0.4 : x({i}). " for i in range(count)))
    return program.compile(observe=f":- #count {{ I : x(I) }} != {count // 2}.")


def boards(count):
    """Sudoku boards of 4 x 4 cells, empty or read as a digit, without a conflict."""
    program = neurasp.Program(f"""
        board(1..{count}).
        nn(cell(16,B), [empty,1,2,3,4]) :- board(B).
        a(B,P/4,P\\4,N) :- cell(P,B,N), N=1..4.
        :- a(B,R,C,N), a(B,R,D,N), C<D.
        :- a(B,R,C,N), a(B,S,C,N), R<S.
        :- a(B,R,C,N), a(B,S,D,N), R/2=S/2, C/2=D/2, R<S.""")
    return program.compile()


CIRCUITS = {"reachability 5x5": lambda: grids(1, 5), "reachability 6x6": lambda: grids(1, 6),
            "50 of 100 items": lambda: half_of(100), "8 times reachability 6x6": lambda: grids(8, 6),
            "reachability 8x8": lambda: grids(1, 8), "1 board": lambda: boards(1), "7 boards": lambda: boards(7)}


def circuit(name, quick):
    compiled = CIRCUITS[name]()
    for dtype in (torch.float32, torch.float64):
        yield measured_circuit(name, compiled, dtype, 3 if quick or compiled.edges > 200000 else 11)


def measured_circuit(name, compiled, dtype, turns):
    batch = 256
    torch.manual_seed(4)
    # First outcomes (an edge exists, a cell is empty) are likely, so that P(O) of many parts stays in the range of float.
    rows = [torch.softmax(torch.randn(batch, len(atoms)) + 3.0 * (torch.arange(len(atoms)) == 0), 1)
            for _, atoms in compiled.variables]
    weights = torch.cat(rows, 1).to(dtype).requires_grad_()
    across = weights.detach().t().contiguous()
    logs, gradient = torch.empty(batch, dtype=dtype), torch.empty_like(across)
    is_float = dtype == torch.float32
    evaluator = (_core.FloatEvaluator if is_float else _core.DoubleEvaluator)(compiled._core)
    start = time.process_time()
    module = compiled.to_torch()
    made = time.process_time() - start

    def ours():
        weights.grad = None
        values = module(weights)
        values.sum().backward()
        return values

    def ours_forward():
        with torch.no_grad():
            return module(weights)

    def cpp(address=gradient.data_ptr()):
        evaluator.run(across.data_ptr(), batch, logs.data_ptr(), address)

    def cpp_forward():
        cpp(0)

    rounding = 1e-4 if is_float else 1e-10

    def agrees(found, expected):
        return torch.allclose(found, expected, rtol=rounding, atol=rounding)

    values = ours()
    cpp()
    correct = agrees(values, logs) and agrees(weights.grad, gradient.t())
    logs.zero_()
    cpp_forward()
    correct = correct and agrees(ours_forward(), logs)
    both, cpp_both, forward, cpp_values = in_turn([ours, cpp, ours_forward, cpp_forward], turns)
    return {"name": f"{name}, {'float' if is_float else 'double'}", "type": "float" if is_float else "double",
            "edges": compiled.edges, "nodes": compiled.nodes, "batch": batch, "ours_ms": both * 1e3,
            "other_ms": cpp_both * 1e3, "ratio": both / cpp_both, "target": 5.0, "forward_ms": forward * 1e3,
            "other_forward_ms": cpp_values * 1e3, "forward_ratio": forward / cpp_values, "made_ms": made * 1e3,
            "correct": correct, "detail": "" if correct else "torch and C++ differ"}


def main():
    parser = argparse.ArgumentParser(prog="python_bench.py")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("what", choices=("training", "call", "circuit"))
    parser.add_argument("of", nargs="?")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.what == "training":
        lines = [training(int(arguments.of), arguments.quick)]
    elif arguments.what == "call":
        lines = [call(arguments.quick)]
    else:
        lines = circuit(arguments.of, arguments.quick)
    correct = True
    for line in lines:
        print(json.dumps(line), flush=True)
        correct = correct and line["correct"]
    return 0 if correct else 1


if __name__ == "__main__":
    sys.exit(main())
