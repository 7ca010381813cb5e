"""Times the steps of training of one script of the original, with whatever `neurasp` the interpreter finds.

usage: python original_steps.py SCRIPT EXAMPLES

Runs the script's own text up to where it starts to train, with its folder as the working directory, and trains on the first
EXAMPLES examples once. Then, for each line of its input, it makes a round and prints a line "RESULT" with a JSON object, seconds
of processor time for an example:

  first      the first pass over the examples, the same in all rounds
  cached     a pass when stable models or circuits are known
  bare       the same networks, inputs and optimizers, with a gradient of ones instead of reasoning
  reasoning  a pass of `learn` alone: networks return outputs that are known, optimizers and backward do nothing

bench/compare_original calls it and lets the two systems take turns.
"""

import json
import os
import re
import sys
import time

import torch

LEAST_SECONDS = 0.3  # of processor time in a round for each number: a pass may be too short for the clock


def names_of(script):
    """What the script has defined when it starts to train."""
    with open(script, encoding="utf-8") as file:
        text = re.split(r"^#+\n# Start training.*$", file.read(), maxsplit=1, flags=re.MULTILINE)[0]
    names = {"__file__": os.path.abspath(script), "__name__": "__main__"}
    exec(compile(text, script, "exec"), names)
    return names


def timed(action, count):
    """Seconds for an example: the quickest of several passes."""
    started, best = time.process_time(), float("inf")
    while True:
        before = time.process_time()
        action()
        after = time.process_time()
        best = min(best, after - before)
        if after - started >= LEAST_SECONDS:
            return best / count


def bare_loop(networks, optimizers, data):
    """Networks, backward and optimizers alone."""
    for example in data:
        for name, network in networks.items():
            outputs = [network(item[0] if isinstance(item, tuple) else item) for item in example.values()]
            torch.autograd.backward(outputs, [torch.ones_like(output) for output in outputs])
            optimizers[name].step()
            optimizers[name].zero_grad()


class Known:
    """A network whose output is its input."""

    def __call__(self, output):
        return output

    def train(self):
        pass


def known_outputs(networks, data):
    """The examples with the output of the only network instead of its input. Autograd takes part as it does in training."""
    (network,) = networks.values()
    return [{term: network(item[0] if isinstance(item, tuple) else item).detach().requires_grad_()
             for term, item in example.items()} for example in data]


class Reasoning:
    """`learn` without networks, backward and optimizers: all that is left is what turns outputs into gradients."""

    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        self.kept = self.thing.nnMapping, self.thing.optimizers, torch.autograd.backward
        self.thing.nnMapping = {name: Known() for name in self.thing.nnMapping}
        self.thing.optimizers = {}
        torch.autograd.backward = lambda *arguments, **options: None

    def __exit__(self, *_):
        self.thing.nnMapping, self.thing.optimizers, torch.autograd.backward = self.kept


def main():
    script, count = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(1)
    sys.path.insert(0, os.getcwd())
    names = names_of(script)
    thing = names["NeurASPobj"]
    data, observations = names["dataList"][:count], names["obsList"][:count]
    optimizers = names.get("optimizers", names.get("optimizer"))
    with open(script, encoding="utf-8") as file:
        optimal = "opt=True" in file.read()

    def learn(examples):
        thing.learn(dataList=examples, obsList=observations, epoch=1, opt=optimal, storeSM=True)

    started = time.process_time()
    learn(data)
    result = {"first": (time.process_time() - started) / count, "examples": count, "distinct": len(set(observations))}
    outputs = known_outputs(names["nnMapping"], data)
    for _ in sys.stdin:
        result["cached"] = timed(lambda: learn(data), count)
        result["bare"] = timed(lambda: bare_loop(names["nnMapping"], optimizers, data), count)
        with Reasoning(thing):
            result["reasoning"] = timed(lambda: learn(outputs), count)
        print("RESULT " + json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
