"""Tests of the frontier in bench/suite without the command: the instances, their values computed in Python, what is made of
answers, the picture and the table.

usage: test_frontier.py SOURCE_FOLDER
"""

import itertools
import json
import random
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from math import isclose, prod
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv.pop(1)) / "bench/suite"))

# pylint: disable=wrong-import-position
import summary
from benchmarks import Benchmark, Context, Unit, chosen
from frontier import choices, free, measure, scatter
from frontier.catalogue import FAMILIES, instances
from frontier.connectivity import reaching, simple_path
from frontier.elimination import Factor, probability_of_evidence
from processes import Measured

SMALLEST = 2  # of each family; for the larger ones a benchmark has more time
EXACT = 1e-9


def subsets(events):
    """All combinations of independent events, with their probabilities."""
    for present in itertools.product((False, True), repeat=len(events)):
        yield present, prod(p if there else 1 - p for there, p in zip(present, events))


def reached_from(source, arcs):
    found, waiting = {source}, [source]
    while waiting:
        node = waiting.pop()
        for a, b in arcs:
            if a == node and b not in found:
                found.add(b)
                waiting.append(b)
    return found


def random_events(rng, nodes, count):
    events = []
    for _ in range(count):
        a, b = rng.sample(range(nodes), 2)
        events.append(([(a, b), (b, a)] if rng.random() < 0.5 else [(a, b)], round(rng.uniform(0.1, 0.9), 2)))
    return events


class Values(unittest.TestCase):
    """Each way to compute a value against brute force."""

    def test_reaching_some_nodes(self):
        rng = random.Random(1)
        for _ in range(60):
            events = random_events(rng, 5, 8)
            for wanted in ({4}, {0, 4}, {1, 4}, {0, 1, 2, 3, 4}):
                brute = sum(p for present, p in subsets([p for _, p in events])
                            if wanted <= reached_from(0, [a for (arcs, _), on in zip(events, present) if on for a in arcs]))
                self.assertAlmostEqual(reaching(range(5), events, 0, wanted), brute, delta=EXACT)

    def test_simple_paths(self):
        rng = random.Random(2)
        for _ in range(40):
            pairs = rng.sample(list(itertools.combinations(range(5), 2)), 7)
            edges = [(a, b, round(rng.uniform(0.1, 0.9), 2)) for a, b in pairs]
            brute = sum(p for present, p in subsets([p for _, _, p in edges])
                        if self.is_path([edge[:2] for edge, on in zip(edges, present) if on]))
            self.assertAlmostEqual(simple_path(range(5), edges, {0, 4}), brute, delta=EXACT)

    @staticmethod
    def is_path(edges):
        degree = [sum(v in edge for edge in edges) for v in range(5)]
        reached = reached_from(0, edges + [edge[::-1] for edge in edges])
        return (degree[0] == degree[4] == 1 and all(d in (0, 2) for d in degree[1:4])
                and all(a in reached for a, _ in edges))

    def test_elimination(self):
        rng = random.Random(3)
        for _ in range(40):
            cards = [rng.choice([2, 3]) for _ in range(5)]
            scopes = [tuple(rng.sample(range(5), rng.randint(1, 3))) for _ in range(5)] + [(v,) for v in range(5)]
            factors = [Factor(scope, [rng.random() for _ in range(prod(cards[v] for v in scope))]) for scope in scopes]
            evidence = {0: 1, 3: 0}
            brute = 0.0
            for values in itertools.product(*map(range, cards)):
                if values[0] == 1 and values[3] == 0:
                    brute += prod(self.entry(factor, values, cards) for factor in factors)
            self.assertTrue(isclose(probability_of_evidence(cards, factors, evidence), brute, rel_tol=EXACT))

    @staticmethod
    def entry(factor, values, cards):
        at = 0
        for v in factor.scope:
            at = at * cards[v] + values[v]
        return factor.numbers[at]

    def test_clauses(self):
        rng = random.Random(4)
        for _ in range(30):
            numbers = [None] + [round(rng.uniform(0.1, 0.9), 2) for _ in range(6)]
            clauses = [[v * rng.choice([-1, 1]) for v in rng.sample(range(1, 7), rng.randint(1, 3))] for _ in range(8)]
            brute = sum(p for values, p in subsets(numbers[1:])
                        if all(any(values[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in clauses))
            self.assertAlmostEqual(choices.clauses_probability(numbers, clauses), brute, delta=EXACT)

    def test_fillings_of_a_small_sudoku(self):
        self.assertEqual(choices.fillings([[1.0] * 4] * 16), 288)  # a known number
        self.assertEqual(choices.fillings([[0.0] * 4 + [1.0]] * 16), 1)  # all cells empty
        two = [[1.0] * 4 + [0.0]] * 2 + [[0.0] * 4 + [1.0]] * 14  # two neighbours filled
        self.assertEqual(choices.fillings(two), 12)

    def test_colourings(self):
        rng = random.Random(5)
        for _ in range(15):
            pairs = rng.sample(list(itertools.combinations(range(5), 2)), 7)
            graph = [(a, b, round(rng.uniform(0.1, 0.9), 2)) for a, b in pairs]
            brute = 0.0
            for present, p in subsets([p for _, _, p in graph]):
                good = [c for c in itertools.product(range(3), repeat=5)
                        if all(c[a] != c[b] for (a, b, _), on in zip(graph, present) if on)]
                brute += p * sum(c[0] == c[4] for c in good) / len(good) if good else 0.0
            self.assertAlmostEqual(free.share_of_colourings(5, graph, 3), brute, delta=EXACT)

    def test_chains_of_free_choices(self):
        instance = free.free_chain(6, seed=7)
        numbers = [float(line.split(" :")[0]) for line in instance.program.splitlines() if line[0] == "0"]
        brute = 0.0
        for allowed, p in subsets(numbers):
            good = [s for s in itertools.product((False, True), repeat=6)
                    if all(a or not f for a, f in zip(allowed, s)) and not any(a and b for a, b in zip(s, s[1:]))]
            brute += p * sum(s[-1] for s in good) / len(good)
        self.assertAlmostEqual(instance.value(), brute, delta=EXACT)

    def test_exactly_and_permutations_and_sums(self):
        for instance, count in ((choices.exactly(2, 5, seed=1), 5), (choices.permutation(3, seed=1), 9)):
            numbers = [float(line.split(" :")[0]) for line in instance.program.splitlines()]
            self.assertEqual(len(numbers), count)
            brute = sum(p for values, p in subsets(numbers)
                        if (sum(values) == 2 if count == 5 else self.is_permutation(values)))
            self.assertAlmostEqual(instance.value(), brute, delta=EXACT)
        # over all possible sums of two digits, the values of addition add up to 1: its rows do
        rows = [[float(part.split(" :")[0]) for part in line.split(" | ")]
                for line in choices.addition(1, seed=3).program.splitlines()[:2]]
        total = int(choices.addition(1, seed=3).observation.split("s(0,")[1][0])
        carry = int(choices.addition(1, seed=3).observation.split("carry(1,")[1][0])
        brute = sum(rows[0][a] * rows[1][b] for a in range(10) for b in range(10) if a + b == 10 * carry + total)
        self.assertAlmostEqual(choices.addition(1, seed=3).value(), brute, delta=EXACT)

    @staticmethod
    def is_permutation(values):
        rows = [values[3 * i:3 * i + 3] for i in range(3)]
        return all(sum(row) == 1 for row in rows) and all(sum(column) == 1 for column in zip(*rows))


class Catalogue(unittest.TestCase):
    def test_default_instances_are_those_of_the_other_systems(self):
        """Their values are those that the other systems gave, so the programs are the same."""
        known = {name: entry["value"] for name, entry in measure.expected().items() if "value" in entry}
        compared = 0
        for family in FAMILIES:
            for instance in [i for i in instances(only=[family]) if i.name in known][:SMALLEST]:
                value = instance.value()
                self.assertTrue(value is None or isclose(value, known[instance.name], rel_tol=measure.PEER_TOLERANCE),
                                instance.name)
                compared += value is not None
        self.assertGreater(compared, 25)

    def test_names_are_unique_and_known(self):
        names = [instance.name for instance in instances(requirements="p cnf 2 1\n1 -2 0\n")]
        self.assertEqual(len(names), 125)
        self.assertEqual(len(set(names)), 125)
        self.assertLessEqual(set(measure.expected()), set(names))

    def test_every_family_has_an_order_of_its_own(self):
        for name in FAMILIES:
            found = instances(only=[name], requirements="p cnf 2 1\n1 -2 0\n")
            self.assertTrue(found)
            self.assertEqual({instance.family for instance in found}, {name})

    def test_a_seed_stands_for_other_instances(self):
        default, first, second = instances(), instances(seed=5), instances(seed=5)
        self.assertEqual([i.program for i in first], [i.program for i in second])
        self.assertEqual(len(default), len(first))
        for old, new in zip(default, first):
            self.assertNotEqual(old.program, new.program, new.name)
            self.assertNotEqual(old.name, new.name)

    def test_only_some_families(self):
        self.assertEqual({i.family for i in instances(only=["kofn", "asia", "perm"])}, {"kofn", "perm"})


def line(name, family, ours, peer=None, theirs=None):
    return {"name": name, "family": family, "correct": True, "detail": "", "limit_s": 40, "seconds": ours,
            "peer": peer, "peer_seconds": theirs, "nodes": 3, "edges": 4, "decisions": 5, "megabytes": 9.0}


LINES = [line("kofn_10_7", "kofn", 0.02, "d4v2", 0.05), line("relgrid_5x5", "relgrid", 0.5), line("hmm_10_k4", "hmm", None, "d4", 1.0),
         line("color_n6_m9_c3_s1", "color", None)]
RESULTS = {"benchmarks": [{"name": "frontier", "question": "?", "seconds": 1.0, "lines": LINES}]}


class Answers(unittest.TestCase):
    """What is made of what the command prints."""

    def ask(self, measured, known, sizes=None):
        instance = choices.exactly(1, 2, seed=9)
        kept = measure.repeated, measure.sizes
        measure.repeated = lambda *_: measured
        measure.sizes = lambda *_: sizes or {"nodes": 1, "edges": 2, "decisions": 3}
        try:
            with tempfile.TemporaryDirectory() as folder:
                context = Context(Path(folder), Path(folder), Path(folder), False)
                return measure.ask(context, instance, known, 40), instance.value()
        finally:
            measure.repeated, measure.sizes = kept

    @staticmethod
    def printed(probability, status=0):
        return Measured(120.0, 9.0, status, json.dumps({"probability": probability}), "")

    def test_right_answers_are_compared_with_a_computation(self):
        value = choices.exactly(1, 2, seed=9).value()
        found, _ = self.ask(self.printed(value), {})
        self.assertTrue(found["correct"])
        self.assertEqual((found["seconds"], found["nodes"]), (0.12, 1))
        self.assertEqual(found["checked_by"], "a computation without circuits")

    def test_wrong_answers_are_wrong(self):
        for wrong in (0.5, 0.0, None):
            self.assertFalse(self.ask(self.printed(wrong), {})[0]["correct"])
        value = choices.exactly(1, 2, seed=9).value()
        found, _ = self.ask(self.printed(value), {"value": value * 1.001, "peer": "d4", "seconds": 1.0})
        self.assertFalse(found["correct"])
        self.assertIn("other systems", found["detail"])

    def test_no_answer_is_not_wrong(self):
        found, _ = self.ask(Measured(40e3, 9.0, None, "", ""), {"peer": "d4", "seconds": 1.0})
        self.assertTrue(found["correct"])
        self.assertIsNone(found["seconds"])
        errors = json.dumps({"error": {"kind": "limit", "exit_code": 5, "diagnostics": [{"message": "node limit"}]}})
        found, _ = self.ask(Measured(40e3, 9.0, 5, "", errors), {})
        self.assertEqual((found["correct"], found["detail"]), (True, "node limit"))

    def test_a_crash_is_wrong(self):
        self.assertFalse(self.ask(Measured(1.0, 9.0, 139, "", "oh"), {})[0]["correct"])


class Pictures(unittest.TestCase):
    def hints(self, svg):
        return [e.text for e in xml.fromstring(svg).iter("{http://www.w3.org/2000/svg}title")]

    def place(self, svg, name):
        for path in xml.fromstring(svg).iter("{http://www.w3.org/2000/svg}path"):
            if path[0].text.startswith(name):
                return [float(x) for x in path.get("transform")[10:-1].split()]
        raise AssertionError(name)

    def test_a_dot_for_each_instance(self):
        hints = self.hints(scatter.picture(RESULTS))
        self.assertIn("kofn_10_7: 0.02 s, d4v2 0.05 s", hints)
        self.assertIn("color_n6_m9_c3_s1: none, no other system", hints)

    def test_what_one_side_does_not_answer_is_at_the_border(self):
        svg = scatter.picture(RESULTS)
        right, top = scatter.LEFT + scatter.SIZE, scatter.TOP + scatter.MARGIN
        x, y = self.place(svg, "kofn")
        self.assertTrue(x < right and y > top)
        x, y = self.place(svg, "relgrid")
        self.assertTrue(x > right and y > top)
        x, y = self.place(svg, "hmm")
        self.assertTrue(x < right and y < top)
        x, y = self.place(svg, "color")
        self.assertTrue(x > right and y < top)

    def test_equal_times_are_on_the_diagonal(self):
        same = {"benchmarks": [{"name": "frontier", "question": "?", "seconds": 1.0,
                                "lines": [line("kofn_10_7", "kofn", 1.0, "d4", 1.0)]}]}
        x, y = self.place(scatter.picture(same), "kofn")
        self.assertAlmostEqual(x - scatter.LEFT, scatter.TOP + scatter.MARGIN + scatter.SIZE - y, delta=0.2)

    def test_the_table_has_a_row_for_each_family(self):
        _, rows = scatter.family_table(LINES)
        self.assertIn(["k of n", "10_7: 0.02 / d4v2 0.05"], rows)
        self.assertIn(["hidden Markov models", "10_k4: none / d4 1.00"], rows)
        self.assertEqual(len(rows), 4)
        self.assertEqual(summary.family_table([])[1], [])


class Choice(unittest.TestCase):
    def test_the_frontier_runs_only_if_it_is_named(self):
        benchmarks = [Benchmark("a", "?", []), Benchmark("frontier", "?", [], on_request=True)]
        self.assertEqual([b.name for b in chosen(benchmarks, [])], ["a"])
        self.assertEqual([b.name for b in chosen(benchmarks, ["frontier"])], ["frontier"])

    def test_quick_mode_has_the_first_of_each_family(self):
        context = Context(Path(), Path(), Path(), True)
        found = measure.units(context, Unit)
        self.assertIn("add_1", [unit.label for unit in found])
        self.assertNotIn("add_3", [unit.label for unit in found])
        self.assertLessEqual(len(found), measure.QUICK_MOST * len(FAMILIES))


if __name__ == "__main__":
    unittest.main()
