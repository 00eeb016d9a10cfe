#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figures and tables for papers, of sweeps with made-up figures."""
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import matplotlib
import numpy as np
import sweep_fixtures

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tb/python"))
from sare.report import paper
from sare.report.paper import figure, style
from sare.report.read import Problem


class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        for name in ("factorial", "curves", "compared"):
            getattr(sweep_fixtures, name)(cls.folder / name)

    def read(self, *names, **options):
        return paper.read([self.folder / name for name in names], **options)

    def refused(self, sentence, call):
        with self.assertRaises(Problem) as caught:
            call()
        self.assertIn(sentence, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_curves_are_the_axes_that_are_left(self):
        found = self.read("curves", where={"routing": "dor", "router.vcs": "4"})
        self.assertEqual([c.name for c in found.curves], ["depth 2", "depth 4", "depth 8", "depth 16"])
        self.assertEqual([(c.x, str(c.error.tolist()), c.steady.tolist()) for c in found.curves][0],
                         ([0.1, 0.3, 0.5], "[0.4, 0.4, nan]", [True, True, False]))  # a saturated latency has no mean
        self.assertEqual((found.x_label, found.y_label), ("offered load (flits/node/cycle)", "latency (cycles)"))

    def test_errors_are_those_over_seeds(self):
        found = self.read("factorial", x="router.vcs")
        self.assertEqual([(c.name, c.y.tolist(), str(c.error.tolist()), c.steady.tolist()) for c in found.curves],
                         [("routing dimension order", [70, 50, 40], "[1.251, 1.251, 1.251]", [True] * 3),
                          ("routing a way through a random node", [70, 50, 40], "[nan, 1.251, 1.251]", [False, True, True])])
        self.assertEqual([len(c.y) for c in self.read("factorial", y="buffer_bits").curves], [3, 3])  # seeds.csv has none

    def test_saturated_means_do_not_set_the_scale(self):
        found = self.read("curves", where={"routing": "dor", "router.vcs": "1"})
        steady = np.concatenate([c.y[c.steady] for c in found.curves])
        self.assertGreater(max(c.y.max() for c in found.curves), 200)
        ax = paper.figure.draw(matplotlib.figure.Figure().subplots(), found)
        self.assertEqual(ax.get_ylim(), (0, max(1.6 * steady.max(), 4 * steady.min())))
        loads = self.read("curves", y="accepted", where={"routing": "dor", "router.vcs": "1"})
        self.assertIsNone(loads.top)
        self.assertEqual(self.read("curves", x="offered", y="load.accepted").y, "accepted")
        self.assertEqual(self.read("curves", x="offered", y="latency.mean").y, "latency_mean")

    def test_a_long_legend_has_the_axes_names_once_and_several_columns(self):
        found = self.read("curves", where={"router.vcs": "4"})
        with matplotlib.rc_context(paper.style.settings(paper.style.named("ieee"))):
            figure = paper.figure.figure_of(3.5)
            ax = paper.figure.draw(figure.subplots(), found)
            paper.figure.add_legend(ax)
        legend = ax.get_legend()
        self.assertEqual(legend.get_title().get_text(), "depth, routing")
        self.assertEqual([t.get_text() for t in legend.get_texts()][:2], ["2, dor", "2, o1turn"])
        self.assertGreaterEqual(legend._ncols, 2)

    def test_several_directories_in_one(self):
        some = {"routing": "dor", "router.vcs": "4", "router.depth": "2"}
        self.assertEqual([c.name for c in self.read("curves", "curves", where=some, labels=["ours", "theirs"]).curves], ["ours", "theirs"])
        self.refused("1 labels for 2 directories", lambda: self.read("curves", "curves", labels=["ours"]))

    def test_what_cannot_be_drawn_is_one_sentence(self):
        self.refused("'routing' varies too; name it in --group, or one of its values in --where routing=...",
                     lambda: self.read("curves", group=["router.vcs", "router.depth"]))
        self.refused("no column 'speed' for --y; there are point, ", lambda: self.read("curves", y="speed"))
        self.refused("no point with router.vcs=3; there are 1, 2, 4, 8", lambda: self.read("curves", where={"router.vcs": "3"}))
        self.refused("neither summary.json", lambda: paper.read([self.folder]))
        found = self.read("compared")
        self.refused("write a length between 0.5in and 40in", lambda: paper.file(found, "pdf", width="wide"))
        self.refused("no style 'nature'; there are ieee, acm", lambda: paper.file(found, "pdf", "nature"))

    def test_a_pdf_has_its_fonts_as_truetype_and_the_width_asked_for(self):
        found = self.read("curves", where={"routing": "dor"})
        made = paper.file(found, "pdf", "ieee", width="84mm")
        self.assertIn(b"/FontFile2", made)
        self.assertNotIn(b"/Type3", made)
        self.assertIn(b"/MediaBox [ 0 0 238.11", made)
        self.assertEqual(made, paper.file(found, "pdf", "ieee", width="84mm"))

    def test_a_figure_of_pgf_is_typeset(self):
        found = self.read("compared")
        with unittest.mock.patch("shutil.which", lambda name: None):
            self.refused("a figure in .pgf needs LaTeX, which is not here; install ", lambda: paper.file(found, "pgf"))
        if not shutil.which("pdflatex"):
            self.skipTest("LaTeX is not installed")
        with tempfile.TemporaryDirectory() as scratch:
            (Path(scratch) / "f.pgf").write_bytes(paper.file(found, "pgf", "ieee"))
            (Path(scratch) / "paper.tex").write_text(r"\documentclass{article}\usepackage{pgf}\begin{document}\input{f.pgf}\end{document}")
            done = subprocess.run(["pdflatex", "-halt-on-error", "paper.tex"], capture_output=True, text=True, cwd=scratch, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_legend_is_outside_and_marks_of_saturated_points_are_hollow(self):
        found = self.read("curves", where={"routing": "dor", "router.depth": "2"})
        with matplotlib.rc_context(style.settings(style.named("acm"))):
            drawn = figure.figure_of(3.3)
            ax = figure.draw(drawn.subplots(), found)
            figure.add_legend(ax, keep_height=False)
            drawn.draw_without_rendering()
            box, legend = ax.get_window_extent(), ax.get_legend().get_window_extent()
        self.assertGreaterEqual(legend.y0, box.y1)
        self.assertLessEqual(legend.x1, drawn.bbox.x1)
        self.assertLessEqual(legend.y1, drawn.bbox.y1 + 1)
        hollow = [line for line in ax.lines if line.get_markerfacecolor() == "white"]
        self.assertEqual(sum(len(line.get_xdata()) for line in hollow), sum((~c.steady).sum() for c in found.curves))
        whole = [line for line in ax.lines if line not in hollow and line.get_marker() in figure.MARKS]
        self.assertEqual([len({look(line) for line in whole}) for look in (lambda l: l.get_color(), lambda l: l.get_marker(), lambda l: l.get_linestyle())],
                         [4, 4, 4])

    def test_names_along_x_make_bars(self):
        with matplotlib.rc_context(style.settings(style.named("plain"))):
            ax = figure.draw(figure.figure_of(4).subplots(), self.read("compared", x="traffic.pattern"))
        self.assertEqual([t.get_text() for t in ax.get_xticklabels()], ["uniform", "tornado"])
        self.assertEqual(len({p.get_hatch() for p in ax.patches}), 3)

    def test_a_table_of_latex(self):
        made = paper.latex(self.read("factorial", x="router.vcs", where={"routing": "dimension order"}))
        self.assertIn("\n1 & $70.0 \\pm 1.3$ \\\\\n", made)
        self.assertIn(r"$70$\textsuperscript{*}", paper.latex(self.read("factorial", x="router.vcs")))
        self.assertIn(r"a\_b 100\%", paper.latex(self.read("factorial", "factorial", x="router.vcs", group=["routing"], labels=["a_b 100%", "c"])))

    def test_the_ending_of_a_name_says_what_it_is(self):
        for options, sentence in ((["--out", "f.jpg"], "f.jpg: the name of a figure ends in .pdf, .svg, .png or .pgf, which says what it is to be"),
                                  (["--out", "f.svg", "--format", "pdf"], "f.svg: its ending and --format pdf do not agree; leave one of them out"),
                                  (["--table", "tex", "--out", "t.csv"], "t.csv: the name of a table ends in .tex")):
            done = subprocess.run([ROOT / "scripts/plot", *options, self.folder / "compared"], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"plot: {sentence}\n"))
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), ["compared", "curves", "factorial"])
        done = subprocess.run([ROOT / "scripts/plot", "--format", "svg", "compared"], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "plot.svg\n", ""))
        (self.folder / "plot.svg").unlink()


if __name__ == "__main__":
    unittest.main()
