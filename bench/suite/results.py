"""results.json: the results of a run, complete after every unit of work."""

import json
import os

FORMAT = 1
REQUIRED = {"format": int, "started": str, "seconds": (int, float), "quick": bool, "finished": bool, "correct": bool,
            "machine": dict, "versions": dict, "benchmarks": list}


def write(results, folder):
    """Writes the file completely or not at all."""
    results["correct"] = all(line["correct"] for benchmark in results["benchmarks"] for line in benchmark["lines"])
    path = folder / "results.json"
    partial = folder / "results.json.partial"
    partial.write_text(json.dumps(results, indent=1, allow_nan=False) + "\n")
    os.replace(partial, path)


def problems(results):
    """The mistakes in the form of results, as sentences."""
    found = [f"'{name}' is missing or of another type" for name, kind in REQUIRED.items()
             if not isinstance(results.get(name), kind)]
    if found:
        return found
    if results["format"] != FORMAT:
        return [f"format {results['format']} instead of {FORMAT}"]
    for benchmark in results["benchmarks"]:
        found += [f"a benchmark has no '{name}'" for name in ("name", "question", "seconds", "lines")
                  if name not in benchmark]
        for line in benchmark.get("lines", []):
            if not (isinstance(line.get("name"), str) and isinstance(line.get("correct"), bool)):
                found.append(f"a line of {benchmark.get('name')} has no name or does not say whether it is correct")
    return found


def read(path):
    results = json.loads(path.read_text())
    found = problems(results)
    if found:
        raise ValueError(f"{path}: {found[0]}")
    return results


def lines(results, name):
    """The correct lines of a benchmark; wrong numbers are not shown."""
    return [line for benchmark in results["benchmarks"] if benchmark["name"] == name
            for line in benchmark["lines"] if line["correct"]]
