#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Fits to measured curves: hidden settings are found or declared not identifiable, a bad fit is called bad, and wrong tables name their lines."""
import csv
import json
import random
import unittest

import sare
from common import Case, small
from sare.fitting import _error, parameter_of
from sare.fitting.data import read
from sare.fitting.search import Search
from sare.fitting.settings import Objective
from sare.fitting.verdicts import goodness, parameters, relations
from sare.progress import Bar
from sare.search_space import Space

BOOKSIM = """BEGIN Configuration File: mesh
// injection_rate = 0.9;
topology = mesh; traffic = {pattern};
packet_size = 4; injection_rate = 0.01; // packets
END Configuration File: mesh
OVERRIDE Parameter: injection_rate={rate}
Class 0:
Packet latency average = 99.9
====== Overall Traffic Statistics ======
====== Traffic class 0 ======
Packet latency average = 40.25 (1 samples)
\tminimum = 10 (1 samples)
Network latency average = 38.5 (1 samples)
Flit latency average = 35.75 (1 samples)
Injected flit rate average = 0.1 (1 samples)
Accepted flit rate average = 0.0995 (1 samples)
Hops average = 6.25 (1 samples)
"""
NOXIM = """ Now running for 10000 cycles...
Noxim simulation completed. (11000 cycles executed)

% Total received packets: 1456
% Global average delay (cycles): 44.5282
% Max delay (cycles): 355
% Network throughput (flits/cycle): 2.58622
% Average IP throughput (flits/cycle/IP): 0.161639
% Total energy (J): 2.26372e-06
"""


class Model:
    """Stands for the simulator: a formula with the noise of a run. It runs tasks as search_runs.Here does."""

    def __init__(self, seed, noise=0.003):
        self.draw, self.noise, self.tasks, self.runs = random.Random(seed), noise, [], 0

    @staticmethod
    def latency(d):
        """Of b a change is seen at high loads alone; a and c add up; a larger x is a smaller latency; e changes nothing; f and g
        do if they are small together."""
        rest = max(0.02, 0.3 + 0.04 * d.get("b", 4) - d["traffic.load"])
        return 10 + 2 * d["a"] + 2 * d.get("c", 0) + 1 / rest + 3 / d.get("x", 1.0) + 5 * (d.get("f", 9) + d.get("g", 9) < 4)

    def start(self, task):
        task.begin()
        self.tasks.append(task)

    def wait(self):
        done, self.tasks = self.tasks, []
        for task in done:
            self.runs += 1
            mean = self.latency(task.design) * self.draw.gauss(1, self.noise)
            batches = [{"latency_mean": mean, "accepted": 0.1}] * 10
            task.place.mkdir(parents=True)
            (task.place / "summary.json").write_text(json.dumps({
                "status": "completed", "batches": batches, "latency": {"packet": {"from_generation": {"mean": mean, "ci95": 2.262 * mean * self.noise}}}}))
        return done

    def stop(self):
        self.tasks = []


class Fit(Case):
    def search(self, truth, space, loads, seed, noise=0.02, runs=600, error=None, confidence=0.999):
        """A fit of the model to itself."""
        draw = random.Random(seed)
        rows = [f"{load},{Model.latency({**truth, 'traffic.load': load}) * draw.gauss(1, noise)},{noise:%}" for load in loads]
        (self.folder / "m.csv").write_text("load,latency,latency_error\n" + "\n".join(rows))
        data = read(["m.csv"], self.folder, 4)
        path = self.folder / f"s{seed}"
        path.mkdir()
        found = Search(Space({"parameters": space, "objectives": {"accepted": "min"}, "runs": runs}), data, Objective(data, error, confidence, len(space)), path, 2,
                       Model(seed), 4, 1, Bar(False))
        found.run()
        return found

    def test_no_confident_wrong_value(self):
        """Of twenty hidden settings: what is called identified is so, and the truth is among what fits."""
        space, identified = {"a": {"from": 0, "to": 4}, "b": {"from": 2, "to": 8}, "e": [False, True]}, 0
        for seed in range(20):
            draw = random.Random(1000 + seed)
            truth = {"a": draw.randrange(5), "b": draw.randrange(2, 9), "e": draw.random() < 0.5}
            most = 0.3 + 0.04 * truth["b"]
            found = self.search(truth, space, [0.05, 0.5 * most, 0.8 * most, 0.9 * most], seed)
            region = found.region()
            self.assertIn(truth, [one.design for one in region])
            for row in parameters(found, region):
                if row["verdict"] == "identified":
                    identified += 1
                    self.assertEqual(row["best"], truth[row["parameter"]], (seed, truth))
                if row["parameter"] == "e":
                    self.assertEqual((row["verdict"], row["why"][:14]), ("not identifiable", "any value fits"))
        self.assertGreater(identified, 20)  # most of a and b

    def test_around_the_best_of_a_large_space(self):
        """Too many settings for all: the whole region is found, and only the sum of two parameters."""
        truth = {"a": 13, "b": 6, "c": 9}
        space = {"a": {"from": 0, "to": 40}, "c": {"from": 5, "to": 12}, "b": {"from": 2, "to": 8}}
        found = self.search(truth, space, [0.05, 0.3, 0.45, 0.5, 0.52], 3, noise=0.005)
        region = found.region()
        self.assertLess(len(found.settings), 600)
        self.assertTrue(found.is_whole)
        self.assertEqual({one.design["c"] for one in region}, set(range(5, 13)))
        self.assertIn("of a and c only a + c = 22 is known", relations(found, region))
        self.assertEqual([row["verdict"] for row in parameters(found, region)], ["not identifiable", "not identifiable", "identified"])
        few = self.search(truth, space, [0.05, 0.3, 0.45], 4, noise=0.005, runs=40)
        self.assertFalse(few.is_whole)
        self.assertEqual({row["verdict"] for row in parameters(few, few.region())}, {"undecided"})

    def test_values_that_fit_alone_and_not_together(self):
        """Each value of two parameters fits with some of the other: which do not is said, and they are those that do not fit."""
        space = {"a": [2], "f": {"from": 0, "to": 4}, "g": {"from": 0, "to": 4}}
        found = self.search({"a": 2, "f": 3, "g": 3}, space, [0.05, 0.1, 0.2, 0.3], 7)
        region = found.region()
        self.assertEqual({one.index[1:] for one in found.settings.values()} - {one.index[1:] for one in region}, {(f, g) for f in range(4) for g in range(4 - f)})
        self.assertTrue(all(row["why"].startswith("any value fits, but not with every value of the others") for row in parameters(found, region)[1:]))
        self.assertEqual(relations(found, region), ["no setting fits that has f 0 with g 0 to 3, or f 1 with g 0 to 2, or f 2 with g 0 and 1, or f 3 with g 0"])

    def test_a_real_number_has_an_interval(self):
        found = self.search({"a": 2, "x": 2.0}, {"a": [2], "x": {"from": 0.5, "to": 8.0, "log": True}}, [0.05, 0.1, 0.2, 0.3], 5, noise=0.002)
        row = parameters(found, found.region())[1]
        self.assertLess(row["low"], 2.0)
        self.assertGreater(row["high"], 2.0)
        self.assertEqual(row["verdict"], "within an interval")
        self.assertLess(row["high"] / row["low"], 2)

    def test_a_bad_fit_is_said_to_be_bad_and_where(self):
        data_of = "load,latency,latency_error\n" + "".join(f"{load},{Model.latency({'a': 2, 'b': 4, 'traffic.load': load}) * more},1%\n"
                                                           for load, more in ((0.05, 1), (0.1, 1), (0.2, 1), (0.3, 1), (0.35, 1.5), (0.4, 1.5)))
        (self.folder / "bad.csv").write_text(data_of)
        data = read(["bad.csv"], self.folder, 4)
        (self.folder / "o").mkdir()
        space = Space({"parameters": {"a": {"from": 0, "to": 4}}, "objectives": {"accepted": "min"}, "runs": 50})
        found = Search(space, data, Objective(data, None, 0.999, 1), self.folder / "o", 1, Model(1), 4, 1, Bar(False))
        found.run()
        judged = goodness(found.objective, found.best, data)
        self.assertEqual(judged["verdict"], "bad")
        self.assertRegex(judged["where"], r"of it is from load 0.35 and above \(2 of 6 figures\), where the simulation is 2\d.\d% too low")

    def test_hidden_settings_of_networks(self):
        """By the command; the same command makes no run again, and another measurement is another fit."""
        e = small().set({"traffic.load": 0.1, "measurement.batches": 8})
        (self.folder / "e.yaml").write_text(e.to_yaml() + "fit:\n  parameters:\n    router.rc_delay: {from: 0, to: 2}\n    router.depth: [2, 3, 8]\n  to: m.csv\n")
        truth = {"router.rc_delay": 1, "router.depth": 3}
        draw, rows = random.Random(2), []
        for load in (0.1, 0.3, 0.45):
            run = sare.run(e.set({**truth, "traffic.load": load, "seed": 7, "measurement.batch": 3000}), progress=False)
            rows.append([load, run.latency * draw.gauss(1, 0.01), "1%"])
        self.table("m.csv", ["load", "latency.mean", "latency.mean_error"], rows)
        said = self.command("fit", "e.yaml", "--out", "x", "-j", 2).stdout
        found = sare.load(self.folder / "x")
        self.assertEqual((found.identified, found.verdict), (truth, "good"), said)
        self.assertIn("router.depth     3  identified: no other value fits", said)
        for name in ("report.html", "residuals.svg", "residuals.png"):
            self.assertTrue((self.folder / "x" / name).exists(), name)
        self.assertIn("Which values fit", (self.folder / "x/report.html").read_text())
        self.assertEqual(list(found.residuals["measured"]), [row[1] for row in rows])
        self.command("check", self.folder / "x/fitted.yaml")
        self.assertEqual(sare.Experiment.from_file(self.folder / "x/fitted.yaml")["router.depth"], 3)
        made = (self.folder / "x/runs.jsonl").read_bytes()
        self.command("fit", "e.yaml", "--out", "x")
        self.assertEqual((self.folder / "x/runs.jsonl").read_bytes(), made)
        rows[0][1] += 1
        self.table("m.csv", ["load", "latency.mean", "latency.mean_error"], rows)
        self.assertIn("holds another fit, whose measurement differs", self.command("fit", "e.yaml", "--out", "x", status=1).stderr)

    def test_what_does_not_matter_is_not_identifiable(self):
        """At low loads nothing tells the depth; a measurement that would is named."""
        e = small().set({"traffic.load": 0.05})
        rows = [[load, sare.run(e.set({"router.depth": 4, "traffic.load": load, "seed": 9}), progress=False).latency] for load in (0.03, 0.06, 0.1)]
        self.table("m.csv", ["load", "latency.mean"], rows)
        found = sare.fit(e, self.folder / "m.csv", {"router.depth": [4, 8, 16]}, error="2%", progress=False, report=False)
        self.assertEqual(found.identified, {})
        self.assertEqual(len(found.region), 3)
        self.assertEqual(found.summary["further"][0]["parameter"], "router.depth")

    def table(self, name, head, rows):
        with open(self.folder / name, "w", newline="") as to:
            csv.writer(to).writerows([head, *rows])

    def test_mistakes_name_their_line(self):
        (self.folder / "e.yaml").write_text(small().to_yaml())
        for table, sentence in (
                ("", "m.csv:1: no rows"), ("load,latency\n0.1\n", "m.csv:2: 1 fields, and the first line has 2"),
                ("load,latency\n0.1,abc\n", "m.csv:2: 'abc' in column 'latency' is not a number"), ("load,latency\n0.1,inf\n", "m.csv:2: 'inf' in column 'latency' is not finite"),
                ("load,speed\n0.1,3\n", "m.csv:1: no column is a figure"), ("lode,latency\n0.1,3\n", "m.csv:2: "),
                ("load,latency [furlongs]\n0.1,3\n", "m.csv:1: column 'latency': unknown unit 'furlongs'"),
                ("load,latency,latency_error\n0.1,3,-1\n", "m.csv:2: column 'latency error': an error is not below 0"),
                ("load,latency [ns]\n0.1,3\n0.2,4\n", "m.csv:2: latency is in ns, and the experiment has no clock"),
                ("load,router.depth,latency\n0.1,4,3\n", "m.csv:2: 'router.depth' is an axis there, and cannot be a parameter to fit"),
                ("load,latency\n0.1,30\n", "1 figures cannot tell 1 parameters and their own error")):
            (self.folder / "m.csv").write_text(table)
            said = self.command("fit", "e.yaml", "--to", "m.csv", "--parameter", "router.depth=2:8", "--out", "x", status=1).stderr
            self.assertTrue(said.startswith(f"sare: {sentence}"), said)
            self.assertEqual(len(said.splitlines()), 1)
        (self.folder / "m.csv").write_text("load,latency\n0.1,30\n0.2,31\n0.3,33\n")
        for words, sentence in ((["--parameter", "router.depth"], "--parameter router.depth: write a path and a range"), ([], "fit needs parameters with ranges"),
                                (["--parameter", "router.depht=2:8"], "router.depht: no design can have 2: "), (["--parameter", "router.depth=8:2"], "router.depth: a range goes from"),
                                (["--parameter", "router.depth=2:8", "--error", "-3"], "error: write a standard deviation above 0"),
                                (["--parameter", "router.depth=2:8", "--confidence", "2"], "confidence is a number from 0.5 to below 1"),
                                (["--parameter", "router.depth=2:8", "--confidence", "high"], "confidence is a number, not 'high'")):
            said = self.command("fit", "e.yaml", "--to", "m.csv", *words, "--out", "x", status=1).stderr
            self.assertTrue(said.startswith(f"sare: {sentence}"), said)
        self.assertFalse((self.folder / "x").exists())

    def test_tables(self):
        (self.folder / "m.csv").write_text("# by hand\nload [packets/node/cycle],pattern,latency.p99,latency.mean,latency.ci95,accepted\n"
                                           "0.02,uniform,50,30,1.96,\n0.05,transpose,60,40,5%,0.1\n")
        data = read(["m.csv"], self.folder, 4)
        self.assertEqual(data.points, [{"traffic.load": 0.08, "traffic.pattern": "uniform"}, {"traffic.load": 0.2, "traffic.pattern": "transpose"}])
        self.assertEqual([(item.figure.name, item.value) for item in data.items], [("latency.p99", 50), ("latency.mean", 30), ("accepted", 0.1)])
        self.assertAlmostEqual(data.items[1].error, 1.0, places=4)
        self.assertIn("m.csv:4: latencies at load 0.2 are left out: 0.1 was accepted there", data.notes[0])
        self.assertEqual([parameter_of(word)[1] for word in ("a=2:16", "a=x|y", "a=0:1:0.5", "a=1:9:log")],
                         [{"from": 2, "to": 16}, ["x", "y"], {"from": 0, "to": 1, "step": 0.5}, {"from": 1, "to": 9, "log": True}])
        self.assertEqual((_error("2%"), _error(1.5), _error(None)), (-0.02, 1.5, None))

    def test_outputs_of_other_simulators(self):
        runs = BOOKSIM.format(pattern="transpose", rate=0.025) + "BEGIN Configuration File: mesh\npacket_size = 4;\nEND Configuration File: mesh\nSimulation unstable, ending ...\n"
        (self.folder / "b.log").write_text(runs + BOOKSIM.format(pattern="uniform", rate=0.03))
        data = read(["b.log"], self.folder, 1)
        self.assertEqual(data.points, [{"traffic.load": 0.1, "traffic.length": 4, "traffic.pattern": "transpose"},
                                       {"traffic.load": 0.12, "traffic.length": 4, "traffic.pattern": {"name": "uniform", "self": True}}])
        self.assertEqual([(item.figure.path, item.value) for item in data.items[:4]],
                         [("latency.packet.from_generation.mean", 40.25), ("latency.packet.from_injection.mean", 38.5), ("load.accepted", 0.0995), ("hops.mean", 6.25)])
        self.assertIn("b.log:18: a run without a result is left out (Simulation unstable)", data.notes)
        (self.folder / "n.txt").write_text(NOXIM)
        data = read(["n.txt@load=0.16,length=8"], self.folder, 1)
        self.assertEqual([(item.figure.path, item.value) for item in data.items], [("latency.packet.from_generation.mean", 44.5282), ("load.accepted", 0.161639)])
        self.assertEqual(data.points, [{"traffic.load": 0.16, "traffic.length": 8}])
        with self.assertRaisesRegex(sare.Error, r"n.txt:1: Noxim says at which load it ran only with -verbose 99; write FILE@load=0.1"):
            read(["n.txt"], self.folder, 1)
        told = "Using the following configuration: \n- max_packet_size = 8\n- packet_injection_rate = 0.02\n- traffic_distribution = TRAFFIC_TRANSPOSE1\n"
        (self.folder / "n.txt").write_text(told + NOXIM + told + NOXIM)
        self.assertEqual(read(["n.txt"], self.folder, 1).points, [{"traffic.load": 0.16, "traffic.length": 8, "traffic.pattern": "transpose"}])


if __name__ == "__main__":
    unittest.main()
