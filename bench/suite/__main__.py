"""Runs the benchmarks; see scripts/bench, which builds them and calls this.

usage: python3 bench/suite --build FOLDER [--quick] [--to FOLDER] [--only FAMILY] [--seed S] [--limit SECONDS]
                           [--road-r FILE] [NAME...]
       python3 bench/suite --draw RESULTS.json FOLDER
"""

import argparse
import datetime
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import machine
import results as results_file
from benchmarks import Context, all_benchmarks, chosen
from frontier.catalogue import FAMILIES
from frontier.measure import Wishes
from pictures import write_pictures
from runner import run_all
from summary import write_summary

ROOT = Path(__file__).resolve().parents[2]


def parse():
    parser = argparse.ArgumentParser(prog="bench/suite")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--build", type=Path, default=ROOT / "build/bench")
    parser.add_argument("--quick", action="store_true", help="small workloads only: half a minute")
    parser.add_argument("--to", type=Path, help="folder of the results")
    parser.add_argument("--only", action="append", default=[], choices=FAMILIES, metavar="FAMILY",
                        help="of the frontier, only this family (may be repeated)")
    parser.add_argument("--seed", type=int, help="other instances of the frontier, which other systems have not seen")
    parser.add_argument("--limit", type=int, default=Wishes.limit, help="seconds for each instance of the frontier")
    parser.add_argument("--road-r", type=Path, help="the ROAD-R requirements in DIMACS, for the frontier")
    parser.add_argument("--draw", nargs=2, type=Path, metavar=("RESULTS", "FOLDER"),
                        help="draw the pictures of earlier results")
    return parser.parse_args()


def draw(results, folder):
    folder.mkdir(parents=True, exist_ok=True)
    write_summary(results, folder, write_pictures(results, folder))


def main():
    arguments = parse()
    if arguments.draw:
        draw(results_file.read(arguments.draw[0]), arguments.draw[1])
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends a run as Ctrl-C does
    now = datetime.datetime.now(datetime.timezone.utc)
    folder = arguments.to or arguments.build / "results" / now.strftime("%Y-%m-%dT%H-%M-%S")
    work = Path(tempfile.mkdtemp(prefix="neurasp-bench-"))
    try:
        wishes = Wishes(arguments.only, arguments.seed, arguments.limit, arguments.road_r)
        context = Context(ROOT, arguments.build, work, arguments.quick, wishes)
        benchmarks = chosen(all_benchmarks(context), arguments.names)
        folder.mkdir(parents=True, exist_ok=True)
        results = {"format": results_file.FORMAT, "started": now.isoformat(timespec="seconds"), "seconds": 0.0,
                   "quick": arguments.quick, "finished": False, "correct": True,
                   "machine": machine.describe_machine(),
                   "versions": machine.describe_versions(ROOT, arguments.build), "benchmarks": []}
        run_all(benchmarks, results, folder)
        results["machine"]["load_after"] = machine.load()
        results_file.write(results, folder)
        draw(results, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{folder / 'index.html'}: pictures and tables; {folder / 'results.json'}: all numbers")
    if not results["correct"]:
        print("error: a benchmark gave a wrong result", file=sys.stderr)
        return 1
    return 0 if results["finished"] else 130


if __name__ == "__main__":
    sys.exit(main())
