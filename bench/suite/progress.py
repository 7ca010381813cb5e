"""Shows how far a run is and how long it will take."""

import sys
import time


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class Progress:
    """`expected` are guesses in seconds, one for each unit of work; finished units correct the rest."""

    def __init__(self, expected, stream=sys.stderr):
        self.expected = list(expected)
        self.done = 0
        self.begin = time.monotonic()
        self.stream = stream
        self.rewrites = stream.isatty()

    def elapsed(self):
        return time.monotonic() - self.begin

    def remaining(self):
        known = sum(self.expected[:self.done])
        rest = sum(self.expected[self.done:])
        pace = (self.elapsed() + 10) / (known + 10)  # the guesses count as much as ten seconds of work
        return rest * pace

    def start(self, label):
        text = (f"[{self.done + 1}/{len(self.expected)}] {label}  "
                f"({clock(self.elapsed())} done, about {clock(self.remaining())} left)")
        if self.rewrites:
            self.stream.write(f"\r\033[K{text[:110]}")
        else:
            self.stream.write(text + "\n")
        self.stream.flush()

    def finish(self):
        self.done += 1

    def say(self, text):
        if self.rewrites:
            self.stream.write("\r\033[K")
        self.stream.write(text + "\n")
        self.stream.flush()
