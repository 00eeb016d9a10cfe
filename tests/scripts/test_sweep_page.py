#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of sweeps: error bars, bars, factorial designs, Pareto fronts, and what answers to the pointer, in a browser."""
import sys
import tempfile
import unittest
from pathlib import Path

import devtools
import matplotlib
import numpy as np
import sweep_fixtures
import test_pages
from report_case import Balance, ReportTest, forked_report
from sweep_fixtures import combination, write_search

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from libreport import palette, read
from libreport.sweeps import factorial, pareto, plots as sweep_plots
from libreport.sweeps.curves import Sweep


def write_sweep(folder, *about, **more):
    sweep_fixtures.write_sweep(folder, *about, **more)
    return Sweep(read.result(folder))


class SweepTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name) / "sweep"

    def page(self):
        done = forked_report(self.dir)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return self.dir / "report.html"

    def drawn(self, sweep, plots):
        with matplotlib.rc_context(palette.style(palette.LIGHT)):
            return plots(sweep.result, palette.LIGHT)


class Curves(SweepTest):
    def test_errors_are_those_over_seeds_or_else_over_batches(self):
        one = write_sweep(self.dir / "a", {"traffic.load": [0.1, 0.2]},
                          lambda load: ("completed", load, load, 20 + load, {"latency_ci95": 1 + load, "accepted_ci95": ""}))
        self.assertEqual(one.curves[0].errors["latency_mean"].tolist(), [1.1, 1.2])
        self.assertTrue(np.isnan(one.curves[0].errors["accepted"]).all())
        several = write_sweep(self.dir / "b", {"router.vcs": [1, 2], "traffic.load": [0.1, 0.2], "seed": [1, 2]},
                              lambda vcs, load, seed: ("completed", load, load, 20 + seed, {"latency_ci95": 9}),
                              (["router.vcs", "traffic.load", "seeds", "status", "latency_mean", "latency_mean_ci95"],
                               [[v, l, 2, "completed", 21.5, v + l] for v in (1, 2) for l in (0.1, 0.2)]))
        self.assertEqual([c.errors["latency_mean"].tolist() for c in several.curves], [[1.1, 1.2], [2.1, 2.2]])
        self.assertEqual(several.curves[0].latency_mean.tolist(), [21.5, 21.5])

    def test_axes_that_go_along_x_make_no_curves(self):
        sweep = write_sweep(self.dir, {"router.vcs": [1, 2, 4], "router.depth": [8, 4, 2]},
                            lambda vcs, depth: ("completed", 0.1, 0.1, vcs) if vcs * depth == 8 else None,
                            zipped=[["router.vcs", "router.depth"]])
        self.assertEqual([curve.x.tolist() for curve in sweep.curves], [[1, 2, 4]])

    def test_the_key_is_in_order_of_the_ends_of_the_curves(self):
        sweep = write_sweep(self.dir, {"router.vcs": [1, 2, 4], "traffic.load": [0.1, 0.2]},
                            lambda vcs, load: ("completed", load, load, {1: 30, 2: 50, 4: 40}[vcs] * load))
        key = self.drawn(sweep, sweep_plots.plots)[0].key
        self.assertEqual([entry.name for entry in key], ["vcs 2", "vcs 4", "vcs 1"])

    def test_categories_are_bars(self):
        sweep = write_sweep(self.dir, {"case": ["torus", "mesh"], "traffic.pattern": ["uniform", "tornado", "transpose"]},
                            lambda case, pattern: ("saturated" if (case, pattern) == ("mesh", "tornado") else "completed", 0.1, 0.1,
                                                   10 * len(case) + len(pattern)))
        self.assertTrue(sweep.is_categorical)
        plot = self.drawn(sweep, sweep_plots.plots)[0]
        self.assertEqual(sorted(p.get_height() for p in plot.axes.patches), [47, 47, 49, 57, 57, 59])
        self.assertEqual([t.get_text() for t in plot.axes.get_xticklabels()], ["uniform", "tornado", "transpose"])
        self.assertEqual(sum(p.get_facecolor()[3] == 0 for p in plot.axes.patches), 1)
        self.assertEqual([list(marks.rows())[0] for marks in plot.marks if marks.names == "case mesh, pattern tornado"],
                         [("case mesh, pattern tornado", "47", "saturated", "point 4")])


class Designs(SweepTest):
    AXES = {"router.vcs": [1, 2, 4], "router.depth": [2, 8], "seed": [1, 2]}

    def test_effects_of_a_sum_are_its_parts_and_have_no_interaction(self):
        sweep = write_sweep(self.dir, self.AXES, lambda vcs, depth, seed: ("completed", 0.1, 0.1, 20 - vcs + depth))
        (effects,) = factorial.effects(sweep)
        self.assertAlmostEqual(effects.mean, 20 - 7 / 3 + 5)
        np.testing.assert_allclose(effects.main[0], [7 / 3 - 1, 7 / 3 - 2, 7 / 3 - 4])
        np.testing.assert_allclose(effects.main[1], [-3, 3])
        np.testing.assert_allclose(effects.pairs[0, 1], 0, atol=1e-12)
        first = np.var([1, 2, 4])
        self.assertAlmostEqual(effects.shares[0,], first / (first + 9))
        self.assertAlmostEqual(effects.shares[()], 0)

    def test_interactions_and_seeds_have_their_shares(self):
        sweep = write_sweep(self.dir, {"router.vcs": [1, 2], "router.depth": [2, 8], "seed": [1, 2]},
                            lambda vcs, depth, seed: ("completed", 0.1, 0.1, 20 + (1 if vcs == 1 else -1) * (1 if depth == 2 else -1)
                                                      + (0.5 if seed == 1 else -0.5)))
        (effects,) = factorial.effects(sweep)
        np.testing.assert_allclose(effects.pairs[0, 1], [[1, -1], [-1, 1]])
        self.assertAlmostEqual(effects.shares[0, 1], 0.8)
        self.assertAlmostEqual(effects.shares[()], 0.2)

    def test_a_design_with_a_hole_is_none(self):
        sweep = write_sweep(self.dir, self.AXES, lambda vcs, depth, seed: None if (vcs, depth) == (4, 8) else ("completed", 0.1, 0.1, vcs + depth))
        self.assertEqual(factorial.effects(sweep), [])

    def test_front_is_what_no_other_beats(self):
        random = np.random.default_rng(3)
        values = {n: (*random.integers(1, 9, 2).tolist(), int(random.integers(1, 4))) for n in range(30)}
        sweep = write_sweep(self.dir, {"nic.delay": list(values)},
                            lambda delay: ("completed", 0.1, values[delay][1], values[delay][0], {"buffer_bits": values[delay][2]}))
        beaten = {n for n, a in values.items() for b in values.values()
                  if b[0] <= a[0] and b[1] >= a[1] and b[2] <= a[2] and b != a}
        columns, found = pareto.candidates(sweep)
        self.assertEqual([c[0] for c in columns], ["latency_mean", "accepted", "buffer_bits"])
        self.assertEqual({c.name for c in found if not c.on_front}, {f"delay {n}" for n in beaten})


class Pointer(SweepTest):
    def test_points_keys_and_tables_answer(self):
        loads = [0.1, 0.2, 0.3]
        sweep = write_sweep(self.dir, {"router.vcs": [1, 2, 4], "router.depth": [2, 4, 8], "traffic.load": loads},
                            lambda vcs, depth, load: ("completed", load, load, round(10 + vcs + 10 * load * depth, 3)))
        (self.dir / "points/004/report.html").write_text("<p>a run</p>")
        (self.dir / "failed.csv").write_text('points,reason\n"027-028, 030",no <route>\n')
        with devtools.Browser(self.dir.parent) as browser:
            browser.open(self.page(), width=400)
            place_in = lambda k: browser.ask(f"""(() => {{ const data = JSON.parse(document.querySelector("script.marks").textContent);
                return data.groups[1].pages[{k}]; }})()""")
            places = place_in(1), place_in(2)
            test_pages.point_at(browser, 0, 1, 1)
            tip = browser.ask(test_pages.TIP)
            lit = browser.ask("""[[...document.querySelectorAll(".curves .on")].map(e => e.textContent),
                                  new Set([...document.querySelectorAll("g.curve.on")].map(e => e.dataset.curve)).size]""")
            browser.mouse("mouseMoved", 2, 2)
            found = browser.ask("""(() => { const found = {};
            const figure = document.querySelector("figure");
            found.dark = figure.classList.contains("lit");
            const name = figure.querySelector(".curves li");
            name.dispatchEvent(new PointerEvent("pointerenter"));
            found.named = figure.classList.contains("lit") && figure.querySelector("g.curve.on").dataset.curve === name.dataset.curve;
            const points = [...document.querySelectorAll(".tables section")].find(s => s.querySelector("h2").textContent === "Points");
            const column = k => [...points.querySelectorAll("tbody tr")].filter(r => !r.hidden).map(r => r.cells[k].textContent);
            const latency = [...points.querySelectorAll("thead th")].findIndex(h => h.textContent.startsWith("latency mean"));
            points.querySelectorAll("thead button")[latency].click();
            found.up = column(latency).map(Number);
            points.querySelectorAll("thead button")[latency].click();
            found.down = column(latency).map(Number);
            const box = points.querySelector("input");
            box.value = "router.vcs=4 latency<17";
            box.dispatchEvent(new Event("input"));
            found.filtered = column(0).length;
            found.count = points.querySelector(".count").textContent;
            found.failed = document.querySelector(".tables section").textContent.replace(/\\s+/g, " ").trim();
            found.wide = document.documentElement.scrollWidth <= innerWidth;
            return found; })()""")
            errors = browser.errors
        self.assertEqual(errors, [])
        self.assertEqual(tip, "vcs 1, depth 4\noffered load: 0.2 flits/node/cycle\nmean packet latency: 19 cycles\nended: completed\npoint 4")
        self.assertEqual(places, ("points/004/report.html", "points/005/"))
        self.assertEqual((lit, found["dark"], found["named"]), ([["vcs 1, depth 4"], 1], False, True))
        latencies = sorted(round(10 + v + 10 * l * d, 3) for v in (1, 2, 4) for d in (2, 4, 8) for l in loads)
        np.testing.assert_allclose(found["up"], latencies)
        np.testing.assert_allclose(found["down"], latencies[::-1])
        wanted = sum(10 + 4 + 10 * l * d < 17 for d in (2, 4, 8) for l in loads)
        self.assertEqual((found["filtered"], found["count"]), (wanted, f"{wanted} of 27 rows"))
        self.assertIn("no <route>027-028, 030", found["failed"])
        self.assertTrue(found["wide"], "the page is wider than a telephone")


class Saturation(ReportTest):
    """The page of `sare saturate`."""

    def test_a_curve_for_each_combination_with_its_loads_marked(self):
        write_search(self.dir, combination("uniform"), combination("tornado", bound={"load": None, "why": "too many nodes"}, slow=None, of_bound=None))
        self.assertEqual((self.report().returncode, self.report().stderr), (0, ""))
        page = (self.dir / "report.html").read_text()
        parser = Balance()
        parser.feed(page)
        self.assertEqual((parser.wrong, parser.open), ([], []))
        for text in ("2 of 2 found", "mesh 4 × 4", "pattern uniform", "pattern tornado", "2 seeds below, 2 above", "3× latency", "saturation", ">bound<",
                     "router 3 to router 4 (port 0) and 7 more", "No bound: too many nodes", "nowhere before saturation"):
            self.assertIn(text, page)

    def test_what_is_not_found_has_no_load_but_both_ends(self):
        wide = {"load": None, "sustained": 0.31, "saturated": 0.44, "confidence": "1 seed below, 1 above"}
        lost = combination("tornado", status="not found", saturation=wide, of_bound=None, slow={"load": None, "from": 0.2, "to": 0.25})
        write_search(self.dir, combination("uniform"), lost)
        self.assertEqual((self.report().returncode, self.report().stderr), (0, ""))
        page = (self.dir / "report.html").read_text()
        for text in ("1 of 2 found", "Saturation: not found, from 0.31 to 0.44 (1 seed below, 1 above)", "not found: between these",
                     "at 0.38", "from 0.2 to 0.25"):
            self.assertIn(text, page)
        write_search(self.dir, lost)
        self.assertEqual(self.report().returncode, 0)
        self.assertIn("from 0.31 to 0.44, 1 seed below", (self.dir / "report.html").read_text())

    def test_one_combination_has_its_figures_on_top(self):
        write_search(self.dir, combination("uniform"))
        self.assertEqual(self.report().returncode, 0)
        self.assertIn("Bound by channel loads", (self.dir / "report.html").read_text())

    def test_broken_files_are_refused(self):
        write_search(self.dir, combination("uniform", bound={"load": "much"}))
        self.assert_refused(f"{self.dir}/summary.json: 'combinations[0].bound.load' is not a number")
        write_search(self.dir, combination("uniform", runs=[{"status": "completed"}]))
        self.assert_refused(f"{self.dir}/summary.json: a run of 'combinations[0]' has no load")
        (self.dir / "summary.json").unlink()
        self.assert_refused(f"{self.dir}: no summary.json; the search has not come to an end")



if __name__ == "__main__":
    unittest.main(verbosity=2)
