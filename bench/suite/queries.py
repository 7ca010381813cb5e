"""Questions asked from the command line: circuit, enumeration and clingo, each as a whole process, with its time and
peak memory. The probability is compared with the workload's own computation. clingo only counts the models, so it does
less than the others."""

import json
import math

from processes import measure, reason, run

ENGINES = ["circuit", "enumerate", "clingo"]
WORKLOADS = {
    "add2_carry": "sum, 2 digits", "add4_carry": "sum, 4 digits", "add8_carry": "sum, 8 digits",
    "add3_naive": "sum, 3 digits, naive", "member5": "member of 5", "hwf7": "formula of 7",
    "sp_pro": "shortest path", "grid5": "paths 5x5", "grid6": "paths 6x6", "topk_20_10": "10 of 20",
    "rel_5x5": "reachability 5x5", "smokers10": "smokers, 10", "sudoku_mid": "Sudoku with givens",
}
QUICK = ["add2_carry", "member5", "grid5"]
STARTS = {"neurasp": "start of neurasp", "neurasp-torch": "start of neurasp-torch"}
REPETITIONS = 5  # of a run that takes less than this many seconds
QUICK_ENOUGH = 0.5
TOLERANCE = 1e-9  # of log P(O); the engines sum in different orders


def units(context, Unit):
    limit = 1 if context.quick else 3
    work = [Unit(f"{name} {engine}", 3, lambda n=name, e=engine: [ask(context, n, e, limit)])
            for name in (QUICK if context.quick else WORKLOADS) for engine in ENGINES]
    return work + [Unit(title, 1, lambda p=program, t=title: [start(context, p, t)])
                   for program, title in STARTS.items()]


def repeated(context, limit, command):
    """The median of several runs if they are quick, otherwise a single run."""
    runs = [measure(context.program("measured_process"), limit, command)]
    while runs[0].ms < QUICK_ENOUGH * 1e3 and len(runs) < REPETITIONS:
        runs.append(measure(context.program("measured_process"), limit, command))
    return sorted(runs, key=lambda r: r.ms)[len(runs) // 2]


def command_for(context, path, engine, optimal):
    if engine == "clingo":
        return ["clingo", f"{path}.clingo.lp", "-n", "0", "-q", "--outf=2", *(["--opt-mode=optN"] if optimal else [])]
    return [context.command(), "prob", f"{path}.lp", "--observe-file", f"{path}.obs.lp", "-p", f"{path}.json",
            "--engine", engine, "--format", "json", "--stats", *(["--optimal"] if optimal else [])]


def ask(context, name, engine, limit):
    folder = context.work / "queries"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    made = run([context.program("print_workload"), name, folder])
    if made.status != 0:
        return {"name": name, "correct": False, "detail": reason(made)}
    expected = json.loads((folder / f"{name}.expected.json").read_text())
    result = repeated(context, limit, command_for(context, path, engine, expected["optimal"]))
    line = {"name": name, "title": WORKLOADS[name], "engine": engine, "ms": result.ms, "megabytes": result.megabytes,
            "limit_ms": limit * 1e3, "correct": True, "detail": ""}
    if result.status is None:
        return {**line, "ms": None, "detail": f"not within {limit} s"}
    mistake = clingo_mistake(result) if engine == "clingo" else wrong_probability(result, expected["probability"])
    return {**line, "correct": not mistake, "detail": mistake}


def clingo_mistake(result):
    answer = json.loads(result.output)
    return "" if answer["Result"] in ("SATISFIABLE", "OPTIMUM FOUND") else f"clingo says {answer['Result']}"


def wrong_probability(result, expected):
    if result.status != 0:
        return reason(result)
    found = json.loads(result.output)["log_probability"]
    if found is not None and abs(found - math.log(expected)) <= TOLERANCE * max(1.0, abs(math.log(expected))):
        return ""
    return f"log P(O) is {found}, expected {math.log(expected)}"


def start(context, program, title):
    result = repeated(context, 60, [context.command(program), "--version"])
    return {"name": program, "title": title, "engine": "start", "ms": result.ms, "megabytes": result.megabytes,
            "correct": result.status == 0, "detail": "" if result.status == 0 else reason(result)}
