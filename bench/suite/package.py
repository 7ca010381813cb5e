"""The Python package beside the same work without it: python_bench.py, with Debian's interpreter and torch.

There is nothing to run where the package was not built, which scripts/bench does where Debian's torch is installed."""

import os

from processes import json_lines

INTERPRETER = "/usr/bin/python3"  # another Python would not find Debian's torch
CIRCUITS = {"reachability 6x6": 5, "8 times reachability 6x6": 20, "1 board": 15, "7 boards": 90}


def is_built(context):
    return any((context.build / "python/neurasp").glob("_core*.so"))


def units(context, Unit):
    if not is_built(context):
        return []
    parts = [("step, batch 64", 10, ["training", 64]), ("step, batch 1", 30, ["training", 1]),
             ("log_prob, batch 64", 5, ["call"])]
    names = ["reachability 5x5"] if context.quick else list(CIRCUITS)
    parts += [(name, CIRCUITS.get(name, 3), ["circuit", name]) for name in names]
    return [Unit(label, seconds, lambda a=arguments, n=label: measure(context, n, a))
            for label, seconds, arguments in parts]


def measure(context, label, arguments):
    quick = ["--quick"] if context.quick else []
    path = ["env", f"PYTHONPATH={context.build / 'python'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"]
    command = [*path, INTERPRETER, "-B", context.root / "bench/python_bench.py", *quick, *arguments]
    return [{"part": arguments[0], **line} for line in json_lines(command, label)]
