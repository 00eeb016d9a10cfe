#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Searches over designs, and figures of sweeps: the front of twelve designs is known from a sweep over all."""
import json
import runpy
import subprocess
import unittest
from pathlib import Path

import matplotlib
import sare
from common import PROGRAM, Case, small
from sare.search_space import KEYS, Expression, Space, figure

matplotlib.use("Agg")
ROOT = Path(__file__).resolve().parents[2]

DESIGNS = {"router.vcs": [1, 2, 4], "router.depth": [1, 2, 4, 8]}
OBJECTIVES = {"latency_mean": "min", "router.vcs * router.depth": "min"}
SECTION = """
explore:
  parameters:
    router.vcs: [1, 2, 4]
    router.depth: {from: 1, to: 8}   # whole numbers
  objectives:
    latency_mean: min
"""


def designs(found):
    return [tuple(row) for row in found[list(DESIGNS)].itertuples(index=False)]


class Explore(Case):
    def test_plugins_and_progress_of_the_command(self):
        """As of `run` and `sweep`: a class in Python, and lines of JSON for another program."""
        (self.folder / "mine.py").write_text("import sare\n\nclass Next(sare.Pattern):\n    def destination(self, source, random):\n"
                                             "        return source ^ 1\n")
        (self.folder / "e.yaml").write_text(small().set({"traffic.pattern": {"name": "python", "class": "Next"}}).to_yaml() + SECTION)
        refused = self.command("explore", "e.yaml", "--out", "x", "--runs", 2, status=1)
        self.assertIn("Next", refused.stderr)
        with open(self.folder / "told", "wb") as to:
            subprocess.run([PROGRAM, "explore", "e.yaml", "--out", "x", "--runs", "2", "--quiet", "--plugin", "mine.py",
                            "--progress-fd", str(to.fileno())], cwd=self.folder, pass_fds=(to.fileno(),), check=True, timeout=300)
        told = [json.loads(line) for line in (self.folder / "told").read_text().splitlines()]
        self.assertEqual(told[-1]["done"], 1)
        self.assertIn("2 of 2 designs", told[-1]["text"])
        self.assertIn("--plugin", json.loads((self.folder / "x" / "explore.json").read_text())["settings"][0])

    def test_finds_the_front_within_few_runs_and_goes_on(self):
        e = small()
        everything = sare.sweep(e, DESIGNS, progress=False, out=self.folder / "sweep").frame
        able = everything[everything["status"] == "completed"]
        cost = [(latency, vcs * depth) for latency, (vcs, depth) in zip(able["latency_mean"], designs(able))]
        front = {d for d, a in zip(designs(able), cost) if not any(b != a and b[0] <= a[0] and b[1] <= a[1] for b in cost)}
        self.assertGreaterEqual(len(front), 2)
        store = self.folder / "runs.db"
        first = sare.explore(e, DESIGNS, OBJECTIVES, runs=5, out=self.folder / "a", store=store, progress=False, report=False)
        again = sare.explore(e, DESIGNS, OBJECTIVES, runs=5, out=self.folder / "b", store=store, progress=False, report=False)
        self.assertEqual(len(sare.runs(store)), 10)
        for number in range(5):  # none was run again
            self.assertEqual(again.run(number).summary["run"], first.run(number).summary["run"])
        self.assertEqual((first.path / "designs.csv").read_bytes(), (again.path / "designs.csv").read_bytes())
        self.assertEqual(len(first.frame), 5)
        more = sare.explore(e, DESIGNS, OBJECTIVES, runs=10, out=self.folder / "a", progress=False)
        self.assertEqual(len(set(designs(more.frame))), 10)
        self.assertEqual(designs(more.frame)[:5], designs(again.frame))
        told = {d: verdict for d, verdict in zip(designs(more.frame), more.frame["verdict"])}
        self.assertLessEqual({d for d, verdict in told.items() if verdict == "on the front"}, front)
        self.assertLessEqual(front, {d for d, verdict in told.items() if verdict in ("on the front", "cannot tell")})
        self.assertEqual(set(designs(more.front)), {d for d, verdict in told.items() if verdict == "on the front"})
        self.assertIn("Importance of parameters", (more.path / "report.html").read_text())
        self.assertIsInstance(sare.load(more.path), sare.Exploration)
        with self.assertRaisesRegex(sare.Error, "holds another search, whose objectives differs"):
            sare.explore(e, DESIGNS, {"latency_mean": "min"}, out=self.folder / "a")
        self.draw(self.folder / "sweep")

    def draw(self, sweep):
        """The figures of the command, as axes."""
        ax = sare.plot(sweep, x="router.depth", style="ieee", out=self.folder / "f.pdf")
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("depth", "latency (cycles)"))
        self.assertEqual([t.get_text() for t in ax.get_legend().get_texts()], ["vcs 1", "vcs 2", "vcs 4"])
        self.command("plot", sweep, "--x", "router.depth", "--style", "ieee", "--out", "g.pdf")
        self.assertEqual((self.folder / "f.pdf").read_bytes(), (self.folder / "g.pdf").read_bytes())
        with self.assertRaisesRegex(sare.Error, "f.jpg: the name of a figure ends in"):
            sare.plot(sweep, out="f.jpg")

    def test_short_runs_give_up_what_is_worse(self):
        e = small()
        e["traffic.load"] = 0.05  # none is saturated
        found = sare.explore(e, {"router.depth": [1, 8]}, {"latency_mean": "min"}, short={"measurement.batches": 2}, margin=0.02,
                             sampler="random", runs=2, progress=False, report=False)
        by_depth = dict(zip(found.frame["router.depth"], found.frame["status"]))
        self.assertEqual(sorted(by_depth), [1, 8])
        self.assertEqual(by_depth[8], "completed")
        self.assertEqual(len(found.front), 1)

    def test_constraints_and_failures(self):
        e = small()
        found = sare.explore(e, {"router.vcs": [1, 2, 4], "router.depth": [2, 4]}, {"latency_mean * 2": "min"},
                             constraints=["router.vcs * router.depth <= 4", "hops_mean < 1000"], jobs=2, runs=9, progress=False, report=False)
        self.assertEqual(sorted(designs(found.frame)), [(1, 2), (1, 4), (2, 2)])
        with self.assertRaisesRegex(sare.Error, "router.depth: no design can have -9: .*depth"):
            sare.explore(e, {"router.depth": {"from": -9, "to": 0}}, {"latency_mean": "min"}, progress=False)
        with self.assertRaisesRegex(sare.Error, "router.vcz: no design can have 1: .*did you mean 'vcs'"):
            sare.explore(e, {"router.vcz": [1, 2]}, {"latency_mean": "min"}, out=self.folder / "z", progress=False)
        self.assertFalse((self.folder / "z").exists())  # before the first run
        with self.assertRaisesRegex(sare.Error, "routing.function: no design can have \"dorr\": .*'dorr'"):
            sare.explore(e, {"routing.function": ["dor", "dorr"]}, {"latency_mean": "min"}, out=self.folder / "z", progress=False)
        functions = sare.explore(e, {"routing.function": ["dor", "odd_even"]}, {"latency_mean": "min"}, runs=2, progress=False, report=False)
        self.assertEqual(set(functions.frame["status"]), {"completed"})  # beside `routing: dor`
        with self.assertRaisesRegex(sare.Error, "no design can be built: .*duato"):
            sare.explore(e, {"network.topology": ["torus"], "routing": ["duato"], "router.vcs": [2]}, {"latency_mean": "min"}, progress=False)
        with self.assertRaisesRegex(sare.Error, "objective: summary.json has no 'latency_mena'; did you mean 'latency_mean'"):
            sare.explore(e, DESIGNS, {"latency_mena": "min"}, progress=False)

    def test_costs_are_figures_of_designs(self):
        found = sare.explore(small(), {"router.vcs": [1, 2], "router.depth": [2, 4]}, {"buffer_bits": "min", "latency_mean": "min"},
                             constraints="buffer_bits > 0", runs=4, progress=False, report=False).frame
        self.assertEqual(len(set(found["buffer_bits"] / found["router.vcs"] / found["router.depth"])), 1)
        self.assertEqual(list(found["buffer_bits_ci95"]), [0.0] * 4)

    def test_a_search_that_finds_nothing_says_why(self):
        (self.folder / "e.yaml").write_text(small().to_yaml() + "explore: {parameters: {router.vcs: [1, 2]}, objectives: {hops_mean: min}, constraints: latency_p99 < 1}\n")
        wrong = self.command("explore", "e.yaml", "--out", "x", "--set", "power.table=osu81", status=1).stderr
        self.assertIn("no design can be built: power: there is no table 'osu81'", wrong)  # not a fault of router.vcs
        said = self.command("explore", "e.yaml", "--out", "x").stdout
        self.assertIn("none of the 2 designs may be chosen: outside latency_p99 < 1 (2)", said)

    def test_what_costs_forbid_is_not_run_and_settings_hold_for_all(self):
        text = small().to_yaml() + "power: {table: osu018, frequency: fastest}\n" + SECTION.replace("{from: 1, to: 8}", "[1, 2, 4, 8]") + "  constraints: area_mm2 <= 25\n"
        (self.folder / "e.yaml").write_text(text)
        self.command("explore", "e.yaml", "--out", "x", "--set", "traffic.load=0.07", "--set", "measurement.batches=2", "-j", 2)
        found = sare.load(self.folder / "x")
        allowed = {}
        for vcs in (1, 2, 4):
            for depth in (1, 2, 4, 8):
                costs = json.loads(self.command("cost", "e.yaml", "--json", "--set", f"router.vcs={vcs}", "--set", f"router.depth={depth}").stdout)
                allowed[vcs, depth] = costs["area_mm2"] <= 25
        self.assertEqual(set(designs(found.frame)), {design for design, is_allowed in allowed.items() if is_allowed})
        self.assertTrue(0 < sum(allowed.values()) < 12, allowed)
        self.assertEqual(json.loads((self.folder / "x/explore.json").read_text())["excluded"], 12 - sum(allowed.values()))
        self.assertEqual({found.run(n).summary["config"]["traffic"]["load"] for n in found.frame["run"]}, {0.07})
        wrong = self.command("explore", "e.yaml", "--out", "x", status=1)
        self.assertIn("holds another search, whose settings differs", wrong.stderr)
        wrong = self.command("explore", "e.yaml", "--out", "y", "--set", "router.vcs=3", status=1)
        self.assertIn("--set router.vcs: the search tries values of its own for it", wrong.stderr)

    def test_mistakes_in_a_file_name_its_line(self):
        e = small().to_yaml()
        begin = len(e.splitlines()) + 1
        for wrong, line, sentence in (
                (SECTION.replace("latency_mean: min", "latency_mean: least"), begin + 1, "explore needs one to three objectives"),
                (SECTION.replace("{from: 1, to: 8}", "{from: 8, to: 1}"), begin + 4, "router.depth: a range goes from a number to a larger one"),
                (SECTION + "  budget: 7\n", begin + 7, "unknown key 'budget' of explore, which has parameters, "),
                (SECTION + "  constraints: router.vcs *\n", begin + 7, "'router.vcs *' is no expression"),
                ("", 1, "no section 'explore'")):
            (self.folder / "e.yaml").write_text(e + wrong)
            done = self.command("explore", "e.yaml", "--out", "x", status=1)
            self.assertTrue(done.stderr.startswith(f"sare: e.yaml:{line}: {sentence}"), done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertFalse((self.folder / "x").exists())
        (self.folder / "e.yaml").write_text(e + SECTION)
        self.assertIn("report.html", self.command("explore", "e.yaml", "--out", "x", "--runs", 2).stdout)
        self.assertEqual(json.loads((self.folder / "x/explore.json").read_text())["size"], 24)
        (self.folder / "x/explore.db").write_text("damaged" * 1000)
        wrong = self.command("explore", "e.yaml", "--out", "x", "--runs", 3, status=1)
        self.assertEqual(wrong.stderr, f"sare: {self.folder}/x/explore.db: file is not a database\n")
        wrong = self.command("explore", "e.yaml", "--out", "y", "--partition", "long", status=1)
        self.assertEqual(wrong.stderr, "sare: --partition is of jobs on a cluster; add --on slurm\n")
        wrong = self.command("explore", "e.yaml", "--out", "y", "--store", "a.db", "--no-store", status=2)
        self.assertIn("--store and --no-store are not possible together", wrong.stderr)

    def test_the_section_is_of_an_experiment(self):
        """And in the schema, with the keys that a search reads."""
        (self.folder / "e.yaml").write_text(small().to_yaml() + SECTION)
        e = sare.Experiment.from_file(self.folder / "e.yaml")
        self.assertEqual(e.explore.parameters["router.vcs"], [1, 2, 4])
        self.assertEqual(set(sare.sections.Explore._keys), set(KEYS))
        sare.check(e)  # which leaves it out
        found = sare.explore(e, runs=2, progress=False, report=False)
        self.assertEqual(len(found.frame), 2)
        e.explore.runs = "many"
        with self.assertRaisesRegex(sare.Error, "runs is a whole number from 1, not many"):
            sare.explore(e)

    def test_killed(self):
        """A run does not outlive the search that has started it: it writes what it has, and ends."""
        e = small().set({"measurement.batch": 10_000_000, "measurement.interval_packets": 0})
        (self.folder / "e.yaml").write_text(e.to_yaml() + SECTION)
        search = subprocess.Popen([PROGRAM, "explore", "e.yaml", "--out", "x"], cwd=self.folder)
        self.wait(lambda: list(self.folder.glob("x/runs/*.partial-*")))
        search.kill()
        search.wait()
        self.wait((self.folder / "x/runs/0000/summary.json").exists)
        self.assertEqual(sare.load(self.folder / "x/runs/0000").status, "interrupted")

    def test_the_figures_of_the_study(self):
        study = runpy.run_path(str(ROOT / "scripts/dev/libstudy/explore.py"))
        points = [(0.5, 0.5, 0.5), (0.25, 0.75, 0.5), (0.5, 0.5, 0.75)]
        self.assertEqual(set(study["front"](points)), set(points[:2]))
        self.assertEqual(study["volume"](points), study["volume"](points[:2]))
        self.assertEqual(study["volume"](points[:1]), 0.125)
        self.assertEqual(study["volume"](points[:2]), 0.125 + 0.25 * 0.25 * 0.5)
        self.assertEqual(study["volume"]([(0, 1, 0), (0, 0, 0.25)]), 0.75)
        self.assertEqual(study["shortfalls"]([(2, -4, 1), (1, -1, 1)], [(3, -4, 1), (4, -2, 1)]), [0.5, 2])

    def test_expressions(self):
        x = Expression("min(a.b, 3) * 2 <= c and not d == 'dor'")
        self.assertEqual(x.names, {"a.b", "c", "d"})
        self.assertIs(x({"a.b": 2, "c": 4, "d": "min"}.get), True)
        self.assertIsNone(Expression("a / b")({"a": 1, "b": 0}.get))
        for wrong in ("__import__('os')", "a.b[0]", "lambda: 1", "a if b else c"):
            with self.assertRaises(sare.Error):
                Expression(wrong)
        self.assertEqual(Space({"parameters": {"a": [1, 2], "b": {"from": 0.1, "to": 1}}, "objectives": {"x": "max"}}).size(), None)
        summary = {"latency": {"packet": {"from_generation": {"mean": 5}}}, "load": {"accepted": 0.1}}
        self.assertEqual([figure(name, {}, summary) for name in ("latency.mean", "latency_mean", "load.accepted", "accepted")], [5, 5, 0.1, 0.1])
        named = Space({"parameters": {"a": [1, 2]}, "objectives": {"cost": {"max": "a * 3"}, "a": "min"}})
        self.assertEqual((named.directions, named.values(list(named.objectives.values()), {"a": 2}, {})), (["max", "min"], [6, 2]))
        for wrong in ({"max": "a", "min": "a"}, {"least": "a"}, "least", {}, 3):
            with self.assertRaisesRegex(sare.Error, "one to three objectives"):
                Space({"parameters": {"a": [1, 2]}, "objectives": {"cost": wrong}})


if __name__ == "__main__":
    unittest.main()
