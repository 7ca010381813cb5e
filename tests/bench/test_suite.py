"""Tests of the benchmark suite without its programs: results, pictures, progress, and failures.

usage: test_suite.py SOURCE_FOLDER
"""

import copy
import io
import json
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv.pop(1)) / "bench/suite"))

# pylint: disable=wrong-import-position
import chart
import package
import pictures
import plans
import processes
import results as results_file
import runner
import summary
from benchmarks import Benchmark, Context, Unit
from progress import Progress


def line(name, **fields):
    return {"name": name, "correct": True, "detail": "", **fields}


def query(name, engine, ms):
    return line(name, title=name, engine=engine, ms=ms, megabytes=12.5, limit_ms=1e4)


def grown(size, enumerate_ms):
    return line(f"add{size}", series="sums", size=size, compile_ms=0.5 * size, nodes=10 * size, edges=20 * size,
                batch1_us=1.0, batch256_us=0.2, batch256_float_us=0.1, enumerate_ms=enumerate_ms,
                enumerate_limit_ms=3000.0)


def benchmark(name, lines):
    return {"name": name, "question": "How fast?", "seconds": 1.0, "lines": lines}


RESULTS = {
    "format": 1, "started": "2026-11-16T12:00:00+00:00", "seconds": 60.0, "quick": False, "finished": True,
    "correct": True, "machine": {"processor": "<made up>", "cores": 2}, "versions": {"commit": "0123456789abcdef"},
    "benchmarks": [
        benchmark("grounding", [line("ground", ours_ms=20.0, clingo_ms=60.0, clingo_by_ours=3.0)]),
        benchmark("queries", [query("grid5", "circuit", 50.0), query("grid5", "enumerate", 700.0),
                              query("grid5", "clingo", None)]),
        benchmark("growth", [grown(1, 1.0), grown(2, 40.0), grown(4, None)]),
        benchmark("plans", [line("sums", plans=10, ms_per_plan=3.0, ms_alone=9.0, times_faster=3.0, bytes_per_plan=900.0,
                                 largest_circuit_edges=9)]),
        benchmark("training", [line("sums, batches of 1", pairs=1000, rules_epoch_seconds=1.2, bare_epoch_seconds=1.0,
                                    ratio=1.2, symbolic_share=0.05, data_share=0.15, compile_seconds=0.1)]),
        benchmark("bandwidth", [line("grid5", edges=1857, memory_gb_s=36.0, batch256_us=0.2, batch256_bytes=6e4,
                                     batch256_buffer_bytes=461560, batch256_gb_s=280.0, batch256_triad_gb_s=260.0,
                                     batch256_share=1.1, batch1_us=2.0, batch1_bytes=1e5, batch1_buffer_bytes=57320,
                                     batch1_gb_s=45.0, batch1_triad_gb_s=190.0, batch1_share=0.24)]),
        benchmark("frontier", [line("asia", family="known", limit_s=40, seconds=0.02, nodes=36, edges=70, decisions=40,
                                    megabytes=9.0, peer="d4v2", peer_seconds=0.03, checked_by="other systems")]),
        benchmark("python", [line("step, batch 64", ours_ms=10.0, other_ms=9.5, ratio=1.05),
                             line("log_prob, batch 64", ours_ms=0.1, other_ms=0.02, ratio=5.0, overhead_us=80.0)]),
    ],
}


def elements(svg, tag):
    return list(xml.fromstring(svg).iter("{http://www.w3.org/2000/svg}" + tag))


def markers(svg, hint):
    return [e for e in elements(svg, "path") if any(child.text == hint for child in e)]


class Results(unittest.TestCase):
    def test_sample_has_the_right_form(self):
        self.assertEqual(results_file.problems(RESULTS), [])

    def test_missing_parts_are_told(self):
        for name in RESULTS:
            without = {key: value for key, value in RESULTS.items() if key != name}
            self.assertEqual(len(results_file.problems(without)), 1, name)

    def test_a_line_must_say_whether_it_is_correct(self):
        changed = copy.deepcopy(RESULTS)
        del changed["benchmarks"][0]["lines"][0]["correct"]
        self.assertIn("grounding", results_file.problems(changed)[0])

    def test_written_results_can_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            results_file.write(copy.deepcopy(RESULTS), Path(folder))
            self.assertEqual(results_file.read(Path(folder) / "results.json"), RESULTS)

    def test_one_wrong_line_makes_a_run_wrong(self):
        changed = copy.deepcopy(RESULTS)
        changed["benchmarks"][3]["lines"][0]["correct"] = False
        with tempfile.TemporaryDirectory() as folder:
            results_file.write(changed, Path(folder))
            self.assertFalse(json.loads((Path(folder) / "results.json").read_text())["correct"])
        self.assertIn("WRONG: plans: sums", summary.markdown(changed, []))


class PythonPackage(unittest.TestCase):
    def test_without_the_package_there_is_nothing_to_run(self):
        with tempfile.TemporaryDirectory() as folder:
            context = Context(Path(folder), Path(folder), Path(folder), True)
            self.assertEqual(package.units(context, Unit), [])
            built = Path(folder) / "python/neurasp"
            built.mkdir(parents=True)
            (built / "_core.so").touch()
            self.assertGreater(len(package.units(context, Unit)), 3)


class Pictures(unittest.TestCase):
    def test_all_are_well_formed(self):
        with tempfile.TemporaryDirectory() as folder:
            drawn = pictures.write_pictures(RESULTS, Path(folder))
            self.assertEqual(sorted(drawn), sorted(pictures.PICTURES))
            for name in drawn:
                root = xml.parse(Path(folder) / f"{name}.svg").getroot()
                self.assertGreater(float(root.get("height")), 100)

    def test_without_results_there_is_nothing_to_draw(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(pictures.write_pictures({**RESULTS, "benchmarks": []}, Path(folder)), [])

    def test_times_are_placed_by_their_logarithm(self):
        scale = chart.log_scale([50.0, 700.0], 0.0, 200.0)  # decades 10, 100, 1000
        self.assertEqual(scale.ticks, [10.0, 100.0, 1000.0])
        self.assertAlmostEqual(scale(100.0), 100.0)
        self.assertAlmostEqual(scale(1000.0), 200.0)

    def test_linear_ticks_cover_the_values(self):
        scale = chart.linear_scale([0.3, 1.27], 0.0, 100.0)
        self.assertEqual(scale.ticks[0], 0.0)
        self.assertGreaterEqual(scale.ticks[-1], 1.27)
        self.assertLessEqual(len(scale.ticks), 9)

    def test_an_overhead_is_written_beside_its_ratio(self):
        self.assertIn("5.00, 80 µs more", [e.text for e in elements(pictures.python(RESULTS), "text")])

    def test_what_was_not_finished_is_shown_as_that(self):
        svg = pictures.engines(RESULTS)
        self.assertEqual(len(markers(svg, "700 ms")), 1)
        self.assertEqual(len(markers(svg, "not within 10k ms")), 1)

    def test_wrong_results_are_not_drawn(self):
        changed = copy.deepcopy(RESULTS)
        changed["benchmarks"][1]["lines"][1]["correct"] = False
        self.assertEqual(markers(pictures.engines(changed), "700 ms"), [])

    def test_shares_fill_the_bar(self):
        widths = [float(e.get("width")) for e in elements(pictures.steps(RESULTS), "rect")[1:]]
        self.assertEqual(len(widths), 3)
        self.assertAlmostEqual(widths[2] / sum(widths), 0.05, places=3)

    def test_text_is_escaped(self):
        self.assertIn("&lt;made up&gt;", summary.page(RESULTS, []))


class Runs(unittest.TestCase):
    def run_units(self, *works):
        results = {**RESULTS, "benchmarks": [], "finished": False}
        units = [Unit(f"unit {i}", 1.0, work) for i, work in enumerate(works)]
        stream, runner.Progress = io.StringIO(), lambda expected: Progress(expected, stream)
        with tempfile.TemporaryDirectory() as folder:
            runner.run_all([Benchmark("made-up", "Does it work?", units)], results, Path(folder))
            if (Path(folder) / "results.json").exists():
                written = json.loads((Path(folder) / "results.json").read_text())
                self.assertEqual(written["benchmarks"][0]["lines"], results["benchmarks"][0]["lines"])
        return results, stream.getvalue()

    def test_lines_of_all_units_are_kept(self):
        results, told = self.run_units(lambda: [line("a")], lambda: [line("b"), line("c")])
        self.assertTrue(results["finished"] and results["correct"])
        self.assertEqual([found["name"] for found in results["benchmarks"][0]["lines"]], ["a", "b", "c"])
        self.assertIn("[2/2] made-up: unit 1", told)

    def test_an_exception_is_a_wrong_result_and_the_rest_goes_on(self):
        def fails():
            raise RuntimeError("no such thing")
        results, told = self.run_units(fails, lambda: [line("b")])
        self.assertFalse(results["correct"])
        self.assertEqual(len(results["benchmarks"][0]["lines"]), 2)
        self.assertIn("no such thing", told)

    def test_an_interrupt_keeps_what_was_done(self):
        def interrupted():
            raise KeyboardInterrupt
        results, _ = self.run_units(lambda: [line("a")], interrupted, lambda: [line("never")])
        self.assertFalse(results["finished"])
        self.assertEqual([found["name"] for found in results["benchmarks"][0]["lines"]], ["a"])

    def test_a_program_that_ends_badly_is_a_wrong_line(self):
        found = processes.json_lines(["sh", "-c", "echo broken >&2; exit 2"], "x")
        self.assertEqual(found, [{"name": "x", "correct": False, "detail": "broken"}])
        found = processes.json_lines(["sh", "-c", "kill -SEGV $$"], "x")
        self.assertEqual(found[0]["detail"], "ended by SIGSEGV")

    def test_remaining_time_follows_the_pace(self):
        progress = Progress([10.0, 10.0, 80.0], io.StringIO())
        self.assertAlmostEqual(progress.remaining(), 100.0, delta=5.0)
        progress.done = 2
        progress.begin -= 40.0  # twice as long as expected
        self.assertAlmostEqual(progress.remaining(), 80.0 * 50.0 / 30.0, delta=2.0)


class Observations(unittest.TestCase):
    def test_they_are_different(self):
        for texts in (list(plans.sums(15, 1000)), plans.path_ends(60), list(plans.givens(40))):
            self.assertEqual(len(set(texts)), len(texts))
        self.assertEqual(len(list(plans.sums(4, 1000))), 1000)

    def test_givens_keep_the_rules(self):
        for text in plans.givens(5):
            cells = [tuple(map(int, part.split(")")[0].replace("img,", "").split(","))) for part in text.split("sol(")[1:]]
            self.assertEqual(len(cells), sum(digit != "0" for digit in plans.PUZZLE))
            for place in (lambda c: c // 9, lambda c: c % 9, lambda c: (c // 27, c % 9 // 3)):
                self.assertEqual(len({(place(c), d) for c, d in cells}), len(cells))


if __name__ == "__main__":
    unittest.main()
