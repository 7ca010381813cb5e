"""Times the steps of training of one script of the original, with whatever `neurasp` the interpreter finds.

usage: python original_steps.py SCRIPT EXAMPLES

Runs the script's own text up to where it starts to train, with its folder as the working directory. Then, for each line of its
input, it makes a round and prints a line "RESULT" with a JSON object, seconds of processor time for an example:

  cached           a pass of `learn` when stable models or circuits are known
  bare             the same networks, inputs and optimizers, with a gradient of ones instead of reasoning
  reasoning_first  the first pass of `learn` alone: networks return outputs that are known, optimizers and backward do nothing.
                   Each round makes its object anew, so nothing is known of any observation
  reasoning        the same, a later pass

The first two take at most 100 of the first EXAMPLES examples, the others all of them, with the outputs of those 100 again and again.
bench/compare_original calls it and lets the two systems take turns.
"""

import json
import os
import re
import sys
import time

import neurasp
import torch

LEAST_SECONDS = 1.0  # of processor time in a round for each number: several passes, of which the quickest counts
WHOLE = 100  # examples of passes with networks


def names_of(script):
    """What the script has defined when it starts to train, and with what it made its `NeurASP`."""
    made = []

    def recording(self, *positional, **named):
        made.append((positional, named))
        init(self, *positional, **named)

    init, neurasp.NeurASP.__init__ = neurasp.NeurASP.__init__, recording
    with open(script, encoding="utf-8") as file:
        text = re.split(r"^#+\n# Start training.*$", file.read(), maxsplit=1, flags=re.MULTILINE)[0]
    names = {"__file__": os.path.abspath(script), "__name__": "__main__"}
    exec(compile(text, script, "exec"), names)
    neurasp.NeurASP.__init__ = init
    ((positional, named),) = made
    return names, lambda: neurasp.NeurASP(*positional, **named)


def once(action, count):
    """Seconds for an example: one pass."""
    started = time.process_time()
    action()
    return (time.process_time() - started) / count


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
    names, make = names_of(script)
    thing = names["NeurASPobj"]
    data, observations = names["dataList"][:count], names["obsList"][:count]
    optimizers = names.get("optimizers", names.get("optimizer"))
    with open(script, encoding="utf-8") as file:
        optimal = "opt=True" in file.read()

    def learn(learner, examples):
        learner.learn(dataList=examples, obsList=observations[:len(examples)], epoch=1, opt=optimal, storeSM=True)

    some = data[:WHOLE]
    learn(thing, some)
    known = known_outputs(names["nnMapping"], some)
    outputs = [known[i % len(known)] for i in range(count)]
    result = {"examples": count, "whole": len(some), "distinct": len(set(observations))}
    for _ in sys.stdin:
        result["cached"] = timed(lambda: learn(thing, some), len(some))
        result["bare"] = timed(lambda: bare_loop(names["nnMapping"], optimizers, some), len(some))
        fresh = make()
        with Reasoning(fresh):
            result["reasoning_first"] = once(lambda: learn(fresh, outputs), count)
            result["reasoning"] = timed(lambda: learn(fresh, outputs), count)
        print("RESULT " + json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
