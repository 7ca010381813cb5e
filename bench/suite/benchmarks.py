"""The benchmarks: the question of each, and its units of work.

A unit is one process or a few that belong together. It returns lines, dictionaries with at least name, correct and
detail; the fields of each benchmark are described in bench/README.md.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import first
import package
import plans
import queries
import training
from frontier.measure import Wishes, units as frontier_units
from processes import json_lines, run


@dataclass
class Context:
    root: Path
    build: Path
    work: Path  # for generated files
    quick: bool
    wishes: Wishes = field(default_factory=Wishes)  # about the frontier

    def program(self, name):
        return self.build / "bench" / name

    def command(self, name="neurasp"):
        return self.build / "bin" / name


@dataclass
class Unit:
    label: str
    seconds: float  # a guess
    work: Callable[[], list]


@dataclass
class Benchmark:
    name: str
    question: str
    units: list
    on_request: bool = False  # runs only if it is named


def single(context, name, question, seconds, arguments=()):
    command = [context.program(f"{name}_bench"), *arguments]
    return Benchmark(name, question, [Unit(name, seconds, lambda: json_lines(command, name))])


@dataclass
class Series:
    title: str
    sizes: list
    quick_sizes: list
    workload: Callable[[int], str]


SERIES = [
    Series("sum of N-digit numbers", [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20], [1, 2, 4, 8], lambda n: f"add{n}_carry"),
    Series("paths on N x N", [2, 3, 4, 5, 6, 7], [2, 3, 4], lambda n: f"grid{n}"),
    Series("N/2 of N items", [4, 8, 12, 16, 20, 30, 50, 70, 100], [4, 8, 12], lambda n: f"topk_{n}_{n // 2}"),
    Series("reachability in N x N", [2, 3, 4, 5, 6], [2, 3], lambda n: f"rel_{n}x{n}"),
]
SLOW = {"grid7": 15, "grid6": 6, "rel_6x6": 5, "topk_100_50": 8, "add15_carry_ev": 4, "add3_naive": 12, "relrand30": 7,
        "relrand40": 12, "smokers15": 10}


def circuit_unit(context, name, limit, extra=None):
    """Compiling and evaluating one workload, in a process of its own."""
    def work():
        lines = json_lines([context.program("circuit_bench"), "--enumerate", limit(), name], name)
        return [{**(extra or {}), **line} for line in lines]
    return Unit(name, SLOW.get(name, 3), work)


def growth_units(context, series, limit):
    """Once a member is too large to enumerate, larger ones are not tried."""
    enumerable = [True]

    def unit(size):
        name = series.workload(size)
        plain = circuit_unit(context, name, lambda: limit if enumerable[0] else 0,
                             {"series": series.title, "size": size})

        def work():
            lines = plain.work()
            enumerable[0] = any(line.get("enumerate_ms") for line in lines)
            return [{**line, "enumerate_limit_ms": limit * 1e3} for line in lines]
        return Unit(name, plain.seconds, work)

    return [unit(size) for size in (series.quick_sizes if context.quick else series.sizes)]


QUICK_CIRCUITS = ["add2_naive", "member3", "hwf3", "sp_pr", "coin", "sudoku_easy"]


def circuit_names(context):
    """All workloads except those of the series."""
    if context.quick:
        return QUICK_CIRCUITS
    listed = run([context.program("print_workload")]).output.split()
    grown = {series.workload(size) for series in SERIES for size in series.sizes}
    return [name for name in listed if name not in grown]


BANDWIDTH = ["add8_carry", "topk_20_10", "grid5", "hwf5", "rel_5x5", "grid6", "rel_6x6", "topk_100_20", "relrand30", "grid7"]


def bandwidth_units(context):
    def unit(name):
        return Unit(name, 8, lambda: json_lines([context.program("bandwidth_bench"), name], name))
    return [unit(name) for name in (BANDWIDTH[:3] if context.quick else BANDWIDTH)]


def all_benchmarks(context):
    quick = context.quick
    limit = 0.5 if quick else 3
    growth = [unit for series in SERIES for unit in growth_units(context, series, limit)]
    circuits = [circuit_unit(context, name, lambda: limit) for name in circuit_names(context)]
    return [
        single(context, "grounding", "How fast is a program read and grounded, against clingo?", 20),
        single(context, "enumeration", "What does one stable model cost, against clingo?", 4),
        single(context, "sudoku", "How fast is the most probable Sudoku board found, against clingo?",
               12 if quick else 75, [1, 1] if quick else [7, 5]),
        Benchmark("queries", "What does a question cost from the command line, engine against engine?",
                  queries.units(context, Unit)),
        Benchmark("circuit", "What do compiling and evaluating cost, against enumeration?", circuits),
        Benchmark("growth", "How do time and circuits grow with the problem?", growth),
        Benchmark("bandwidth", "How near does evaluation come to the bandwidth of caches and memory?", bandwidth_units(context)),
        Benchmark("plans", "What does an observation cost in training?", plans.units(context, Unit)),
        Benchmark("first", "What does a run do before its steady epochs, and how long does it take?",
                  first.units(context, Unit)),
        Benchmark("training", "What does training with rules cost, against the bare network?",
                  training.units(context, Unit)),
        Benchmark("python", "What does the Python package cost, against the same work without it?",
                  package.units(context, Unit)),
        Benchmark("frontier", "How fast is a question answered with a circuit, against the best of other systems?",
                  frontier_units(context, Unit), on_request=True),
    ]


def chosen(benchmarks, names):
    known = [benchmark.name for benchmark in benchmarks]
    for name in names:
        if name not in known:
            print(f"error: there is no benchmark '{name}'; available: {', '.join(known)}", file=sys.stderr)
            sys.exit(2)
    if not names:
        return [benchmark for benchmark in benchmarks if not benchmark.on_request]
    return [benchmark for benchmark in benchmarks if benchmark.name in names]
