"""Times the steps of training of one script of the original, with whatever `neurasp` the interpreter finds.

usage: python original_steps.py SCRIPT EXAMPLES

Runs the script's own text up to where it starts to train, with its folder as the working directory. Then it trains on
the first EXAMPLES examples, again when their stable models or circuits are known, and without any reasoning: the same networks,
inputs and optimizers, with a gradient of ones. Prints a JSON object with seconds of processor time for an example: "first", "cached", "bare". bench/compare_original
calls it.
"""

import json
import os
import re
import sys
import time

import torch


def names_of(script):
    """What the script has defined when it starts to train."""
    with open(script, encoding="utf-8") as file:
        text = re.split(r"^#+\n# Start training.*$", file.read(), maxsplit=1, flags=re.MULTILINE)[0]
    names = {"__file__": os.path.abspath(script), "__name__": "__main__"}
    exec(compile(text, script, "exec"), names)
    return names


def timed(action, count):
    started = time.process_time()
    action()
    return (time.process_time() - started) / count


def bare_loop(networks, optimizers, data):
    """Networks, backward and optimizers alone."""
    for example in data:
        for name, network in networks.items():
            outputs = [network(item[0] if isinstance(item, tuple) else item) for item in example.values()]
            torch.autograd.backward(outputs, [torch.ones_like(output) for output in outputs])
            optimizers[name].step()
            optimizers[name].zero_grad()


def main():
    script, count = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(1)
    sys.path.insert(0, os.getcwd())
    names = names_of(script)
    thing = names["NeurASPobj"]
    data, observations = names["dataList"][:count], names["obsList"][:count]
    optimizers = names.get("optimizers", names.get("optimizer"))
    optimal = "opt=True" in open(script, encoding="utf-8").read()

    def learn():
        thing.learn(dataList=data, obsList=observations, epoch=1, opt=optimal, storeSM=True)

    def bare():
        bare_loop(names["nnMapping"], optimizers, data)

    # Turn by turn, so that a busy machine disturbs all alike.
    result = {"first": timed(learn, count)}
    started, cached, alone = time.process_time(), [], []
    while len(alone) < 5 and (not alone or time.process_time() - started < 15):
        cached.append(timed(learn, count))
        alone.append(timed(bare, count))
    result.update(cached=min(cached), bare=min(alone))
    result["distinct"] = len(set(observations))
    result["examples"] = count
    print("RESULT " + json.dumps(result))


if __name__ == "__main__":
    main()
