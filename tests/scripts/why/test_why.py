#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`sare why` on runs: what --rerun traces is what a traced run has; sums; selections; its page in chromium."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from devtools import Browser  # noqa: E402

SARE = os.environ["SARE"]
BUSY = """network: {topology: mesh, dims: [5, 5]}
names: {nodes: [cpu, dma]}
router: {vcs: 2, depth: 4}
traffic: {workload: bernoulli, load: 0.12, length: 4, pattern: {name: hotspot, nodes: [12], fraction: 0.3}}
measurement: {warmup: 2500, convergence_count: 0, batch: 200, batches: 2, statistics: [{name: slowest, packets: 5, samples: 9}]}
"""
TRACED = "observe: {inside: {csv: true, events: [generated, injected, in, out, left, stall, consumed, flit_in, flit_out]}}\n"


class Why(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for name, more in (("plain", ""), ("traced", TRACED), ("heads", "observe: {inside: {csv: true}}\n")):
            (cls.folder / f"{name}.yaml").write_text(BUSY + more)
            subprocess.run([SARE, "run", f"{name}.yaml", "--quiet", "--no-report", "--out", name], check=True, cwd=cls.folder)
        with open(cls.folder / "plain/slowest.csv", encoding="utf8") as file:
            cls.rows = list(csv.DictReader(file))

    def why(self, *words):
        return subprocess.run([SARE, "why", *map(str, words)], capture_output=True, text=True, check=False, cwd=self.folder)

    def data(self, *words):
        done = self.why(*words, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_slowest_has_the_slowest_and_some_others(self):
        slow, others = ([r for r in self.rows if r["chosen"] == c] for c in ("slowest", "sample"))
        self.assertEqual((len(slow), len(others)), (5, 9))
        latencies = [int(r["latency"]) for r in slow]
        summary = json.loads((self.folder / "plain/summary.json").read_text())
        self.assertEqual(latencies[0], summary["latency"]["packet"]["from_generation"]["max"])
        self.assertEqual(latencies, sorted(latencies, reverse=True))
        self.assertGreaterEqual(latencies[-1], max(int(r["latency"]) for r in others))
        with open(self.folder / "traced/packet_events.csv", encoding="utf8") as file:
            events = [r for r in csv.DictReader(file) if r["event"] in ("injected", "consumed")]
        when = {(r["packet"], r["event"]): (r["cycle"], r["source"], r["destination"]) for r in events}
        for r in self.rows:
            for event in ("injected", "consumed"):
                self.assertEqual(when[r["packet"], event], (r[event], r["source"], r["destination"]))

    def test_run_again_or_traced_it_says_the_same(self):
        again, traced = (self.data(*words, "--slowest", 3) for words in (("plain", "--rerun"), ("traced",)))
        self.assertEqual(again, traced)
        self.assertEqual([str(p["packet"]) for p in again], [r["packet"] for r in self.rows[:3]])
        for p in again:
            bars = [bar for lane in p["lanes"] if not lane["blocker"] for bar in lane["bars"]]
            self.assertEqual(sum(to - begin for begin, to, *_ in bars), p["to"] - p["from"])
            waited = int(re.search(r"\+ (\d+) of waiting", p["says"])[1])
            self.assertEqual(sum(r["cycles"] for r in p["roots"]), waited)
            self.assertEqual(sum(w["cycles"] for w in p["waits"]), waited)
            self.assertNotIn("cannot tell", json.dumps(p))

    def test_packets_are_chosen(self):
        asked = self.rows[-1]["packet"]
        self.assertEqual([p["packet"] for p in self.data("plain", "--packet", asked, "--rerun")], [int(asked)])
        self.assertEqual([p["packet"] for p in self.data("traced", "--message", asked)], [int(asked)])
        for p in self.data("traced", "--flow", "cpu to 12", "--slowest", 2):
            self.assertIn("node cpu to node 12,", p["says"])
        self.assertIn("All of them together", self.why("traced", "--slowest", 9, "--no-page").stdout)

    def roots(self, name, router, nic, flows="[{from: 0, to: 1, rate: 0.9}]"):
        """Runs two nodes; returns the waits of the slowest packet by their roots."""
        (self.folder / f"{name}.yaml").write_text(
            f"network: {{topology: mesh, dims: [2]}}\nrouter: {router}\nnic: {nic}\n"
            f"traffic: {{workload: flows, length: 4, flows: {flows}}}\n"
            "measurement: {warmup: 0, convergence_count: 0, batch: 300, batches: 2}\n")
        subprocess.run([SARE, "run", f"{name}.yaml", "--quiet", "--no-report", "--out", name], check=True, cwd=self.folder, stderr=subprocess.DEVNULL)
        return {r["says"]: r["cycles"] for r in self.data(name, "--rerun")[0]["roots"]}

    def test_a_nic_that_holds_packets_back_is_named(self):
        # A packet of 4 flits in 16 cycles: for 12 of them the NIC holds it back, for 4 it sends the one before.
        roots = self.roots("rate", "{vcs: 2, depth: 8}", "{rate: 0.25}")
        held = roots["the NIC of node 0, which holds it back: nic.rate"]
        self.assertGreater(held, 100)
        self.assertAlmostEqual(held / sum(roots.values()), 0.75, delta=0.04)
        # A packet in flight at a time.
        roots = self.roots("window", "{vcs: 2, depth: 64}", "{retransmission: go_back_n, window: 1}")
        self.assertGreater(roots["the NIC of node 0, which holds it back: nic.window or nic.time_out"], 0.6 * sum(roots.values()))

    def test_a_nic_is_named_only_where_the_buffer_has_room(self):
        # A buffer of one flit lets out fewer flits than the rate, and all packets are in its only VC.
        roots = self.roots("short", "{vcs: 1, depth: 1}", "{rate: 0.99}")
        self.assertGreater(sum(roots.values()), 100)
        self.assertNotIn("NIC", "".join(roots))

    def test_packets_that_took_the_place_are_cut_to_a_few(self):
        flows = ", ".join(f"{{from: {n}, to: 4, rate: 0.24}}" for n in (0, 1, 2, 3, 5))
        (self.folder / "many.yaml").write_text(
            "network: {topology: star, n: 6}\nrouter: {vcs: 4, depth: 4}\n"
            f"traffic: {{workload: flows, length: 9, flows: [{flows}]}}\n"
            "measurement: {warmup: 0, convergence_count: 0, batch: 900, batches: 1}\n")
        subprocess.run([SARE, "run", "many.yaml", "--quiet", "--no-report", "--out", "many"], check=True, cwd=self.folder)
        ways = [w["says"] for w in self.data("many", "--rerun")[0]["waits"]]
        taken = [re.search(r"taken by ([\d, ]*\d)( and \d+ more)?", w) for w in ways if "taken by" in w]
        self.assertTrue(any(t[2] for t in taken), ways)
        for t in taken:
            self.assertLessEqual(t[1].count(","), 5)

    def test_a_deadlock_is_told_of(self):
        (self.folder / "dead.yaml").write_text(
            "network: {topology: ring, n: 6}\nrouting: {function: dor, dateline: none}\nrouter: {vcs: 1, depth: 2}\n"
            "traffic: {workload: bernoulli, load: 0.6, length: 6}\nmeasurement: {warmup: 5000, watchdog: 1000}\nchecks: {force: true}\n")
        done = subprocess.run([SARE, "run", "dead.yaml", "--quiet", "--no-report", "--out", "dead"], check=False, cwd=self.folder, stderr=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 3)
        said = self.why("dead", "--rerun").stderr
        self.assertRegex(said, r"^sare: dead: no such packet came to its node; nothing moved from cycle .*; each waits for the next: r1\.p1\.vc0 ")
        self.assertEqual(said.count("\n"), 1)

    def test_bad_questions_get_a_line(self):
        for words, line in ((("plain",), "plain: has no packet_events.csv; --rerun traces what is needed, or run it with --set 'observe.inside="),
                            (("heads",), "heads: the trace does not have the packet and all its flits"),
                            (("traced", "--packet", 99999999), "traced: the trace does not have the packet"),
                            (("plain", "--packet", 99999999, "--rerun"), "plain: no such packet came to its node"),
                            (("traced", "--flow", "cpu"), "why: --flow 'cpu': must be 'A to B'"),
                            (("nothing",), "nothing/summary.json: cannot be read")):
            with self.subTest(words):
                done = self.why(*words)
                self.assertNotEqual(done.returncode, 0)
                self.assertTrue(done.stderr.startswith(f"sare: {line}"), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)

    def test_the_page_draws_each_packet(self):
        said = self.why("traced", "--slowest", 4)
        page = self.folder / said.stdout.splitlines()[-1]
        with Browser(self.folder) as browser:
            browser.open(page, 800, 900)
            drawn = browser.ask("document.querySelectorAll('#gantt rect.bar').length")
            self.assertGreater(drawn, 5)
            other = browser.ask("choice.selectedIndex = 3, choice.dispatchEvent(new Event('change')),"
                                "document.querySelector('#gantt rect.bar').focus(), headline.textContent + says.textContent")
            self.assertRegex(other, r"packet \d+ .* cycles = \d+ of work \+ \d+ of waiting\d+ cycles? from ")
            self.assertFalse(browser.errors)


if __name__ == "__main__":
    unittest.main()
