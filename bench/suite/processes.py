"""Runs and measures programs: JSON lines of the benchmarks, time and peak memory of any command."""

import json
import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Finished:
    status: int
    output: str
    errors: str


def run(command, folder=None):
    """Runs the command to its end; if we are interrupted, so is the command."""
    process = subprocess.Popen([str(part) for part in command], cwd=folder, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        output, errors = process.communicate()
    except BaseException:
        process.kill()
        process.wait()
        raise
    return Finished(process.returncode, output, errors)


def reason(finished):
    """The reason why a command failed, in one line."""
    last = [line for line in finished.errors.splitlines() if line.strip()][-1:]
    if finished.status < 0:
        return f"ended by {signal.Signals(-finished.status).name}"
    return last[0] if last else f"exit status {finished.status}"


def json_lines(command, name, folder=None):
    """The JSON lines that a benchmark prints. If it fails without printing one, a line that says so."""
    finished = run(command, folder)
    lines = []
    for text in finished.output.splitlines():
        if text.startswith("{"):
            lines.append(json.loads(text))
    if finished.status != 0 and all(line.get("correct", False) for line in lines):
        lines.append({"name": name, "correct": False, "detail": reason(finished)})
    return lines


@dataclass
class Measured:
    ms: float
    megabytes: float
    status: int | None  # None: stopped at the limit
    output: str
    errors: str


def measure(helper, seconds, command, folder=None):
    """Runs one command and measures its processor time and peak memory; stops it after that many seconds."""
    handle, path = tempfile.mkstemp(prefix="neurasp-bench-")
    os.close(handle)
    try:
        finished = run([helper, int(seconds), path, *command], folder)
        text = Path(path).read_text()
        if not text:
            raise RuntimeError(reason(finished))
        numbers = json.loads(text)
        return Measured(numbers["ms"], numbers["megabytes"], numbers["status"], finished.output, finished.errors)
    finally:
        os.unlink(path)
