#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/bench --size: how long it measures, and which figures it refuses. Runs are made up; no time is tested."""
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/dev"))
from libbench import size  # noqa: E402


class Made(size.Program):
    """A run of some ns a flit-hop, after a start of a second."""

    def __init__(self, ns, threads=1):
        super().__init__("made", None)
        self.ns, self.threads, self.ran = ns, threads, []

    def run(self, what, prefix=()):
        cycles = what["measurement"]["batch"] * what["measurement"]["batches"]
        hops = cycles * 10000
        self.ran.append(hops * self.ns * 1e-9)
        return 1 + self.ran[-1], (1 + self.ran[-1]) / self.threads, hops, self.threads, ""


class Size(unittest.TestCase):
    def test_a_figure_takes_two_seconds_at_least(self):
        for ns in (1, 70, 5000):
            program = Made(ns)
            used, wall, taken = program.hop(65536, 0.05, 1)
            self.assertAlmostEqual(used, ns)
            self.assertAlmostEqual(wall, ns)
            self.assertEqual(taken, 1)
            self.assertGreaterEqual(max(program.ran), 2)
            self.assertLess(max(program.ran), 60)

    def test_the_shorter_one_of_both_times_counts(self):
        program = Made(70, threads=2)
        program.hop(65536, 0.3, 2)
        self.assertGreaterEqual(max(program.ran), 4)

    def test_the_next_round_knows_how_long(self):
        program = Made(70)
        program.hop(64, 0.3, 1)
        before = len(program.ran)
        program.hop(64, 0.3, 1)
        self.assertEqual(len(program.ran), before + 2)

    def test_noise_swallows_figures(self):
        self.assertEqual(size.text_of("ns", [70, 75, 80]), "ns=75 ns_from=70 ns_to=80")
        self.assertEqual(size.text_of("ns", [60, 75, 80]), "ns=unknown ns_from=60 ns_to=80")
        self.assertEqual(size.text_of("ns", [-17, 1, 174]), "ns=unknown ns_from=-17 ns_to=174")
        self.assertEqual(size.text_of("ns", [75]), "ns=unknown ns_from=75 ns_to=75")

    def test_ratios_need_both_figures(self):
        times = {(0.3, 1, 64): [(40, 40, 1)] * 3, (0.3, 1, 65536): [(80, 80, 1)] * 3,
                 (0.3, 2, 65536): [(100, 50, 2)] * 3}
        self.assertTrue(size.line_of((0.3, 1, 65536), times).endswith("wall_ns_to=80 of_smallest=2.00"))
        self.assertTrue(size.line_of((0.3, 2, 65536), times).endswith("wall_ns_to=50 times_as_fast=1.60"))
        times[0.3, 1, 65536] = [(80, 80, 1), (20, 20, 1), (90, 90, 1)]
        self.assertNotIn("times_as_fast", size.line_of((0.3, 2, 65536), times))
        self.assertNotIn("of_smallest", size.line_of((0.3, 1, 65536), times))

    def test_the_threads_that_worked_are_told(self):
        line = size.line_of((0.05, 2, 65536), {(0.05, 2, 65536): [(75, 75, 2), (75, 75, 1)]})
        self.assertIn(" threads=2 threads_at_work=1 ", line)


if __name__ == "__main__":
    unittest.main()
