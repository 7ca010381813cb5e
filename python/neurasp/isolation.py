"""Grounding in a child process that can be ended.

One step of clingo's grounder cannot be interrupted. A program with ``isolate=True`` is therefore grounded twice: first
in a child process, which Ctrl-C and the time limit end at once, and when that went well once more here.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from . import _core
from .errors import Error, LimitError
from .options import Options
from .texts import Source

_CHILD = "import sys; sys.path.insert(0, sys.argv[1]); from neurasp import isolation; isolation.child()"
_POLL_SECONDS = 0.02

Observations = List[Tuple[str, List[str]]]  # texts and the values of their holes
Question = Tuple[Observations, List[str]]  # with queries


class Isolation:
    """Knows which questions of a program were grounded in a child process already."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._done: Set[str] = set()

    def ground(self, questions: Sequence[Question], options: Options) -> None:
        """Returns when a child process has grounded the questions. Raises: LimitError, KeyboardInterrupt."""
        new = {text: question for question in questions for text in [json.dumps(question)] if text not in self._done}
        if not new:
            return
        source = self._source
        task = {"texts": source.texts, "constants": list(source.constants.items()), "script": source.allow_script,
                "include": source.allow_include, "questions": list(new.values()), "ground_limit": options.ground_limit}
        code, said = _run(json.dumps(task), options.seconds_left())
        if code is None:
            raise LimitError(f"the time limit of {options.time_limit:g} s was reached while a child process grounded "
                             "the program")
        if code != 0:
            raise LimitError(said or f"the child process that grounded the program was ended by signal {-code}; "
                                     "it may have run out of memory")
        self._done.update(new)


def _run(task: str, seconds: Optional[float]) -> Tuple[Optional[int], str]:
    """The child's exit code and its text; no code if the time was over."""
    import subprocess  # these two take long to import
    import tempfile

    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    started = time.monotonic()
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as answer:
        given.write(task)
        given.seek(0)
        process = subprocess.Popen([sys.executable, "-c", _CHILD, folder], stdin=given, stdout=answer,
                                   stderr=subprocess.DEVNULL)
        try:
            while process.poll() is None:
                if seconds is not None and time.monotonic() - started > seconds:
                    return None, ""
                time.sleep(_POLL_SECONDS)
        finally:
            if process.returncode is None:
                process.kill()
                process.wait()
        answer.seek(0)
        return process.returncode, answer.read()


def child() -> None:
    """Grounds what standard input asks for. Mistakes are left to the parent, which meets them again."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    task: Dict[str, Any] = json.load(sys.stdin)
    try:
        program = _core.Program(task["texts"], task["constants"], task["script"], task["include"])
        reasoner = _core.Reasoner(program)
        limits = _core.Limits(ground_rules=task["ground_limit"])
        for observations, queries in task["questions"]:
            texts = [_core.Observation(text, values, "<observe>") for text, values in observations]
            reasoner.ask(texts, queries, False, limits)
    except LimitError as error:
        print(error, end="")
        sys.exit(1)
    except Error:
        pass
