#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/dev/study over a made-up sweep: the figures it works out, and what it says of sweeps that lack something."""
import csv
import importlib.machinery
import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

STUDY = Path(__file__).resolve().parents[2] / "scripts/dev/study"
TREES = {(4, 1, 2): (5, {"BT": 100, "W3": 400}), (4, 2, 2): (6, {"BT": 100, "W3": 300}), (4, 4, 2): (8, {"BT": 100, "W3": 100})}
TRAFFIC = {"BT": {"workload": "binary_tree"}, "W3": {"workload": "wavefront", "dimensions": 3}}


class ThinTrees(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def study(self, trees, status="completed"):
        runs = [(tree, switches, kernel, cycles) for tree, (switches, times) in trees.items()
                for kernel, seeds in times.items() for cycles in (seeds if isinstance(seeds, tuple) else (seeds,))]
        lines = ["point,seed,status,offered,accepted,latency_mean"]
        for point, ((k, up, n), switches, kernel, cycles) in enumerate(runs):
            lines.append(f"{point},1,{status},0.1,0.1,9")
            where = self.folder / "points" / f"{point:03d}"
            where.mkdir(parents=True, exist_ok=True)
            network = {"topology": "thin_tree", "k": k, "k_up": up, "n": n}
            (where / "summary.json").write_text(json.dumps({
                "status": status, "config": {"network": network, "traffic": TRAFFIC[kernel]},
                "topology": {"nodes": k ** n, "routers": switches}, "workload": {"makespan_cycles": cycles}}))
        (self.folder / "sweep.csv").write_text("\n".join(lines) + "\n")
        done = subprocess.run([STUDY, "thin-trees", self.folder], capture_output=True, text=True)
        return done.returncode, done.stderr.strip()

    def test_figures(self):
        self.assertEqual(self.study(TREES), (0, ""))
        with open(self.folder / "result.csv", newline="") as file:
            rows = {row["tree"]: row for row in csv.DictReader(file)}
        known = {"nodes": 16, "switches": 6, "radix": 6, "links": 24, "performance": 0.5, "cost_constant": 6, "cost_linear": 36,
                 "cost_quadratic": 216, "performance_per_constant": 1.3333, "time_BT": 1, "time_W3": 3}
        self.assertEqual({name: float(rows["4:2,2"][name]) for name in known}, known)
        self.assertEqual(float(rows["4:1,2"]["performance"]), 0.4)
        self.assertEqual(float(rows["4:4,2"]["performance"]), 1)
        self.assertIn("Performance per cost of 4:k' trees", (self.folder / "report.html").read_text().replace("&#39;", "'"))
        self.assertTrue((self.folder / "performance-of-4-k-trees.svg").exists())

    def test_seeds_are_averaged(self):
        switches, times = TREES[4, 2, 2]
        twice = {**TREES, (4, 2, 2): (switches, {**times, "W3": (0.5 * times["W3"], 1.5 * times["W3"])})}
        self.assertEqual(self.study(TREES), (0, ""))
        once = (self.folder / "result.csv").read_text()
        self.assertEqual(self.study(twice), (0, ""))
        self.assertEqual((self.folder / "result.csv").read_text(), once)

    def test_what_lacks_is_told(self):
        thin = {tree: runs for tree, runs in TREES.items() if tree[1] < 4}
        self.assertEqual(self.study(thin), (1, f"study: {self.folder}: 4:1,2 has no full tree 4:4,2 beside it; sweep that as well"))
        less = {**TREES, (4, 2, 2): (6, {"BT": 100})}
        self.assertEqual(self.study(less), (1, f"study: {self.folder}: 4:2,2 or 4:4,2 has not run W3, which others have"))
        self.assertEqual(self.study(TREES, "deadlock"),
                         (1, f"study: {self.folder}: point 0 is not complete; run the same 'sare sweep' again"))


class RouterCosts(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def study(self, header="router.vcs,router.depth,router.va_allocator,traffic.load,seed,status,offered,accepted,latency_mean,"
                           "energy_per_bit_pj,area_mm2,clock_period_ns"):
        points = [(1, 0.02, 0.02, 30, 90, 10, 2), (1, 0.1, 0.08, 60, 20, 10, 2),   # slow in cycles, fast in ns, small
                  (4, 0.02, 0.02, 28, 95, 30, 4), (4, 0.1, 0.1, 29, 30, 30, 4),    # the other way round
                  (8, 0.02, 0.02, 31, 95, 40, 4), (8, 0.1, 0.1, 33, 40, 40, 4)]    # worse than 4 in all
        lines = ["point," + header] + [f"{k},{vcs},4,wavefront,{load},1,completed,{load},{accepted},{latency},{energy},{area},{period}"
                                       for k, (vcs, load, accepted, latency, energy, area, period) in enumerate(points)]
        (self.folder / "sweep.csv").write_text("\n".join(lines) + "\n")
        done = subprocess.run([STUDY, "router-costs", self.folder], capture_output=True, text=True)
        return done.returncode, done.stderr.strip()

    def test_fronts(self):
        self.assertEqual(self.study(), (0, ""))
        with open(self.folder / "result.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(r["vcs"], r["latency_ns"], r["saturation"], r["energy_per_bit_pj"]) for r in rows],
                         [("1", "60.0", "0.08", "20.0"), ("4", "112.0", "0.1", "30.0"), ("8", "124.0", "0.1", "40.0")])
        self.assertEqual([(r["front_ns"], r["front_cycles"], r["front_cycles_alone"]) for r in rows],
                         [("1", "1", "0"), ("0", "1", "1"), ("0", "0", "0")])

    def test_a_sweep_without_costs_is_refused(self):
        status, said = self.study("router.vcs,router.depth,router.va_allocator,traffic.load,seed,status,offered,accepted,latency_mean,x,y,z")
        self.assertEqual((status, said.split(";")[0]), (1, f"study: {self.folder / 'sweep.csv'}: no column energy_per_bit_pj"))


class Optical(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def study(self, kind="spinet"):
        """8 ports, slots of 10 cycles, packets of 5 flits; 1,000 slots."""
        lines = ["point,seed,status,offered,accepted,latency_mean"]
        runs = [(0, False, 0.5), (0, True, 0.5), (1, False, 0.5), (1, True, 0.5)]
        for point, (extra, sidestep, load) in enumerate(runs):
            lines.append(f"{point},1,completed,{load},0.1,9")
            where = self.folder / "points" / f"{point:03d}"
            where.mkdir(parents=True, exist_ok=True)
            (where / "summary.json").write_text(json.dumps({
                "status": "completed", "cycles": 10000, "load": {"accepted": 0.25},
                "latency": {"packet": {"from_generation": {"mean": 25}}},
                "router_counts": {"attempts": 8000, "accepted": 4000, "acceptance": 0.5},
                "config": {"network": {"topology": "omega", "k": 2, "n": 3, "extra": extra},
                           "router": {"kind": kind, "slot": 0, "duration": 10, "attempts": 1, "sidestep": sidestep},
                           "traffic": {"load": load, "length": 5}}}))
        (self.folder / "sweep.csv").write_text("\n".join(lines) + "\n")
        done = subprocess.run([STUDY, "optical", self.folder], capture_output=True, text=True)
        return done.returncode, done.stderr.strip()

    def test_figures(self):
        self.assertEqual(self.study(), (0, ""))
        with open(self.folder / "result.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["extra"], row["sidestep"]) for row in rows], [("0", "False"), ("1", "False"), ("1", "True")])
        known = {"offered": 1, "attempted": 1, "accepted": 0.5, "latency_slots": 2.5, "recurrence": 0.5165}
        self.assertEqual({name: float(rows[0][name]) for name in known}, known)
        self.assertEqual(rows[1]["recurrence"], "")
        self.assertTrue((self.folder / "sent-once.svg").exists())

    def test_other_routers_are_refused(self):
        status, problem = self.study("vc")
        self.assertEqual(status, 1)
        self.assertIn("point 0 is not of an omega network of routers of kind spinet", problem)


class ReliableLink(unittest.TestCase):
    def study(self, points):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            for point, summary in enumerate(points):
                where = folder / "points" / f"{point:03d}"
                where.mkdir(parents=True)
                (where / "summary.json").write_text(json.dumps(summary))
            (folder / "sweep.csv").write_text("point,seed,status,offered,accepted,latency_mean\n"
                                              + "".join(f"{n},1,saturated,1,0.5,9\n" for n in range(len(points))))
            done = subprocess.run([STUDY, "reliable-link", folder], capture_output=True, text=True)
            rows = list(csv.DictReader((folder / "result.csv").open())) if done.returncode == 0 else []
            return rows, done.stderr.strip().replace(str(folder), "DIR")

    @staticmethod
    def point(rate, again={"sent_again": 3, "packets": 9}):
        return {"status": "saturated", "config": {"network": {"link_bit_error_rate": rate},
                           "nic": {"max_packet_flits": 8, "flit_bytes": 16, "time_out": 128, "acknowledge": "ideal"}},
                "retransmission": again, "load": {"accepted": 0.5}}

    def test_figures(self):
        rows, problem = self.study([self.point(1e-5), self.point(1e-12)])
        self.assertEqual(problem, "")
        bad = 1 - (1 - 1e-5) ** 1024
        self.assertEqual([float(row["bit_error_rate"]) for row in rows], [1e-12, 1e-5])
        self.assertAlmostEqual(float(rows[1]["closed_form"]), (1 - bad) / (1 + 15 * bad), 4)  # W = 16
        self.assertAlmostEqual(float(rows[0]["closed_form"]), 1, 6)

    def test_of_something_else(self):
        self.assertEqual(self.study([self.point(1e-5, {})])[1],
                         "study: DIR: point 0 is not of go_back_n with ideal acknowledgements on links with bit errors")


class TorusDragonfly(unittest.TestCase):
    SCRIPT = STUDY.parent / "libstudy" / "torus_dragonfly.py"

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def draw(self, *folders):
        done = subprocess.run([self.SCRIPT, self.folder / "curves.png", *folders], capture_output=True, text=True)
        return done.returncode, done.stderr.strip().replace(str(self.folder), "DIR")

    def sweep(self, name, head, rows):
        folder = self.folder / name
        folder.mkdir()
        (folder / "sweep.json").write_text(json.dumps({"base": {"network": "{topology: torus, dims: [10, 10]}"}}))
        with open(folder / "sweep.csv", "w", newline="") as file:
            csv.writer(file).writerows([head, *rows])
        return folder

    def test_bounds_are_the_closed_forms(self):
        """Of the busiest channel, by counting the routes of every pair."""
        loader = importlib.machinery.SourceFileLoader("torus_dragonfly", str(self.SCRIPT))
        study = importlib.util.module_from_spec(importlib.util.spec_from_loader("torus_dragonfly", loader))
        loader.exec_module(study)
        frame = 66 / 68
        ring = {}  # of 10 nodes: hops through each clockwise channel, ways as long both ways shared
        for a in range(10):
            for b in range(10):
                way = (b - a) % 10
                for hop in range(way if way <= 5 else 0):
                    ring[(a + hop) % 10] = ring.get((a + hop) % 10, 0) + (0.5 if way == 5 else 1)
        load = max(ring.values()) * 10 / 99  # ten nodes in each place of the other dimension
        self.assertAlmostEqual(study.torus_bound([10, 10]), frame / load, 9)
        self.assertAlmostEqual(study.torus_bound([10, 10, 10]), 0.8 * 999 / 1000 * frame, 9)
        self.assertAlmostEqual(study.torus_bound([32, 32]), 0.25 * 1023 / 1024 * frame, 9)
        self.assertEqual(study.torus_bound([4, 4]), 1)
        self.assertEqual(study.dragonfly_bound(2, 4, 2, 9), 1)  # 71 / 68 of what frames leave: more than a node sends
        self.assertAlmostEqual(study.dragonfly_bound(4, 8, 4, 33), frame * 1055 / 1040, 9)

    def test_pictures_are_drawn(self):
        torus = self.sweep("torus", ["point", "routing", "offered", "accepted", "latency_mean"],
                           [[k, "{" + f"function: {name}" + "}", load, 0.9 * load, 100] for k, (name, load) in
                            enumerate((name, load) for name in ("dor", "duato", "smart_dor") for load in (0.1, 0.5))])
        dragonfly = self.sweep("dragonfly", ["point", "network", "offered", "accepted", "latency_mean"],
                               [[0, "{topology: dragonfly, p: 2, a: 4, h: 2, g: 9}", 0.5, 0.5, 100]])
        self.assertEqual(self.draw(torus, dragonfly), (0, ""))
        self.assertEqual((self.folder / "curves.png").read_bytes()[:4], b"\x89PNG")

    def test_what_cannot_be_drawn_is_told(self):
        self.assertEqual(self.draw(), (1, "torus_dragonfly: give FILE.png and directories of 'sare sweep'"))
        self.assertEqual(self.draw(self.folder / "none"), (1, "torus_dragonfly: DIR/none/sweep.json: No such file or directory; "
                                                           "give directories of 'sare sweep'"))
        other = self.sweep("other", ["point", "routing", "offered", "accepted", "latency_mean"],
                           [[0, "{function: valiant}", 0.1, 0.1, 9]])
        self.assertEqual(self.draw(other)[1], "torus_dragonfly: DIR/other: not of the sweeps that "
                                              "docs/studies/torus-dragonfly.md makes")


class Guests(unittest.TestCase):
    """The rows of docs/studies/papers.md that read what computers print."""
    SORT = "is class=S ranks=4 keys=65536 iterations=10 seconds={} mops=50.6 verification={}\n"

    def setUp(self):
        sys.path.insert(0, str(STUDY.parent))
        self.addCleanup(sys.path.remove, str(STUDY.parent))
        from libvalidate import papers_guests
        self.rows = papers_guests

    def console(self, *seconds):
        return {"guest": "".join(self.SORT.format(s, "successful") for s in seconds) + self.SORT.format(9, "failed")}

    def test_figures_say_how_many_sorts_they_are_of(self):
        free, held = self.console(0.010, 0.014), self.console(0.010)
        self.assertEqual(self.rows.of_sorting(free), "12.0 ms (10.0 to 14.0, 2 sorts)")
        self.assertEqual(self.rows.with_control({"": free, "x": held})[0], "12.0 ms (10.0 to 14.0, 2 sorts); +20.0%, within the spread")
        self.assertEqual(self.rows.with_control({"": held, "x": held})[0], "10.0 ms (10.0 to 10.0, 1 sort); +0.0%")

    def test_a_console_without_figures_is_a_line(self):
        for figure, console, said in (
                (self.rows.sorting, self.console(), "sort that was verified; it ends with: is class=S .*"),
                (self.rows.sorting, {"guest": ""}, "sort that was verified; it ends with: nothing"),
                (self.rows.round_trip, self.console(0.01), "pingpong of 1 byte; it ends with: is class=S .*")):
            with self.assertRaisesRegex(SystemExit, f"^validate: the first guest's console has no {said}$"):
                figure(console)



if __name__ == "__main__":
    unittest.main()
