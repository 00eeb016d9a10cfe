#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `sare record` in chromium: what it rebuilds agrees with the events of packets that a run of the same network
writes, and it does what its buttons, keys, mouse and finger ask for. test_player.py --look DIR keeps pictures,
--measure says sizes and frames a second of larger networks."""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import devtools

SARE = os.environ.get("SARE", Path(__file__).resolve().parents[3] / "build/sare")
LOOK = None  # a folder for pictures
LOAD = "traffic: {workload: bernoulli, load: %s, length: 4}\n"
MESH = "network: {topology: mesh, dims: [4, 4]}\nrouting: dor\nrouter: {vcs: 2, depth: 4}\n" + LOAD % 0.4
NETWORKS = {
    "mesh": MESH,
    "torus": "network: {topology: torus, dims: [4, 3], link_latency: 3}\nrouting: duato\nrouter: {vcs: 4, depth: 6, reallocation: atomic}\n" + LOAD % 0.5,
    "tree": "network: {topology: kary_ntree, k: 2, n: 3}\nrouter: {kind: multistage, vcs: 2, packet: 4}\n" + LOAD % 0.3,
    "graph": "network: {topology: crossbar, n: 5}\nrouter: {vcs: 3, rc_delay: 0, va_delay: 0}\n" + LOAD % 0.6,
    "bubble": "network: {topology: torus, dims: [4, 4]}\nrouter: {kind: bubble, vcs: 2, packet: 4}\n" + LOAD % 0.4,
    "one flit": "network: {topology: ring, n: 6}\nrouting: dor\nrouter: {vcs: 2, depth: 1}\ntraffic: {workload: bernoulli, load: 0.3, length: 1}\n",
}
FROM, TO = 100, 400
# Every visit of a head to a router in the window: packet, router, port, VC, cycles of arrival and departure.
VISITS = """(() => { const s = sare.source, t = s.tour, v = t.visits, all = [];
for (let k = 0; k < v.packet.length; ++k) { const i = v.input.values[k], r = s.wiring.router[i];
  all.push([s.record.table.number[v.packet.values[k]], r, s.record.network.routers[r].ports[s.wiring.port(i)][0],
            (i - s.wiring.first[r]) % s.wiring.vcs, v.came.values[k] + s.record.from, v.went.values[k] < 0 ? -1 : v.went.values[k] + s.record.from]); }
return all; })()"""
# Whether all that was written has been read.
READ = """sare.source.tour.replay.streams.every(s => s.at === s.indices.length && s.number_at === s.numbers.length && s.next === -1)"""
STATE = """(() => { const s = sare.source.state; return JSON.stringify([s.cycle, ...s.flits, ...s.way, Array.from(s.is), Array.from(s.credits),
Array.from(s.owner)]); })()"""


def sare(folder, *arguments):
    done = subprocess.run([SARE, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise AssertionError(f"sare {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout


def window(begin, end):
    return [word for text in (f"observe.from={begin}", f"observe.to={end}", f"measurement.warmup={begin}", "measurement.convergence_count=0",
                              "measurement.batches=1", f"measurement.batch={end - begin}") for word in ("--set", text)]


class Player(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.place.name)
        cls.addClassCleanup(cls.place.cleanup)

    def page(self, name, text, begin=FROM, end=TO):
        (self.folder / f"{name}.yaml").write_text(text)
        sare(self.folder, "record", f"{name}.yaml", "--from", str(begin), "--to", str(end))
        return self.folder / f"{name}.html"

    def opened(self, browser, page, **how):
        browser.open(page, **how)
        browser.until("window.sare && sare.source.is_whole && sare.frames > 1", 60)
        self.assertEqual(browser.errors, [])

    def test_agrees_with_the_events_of_packets(self):
        with devtools.Browser(self.folder) as b:
            for name, text in NETWORKS.items():
                with self.subTest(name):
                    self.opened(b, self.page(name, text))
                    sare(self.folder, "run", f"{name}.yaml", "--no-report", "--out", name, *window(FROM, TO), "--set", "observe.inside.csv=true")
                    here, expected = self.visits(b), self.events(self.folder / name / "packet_events.csv")
                    self.assertGreater(len(expected), 100)
                    self.assertEqual(here, expected)
                    self.assertTrue(b.ask(READ))

    @staticmethod
    def visits(browser):
        """Those that begin and end in the window."""
        return sorted(tuple(v) for v in browser.ask(VISITS) if v[5] >= 0)

    @staticmethod
    def events(file):
        came, visits = {}, []
        for e in csv.DictReader(file.read_text().splitlines()):
            key = (int(e["packet"]), int(e["router"] or -1), e["in_port"], int(e["in_vc"] or -1))
            if e["event"] == "in":
                came[key] = int(e["cycle"])
            elif e["event"] == "out" and key in came:
                visits.append((*key, came.pop(key), int(e["cycle"])))
        return sorted(visits)

    def test_is_the_same_whichever_way_one_came(self):
        with devtools.Browser(self.folder) as b:
            self.opened(b, self.page("ways", MESH))
            for cycle in (250, 3, 299, 298, 0, 64, 250):
                b.ask(f"sare.source.show({cycle})")
                there = b.ask(STATE)
                b.ask(f"sare.source.show(0), sare.source.state.go_to(sare.source.tour.kept[0]), sare.source.show({cycle})")
                self.assertEqual(b.ask(STATE), there)

    def test_does_what_is_asked(self):
        with devtools.Browser(self.folder) as b:
            self.opened(b, self.page("asked", MESH))
            cycle = "sare.source.shown"
            b.ask("document.getElementById('map').focus()")
            for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", TO - FROM - 1), ("Home", 0)):
                b.key(key)
                self.assertEqual(b.ask(cycle), at, key)
            b.key(" ", 32)
            b.until(f"{cycle} > 2")
            b.key(" ", 32)
            at = b.ask(cycle)
            b.ask("new Promise(done => setTimeout(done, 500))")
            self.assertEqual(b.ask(cycle), at, "it has been stopped")
            b.key("w")
            self.assertEqual(b.ask(cycle), b.ask("sare.source.cycle_of[sare.source.tour.worst]"))
            self.looks(b)
            self.finds(b)
            self.assertEqual(b.errors, [])

    def looks(self, b):
        """At a router, a packet in it, and away again."""
        panel = "document.getElementById('panel').innerText"
        x, y = b.ask("(() => { const m = sare.map, box = m.canvas.getBoundingClientRect(); return [box.x + m.sx(m.plan.x[5]), box.y + m.sy(m.plan.y[5])]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            b.mouse(kind, x, y, button="left", clickCount=1)
        b.until(f"{panel}.startsWith('router 5')")
        packet = b.ask("+document.querySelector('#panel .cell.flit').dataset.packet")
        b.click("#panel .cell.flit")
        b.until(f"{panel}.startsWith('Packet ' + sare.source.record.table.number[{packet}])")
        self.assertIn("What it waits for", b.ask(panel))
        b.key("Escape")
        b.until(f"{panel}.startsWith('Cycle')")

    def finds(self, b):
        def find(text):
            b.ask(f"(() => {{ const s = document.getElementById('search'); s.value = {text!r}; s.dispatchEvent(new Event('change')); }})()")
            return b.ask("document.getElementById('found').textContent")
        number = b.ask("sare.source.record.table.number[40]")
        for text, looked in ((f"packet {number}", "sare.map.packet === 40"), ("router 7", "sare.map.router === 7"), ("node 3", "sare.map.node === 3"),
                             (f"cycle {FROM + 50}", "sare.source.shown === 50")):
            self.assertEqual(find(text), "")
            b.until(looked)
        self.assertRegex(find("packet 999999999"), "not in the window")
        self.assertRegex(find("router 99"), "no router, node or packet")

    def test_fits_every_width(self):
        with devtools.Browser(self.folder) as b:
            page = self.page("widths", MESH)
            for width, height in ((400, 800), (1400, 900), (2400, 1300)):
                for dark in (False, True):
                    with self.subTest(f"{width} {'dark' if dark else 'light'}"):
                        self.opened(b, page, width=width, height=height, dark=dark)
                        self.assertLessEqual(b.ask("document.documentElement.scrollWidth"), width)
                        colours = b.ask("(() => { const m = sare.map, d = m.pen.getImageData(0, 0, m.canvas.width, m.canvas.height).data, all = new Set(); "
                                        "for (let k = 0; k < d.length; k += 4) all.add(d[k] << 16 | d[k + 1] << 8 | d[k + 2]); return all.size; })()")
                        self.assertGreater(colours, 10, "the network is drawn")


def measure(cases):
    with tempfile.TemporaryDirectory() as place, devtools.Browser(place) as b:
        for name, text, end in cases:
            folder = Path(place)
            (folder / "case.yaml").write_text(text)
            print(name, sare(folder, "record", "case.yaml", "--to", str(end), "--out", "case.html").strip())
            b.open(folder / "case.html", width=1400, height=900)
            b.until("window.sare && sare.source.is_whole && sare.frames > 1", 300)
            b.ask("sare.go_to(200)")
            for speed in (2, 20, 100):
                b.ask(f"sare.speed = {speed}, sare.play(true)")
                frames = b.ask("new Promise(done => { const before = sare.frames, at = performance.now(); "
                               "setTimeout(() => done((sare.frames - before) / (performance.now() - at) * 1000), 4000); })")
                print(f"  {speed} cycles/s: {frames:.1f} frames/s")
            b.ask("sare.play(false)")
            if LOOK:
                b.picture(Path(LOOK) / f"{name.replace(' ', '-')}.png", whole=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--look")
    parser.add_argument("--measure", action="store_true")
    options, rest = parser.parse_known_args()
    LOOK = options.look
    if options.measure:
        big = "network: {topology: mesh, dims: [%d, %d]}\nrouting: dor\nrouter: {vcs: 4, depth: 8}\ntraffic: {workload: bernoulli, load: %s, length: %d}\n"
        measure([("8x8", big % (8, 8, 0.3, 4), 10000), ("8x8 full", big % (8, 8, 0.6, 1), 10000), ("32x32", big % (32, 32, 0.08, 4), 2000)])
    else:
        unittest.main(argv=[sys.argv[0], *rest])
