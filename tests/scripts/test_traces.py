# SPDX-License-Identifier: Apache-2.0
"""Runs programs with `observe`, and reads what is written for others by their own means: pj_dump of pajeng, and protoc
with Perfetto's numbers of fields (perfetto/trace.proto)."""
import csv
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).parent
SARE = os.environ["SARE"]
NETWORK = "network: {topology: mesh, dims: [4, 4]}\nrouting: {function: odd_even}\nrouter: {vcs: 4}\n"
OBSERVE = "observe: {matrix: true, timeline: true, critical_path: true, paje: true, perfetto: true, interval: 64}\n"
PROGRAMS = {
    "halo": "{workload: mesh_exchange, bytes: 900, compute: 1e-7, repetitions: 3, overhead_send: 2e-8}",
    "rendezvous": "{workload: butterfly, bytes: 400, eager_limit: 100, repetitions: 2, tasks_per_node: 2}",
    "random": "{workload: random_exchange, bytes: 400, stages: 8, overhead_receive: 1e-8, compute: 3e-8}",
}


def run(folder, traffic, observe=OBSERVE, **settings):
    (folder / "x.yaml").write_text(NETWORK + f"traffic: {traffic}\n" + observe)
    sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    out = folder / f"out{len(list(folder.iterdir()))}"
    subprocess.run([SARE, "run", folder / "x.yaml", "--quiet", "--no-report", "--out", out, *sets], check=True)
    return out


def rows(file):
    with open(file, newline="") as lines:
        return list(csv.DictReader(lines))


def decoded(file):
    """[(time, event, track)] and the tracks of a trace, by protoc's text. Skips the test where there is no protoc."""
    if not shutil.which("protoc"):
        raise unittest.SkipTest("there is no protoc (package protobuf-compiler)")
    with open(file, "rb") as trace:
        text = subprocess.run(["protoc", "--decode=Trace", f"--proto_path={HERE / 'perfetto'}", "trace.proto"],
                              stdin=trace, capture_output=True, check=True, text=True).stdout
    events, tracks = [], {}
    packet, inner = {}, None
    for line in text.splitlines():
        word = line.strip()
        if word == "packet {":
            packet, inner = {}, None
        elif line == "}":
            track = packet.get("track_descriptor")
            if track is not None:
                tracks[track["uuid"]] = track
            else:
                events.append((int(packet["timestamp"]), packet["track_event"]))
        elif word.endswith("{") and line.startswith("  ") and not line.startswith("    "):
            inner = packet.setdefault(word[:-2], {})
        elif ":" in word:
            key, _, value = word.partition(": ")
            (inner if line.startswith("    ") else packet)[key] = value.strip('"')
        elif word == "counter {":
            inner["counter"] = True
    return events, tracks


class Traces(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def outs(self):
        for traffic in PROGRAMS.values():
            for fidelity in ("flit", "analytic"):
                yield run(Path(self.folder.name), traffic, fidelity=fidelity)

    @unittest.skipUnless(shutil.which("pj_dump"), "there is no pj_dump (package pajeng)")
    def test_pj_dump_reads_the_timeline_of_paje(self):
        for out in self.outs():
            dump = subprocess.run(["pj_dump", out / "trace.paje"], capture_output=True, text=True, check=True).stdout
            states, links = Counter(), Counter()
            for cells in (line.split(", ") for line in dump.splitlines()):
                if cells[0] == "State":
                    states[int(cells[1].removeprefix("task")), float(cells[3]), float(cells[4]), cells[7]] += 1
                if cells[0] == "Link":
                    links[int(cells[7].removeprefix("task")), int(cells[8].removeprefix("task"))] += 1
            timeline = Counter((int(r["task"]), float(r["begin"]), float(r["end"]), r["state"])
                               for r in rows(out / "timeline.csv"))
            self.assertEqual(states, timeline)
            self.assertEqual(links, Counter({(int(r["source"]), int(r["destination"])): int(r["messages"])
                                             for r in rows(out / "task_matrix.csv")}))

    def test_slices_of_perfetto_nest(self):
        for out in self.outs():
            events, tracks = decoded(out / "trace.perfetto-trace")
            depth, last = defaultdict(int), {}
            for time, event in sorted(events, key=lambda e: e[0]):
                track = event["track_uuid"]
                self.assertIn(track, tracks)
                self.assertEqual("counter" in tracks[track], event["type"] == "TYPE_COUNTER")
                depth[track] += {"TYPE_SLICE_BEGIN": 1, "TYPE_SLICE_END": -1}.get(event["type"], 0)
                self.assertIn(depth[track], (0, 1), (time, event, tracks[track]))
                last[track] = time
            self.assertFalse(any(depth.values()))
            for track in tracks.values():
                self.assertTrue("parent_uuid" not in track or track["parent_uuid"] in tracks)

    def test_flows_of_perfetto_are_messages_and_ways_of_packets(self):
        for out in self.outs():
            events, tracks = decoded(out / "trace.perfetto-trace")
            begun, ended, hops = Counter(), Counter(), defaultdict(list)
            for time, event in events:
                ended.update([event["terminating_flow_ids"]] if "terminating_flow_ids" in event else [])
                if "flow_ids" in event:
                    (begun.update([event["flow_ids"]]) if event["type"] == "TYPE_INSTANT"
                     else hops[event["flow_ids"]].append((time, tracks[tracks[event["track_uuid"]]["parent_uuid"]]["name"])))
            self.assertEqual(begun, ended)
            self.assertEqual(set(begun.values()), {1})
            if not rows(out / "links.csv"):  # contention-free
                self.assertTrue(hops)
                continue
            # The way of a packet: each link begins where the one before has ended.
            crossed = Counter()
            for way in hops.values():
                places = [name.split(" ") for _, name in sorted(way)]
                self.assertEqual(places[0][0], "node")
                self.assertEqual(places[-1][-2], "node")
                for one, next_one in zip(places, places[1:]):
                    self.assertEqual(one[-2:], next_one[:2])
                crossed[len(way) - 1] += 1
            self.assertEqual(crossed, Counter({int(r["hops"]): int(r["consumed"])
                                               for r in rows(out / "distances.csv") if int(r["consumed"])}))

    def test_loads_of_links_add_up(self):
        out = run(Path(self.folder.name), PROGRAMS["halo"])
        events, tracks = decoded(out / "trace.perfetto-trace")
        told = defaultdict(list)
        for time, event in events:
            if event["type"] == "TYPE_COUNTER":
                value = float(event["double_counter_value"])
                self.assertTrue(0 <= value <= 1)
                told[tracks[tracks[event["track_uuid"]]["parent_uuid"]]["name"]].append((time, value))
        flits = {}
        for name, values in told.items():
            values.sort()
            self.assertEqual(values[-1][1], 0)
            flits[name] = sum(v * (after - at) for (at, v), (after, _) in zip(values, values[1:]))
        for r in rows(out / "links.csv"):
            if int(r["flits"]) and r["kind"] == "router":
                name = f"router {r['from']} port {r['from_port']} to router {r['to']}"
                self.assertAlmostEqual(flits[name], int(r["flits"]))

    def test_other_files_are_as_without(self):
        for name, traffic in PROGRAMS.items():
            seen, unseen = run(Path(self.folder.name), traffic), run(Path(self.folder.name), traffic, observe="")
            for file in sorted(unseen.iterdir()):
                if file.name == "columns.json":  # it says more files
                    self.assertLessEqual(json.loads(file.read_text()).items(), json.loads((seen / file.name).read_text()).items())
                elif file.name != "summary.json":
                    self.assertEqual(file.read_bytes(), (seen / file.name).read_bytes(), file.name)

    def test_what_has_no_tasks(self):
        folder = Path(self.folder.name)
        out = run(folder, "{workload: bernoulli, load: 0.1}", "observe: {perfetto: true, to: 200}\n"
                  "measurement: {warmup: 0, convergence_count: 0, batch: 100, batches: 5}\n")
        events, _ = decoded(out / "trace.perfetto-trace")
        self.assertTrue(events and max(time for time, _ in events) <= 200 + 64)
        (folder / "bad.yaml").write_text("network: {topology: mesh, dims: [4, 4]}\ntraffic: {workload: bernoulli}\n"
                                         "observe: {timeline: true}\n")
        done = subprocess.run([SARE, "run", folder / "bad.yaml", "--out", folder / "bad"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("bad.yaml:3:", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
