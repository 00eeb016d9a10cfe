#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/report over made-up result directories: what a page holds, and what is said of broken ones."""
import base64
import csv
import gzip
import json
import lzma
import re
import resource
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

import make_fixtures
import numpy as np
from report_case import REPORT, Balance, ReportTest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/python"))
from sare.report import page, read, timeline


def zstd(text):
    return subprocess.run(["zstd", "-qc"], input=text, stdout=subprocess.PIPE, check=True).stdout


RUN_PLOTS = ["Evolution", "Link utilisation", "Latency", "Fairness", "Distances", "Queue occupancy"]


class Pages(ReportTest):
    def test_loads_have_their_intervals_over_batches(self):
        known = {"load.accepted": 0.1, "load.offered": 0.1, "load.injected": 0.10004, "batches": [{"accepted": x, "offered": 0.1} for x in (0.098, 0.1, 0.102)]}
        result = mock.Mock(get=lambda path, usual=None: known.get(path, usual))
        self.assertEqual([page._load(result, name) for name in ("accepted", "offered", "injected")],
                         ["0.1000 ± 0.0050", "0.1", 0.10004])  # t of 2 degrees of freedom times 0.002 / sqrt(3)

    def test_every_fixture_gives_a_sound_self_contained_page(self):
        for fixture in make_fixtures.FIXTURES:
            with self.subTest(fixture):
                self.dir = self.dir.with_name(fixture)
                page = self.page(fixture)
                outside = re.sub(r'xmlns="http://www.w3.org/2000/svg"', "", page)
                self.assertNotRegex(outside, r"https?://|<link|<script src|<img|@import")
                self.assertNotIn("#fe01", page, "a stand-in colour was not replaced")
                balance = Balance()
                balance.feed(page)
                self.assertEqual((balance.wrong, balance.open), ([], []))

    def test_the_program_writes_the_same(self):
        """The other tests call its main() in a fork of themselves."""
        page = self.page("mesh")
        done = subprocess.run([REPORT, self.dir], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual((self.dir / "report.html").read_text(), page)
        done = subprocess.run([REPORT, self.dir / "none"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"report: {self.dir / 'none'}: no such directory\n"))

    def test_run_has_its_plots(self):
        self.assert_plots(self.page("mesh"), RUN_PLOTS + ["Traffic matrix"])

    def test_trace_replay_shows_tasks_and_makespan(self):
        page = self.page("torus-trace")
        self.assert_plots(page, RUN_PLOTS + ["Traffic matrix", "Tasks"])
        self.assertIn("Makespan", page)

    def test_slowdown_by_size(self):
        make_fixtures.make("mesh", self.dir)
        columns = "from,to,messages,latency_mean,latency_p50,latency_p99,idle_mean,slowdown_mean,slowdown_p50,slowdown_p99,slowdown_max"
        make_fixtures.write_csv(self.dir / "message_sizes.csv", columns.split(","),
                                [[0, 64, 9, 30, 29, 40, 28, 1.1, 1.05, 1.4, 1.5], [64, "", 5, 90, 80, 200, 60, 1.5, 1.3, 3.1, 3.2]])
        self.assertEqual(self.report().stderr, "")
        page = (self.dir / "report.html").read_text()
        self.assert_plots(page, [*RUN_PLOTS[:2], "Slowdown by size", *RUN_PLOTS[2:], "Traffic matrix"])
        self.assertIn("64 to 128 bytes", page)

    def test_domains_have_a_map_and_their_power_over_time(self):
        make_fixtures.make("mesh", self.dir)
        file = self.dir / "routers.csv"
        head, *places = file.read_text().splitlines()
        file.write_text("\n".join([head + ",domain", *(f"{line},{'slow' if k < 2 else ''}" for k, line in enumerate(places))]) + "\n")
        columns = ["domain", "begin", "end", "frequency", "voltage", "energy", "power"]
        rows = [[name, 100 * i, 100 * i + 100, 1000 // (1 + i) if name == "slow" else 1000, 0.7, 5, 2 + i] for name in ("network", "slow") for i in range(3)]
        make_fixtures.write_csv(self.dir / "domain_power_over_time.csv", columns, rows)
        self.assertEqual(self.report().stderr, "")
        page = (self.dir / "report.html").read_text()
        self.assert_plots(page, [*RUN_PLOTS[:2], "Power of domains", "Domains", *RUN_PLOTS[2:], "Traffic matrix"])
        self.assertIn("clock, MHz", page)
        self.assertIn(f"network ({len(places) - 2})", page)
        self.assertIn("slow (2)", page)

    def timeline(self, tasks, spans, length):
        """What the page draws: the states of each task, with their spans."""
        make_fixtures.make("mesh", self.dir)
        rows = [f"{task},{k * length},{(k + 1) * length},{('compute', 'wait')[k % 2]}" for k in range(spans) for task in range(tasks)]
        (self.dir / "timeline.csv").write_text("task,begin,end,state\n" + "\n".join(rows) + "\n")
        (self.dir / "marks.csv").write_text("task,cycle,phase\n0,3,</script>\n")
        (self.dir / "critical_path.csv").write_text("begin,end,part,from,to,phase\n0,5,compute,0,0,\n5,7,injection,0,1,\n7,9,transit,0,1,\n")
        self.assertEqual(self.report().stderr, "")
        page = (self.dir / "report.html").read_text()
        data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)[1])
        unpacked = {name: np.frombuffer(base64.b64decode(data[name]), kind)
                    for name, kind in (("counts", "<u4"), ("begins", "<f8"), ("ends", "<f8"), ("kinds", "u1"))}
        return data, unpacked

    def test_timeline(self):
        data, drawn = self.timeline(3, 4, 5)
        self.assertEqual((data["tasks"], data["first"], data["last"], data["merged"]), ([0, 1, 2], 0, 20, 0))
        self.assertEqual(data["path"], [[0, 5, 0, 0], [5, 9, 0, 1]])
        self.assertEqual(data["marks"], [[0, 3, "</script>"]])
        self.assertEqual(drawn["counts"].tolist(), [4, 4, 4])
        self.assertEqual(drawn["begins"].tolist(), [0, 5, 10, 15] * 3)
        self.assertEqual(drawn["ends"].tolist(), [5, 10, 15, 20] * 3)
        self.assertEqual([data["states"][k] for k in drawn["kinds"]], ["compute", "wait"] * 6)

    def test_timelines_of_applications(self):
        make_fixtures.make("mesh", self.dir)
        file = self.dir / "summary.json"
        summary = json.loads(file.read_text())
        summary["workload"] = {"applications": [{"name": name, "results": {"makespan_cycles": 20}} for name in ("a.0", "b", "quiet")]}
        file.write_text(json.dumps(summary))
        for name, state in (("a.0", "compute"), ("b", "wait")):
            (self.dir / f"{name}.timeline.csv").write_text(f"task,begin,end,state\n0,0,20,{state}\n")
        self.assertEqual(self.report().stderr, "")
        page = (self.dir / "report.html").read_text()
        self.assertEqual(re.findall(r"<h2>Timeline of (.*?)</h2>", page), ["a.0", "b"])
        kinds = [json.loads(text)["kinds"] for text in re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)]
        self.assertEqual([base64.b64decode(one)[0] for one in kinds], [0, 4])

    def test_timeline_of_many_spans_is_put_together(self):
        data, drawn = self.timeline(1024, 400, 3)
        self.assertEqual(data["merged"], 4)
        self.assertLess(len(drawn["kinds"]), 310_000)
        ends = np.cumsum(drawn["counts"]) - 1
        self.assertEqual(set(drawn["ends"][ends]), {1200})
        # Of every four cycles what most of them are: three of a state, or two of each.
        self.assertEqual(drawn["begins"][:3].tolist(), [0, 8, 12])
        self.assertEqual((drawn["begins"][1:] == drawn["ends"][:-1]).sum(), len(drawn["ends"]) - 1024)

    def test_what_the_deadlock_check_leaves_open_is_said(self):
        for check, said in (("not needed: bubbles: a place is free", "design"), ("skipped: about 33,554,432 routing decisions to follow, more than 20,000,000", "caution"),
                            ("not made: checks.deadlock is false", "caution"),
                            ("free of deadlock: no cycle among 40 channels with 90 dependencies", "fact"), ("", "")):
            with self.subTest(check):
                make_fixtures.make("mesh", self.dir)
                summary = self.dir / "summary.json"
                summary.write_text(json.dumps(dict(json.loads(summary.read_text()), deadlock_check=check)))
                self.assertEqual(self.report().returncode, 0)
                page = (self.dir / "report.html").read_text()
                self.assertEqual(f"Not proved free of deadlock. The static check: {check}." in page, said == "caution")
                self.assertEqual("<li>proved free of deadlock</li>" in page, said == "fact")
                self.assertEqual("<li>no deadlock: bubbles: a place is free</li>" in page, said == "design")

    def test_status_comes_with_its_reason(self):
        page = self.page("deadlock")
        self.assertIn('<span class="badge bad">deadlock</span>', page)
        self.assertIn("37 packets wait in a cycle of 5 channels", page)

    def test_flows_are_in_their_own_units_with_three_verdicts(self):
        page = self.page("flows")
        self.assertIn("3 of 14 flows get less than they require, or later. Of 1 the run is too short to tell.", page)
        for said in ("required, MB/s", "delivered, MB/s", "mean latency, ns", "cannot tell"):
            self.assertIn(said, page)

    def test_routers_of_several_kinds_are_shown(self):
        page = self.page("mixed")
        self.assert_plots(page, RUN_PLOTS + ["Routers"])
        self.assertIn("vc, depth 16, sa_delay 2 (4)", page)
        self.assertRegex(page, r"<td>4</td>\s*<td>5-6, 9-10</td>")
        self.assertIn("5 others", self.page("mixed-many"))

    def test_what_has_failed_is_crossed_out(self):
        make_fixtures.make("mesh", self.dir)
        summary = self.dir / "summary.json"
        good = json.loads(summary.read_text())
        self.assertEqual(self.report().returncode, 0)
        self.assertNotIn("Crosses:", (self.dir / "report.html").read_text())
        with (self.dir / "links.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["kind"] == "router"]
        ports = [[int(row["from"]), int(row["from_port"])] for row in rows[:4]]
        events = [{"at": 400, "ports": ports[:2], "routers": []}, {"at": 300, "ports": ports[2:3], "routers": [5]},
                  {"at": good["cycles"], "ports": ports[3:], "routers": [2]}]  # the run was over
        summary.write_text(json.dumps(dict(good, failures=events)))
        self.assertEqual(self.report().returncode, 0)
        page = (self.dir / "report.html").read_text()
        self.assertIn("Crosses: 3 directions of links and 1 router failed, from cycle 300 on.", page)
        self.assertIn("3 directions of links and 1 router failed, from cycle 300 on; the run went on to its end.", page)
        self.assertIn("Dashed lines: something failed, first in cycle 300.", page)
        self.assertNotIn("ended as it should", page)
        summary.write_text(json.dumps(dict(good, failures=[{"at": 400, "ports": [[0]], "routers": []}])))
        self.assert_refused(f"{summary}: 'failures' is not a list of events, each with 'at', 'ports' and 'routers'")
        summary.write_text(json.dumps(dict(good, failures=[{"at": 400, "ports": [], "routers": [1000000]}])))
        self.assert_refused(f"{summary}: 'failures' is not a list of events, each with 'at', 'ports' and 'routers'")

    def test_a_long_reason_begins_with_the_finding(self):
        make_fixtures.make("mesh", self.dir)
        summary = self.dir / "summary.json"
        reason = "1 of 8 sources cannot send what it is offered (node 3; of class 0)" + "; the injection of node 3 takes less than it is offered" * 4
        summary.write_text(json.dumps(dict(json.loads(summary.read_text()), status="saturated", status_reason=reason)))
        self.assertEqual(self.report().returncode, 0)
        page = (self.dir / "report.html").read_text()
        self.assertIn('<p class="reason">1 of 8 sources cannot send what it is offered (node 3; of class 0).</p>', page)
        self.assertIn("<summary>More</summary><p>the injection of node 3 takes less", page)

    def test_a_map_names_the_cores_at_routers(self):
        page = self.page("flows")
        self.assertNotIn("Below a router stand", page)  # nodes are called as their routers are
        table = (self.dir / "nodes.csv").read_text().replace(",idct", ",decoder")
        (self.dir / "nodes.csv").write_text(table)
        self.assertEqual(self.report().returncode, 0)
        page = (self.dir / "report.html").read_text()
        self.assertIn("Below a router stand the nodes at it.", page)
        self.assertRegex(page, r">\s*decoder\s*</text>")

    def test_plots_without_data_are_left_out(self):
        self.assert_plots(self.page("idle"), ["Evolution"])
        for file in self.dir.glob("*.csv"):
            file.unlink()
        self.assertEqual(self.report().returncode, 0)
        self.assert_plots((self.dir / "report.html").read_text(), [])

    def test_sweep_has_its_plots_and_points(self):
        page = self.page("sweep-axes")
        self.assert_plots(page, ["Latency against offered load", "Accepted against offered load",
                                 "Latency against accepted load", "Main effects on lowest latency", "Pareto front"])
        self.assertIn("is not known from one seed, so nothing of it is tested", page)  # and no interaction is drawn
        self.assertIn("routing valiant, vcs 4", page)
        self.assertEqual(len(re.findall(r'<tr><th scope="row">(?:<a href="points/\d+/">)?\d+(?:</a>)?</th>', page)), 60)

    def test_sweep_without_a_load_axis(self):
        self.assert_plots(self.page("sweep-no-load"), ["Latency", "Accepted load"])

    def test_sweep_of_programs_begins_with_their_makespan(self):
        page = self.page("sweep-programs")
        self.assert_plots(page, ["Makespan", "Latency", "Accepted load", "Main effects on makespan"])  # of two designs
        self.assertIn("makespan, cycles", page)
        self.assertIn(">traffic.cpu_factor<", page)

    def test_sections_are_called_by_what_tells_them_apart(self):
        page = self.page("sweep-sections")
        for name in ("topology torus, router –", "topology twisted_torus, router local_bubble 3"):
            self.assertIn(f">network {name}<", page)

    def test_an_axis_over_decades_is_logarithmic(self):
        page = self.page("sweep-sections")
        self.assertIn(">100<", page)
        self.assertNotIn(">400<", page)

    def test_sweep_without_points_yet(self):
        make_fixtures.make("sweep", self.dir)
        file = self.dir / "sweep.csv"
        file.write_text(file.read_text().splitlines()[0] + "\n")
        self.assertEqual(self.report().stderr, "")
        self.assertIn("0 of 10 points", (self.dir / "report.html").read_text())

    def test_names_are_escaped(self):
        make_fixtures.make("deadlock", self.dir)
        file = self.dir / "summary.json"
        file.write_text(file.read_text().replace("no flit moved", "<b>no</b> & flit"))
        self.report()
        self.assertIn("&lt;b&gt;no&lt;/b&gt; &amp; flit", (self.dir / "report.html").read_text())

    def test_picture(self):
        for fixture in ("mesh", "sweep"):
            self.dir = self.dir.with_name(fixture)
            make_fixtures.make(fixture, self.dir)
            picture = self.dir / "main.png"
            self.assertEqual(self.report("--picture", picture).stderr, "")
            self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
            self.assertFalse((self.dir / "report.html").exists())


    def test_a_picture_is_what_its_name_says(self):
        make_fixtures.make("mesh", self.dir)
        for option in ("--picture", "--network"):
            for ending, begin in ((".png", b"\x89PNG"), (".pdf", b"%PDF-"), (".svg", b"<?xml")):
                file = self.dir / f"a{ending}"
                self.assertEqual(self.report(option, file).stderr, "")
                self.assertEqual(file.read_bytes()[:len(begin)], begin)
            done = self.report(option, self.dir / "a.gif")
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"report: {self.dir / 'a.gif'}: the name of a picture ends in .png, .pdf or .svg, which says what it is to be\n"))

    def test_links_are_coloured_by_what_they_could_carry(self):
        make_fixtures.make("mesh", self.dir)
        with (self.dir / "links.csv").open() as file:
            rows = list(csv.DictReader(file))
        for row in rows:  # a narrow link that is full, among wide ones that carry more
            row["utilisation"] = 0.97 if (row["from"], row["to"]) == ("9", "10") else 0.3
        with (self.dir / "links.csv").open("w") as file:
            table = csv.DictWriter(file, rows[0].keys())
            table.writeheader()
            table.writerows(rows)
        summary = self.dir / "summary.json"
        good = json.loads(summary.read_text())
        good["links"]["busiest"] = {"kind": "router", "from": 9, "from_port": 0, "to": 10, "to_port": 1, "load": 0.2425, "utilisation": 0.97}
        summary.write_text(json.dumps(good))
        self.assertEqual(self.report().stderr, "")
        page = (self.dir / "report.html").read_text()
        self.assertIn("highest 97 %, from router 9 to 10.", page)
        self.assertIn("router 9 to router 10, 0.2425 flits/cycle", page)
        self.assertIn("<h2>Link utilisation</h2>", page)
        good["links"]["busiest"] = 7
        summary.write_text(json.dumps(good))
        self.assert_refused(f"{summary}: 'links.busiest' is not a link with its 'kind'")


    def test_links_over_time(self):
        """Maps of loads and stalls that play; what is said of the beginning of congestion; tables that do not fit."""
        page = self.page("time")
        self.assert_plots(page, ["Evolution", "Link utilisation", "Stalls at the ends of links", *RUN_PLOTS[2:]])
        self.assertEqual(page.count('<div class="player" hidden>'), 2)
        self.assertEqual(page.count("Congestion began in cycles"), 1)
        file, summary = self.dir / "links_over_time.csv", self.dir / "summary.json"
        summary.write_text(json.dumps(dict(json.loads(summary.read_text()), congestion_onset={"cycle": None, "link": ""})))
        self.assertEqual(self.report().returncode, 0)
        self.assertIn("No link carried 90 % of what it can in two intervals in a row.", (self.dir / "report.html").read_text())
        text = file.read_text()
        file.write_text("\n".join(text.splitlines()[:-1]) + "\n")
        self.assert_refused(f"{file}: its links are not those of links.csv")
        for one in (file, self.dir / "columns.json"):
            one.write_text((text if one == file else one.read_text()).replace("flits_to_500,", "flits_to_90000,").replace('"flits_to_500"', '"flits_to_90000"'))
        self.assert_refused(f"{file}:1: the intervals are not in order of time")


class Networks(ReportTest):
    """The picture of `sare topo --svg`, from a directory with no loads in it."""

    def svg(self, fixture):
        make_fixtures.make(fixture, self.dir)
        file = self.dir / "network.svg"
        self.assertEqual(self.report("--network", file).stderr, "")
        return ElementTree.parse(file).getroot()

    def paths(self, svg, name):
        return len(svg.findall(f".//*[@id='{name}']//{{http://www.w3.org/2000/svg}}path"))

    def test_every_router_and_link_is_drawn(self):
        for fixture, routers, links in (("mesh", 64, 112), ("cube", 64, 192), ("fat-tree", 8, 16), ("old-torus", 16, 32),
                                        ("old-tree", 8, 16), ("idle", 1, 0)):
            with self.subTest(fixture):
                self.dir = self.dir.with_name(fixture)
                svg = self.svg(fixture)
                self.assertEqual((self.paths(svg, "routers"), self.paths(svg, "links")), (routers, links))

    def test_planes_and_levels_are_named(self):
        said = "".join(self.svg("cube").itertext())
        for name in ("c2=0", "c2=3", "63", "torus 4 × 4 × 4"):
            self.assertIn(name, said)

    def test_graphviz_is_not_needed(self):
        make_fixtures.make("old-tree", self.dir)
        self.assertEqual(self.report(env={"PATH": "/nowhere"}).stderr, "")


class BrokenInput(ReportTest):
    def test_no_directory(self):
        self.assert_refused(f"{self.dir}: no such directory")

    def test_empty_directory(self):
        self.dir.mkdir()
        self.assert_refused(f"{self.dir}: neither summary.json (of a run) nor sweep.csv (of a sweep) is in it")

    def break_file(self, name, change):
        self.page("deadlock")
        file = self.dir / name
        file.write_text(change(file.read_text()))
        return file

    def test_cut_summary(self):
        file = self.break_file("summary.json", lambda text: '{"status": ')
        self.assert_refused(f"{file}:1:12: Expecting value")

    def test_summary_of_another_kind(self):
        file = self.break_file("summary.json", lambda text: "[]")
        self.assert_refused(f"{file}: not a JSON object")

    def test_summary_without_status(self):
        file = self.break_file("summary.json", lambda text: "{}")
        self.assert_refused(f"{file}: 'status' is missing or not a text")

    def test_figure_that_is_no_number(self):
        file = self.break_file("summary.json", lambda text: text.replace('"cycles": 12000', '"cycles": "many"'))
        self.assert_refused(f"{file}: 'cycles' is not a number")
        file.write_text(file.read_text().replace('"many"', "1").replace('"dropped": 0', '"dropped": []'))
        self.assert_refused(f"{file}: 'packets.dropped' is not a number")

    def test_router_groups(self):
        self.page("mixed")
        file = self.dir / "summary.json"
        text = file.read_text()
        file.write_text(text.replace('"7-8",', ""))
        self.assert_refused(f"{file}: router 7 is in none of 'router_groups'")
        for wrong in ('"7-x",', '"7-99",', '"99",', '[7],'):
            file.write_text(text.replace('"7-8",', wrong))
            self.assert_refused(f"{file}: 'router_groups' is not a list of names, each with numbers of routers")

    def test_word_for_a_number(self):
        file = self.break_file("queues.csv", lambda text: text.replace("\n1,", "\nx,"))
        self.assert_refused(f"{file}:3: 'x' in column 'flits' is not a number")

    def test_negative_router(self):
        file = self.break_file("links.csv", lambda text: text.replace("\n0,0,", "\n-1,0,", 1))
        self.assert_refused(f"{file}:2: '-1' in column 'from' is not a whole number from 0")

    def test_missing_column(self):
        file = self.break_file("distances.csv", lambda text: text.replace("consumed", "eaten"))
        self.assert_refused(f"{file}:1: no column 'consumed'")

    def test_state_that_is_none(self):
        self.page("mesh")
        file = self.dir / "timeline.csv"
        file.write_text("task,begin,end,state\n0,0,5,compute\n0,5,9,dreaming\n")
        self.assert_refused(f"{file}:3: 'dreaming' in column 'state' is none of compute, send, receive, blocked, wait, "
                            "collective, idle")

    def test_cut_row(self):
        file = self.break_file("nodes.csv", lambda text: text + "5,5\n")
        self.assert_refused(f"{file}:7: 2 fields, the header has 7")

    def test_compressed_tables(self):
        make_fixtures.make("mesh", self.dir)
        plain = read.result(self.dir).tables["nodes"]
        text = (self.dir / "nodes.csv").read_bytes()
        (self.dir / "nodes.csv").unlink()
        for ending, pack in ((".gz", gzip.compress), (".xz", lzma.compress), (".zst", zstd)):
            file = self.dir / f"nodes.csv{ending}"
            file.write_bytes(pack(text))
            again = read.result(self.dir).tables["nodes"]
            self.assertEqual((again.about, list(again.columns)), (plain.about, list(plain.columns)))
            for name, column in plain.columns.items():
                np.testing.assert_array_equal(again[name], column)
            file.write_bytes(pack(text)[:-10])
            with self.assertRaisesRegex(read.Problem, rf"{file}: is damaged: .*(end|eof)"):
                read.result(self.dir).tables["nodes"]
            file.unlink()

    def test_many_rows(self):
        """Of which only some are text in memory at a time."""
        make_fixtures.make("mesh", self.dir)
        header, *rows = (self.dir / "nodes.csv").read_text().splitlines()
        (self.dir / "nodes.csv").write_text("\n".join([header, *rows * 3, rows[0].replace(",", ",x", 1)]) + "\n")
        with mock.patch.object(read, "AT_ONCE", len(rows)):
            self.assertRaisesRegex(read.Problem, rf"nodes.csv:{3 * len(rows) + 2}: 'x", lambda: read.result(self.dir).tables["nodes"])
            (self.dir / "nodes.csv").write_text("\n".join([header, *rows * 3]) + "\n")
            table = read.result(self.dir).tables["nodes"]
        self.assertEqual(table.rows, 3 * len(rows))
        np.testing.assert_array_equal(table["node"], np.tile(table["node"][:len(rows)], 3))

    def test_binary_file(self):
        self.page("deadlock")
        (self.dir / "links.csv").write_bytes(b"\xff\xfe\x00")
        self.assert_refused(f"{self.dir / 'links.csv'}: not UTF-8 text")

    def test_page_cannot_be_replaced(self):
        make_fixtures.make("deadlock", self.dir)
        (self.dir / "report.html").mkdir()
        self.assert_refused(f"{self.dir / 'report.html'}: Is a directory")

    def test_full_disk_keeps_the_old_page(self):
        self.page("deadlock")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        self.assert_refused(f"{self.dir / 'report.html'}: File too large", preexec_fn=limit)


if __name__ == "__main__":
    unittest.main()
