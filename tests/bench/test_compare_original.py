"""Tests of bench/compare_original without the original: which rows are run, taking turns, and the tables.

usage: test_compare_original.py SOURCE_FOLDER
"""

import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(sys.argv.pop(1)) / "bench"
sys.path.insert(0, str(BENCH))

# pylint: disable=wrong-import-position
import original_rounds
import original_tables

_loader = importlib.machinery.SourceFileLoader("compare_original", str(BENCH / "compare_original"))
_spec = importlib.util.spec_from_loader("compare_original", _loader)
compare_original = importlib.util.module_from_spec(_spec)
_loader.exec_module(compare_original)

# Stands for original_steps.py: prints what scripts print, and a little less time in each round.
ROUNDS = """
import json, sys
print("a line of the script")
for number, _ in enumerate(sys.stdin):
    print("another line", flush=True)
    times = {"reasoning_first": 4.0, "cached": 3.0 - number / 10, "bare": 1.0 + number, "reasoning": 0.5, "examples": 7}
    print("RESULT " + json.dumps(times), flush=True)
"""
PAGE = """Text.

<!-- scripts: made by bench/compare_original -->
old scripts
<!-- end of scripts -->
<!-- steps: made by bench/compare_original -->
old steps
<!-- end of steps -->
More text.
"""


def times(**changed):
    return {"cached": 0.0015, "bare": 0.001, "reasoning_first": 0.003, "reasoning": 0.0001, "examples": 3000, "distinct": 3,
            **changed}


class Rows(unittest.TestCase):
    """What is run, and what is kept."""

    def run_all(self, folder, *, fails_at=None, resume=False, only=()):
        made = []

        def make(name):
            def row(*_):
                if name == fails_at:
                    raise KeyboardInterrupt
                made.append(name)
                return {"made": name}
            return row

        replaced = {"rows": lambda: [("steps", "a/t.py", make("steps a")), ("scripts", "a/t.py", make("a")),
                                     ("scripts", "b/t.py", make("b"))],
                    "copies": lambda *_: {}, "environments": lambda *_: {}}
        asked = argparse.Namespace(checkout=None, data=None, python="", ours="", only=list(only), resume=resume,
                                   json=folder / "new" / "results.json")
        kept = {name: getattr(compare_original, name) for name in replaced}
        for name, value in replaced.items():
            setattr(compare_original, name, value)
        results = json.loads(asked.json.read_text()) if asked.json.exists() else {"scripts": {}, "steps": {}}
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                compare_original.compare(asked, folder, results)
        except KeyboardInterrupt:
            pass
        finally:
            for name, value in kept.items():
                setattr(compare_original, name, value)
        return made, json.loads(asked.json.read_text())

    def test_a_run_that_was_cut_off_is_resumed(self):
        with tempfile.TemporaryDirectory() as folder:
            made, kept = self.run_all(Path(folder), fails_at="b")
            self.assertEqual(made, ["steps a", "a"])
            self.assertEqual(list(kept["scripts"]), ["a/t.py"])
            made, kept = self.run_all(Path(folder), resume=True)
            self.assertEqual(made, ["b"])
            self.assertEqual({name: row["made"] for name, row in kept["scripts"].items()}, {"a/t.py": "a", "b/t.py": "b"})

    def test_only_some_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_all(Path(folder), only=["steps:"])[0], ["steps a"])
            self.assertEqual(self.run_all(Path(folder), only=["b/"])[0], ["b"])
            self.assertEqual(self.run_all(Path(folder))[0], ["steps a", "a", "b"])

    def test_all_rows_have_a_name_of_their_own(self):
        names = [(table, name) for table, name, _ in compare_original.rows()]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len(names), len(compare_original.SCRIPTS) + len(compare_original.STEPS))


class Scripts(unittest.TestCase):
    """What a script's run leaves."""

    def run_text(self, text, limit):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "script.py").write_text(text)
            return compare_original.run(sys.executable, folder, "script.py", {**os.environ, "PYTHONUNBUFFERED": "1"}, limit)

    def test_a_script_is_stopped_at_its_processor_time(self):
        found = self.run_text("print('started')\nwhile True: pass", 1)
        self.assertIsNone(found["exit"])
        self.assertEqual(found["text"], "started\n")
        # Waiting is free.
        self.assertEqual(self.run_text("import time; time.sleep(1.5)", 1)["exit"], 0)
        self.assertEqual(self.run_text("raise SystemExit(3)", 1)["exit"], 3)

    def test_the_last_constraint_of_a_test_that_was_cut_off(self):
        line = "The accuracy for constraint {} is {}\n"
        text = line.format(1, 0.25) + line.format(2, 0.125) + line.format(1, 0.75)
        self.assertEqual(compare_original.result_of(text), "constraint 2: 0.125")
        self.assertEqual(compare_original.result_of("Test Acc: 12.50%\nTest Acc: 87.50%"), "test 87.5 %")
        self.assertEqual(compare_original.result_of("nothing"), "")


class Turns(unittest.TestCase):
    """Processes that are measured in turn."""

    def measured(self, text, limit=20.0):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "steps.py"
            script.write_text(text)
            kept, original_rounds.STEPS = original_rounds.STEPS, script
            try:
                return original_rounds.measure(
                    {name: original_rounds.Side(sys.executable, "x", 1, folder, None) for name in ("ours", "original")}, limit)
            finally:
                original_rounds.STEPS = kept

    def test_the_smallest_times_of_all_rounds(self):
        found = self.measured(ROUNDS)
        self.assertEqual(found["ours"], found["original"])
        last = original_rounds.ROUNDS - 1
        self.assertEqual(found["ours"], {"reasoning_first": 4.0, "cached": 3.0 - last / 10, "bare": 1.0, "reasoning": 0.5,
                                         "examples": 7})

    def test_what_fails_says_why(self):
        self.assertIn("ZeroDivisionError", self.measured("1 / 0")["ours"]["error"])
        self.assertIn("time limit", self.measured("import time; time.sleep(60)", 0.2)["original"]["error"])


class Tables(unittest.TestCase):
    """The page."""

    def page(self, results):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(PAGE)
            original_tables.write(path, results, ["a/t.py"], ["a/t.py", "b/t.py"])
            return path.read_text()

    def test_steps(self):
        rows = {"a/t.py": {"ours": times(), "original": times(reasoning_first=3.456, cached=0.002, reasoning=0.1234), "run": "2026-01-02T"},
                "b/t.py": {"ours": times(), "original": {"error": "x"}, "run": "2026-01-03T"}}
        text = self.page({"scripts": {}, "steps": rows})
        self.assertIn("| `a/t.py` | 3,000, 3 | 1 | 2, 1.5 | 4.00, 1.50 | 3,460, 3, 1,150 | 123, 0.1, 1,230 |", text)
        self.assertIn("| `b/t.py` | 3,000, 3 | 1 | -, 1.5 | 4.00, 1.50 | not within the limit, 3 | not within the limit, 0.1 |", text)
        self.assertIn("Made between 2026-01-02 and 2026-01-03 in 2 runs.", text)
        self.assertIn("old scripts", text)
        self.assertNotIn("old steps", text)
        self.assertTrue(text.startswith("Text.") and text.endswith("More text.\n"))

    def test_a_page_without_markers_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(SystemExit):
                original_tables.check_page(Path(folder) / "missing.md")
            (Path(folder) / "page.md").write_text(PAGE.replace("end of steps", "end"))
            with self.assertRaises(SystemExit):
                original_tables.check_page(Path(folder) / "page.md")

    def test_scripts(self):
        side = {"exit": 0, "seconds": 2.0, "processor": 1.5, "result": "1 model", "progress": {"passes": 0, "last": 0, "of": 0}}
        stopped = {**side, "exit": None, "result": "", "progress": {"passes": 1, "last": 3, "of": 9}}
        text = self.page({"scripts": {"a/t.py": {"limit": 2.5, "ours": side, "original": stopped, "run": "2026-01-02T"}}, "steps": {}})
        self.assertIn("| `a/t.py` | 2.5 | stopped / 0 | 3 of 9 in pass 2 | 1 model | 1.5 / 1.5 |", text)
        self.assertIn("Made on 2026-01-02 in one run.", text)


if __name__ == "__main__":
    unittest.main()
