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

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/python"))
from sare.report import palette, read
from sare.report.sweeps import anova, chance, contents, factorial, front, pareto, plots as sweep_plots
from sare.report.sweeps.curves import Sweep


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

    def test_figures_have_their_intervals_in_tables_and_on_top(self):
        sweep = write_sweep(self.dir, {"traffic.load": [0.1, 0.4]},
                            lambda load: ("saturated" if load > 0.3 else "completed", load, load - 0.00012, 20.123, {
                                "latency_ci95": "" if load > 0.3 else 0.3, "accepted_ci95": 0.002, "latency_ns": 40.246, "hops_mean": 3.1234}))
        _, header, rows, _ = contents.sweep(sweep.result, sweep_plots)["tables"][-1]
        first, last = (dict(zip(header, row)) for row in rows)
        self.assertEqual([first[name] for name in ("accepted", "latency mean", "latency ns", "hops mean")],
                         ["0.0999 ± 0.0020", "20.12 ± 0.30", "40.25 ± 0.60", 3.1234])
        self.assertEqual([last[name] for name in ("accepted", "latency mean")], ["0.3999 ± 0.0020", "20.12*"])
        self.assertNotIn("accepted ci95", header)
        top = {name: value for name, value, *_ in contents.sweep(sweep.result, sweep_plots)["figures"]}
        self.assertEqual([top["Highest accepted load"], top["Lowest latency"]], ["0.3999 ± 0.0020", "20.12 ± 0.30"])

    def test_axes_that_go_along_x_make_no_curves(self):
        sweep = write_sweep(self.dir, {"router.vcs": [1, 2, 4], "router.depth": [8, 4, 2]},
                            lambda vcs, depth: ("completed", 0.1, 0.1, vcs) if vcs * depth == 8 else None,
                            zipped=[["router.vcs", "router.depth"]])
        self.assertEqual([curve.x.tolist() for curve in sweep.curves], [[1, 2, 4]])

    def test_keys_are_in_one_order(self):
        sweep = write_sweep(self.dir, {"router.vcs": [1, 2, 4], "traffic.load": [0.1, 0.2]},
                            lambda vcs, load: ("completed", load, load, {1: 30, 2: 50, 4: 40}[vcs] * load))
        keys = [[entry.name for entry in plot.key] for plot in self.drawn(sweep, sweep_plots.plots) if plot.title.split()[0] in ("Latency", "Accepted")]
        self.assertEqual(keys, [["vcs 1", "vcs 2", "vcs 4"]] * 3)

    def test_a_saturated_latency_has_no_interval_and_sets_no_scale(self):
        sweep = write_sweep(self.dir, {"case": ["mesh", "torus", "tree"]},
                            lambda case: ("saturated" if case == "tree" else "completed", 0.1, 0.1, 23000 if case == "tree" else 30, {"latency_ci95": 2}))
        self.assertEqual([np.isfinite(c.errors["latency_mean"][0]) for c in sweep.curves], [True, True, False])
        self.assertEqual(self.drawn(sweep, sweep_plots.plots)[0].axes.get_ylim(), (0, 120))

    def test_points_beyond_the_end_of_a_load_curve_are_not_missing(self):
        loads = [0.1, 0.2, 0.3, 0.4, 0.5]
        end = lambda vcs: 0.15 if vcs == 1 else 0.35
        sweep = write_sweep(self.dir, {"router.vcs": [1, 2], "traffic.load": loads},
                            lambda vcs, load: None if load > end(vcs) + 0.2 else ("saturated" if load > end(vcs) else "completed", load, load, 20))
        self.assertEqual(contents.beyond_the_end(sweep.result), 2)
        self.assertEqual(contents.sweep(sweep.result, sweep_plots)["tone"], "good")
        (self.dir / "sweep.csv").write_text("".join(line for line in (self.dir / "sweep.csv").read_text().splitlines(True) if not line.startswith("0,")))
        self.assertEqual(contents.sweep(read.result(self.dir), sweep_plots)["status"], "7 of 8 points")

    def test_a_study_of_several_networks_is_not_called_by_one(self):
        asked = {"file": "a/three.yaml", "axes": {"case": ["mesh", "torus"]}, "config": {"network": {"topology": "mesh", "dims": [8, 8]}}}
        self.assertEqual(contents._asked_network(asked), "Three")
        self.assertEqual(contents._asked_network({**asked, "axes": {"router.vcs": [1, 2]}}), "mesh 8 × 8")

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
        found = effects.found
        self.assertAlmostEqual(found.mean, 20 - 7 / 3 + 5)
        np.testing.assert_allclose(found.main(0).effect, [7 / 3 - 1, 7 / 3 - 2, 7 / 3 - 4])
        np.testing.assert_allclose(found.main(1).effect, [-3, 3])
        np.testing.assert_allclose(found.terms[0, 1].effect, 0, atol=1e-12)
        first = np.var([1, 2, 4])
        self.assertAlmostEqual(found.main(0).share, first / (first + 9))
        self.assertAlmostEqual(found.rest, 0)
        self.assertEqual([found.terms[t].is_real for t in ((0,), (1,), (0, 1))], [True, True, False])  # nothing is random

    def test_interactions_and_seeds_have_their_shares(self):
        sweep = write_sweep(self.dir, {"router.vcs": [1, 2], "router.depth": [2, 8], "seed": [1, 2]},
                            lambda vcs, depth, seed: ("completed", 0.1, 0.1, 20 + (1 if vcs == 1 else -1) * (1 if depth == 2 else -1)
                                                      + (0.5 if seed == 1 else -0.5)))
        (effects,) = factorial.effects(sweep)
        found = effects.found
        np.testing.assert_allclose(found.terms[0, 1].effect, [[1, -1], [-1, 1]])
        self.assertAlmostEqual(found.terms[0, 1].share, 1)
        self.assertAlmostEqual(found.noise, 3 / 4 * 4 * 0.25 / 4)  # the variance of a mean of two seeds is 0.25
        np.testing.assert_allclose(found.terms[0, 1].half_width, 2.776 * 0.25, rtol=1e-3)  # t of 4 degrees of freedom; 4 means of variance 0.25

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
        choice = pareto.candidates(sweep)
        self.assertEqual([c[0] for c in choice.columns], ["latency_mean", "accepted", "buffer_bits"])
        self.assertEqual({c.name for c in choice.made if not c.on_front}, {f"delay {n}" for n in beaten})

    def test_noise_makes_no_effect_no_interaction_and_no_front(self):
        """Loads of 0.100926 and 0.100938 whose 95% is 0.002, and latencies that differ by 0.04%."""
        random = np.random.default_rng(5)
        sweep = write_sweep(self.dir, {"router.vcs": [4, 6, 8], "router.depth": [2, 4]},
                            lambda vcs, depth: ("completed", 0.1, 0.1009 + random.uniform(0, 4e-5), 40 - 0.004 * vcs + 8 * (depth == 2),
                                                {"accepted_ci95": 0.002, "latency_ci95": 0.3, "buffer_bits": 512 * vcs * depth}))
        latency, load, bits = factorial.effects(sweep)
        self.assertEqual([t.is_real for t in load.found.terms.values()], [False] * 3)
        self.assertEqual([latency.found.terms[t].is_real for t in ((0,), (1,), (0, 1))], [False, True, False])
        self.assertNotIn("Interaction of vcs and depth", [p.title for p in self.drawn(sweep, sweep_plots.plots) if "On accepted" in p.caption])
        choice = pareto.candidates(sweep)
        self.assertEqual([c[0] for c in choice.columns], ["latency_mean", "buffer_bits"])
        self.assertIn("accepted load: the same for all, as far as noise tells", choice.note)
        self.assertEqual({c.name: c.verdict for c in choice.made}["vcs 6, depth 4"], front.OPEN)  # larger, and no faster beyond noise
        self.assertEqual({c.name for c in choice.made if c.on_front}, {"vcs 4, depth 2", "vcs 4, depth 4"})

    def test_workloads_are_conditions_and_no_designs(self):
        latency = {(1, "uniform"): 30, (2, "uniform"): 20, (1, "tornado"): 50, (2, "tornado"): 60, (4, "uniform"): 10, (4, "tornado"): 40}
        sweep = write_sweep(self.dir, {"traffic.pattern": ["uniform", "tornado"], "router.vcs": [1, 2, 4], "seed": [1, 2]},
                            lambda pattern, vcs, seed: ("completed", 0.1, 0.1, latency[vcs, pattern] + 0.01 * seed, {"buffer_bits": vcs}))
        choice = pareto.candidates(sweep)
        self.assertEqual([(c.name, round(c.values[0])) for c in choice.made], [("vcs 1", 40), ("vcs 2", 40), ("vcs 4", 25)])
        self.assertIn("Means over 2 workloads (pattern).", choice.note)
        design = factorial.factors(sweep)
        self.assertEqual([(f.name, f.is_workload) for f in design], [("vcs", False), ("pattern", True)])
        found = factorial.effects(sweep)[0].found
        self.assertAlmostEqual(found.main(0).share + found.terms[0, 1].share, 1)  # of what designs do under each workload
        only = write_sweep(self.dir / "only", {"traffic.pattern": ["uniform", "tornado"], "traffic.length": [1, 4]},
                           lambda pattern, length: ("completed", 0.1, 0.1, 10 + length))
        self.assertEqual((pareto.tables(only), factorial.effects(only)), ([], []))

    def test_designs_with_clocks_of_their_own_are_compared_in_time(self):
        sweep = write_sweep(self.dir, {"router.vcs": [1, 2, 4], "router.depth": [2, 8]},
                            lambda vcs, depth: ("completed", 0.1, 0.1, 40 / vcs, {"latency_ci95": 0.4, "latency_p99": 90, "latency_ns": 40.0,
                                                                                  "throughput_gbit_s": 9, "clock_period_ns": vcs}))
        self.assertEqual(sweep.label("latency_mean"), "mean packet latency, ns")
        self.assertEqual(sweep.curves[0].latency_mean.tolist(), [40] * 3)
        self.assertEqual(sweep.curves[0].errors["latency_mean"].tolist(), [0.4, 0.8, 1.6])
        sweep.result.responses = ["latency_p99"]
        (tail,) = factorial.effects(sweep)
        self.assertEqual(tail.response, "99th percentile of latency, ns")
        np.testing.assert_allclose(tail.found.mean + tail.found.main(0).effect, [90, 180, 360])


class Statistics(unittest.TestCase):
    """The tests are right about how often they are wrong."""

    def test_tails_are_those_of_tables(self):
        for (f, df1, df2), tail in {(4.965, 1, 10): 0.05, (3.493, 2, 20): 0.05, (10.04, 1, 10): 0.01, (0.5, 3, 7): 0.6941}.items():
            self.assertAlmostEqual(chance.f_tail(f, df1, df2), tail, 3)
        for (p, df), t in {(0.05, 9): 2.2622, (0.05, 1): 12.706, (0.01, 4): 4.6041, (0.05, 1e6): 1.96}.items():
            self.assertAlmostEqual(chance.t_quantile(p, df), t, 3)
        self.assertEqual(chance.holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])

    def test_equal_noise_gives_fishers_f(self):
        random = np.random.default_rng(1)
        samples = random.normal(size=(3, 4, 5)) + np.arange(3)[:, None, None]
        cells, within = samples.mean(2), samples.var(2, ddof=1).mean()
        squares = 20 * ((cells.mean(1) - cells.mean()) ** 2).sum()
        fisher = chance.f_tail(squares / 2 / within, 2, 48)
        found = anova.analyse(cells, np.full((3, 4), within / 5), np.full((3, 4), 4.0))
        self.assertAlmostEqual(found.main(0).chance, min(1, 3 * fisher), 6)  # Holm: the least of three

    def test_false_alarms_are_rare_and_true_effects_are_found(self):
        random, alarms, found, covered = np.random.default_rng(2), 0, 0, 0
        noise = np.array([[1, 1, 6], [1, 2, 3]])  # cells are not equally noisy
        for _ in range(300):
            samples = random.normal(size=(2, 3, 4)) * noise[:, :, None]
            variances, df = samples.var(2, ddof=1) / 4, np.full((2, 3), 3.0)
            alarms += any(t.is_real for t in anova.analyse(samples.mean(2), variances, df).terms.values())
            planted = anova.analyse(samples.mean(2) + np.array([[-5], [5]]), variances, df).main(0)
            found += planted.is_real
            covered += abs(planted.effect[0] + 5) <= planted.half_width[0]
        self.assertLessEqual(alarms, 300 * 0.05 + 12)  # three standard deviations
        self.assertGreaterEqual(found, 285)
        self.assertGreaterEqual(covered, 300 * 0.95 - 12)

    def test_verdicts_on_fronts_are_right(self):
        """Designs whose truth is known: each verdict that is told is wrong in 5% at most, also with two seeds."""
        random, wrong, told = np.random.default_rng(3), 0, 0
        truth = np.array([(10, 40), (20, 30), (20, 30.01), (30, 29), (40, 29.001), (50, 28), (30, 50), (60, 60)], float)
        beaten = {b for b in range(len(truth)) if any((a <= truth[b]).all() and (a < truth[b]).any() for a in truth)}
        for _ in range(200):
            samples = truth[:, None, :] + random.normal(size=(8, 2, 2)) * [0, 0.3]
            verdicts, rivals = front.verdicts(samples.mean(1), samples.var(1, ddof=1) / 2, np.full((8, 2), 1.0))
            told += sum(v != front.OPEN for v in verdicts)
            wrong += sum((v == front.FRONT) == (b in beaten) for b, v in enumerate(verdicts) if v != front.OPEN and b != 2)
            self.assertTrue(all((r is None) == (v != front.OPEN) for v, r in zip(verdicts, rivals)))
        self.assertGreater(told, 200 * 4)
        self.assertLessEqual(wrong, 0.05 * told)


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

    def test_digits_are_those_that_brackets_leave(self):
        one = combination("uniform", saturation={"load": 0.40213, "sustained": 0.396, "saturated": 0.408, "confidence": ""},
                          slow={"load": 0.37712, "from": 0.3751, "to": 0.3791}, of_bound=0.80426)
        write_search(self.dir, one)
        (self.dir / "points/000/00").mkdir(parents=True)
        (self.dir / "points/000/00/summary.json").write_text('{"latency": {"packet": {"from_generation": {"ci95": 0.31}}}}')
        said = contents.saturation(read.result(self.dir))
        figures = [value for _, value, *_ in said["figures"]]
        self.assertEqual([figures[k] for k in (0, 3, 4, 5)], ["0.402", "80", "20.00 ± 0.31", "0.377"])
        self.assertLessEqual({"0.402", "80 %", "20.00 ± 0.31", "0.377"}, set(map(str, said["tables"][0][2][0])))

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
