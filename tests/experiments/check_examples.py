#!/usr/bin/env python3
"""Runs the commands in the comments of examples/*.lp, and compares their output with the comments.

usage: check_examples.py ROOT NEURASP

A program starts with these comments, in this order, and explains itself after that:

  % neurasp ...           a command, run in ROOT with NEURASP; one or more, each must succeed
  % expect: LINE          a line of what the commands print; blanks do not matter, and a last ... stands for the rest
  % NUMBER = EXPRESSION   why: the number is in an expected line, and the expression has that value
"""

import ast
import operator
import os
import re
import subprocess
import sys
from pathlib import Path

OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
NUMBER = r"\d+(?:\.\d+)?"


class Mistake(Exception):
    pass


def value(expression):
    """The value of an arithmetic expression."""

    def of(node):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return node.value
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
            return OPERATIONS[type(node.op)](of(node.left), of(node.right))
        raise Mistake(f"'{expression}' is not arithmetic")

    try:
        return of(ast.parse(expression, mode="eval").body)
    except SyntaxError:
        raise Mistake(f"'{expression}' is not arithmetic") from None


def equal(number, expression):
    """Whether the number is the value of the expression, to all of the number's digits."""
    digits = len(number.split(".")[1]) if "." in number else 0
    return abs(float(number) - value(expression)) <= 0.5 * 10.0**-digits + 1e-12


def read_comments(text):
    """The commands, expected lines and reasons at the head of a program."""
    commands, expected, reasons = [], [], []
    for line in text.splitlines():
        reason = re.fullmatch(rf"% ({NUMBER}) = (.*)", line)
        if line.startswith("% neurasp "):
            commands.append(line[2:])
        elif line.startswith("% expect: "):
            expected.append(line[len("% expect: ") :].split())
        elif reason:
            reasons.append(reason.groups())
        else:
            break
    if not commands or not expected or not reasons:
        raise Mistake("must start with a command, an expected line and its arithmetic")
    return commands, expected, reasons


def printed(root, neurasp, command):
    script = re.sub(r"\bneurasp(?= )", '"$NEURASP"', command, count=1)
    answer = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=root,
        env={**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "NEURASP": str(neurasp)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if answer.returncode != 0 or answer.stderr:
        raise Mistake(f"'{command}' ends with {answer.returncode}:\n{answer.stderr}")
    return [line.split() for line in answer.stdout.splitlines()]


def fits(line, expected):
    if expected[-1] == "...":
        return line[: len(expected) - 1] == expected[:-1]
    return line == expected


def check(root, neurasp, path):
    commands, expected, reasons = read_comments(path.read_text())
    lines = [line for command in commands for line in printed(root, neurasp, command)]
    for wanted in expected:
        if not any(fits(line, wanted) for line in lines):
            shown = "\n".join(" ".join(line) for line in lines)
            raise Mistake(f"expected '{' '.join(wanted)}', found\n{shown}")
    for number, expression in reasons:
        if not equal(number, expression):
            raise Mistake(f"{expression} is {value(expression)}, not {number}")
        if not any(number in words for words in expected):
            raise Mistake(f"{number} is not in any expected line")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, neurasp = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    programs = sorted((root / "examples").glob("*.lp"))
    index = (root / "examples" / "README.md").read_text()
    failed = 0
    for path in programs:
        try:
            check(root, neurasp, path)
            if f"({path.name})" not in index:
                raise Mistake("is not in examples/README.md")
            print(f"{path.name}: fine")
        except Mistake as mistake:
            failed += 1
            print(f"{path.name}: {mistake}", file=sys.stderr)
    if len(programs) < 5:
        sys.exit(f"only {len(programs)} programs in {root}/examples")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
