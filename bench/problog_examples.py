#!/usr/bin/env python3
"""Runs ProbLog's own test programs through neurasp.from_problog, and compares with the results they state.

usage: PYTHONPATH=build/dev/python bench/problog_examples.py CHECKOUT [NAME...]

CHECKOUT is a checkout of https://github.com/ML-KULeuven/problog; its test/*.pl state results in comments. Prints a line for
each program: "agrees", "refused" with the reason, "error as expected", or "DIFFERS". The exit status is 1 if one differs.
"""

import collections
import pathlib
import re
import sys
import warnings

import neurasp

TOLERANCE = 1e-6
ERRORS = {"UnknownClause": "problog-undefined", "InconsistentEvidenceError": "problog-inconsistent",
          "NegativeCycle": "problog-negative-cycle", "NonGroundQuery": "problog-unsafe",
          "NonGroundProbabilisticClause": "problog-unsafe"}


def expected(text):
    """The results that a program states: a dictionary, or the name of an error, or None."""
    found = {}
    block = re.search(r"^%\s*Expected outcome:\s*\n((?:%.*\n?)*)", text, re.MULTILINE)
    for line in block.group(1).splitlines() if block else ():
        error = re.match(r"%\s*ERROR\s+(\w+)", line)
        if error:
            return error.group(1)
        result = re.match(r"%\s*(\S.*?)\s+([-+.\deE]+)\s*$", line)
        if result:
            found[result.group(1).replace(" ", "")] = float(result.group(2))
    for result in re.finditer(r"^query\((.*)\)\.\s*%\s*outcome:\s*([-+.\deE]+)", text, re.MULTILINE):
        found[result.group(1).replace(" ", "")] = float(result.group(2))
    return found or None


def verdict(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    stated = expected(text)
    if stated is None:
        return "no stated results", ""
    try:
        answers = neurasp.from_problog(text, name=path.name).answers(time_limit=60, ground_limit=200000)
    except neurasp.Error as error:
        first = str(error).splitlines()[0]
        same = isinstance(stated, str) and ERRORS.get(stated) == getattr(error, "code", "")
        return ("error as expected", f"{stated}: {first}") if same else ("refused", first)
    if isinstance(stated, str):
        return "DIFFERS", f"{stated} expected, found {dict(answers)}"
    wrong = {atom: (value, answers.get(atom)) for atom, value in stated.items()
             if abs(float(answers.get(atom, 0.0)) - value) > TOLERANCE}
    more = {atom: value for atom, value in answers.items() if atom not in stated and value > TOLERANCE}
    return ("DIFFERS", f"{wrong} {more}") if wrong or more else ("agrees", f"{len(stated)} numbers")


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    warnings.simplefilter("ignore")
    counts = collections.Counter()
    codes = collections.Counter()
    for path in sorted(pathlib.Path(sys.argv[1]).joinpath("test").glob("*.pl")):
        if sys.argv[2:] and path.name not in sys.argv[2:]:
            continue
        kind, detail = verdict(path)
        counts[kind] += 1
        if kind == "refused":
            codes[detail.rsplit("[", 1)[-1].rstrip("]")] += 1
        print(f"{path.name:32} {kind:18} {detail}")
    print(", ".join(f"{number} {kind}" for kind, number in counts.most_common()))
    print("refused: " + ", ".join(f"{number} {code}" for code, number in codes.most_common()))
    return 1 if counts["DIFFERS"] else 0


if __name__ == "__main__":
    sys.exit(main())
