"""Runs units of work one after the other and keeps their results."""

import time

import results as results_file
from progress import Progress, clock


def run_unit(unit):
    """The lines of a unit; an error in it is a wrong result, not the end of the run."""
    try:
        return unit.work()
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        return [{"name": unit.label, "correct": False, "detail": f"{type(error).__name__}: {error}"}]


def run_all(benchmarks, results, folder):
    """Fills in the results, unit by unit; an interrupt loses only the running unit."""
    progress = Progress([unit.seconds for benchmark in benchmarks for unit in benchmark.units])
    try:
        for benchmark in benchmarks:
            record = {"name": benchmark.name, "question": benchmark.question, "seconds": 0.0, "lines": []}
            results["benchmarks"].append(record)
            begin = time.monotonic()
            for unit in benchmark.units:
                progress.start(f"{benchmark.name}: {unit.label}")
                for line in run_unit(unit):
                    record["lines"].append(line)
                    if not line["correct"]:
                        progress.say(f"WRONG: {benchmark.name}: {line['name']}: {line['detail']}")
                record["seconds"] = round(time.monotonic() - begin, 2)
                results["seconds"] = round(progress.elapsed(), 2)
                results_file.write(results, folder)
                progress.finish()
            progress.say(f"{benchmark.name}: {len(record['lines'])} results in {clock(record['seconds'])}")
        results["finished"] = True
    except KeyboardInterrupt:
        progress.say("interrupted; the results so far are kept")
