"""Lets processes of original_steps.py take turns, so that a busy machine disturbs all of them alike."""

import json
import os
import pathlib
import selectors
import subprocess
import tempfile
import time

ROUNDS = 4
TIMES = ("cached", "bare", "reasoning_first", "reasoning")
STEPS = pathlib.Path(__file__).resolve().parent / "original_steps.py"


class Side:
    """One process, which is started by its first round."""

    def __init__(self, python, script, count, folder, environment):
        self.command = [python, "-W", "ignore", str(STEPS), script, str(count)]
        self.folder, self.environment = folder, environment
        self.process = None
        self.unread = b""
        self.best = {}

    def round(self, limit):
        """Asks for a round and keeps the smallest times. False if there is no answer within `limit` seconds."""
        if self.process is None:
            self.errors = tempfile.TemporaryFile()
            self.process = subprocess.Popen(self.command, cwd=self.folder, env=self.environment, stderr=self.errors,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        try:
            self.process.stdin.write(b"round\n")
        except BrokenPipeError:
            return False
        for line in self._lines(time.monotonic() + limit):
            if line.startswith(b"RESULT "):
                found = json.loads(line[len(b"RESULT "):])
                self.best = {key: min(value, self.best.get(key, value)) if key in TIMES else value
                             for key, value in found.items()}
                return True
        return False

    def _lines(self, until):
        """Lines of the process until it ends or the time has come."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while selector.select(max(0.0, until - time.monotonic())):
                found = os.read(self.process.stdout.fileno(), 65536)
                if not found:
                    return
                *lines, self.unread = (self.unread + found).split(b"\n")
                yield from lines

    def end(self):
        """Ends the process. Returns the times, or the end of what it reported if there are none."""
        if self.process is None:
            return {"error": "not started"}
        self.process.kill()
        self.process.communicate()
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace").strip()
        self.errors.close()
        return self.best or {"error": text[-500:] or "not within the time limit"}


def measure(sides, limit):
    """The results by name of the sides, a dictionary of `Side`s. `limit`: seconds for each answer."""
    going = dict(sides)
    try:
        for _ in range(ROUNDS):
            going = {name: side for name, side in going.items() if side.round(limit)}
    finally:
        found = {name: side.end() for name, side in sides.items()}
    return found
