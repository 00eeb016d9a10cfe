#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Parts of the plots of scripts/report, by the functions that draw them."""
import itertools
import sys
import tempfile
import unittest
from pathlib import Path

import eyesight
import make_fixtures
import matplotlib
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/python"))
from sare.report import palette, read, run_plots, timeline
from sare.report.sweeps.key import add_key
from sare.report.sweeps import plots as sweep_plots


class Drawing(unittest.TestCase):
    def test_bins_of_any_width_are_drawn_as_densities(self):
        """As many packets at every latency: a level line, whatever the widths of the bins."""
        low = np.concatenate([np.arange(0, 4096), np.arange(4096, 8192, 2), np.arange(8192, 16384, 64)]).astype(float)
        high = np.append(low[1:], 16384)
        table = {"low": low, "high": high, "from_generation": 3 * (high - low), "from_injection": 2 * (high - low)}
        edges, generation, injection = run_plots._densities(table)
        self.assertLessEqual(len(generation), run_plots.STEPS + 1)
        np.testing.assert_allclose(generation, 3)
        np.testing.assert_allclose(injection, 2)
        self.assertEqual((edges[0], edges[-1]), (0, 16384))

    def test_of_very_many_nodes_groups_can_be_pointed_at(self):
        nodes = np.arange(run_plots.NODES_UP_TO + 1.0)
        marks = run_plots._marks_of_groups(None, nodes, nodes)
        self.assertEqual(len(marks.x), run_plots.BARS_UP_TO)
        self.assertEqual((marks.names[0], marks.names[-1]), ("Nodes 0 to 32", "Nodes 4065 to 4096"))
        np.testing.assert_allclose([marks.columns[name][-1] for name in ("accepted, least", "mean", "most")], (4065, 4080.5, 4096))

    def test_no_packet_is_lost_between_far_bins(self):
        table = {"low": np.array([5.0, 6, 900, 50000]), "high": np.array([6.0, 7, 901, 50016]),
                 "from_generation": np.array([1.0, 2, 3, 4]), "from_injection": np.array([4.0, 0, 0, 0])}
        edges, generation, injection = run_plots._densities(table)
        self.assertAlmostEqual((generation * np.diff(edges)).sum(), 10)
        self.assertAlmostEqual((injection * np.diff(edges)).sum(), 4)

    def test_every_curve_is_named_inside_the_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            make_fixtures.sweep(Path(folder), {"router.vcs": [1, 2, 4], "nic.queue": [f"a rather long name {n}" for n in range(10)],
                                               "traffic.load": [0.1, 0.2]})
            with matplotlib.rc_context(palette.style(palette.LIGHT)):
                figure = add_key(sweep_plots.latency(sweep_plots.Sweep(read.result(Path(folder))), palette.LIGHT))
                figure.draw_without_rendering()
                legend = figure.axes[0].get_legend()
                self.assertEqual(len(legend.get_texts()), 30)
                box, page = legend.get_window_extent(), figure.bbox
                self.assertTrue(box.y1 <= page.y1 and box.x1 <= page.x1, (box, page))
                self.assertGreater(figure.axes[0].get_window_extent().height, 100)

    def test_colours_can_be_told_apart_by_all_eyes(self):
        """Any two that meet in a plot by 15 (CIEDE2000) and more: with all cones, and without one kind of them."""
        self.assertLessEqual({timeline.COLOURS[state] for state in timeline.STATES}, set(palette.TOGETHER["states of tasks"]))
        for (theme, colours), (plot, names), eyes in itertools.product(
                (("light", palette.LIGHT), ("dark", palette.DARK)), palette.TOGETHER.items(), eyesight.KINDS):
            seen = {name: eyesight.lab(colours[name], eyes) for name in names}
            for a, b in itertools.combinations(names, 2):
                if {a, b} != {"line", "surface"}:  # idle and grids are quiet
                    self.assertGreaterEqual(eyesight.difference(seen[a], seen[b]), 15, (theme, plot, eyes, a, b))

    def test_the_scale_goes_one_way_for_all_eyes(self):
        for (colours, way), eyes in itertools.product(((palette.LIGHT, -1), (palette.DARK, 1)), eyesight.KINDS):
            lightness = [eyesight.lab(colours[f"heat{step}"], eyes)[0] for step in range(palette.HEAT)]
            self.assertTrue((way * np.diff(lightness) > 0).all(), (eyes, lightness))

    def test_eyesight(self):
        """Pairs of Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula", 2005, table 1."""
        for a, b, expected in (((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, 2.5, 0), (73, 25, -18), 27.1492),
                               ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0), ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082)):
            self.assertAlmostEqual(eyesight.difference(a, b), expected, 4)


if __name__ == "__main__":
    unittest.main()
