# SPDX-License-Identifier: Apache-2.0
"""Runs networks with `observe.inside`: the figures do not change; what is written is read by others' means (fst2vcd of
gtkwave, protoc) and agrees; a router is printed from gdb."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from collections import Counter, defaultdict
from pathlib import Path

from test_traces import decoded, rows

SARE = os.environ["SARE"]
MEASURED = "measurement: {warmup: 200, convergence_count: 0, batch: 200, batches: 2}\n"
LOAD = "traffic: {workload: bernoulli, load: %s, length: 5}\n"
NETWORKS = {  # by the way they are run
    "fast": "network: {topology: torus, dims: [4, 4]}\nrouting: dor\nrouter: {vcs: 4, depth: 4}\n" + LOAD % 0.4,
    "readable": "network: {topology: mesh, dims: [3, 3]}\nrouting: duato\n"
                "router: {vcs: 3, depth: 4, sa_arbiter: matrix, pipelined: false, reallocation: atomic}\n" + LOAD % 0.3,
    "from a list": "network: {topology: mesh, dims: [17, 16]}\nrouting: dor\nrouter: {vcs: 2}\n"
                   "traffic: {workload: bernoulli, load: 0.1}\n",
    "adaptive": "network: {topology: mesh, dims: [4, 4]}\nrouting: odd_even\nrouter: {vcs: 4}\n" + LOAD % 0.3,
    "cut-through": "network: {topology: ring, n: 6}\nrouting: dor\n"
                   "router: {vcs: 4, depth: 8, switching: cut_through, speculative: true}\nnic: {max_packet_flits: 5}\n" + LOAD % 0.3,
    "bubble": "network: {topology: torus, dims: [4, 4]}\nrouter: {kind: bubble, vcs: 2, packet: 5}\n" + LOAD % 0.4,
    "dally": "network: {topology: mesh, dims: [4, 3]}\nrouter: {kind: dally, vcs: 4, packet: 5}\n" + LOAD % 0.3,
    "apenet": "network: {topology: torus, dims: [4, 3], link_latency: 5}\nrouting: duato\n"
              "router: {kind: apenet, vcs: 3, depth: 32, sync: 3}\nnic: {max_packet_flits: 32}\n" + LOAD % 0.4,
    "multistage": "network: {topology: kary_ntree, k: 2, n: 3}\nrouter: {kind: multistage, vcs: 2, packet: 5}\n" + LOAD % 0.3,
    "kinds side by side": "network:\n  topology: hierarchical\n  levels:\n"
                          "    - {topology: torus, dims: [3, 3], router: {kind: bubble, vcs: 4, packet: 5}}\n"
                          "    - {topology: mesh, dims: [2, 2], gateway: 0}\n"
                          "router: {kind: vc, vcs: 4, depth: 10, switching: cut_through}\n"
                          "routing: {function: hierarchical, levels: [~, dor]}\n" + LOAD % 0.05,
}
ALL = "observe: {perfetto: true, inside: {csv: true, perfetto: true, fst: true}}\n"
BUSY = NETWORKS["fast"]


class Inside(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, text, *words):
        file = self.folder / "x.yaml"
        file.write_text(text + MEASURED)
        out = self.folder / f"out{len(list(self.folder.iterdir()))}"
        return [SARE, "run", file, "--quiet", "--no-report", "--out", out, *words], out

    def run_it(self, text):
        command, out = self.command(text)
        subprocess.run(command, check=True)
        return out

    def test_the_figures_do_not_change(self):
        for kind, text in NETWORKS.items():
            with self.subTest(kind):
                without, watched = self.run_it(text), self.run_it(text + ALL)
                for file in without.iterdir():
                    if file.name == "summary.json":
                        continue
                    if file.name == "columns.json":  # it says more files
                        more = json.loads((watched / file.name).read_text())
                        self.assertLessEqual(json.loads(file.read_text()).items(), more.items())
                        continue
                    self.assertEqual(file.read_bytes(), (watched / file.name).read_bytes(), file.name)
                texts = []
                for out in (without, watched):
                    summary = json.loads((out / "summary.json").read_text())
                    del summary["run"], summary["config"]["observe"]  # of this machine; what was asked for
                    texts.append(json.dumps(summary))
                self.assertEqual(*texts)
                self.assertTrue(rows(watched / "packet_events.csv"))

    def test_events_are_those_of_the_packets(self):
        for kind, text in NETWORKS.items():
            with self.subTest(kind):
                events = rows(self.run_it(text + ALL) / "packet_events.csv")
                self.assertEqual(events, sorted(events, key=lambda e: int(e["cycle"])))
                self.assertFalse([e for e in events if None in e or None in e.values()])  # as many fields in each line
                ways = defaultdict(list)
                for e in events:
                    if e["event"] != "stall":
                        ways[e["packet"]].append(e)
                for way in ways.values():
                    words = [e["event"] for e in way]
                    self.assertEqual(words[:2], ["generated", "injected"])
                    if "consumed" not in words:
                        continue  # still on its way
                    self.assertEqual((words[-1], way[-1]["node"]), ("consumed", way[0]["destination"]))
                    counts = Counter(words)
                    self.assertEqual(counts["in"], counts["out"])
                    self.assertEqual(counts["in"], counts["left"])
                    self.assertFalse([e for e in way if e["event"] in ("out", "left") and not e["out_port"]])

    def test_drops_are_the_end_of_their_packets(self):
        """What finds its injection queue full, or is first there and finds no room."""
        def dropping(which, dims, events):
            out = self.run_it(f"network: {{topology: torus, dims: {dims}}}\nrouter: {{kind: bubble, vcs: 2, packet: 5, drop: {which}}}\n"
                              + LOAD % 2 + f"observe: {{inside: {{csv: true, events: {events}}}}}\n")
            return out / "packet_events.csv", json.loads((out / "summary.json").read_text())["packets"]

        file, told = dropping("tail", [4, 4], "[injected, dropped, consumed]")
        ways = defaultdict(list)
        for e in rows(file):
            ways[e["packet"]].append(e["event"])
        ends = Counter(e for way in ways.values() for e in way)
        self.assertGreater(told["dropped"], 1000)
        self.assertEqual(ends, {w: told[w] for w in ("injected", "dropped", "consumed")})
        self.assertLessEqual({tuple(way) for way in ways.values()}, {("injected",), ("injected", "dropped"), ("injected", "consumed")})
        file, told = dropping("head", [8, 8], "[dropped]")
        self.assertEqual(file.read_text().count("\n"), told["dropped"] + 1)

    def test_a_filter_takes_some_of_them(self):
        whole = rows(self.run_it(BUSY + ALL) / "packet_events.csv")
        asked = ("{from: 300, to: 420, inside: {csv: true, packets: 200-400, sources: [1, 3-9], destinations: 4-15, "
                 "routers: [3, 5-7], events: [in, stall, consumed]}}")
        some = rows(self.run_it(BUSY + f"observe: {asked}\n") / "packet_events.csv")
        expected = [e for e in whole
                    if 300 <= int(e["cycle"]) < 420 and 200 <= int(e["packet"]) <= 400
                    and int(e["source"]) in (1, 3, 4, 5, 6, 7, 8, 9) and 4 <= int(e["destination"]) <= 15
                    and e["router"] in ("", "3", "5", "6", "7") and e["event"] in ("in", "stall", "consumed")]
        self.assertEqual(some, expected)
        self.assertGreater(len(some), 20)

    def test_flits_come_and_go_in_order_of_their_packets(self):
        """Only if they are asked for; heads and tails as `in`, `out` and `left` have them."""
        out = self.run_it(BUSY + "observe: {inside: {csv: true, events: [in, out, left, flit_in, flit_out]}}\n")
        seen = defaultdict(list)
        for row in rows(out / "packet_events.csv"):
            seen[row["packet"], row["router"], row["event"]].append((int(row["cycle"]), int(row["flit"] or 0), row["out_port"]))
        whole = [k for k in seen if k[2] == "left"]
        self.assertGreater(len(whole), 500)
        for packet, router, _ in whole:
            outs = seen[packet, router, "flit_out"]
            if (packet, router, "out") not in seen:  # its head went before the trace began
                continue
            self.assertEqual([f for _, f, _ in outs], list(range(5)))
            self.assertEqual((outs[0][0], outs[-1][0]), (seen[packet, router, "out"][0][0], seen[packet, router, "left"][0][0]))
            self.assertEqual(len({port for _, _, port in outs}), 1)
            ins = seen[packet, router, "flit_in"]
            self.assertTrue(all(came <= went for (came, _, _), (went, _, _) in zip(ins, outs)))
            self.assertEqual(ins[0][0], seen[packet, router, "in"][0][0])

    def test_perfetto_has_the_same_packets_and_stalls(self):
        out = self.run_it(BUSY + ALL)
        events, tracks = decoded(out / "trace.perfetto-trace")

        def name(track):
            above = tracks[track].get("parent_uuid")
            return (name(above) if above else ()) + (tracks[track]["name"],)

        open_slices, stalls, packets = defaultdict(list), Counter(), Counter()
        for time, event in sorted(events, key=lambda e: e[0]):
            place = name(event["track_uuid"])
            if place[0] != "routers":
                continue
            stack = open_slices[place]
            if event["type"] == "TYPE_SLICE_BEGIN":
                stack.append((time, event["name"]))
            elif event["type"] == "TYPE_SLICE_END":
                begin, what = stack.pop()
                self.assertLessEqual(len(stack), 1)
                if stack:
                    stalls[(*place[1:], what)] += time - begin
                else:
                    packets[place[1:]] += 1
        self.assertFalse(any(open_slices.values()))
        expected, came = Counter(), Counter()
        for e in rows(out / "packet_events.csv"):
            vc = (f"router {e['router']}", f"in {e['in_port']}", f"vc {e['in_vc']}")
            if e["event"] == "in":
                came[vc] += 1
            elif e["event"] == "stall" and e["reason"] != "behind":
                expected[(*vc, e["reason"])] += int(e["cycles"])
        self.assertEqual(stalls, expected)
        self.assertTrue(all(came[vc] - 4 <= n <= came[vc] for vc, n in packets.items()))  # some are still behind others

    @unittest.skipUnless(shutil.which("fst2vcd"), "there is no fst2vcd (package gtkwave)")
    def test_fst_opens_and_shows_the_same(self):
        for kind in ("fast", "adaptive", "multistage", "readable"):
            with self.subTest(kind):
                out = self.run_it(NETWORKS[kind] + "observe: {inside: {csv: true, fst: true, routers: [1, 3-4]}}\n")
                vcd = subprocess.run(["fst2vcd", out / "routers.fst"], capture_output=True, text=True, check=True).stdout
                seen = self.waves(vcd)
                self.assertEqual({name.split(".")[1] for name, _ in seen}, {"r1", "r3", "r4"})
                self.check_waves(seen, rows(out / "packet_events.csv"))

    def waves(self, vcd, unit=1000):
        """{(scope, signal): [(time in cycles, value)]}; `unit`: a cycle, in the file's units of time."""
        scopes, names, now, seen = [], defaultdict(list), 0, defaultdict(list)
        for word in (line.split() for line in vcd.splitlines()):
            if not word:
                continue
            if word[0] == "$scope":
                scopes.append(word[2])
            elif word[0] == "$upscope":
                scopes.pop()
            elif word[0] == "$var":
                names[word[3]].append((".".join(scopes), word[4]))  # signals that are always equal share a code
            elif word[0][0] == "#":
                self.assertEqual(int(word[0][1:]) * 2 % unit, 0)  # half a cycle
                now = int(word[0][1:]) / unit
            elif word[0][0] in "01xzbs" and word[-1] in names or word[0][1:] in names:
                value, code = (word[0][1:], word[1]) if len(word) == 2 else (word[0][0], word[0][1:])
                for name in names[code]:
                    seen[name].append((now, value))
        return seen

    def check_waves(self, seen, events):
        """Packets come to the front of a VC in the order in which they come in; what is owned is owned by somebody."""
        came = defaultdict(list)
        for e in events:
            if e["event"] == "in":
                came[f"net.r{e['router']}.{e['in_port']}.vc_{e['in_vc']}"].append(int(e["packet"]))
        in_front = 0
        for (scope, signal), values in seen.items():
            if signal != "packet":
                continue
            numbers = [int(v, 2) for _, v in values if "z" not in v]
            order = [n for k, n in enumerate(numbers) if k == 0 or numbers[k - 1] != n]
            fronts = list(came[scope])
            self.assertLessEqual(set(order), set(fronts), scope)  # one that comes and goes in a cycle is not seen
            self.assertEqual(order, [n for n in fronts if n in set(order)], scope)
            in_front += len(order)
        self.assertGreater(in_front, 50)
        states = {v for (_, signal), values in seen.items() for _, v in values if signal == "state"}
        self.assertLessEqual(states, {"", "idle", "route", "bids", "active"})
        self.assertLessEqual({"idle", "active"}, states)

    @unittest.skipUnless(shutil.which("fst2vcd") and shutil.which("verilator"), "there is no fst2vcd or no verilator")
    def test_waves_are_those_of_the_rtl(self):
        """Every signal that has a name of the RTL's, at the end of each cycle, of a router that has run beside its RTL."""
        text = ("network: {topology: mesh, dims: [3]}\nrouting: dor\n"
                "traffic: {workload: bernoulli, load: 0.5, length: 3}\nrouter: {vcs: 2, depth: 4%s}\n")
        for more in os.environ.get("SARE_WAVES_OF", "").split(";"):
            with self.subTest(more):
                file = self.folder / "rtl.yaml"
                file.write_text(text % more + "cosim: {shadow: 1}\n")
                subprocess.run([SARE, "cosim", file, "--cycles", "200", "--speed", "quick", "--window", "1:150", "--router", "1", "--out",
                                self.folder / "rtl", "--overwrite"], check=True, stdout=subprocess.DEVNULL)
                out = self.run_it(text % more + "observe: {to: 160, inside: {fst: true, routers: 1}}\n")
                vcd = [subprocess.run(["fst2vcd", "-f", fst], capture_output=True, text=True, check=True).stdout
                       for fst in (self.folder / "rtl/waves/0000-window.fst", out / "routers.fst")]
                self.same_waves(self.waves(vcd[0], 10), self.waves(vcd[1]))

    def same_waves(self, rtl, model):
        inside = {(scope.partition("sare_router")[2], name): v for (scope, name), v in rtl.items() if "sare_router" in scope}
        compared = changes = 0
        for (scope, name), values in model.items():
            other = inside.get((scope.partition("net.r1")[2], name))
            if other is None or name == "va_port":  # of meaning only while a head bids
                continue
            compared += 1
            for t in range(3, 150):
                time = t if name.endswith("_q") else t - 0.01
                ours, theirs = (max(v for v in w if v[0] <= time)[1] for w in (values, other))
                self.assertEqual(ours.zfill(64), theirs.zfill(64), f"{scope}.{name} after cycle {t - 1}")
            changes += len(values)
        self.assertGreater(compared, 30)
        self.assertGreater(changes, 500)

    def test_what_cannot_be_is_one_line(self):
        for asked, words in (("{inside: {csv: true, routers: 16}}", "names router 16; there are 0 to 15"),
                             ("{inside: {csv: true, sources: 0-16}}", "'sources' of observe.inside names node 16; there are 0 to 15"),
                             ("{inside: {csv: true, destinations: [3, 99]}}", "names node 99; there are 0 to 15"),
                             ("{inside: {csv: true, classes: 1}}", "names class 1; there are 0 to 0"),
                             ("{inside: {csv: true, events: [in, stal]}}", "did you mean 'stall'?"),
                             ("{inside: {vcd: true}}", "inside"),
                             ("{from: 5, to: 5, inside: {csv: true}}", "'to' must be later")):
            command, _ = self.command(BUSY + f"observe: {asked}\n")
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertIn("x.yaml:", done.stderr)
        for kind in ("csv", "fst"):
            command, _ = self.command(BUSY + f"observe: {{inside: {{{kind}: true}}}}\n")
            done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TMPDIR": "/none"})
            self.assertEqual(done.stderr, "sare: '/none' is no folder for temporary files; TMPDIR names another one\n")
        command, _ = self.command(BUSY + "fidelity: analytic\nobserve: {inside: {csv: true}}\n")
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("needs fidelity: flit", done.stderr)

    @unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
    def test_gdb_prints_a_router(self):
        command, _ = self.command(BUSY)
        script = ["set breakpoint pending on", "break sare::collector::end_interval", "run",
                  'call (void)sare_print_router("net.r5")', 'call (void)sare_print_router("net.r99")', "kill"]
        words = ["gdb", "-nx", "-batch", *(w for line in script for w in ("-ex", line)), "--args", *command]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        if re.search("ptrace|Couldn't write extended state", done.stderr):  # gdb 13 knows not every processor
            self.skipTest(done.stderr.splitlines()[0])
        self.assertIn("net.r5: router 5 (vc, scanned) after cycle", done.stdout, done.stderr)
        self.assertRegex(done.stdout, r"\+x +r6 -x +0 +\d/4 ")
        self.assertIn("there is no SystemC object net.r99", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
