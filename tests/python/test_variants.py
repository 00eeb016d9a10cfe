#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Workloads, patterns and routing functions in Python give what their twins in C++ give."""
import json
import os
import unittest
from pathlib import Path
from unittest import mock

import common
import sare

PLUGIN = Path(__file__).with_name("plugin.py")


class Variants(common.Case):
    def same(self, twin, own):
        """Both are run by the command; own: with its class in a plugin."""
        a, b = sare.run(twin, out=self.folder / "a"), sare.run(own, out=self.folder / "b")
        for run in (a, b):
            summary = self.timeless((run.path / "summary.json").read_bytes())
            summary["config"] = None
            summary["deadlock_check"] = None
            if run is a:
                expected = summary
        self.assertEqual(summary, expected)
        for name in a.tables:
            self.assertEqual((a.path / f"{name}.csv").read_bytes(), (b.path / f"{name}.csv").read_bytes(), name)

    def test_pattern(self):
        self.same(common.small(), common.small(plugins=[str(PLUGIN)]).set({"traffic.pattern": {"name": "python", "class": "Uniform"}}))

    def test_routing(self):
        self.same(common.small(), common.small(plugins=[str(PLUGIN)]).set({"routing": {"function": "python", "class": "Xy"}}))

    def test_workload(self):
        own = {"workload": "python", "class": "RandomPairs", "parameters": {"messages": 200, "outstanding": 8}}
        twin = common.small().set({"traffic": {"workload": "random", "messages": 200, "outstanding": 8}})
        a, b = sare.run(twin), sare.run(common.small(plugins=[str(PLUGIN)]).set({"traffic": own}))
        self.assertEqual(a.summary["cycles"], b.summary["cycles"])
        self.assertEqual(a.summary["latency"], b.summary["latency"])
        self.assertTrue(a.links.equals(b.links))

    @staticmethod
    def governed(governor, **more):
        slow = {"routers": "0-7", "levels": [{"clock": 2}, {"clock": 4}], "interval": 400, "governor": governor}
        return common.small(plugins=[str(PLUGIN)], domains={"slow": slow}, **more)

    def test_governor(self):
        self.same(self.governed({"name": "threshold", "up": 0.02, "down": 0.01}),
                  self.governed({"name": "python", "class": "Steps", "parameters": {"up": 0.02, "down": 0.01}}))

    def test_governor_is_kept_in_checkpoints(self):
        (self.folder / "e.yaml").write_text(self.governed({"name": "python", "class": "Turns"}).to_yaml())
        self.command("run", "e.yaml", "--no-report", "--out", "whole")
        with mock.patch.dict(os.environ, END_AT="2000"):
            self.command("run", "e.yaml", "--no-report", "--out", "ended", "--checkpoint", "900", status=3)
        self.command("run", "--resume", "ended", "--no-report", "--checkpoint", "900")
        self.same_figures(self.folder / "whole", self.folder / "ended")

    def test_class_of_a_file(self):
        """The file is found, in sweeps, too; and a Simulation takes the class as it is."""
        sare.variants.load(str(PLUGIN))
        kind = sare.variants._known["Uniform"]
        e = common.small().set({"traffic.pattern": sare.patterns.Python(class_=kind)})
        self.assertEqual(sare.run(e).accepted, sare.run(common.small()).accepted)
        with sare.Simulation(e) as s:
            s.step(1000)
            mine = s.counts
        with sare.Simulation(common.small()) as s:
            s.step(1000)
            self.assertEqual(s.counts, mine)

    def test_what_a_class_gives_wrongly_has_its_line(self):
        plugin = self.folder / "wrong.py"
        plugin.write_text("import sare\n\nclass Far(sare.Pattern):\n    def destination(self, source, random):\n        return 999\n\n"
                          "class Odd(sare.Pattern):\n    def destination(self, source, random):\n        return 'x'\n\n"
                          "class Ways(sare.RoutingFunction):\n    def route(self, router, came, vc, header):\n        return []\n\n"
                          "class Port(sare.RoutingFunction):\n    def route(self, router, came, vc, header):\n        return 999\n\n"
                          "class Top(sare.Governor):\n    def next_level(self, load):\n        return load.levels\n\n"
                          "class None_(sare.RoutingFunction):\n    def route(self, router, came, vc, header):\n        return None\n")
        for key, value, line, said in (("traffic.pattern", {"name": "python", "class": "Far"}, 4, r"destination\(\) gives node 999; nodes are 0 to"),
                                       ("traffic.pattern", {"name": "python", "class": "Odd"}, 8, r"destination\(\) returns 'x'; it must return a node, 0 to \d+"),
                                       ("routing", {"function": "python", "class": "None_"}, 24, r"route\(\) returns None; it must return a port, or a list of ways: "),
                                       ("routing", {"function": "python", "class": "Ways"}, 12, r"route\(\) gives 0 ways at router"),
                                       ("routing", {"function": "python", "class": "Port"}, 16, r"route\(\) gives port 999 at router"),
                                       ("domains", {"a": {"routers": 0, "levels": [{"clock": 2}], "interval": 400, "governor": {"name": "python", "class": "Top"}}},
                                        20, r"next_level\(\) gives level 2; levels are 0 to 1")):
            with self.assertRaisesRegex(sare.Error, rf"wrong\.py:{line}:1: {said}"):
                sare.run(common.small(plugins=[str(plugin)]).set({key: value}))

    def test_class_of_a_notebook(self):
        space = {"sare": sare}
        exec("class Here(sare.Pattern):\n    def destination(self, source, random):\n        return 0\n", space)
        e = common.small().set({"traffic.pattern": sare.patterns.Python(class_=space["Here"])})
        with self.assertRaisesRegex(sare.Error, "class 'Here' stands in no file"):
            sare.run(e)
        with sare.Simulation(e) as s:
            s.keep_deliveries()
            s.step(500)
            self.assertEqual(set(s.deliveries()["destination"]), {0})

    def test_mistakes(self):
        def run(section, plugins=(str(PLUGIN),)):
            return sare.run(common.small(plugins=list(plugins)).set({"traffic.pattern": {"name": "python", **section}}))

        for section, sentence in (({"class": "Nobody"}, "no plugin has a class 'Nobody'; there are Careless"),
                                  ({"class": "Xy"}, "class 'Xy' is no sare.variants.Pattern"),
                                  ({"class": "Uniform", "parameters": {"x": 1}}, "'parameters' of class 'Uniform': got an unexpected"),
                                  ({}, "'class' is missing"),
                                  ({"class": "Careless"}, r"plugin.py:\d+:1: KeyError: ")):
            with self.assertRaisesRegex(sare.Error, sentence):
                run(section)
        with self.assertRaisesRegex(sare.Error, "class 'Uniform' is in no plugin; name its file"):
            run({"class": "Uniform"}, plugins=())
        lazy = self.folder / "lazy.py"
        lazy.write_text("import sare\n\nclass Lazy(sare.Pattern):\n    pass\n")
        with self.assertRaisesRegex(sare.Error, r"class 'Lazy' of .*lazy\.py has no method destination\(\), which a Pattern must have"):
            run({"class": "Lazy"}, plugins=[lazy])
        broken = self.folder / "broken.py"
        broken.write_text("import sare\n\nclass Uniform(sare.Pattern:\n    pass\n")
        with self.assertRaisesRegex(sare.Error, r"broken\.py:3:27: SyntaxError: '\(' was never closed|broken\.py:3:\d+: SyntaxError: invalid syntax"):
            run({"class": "Uniform"}, plugins=[broken])
        broken.write_text("import sare\nx = 1 / 0\n")
        with self.assertRaisesRegex(sare.Error, "broken.py:2:1: ZeroDivisionError: division by zero"):
            run({"class": "Uniform"}, plugins=[broken])
        with self.assertRaisesRegex(sare.Error, r"^standard input:\d+:\d+: cannot read plugin .*none.py"):
            run({"class": "Uniform"}, plugins=[self.folder / "none.py"])

    def test_summary_names_the_plugin(self):
        run = sare.run(common.small(plugins=[str(PLUGIN)]))
        self.assertEqual(Path(json.loads((run.path / "summary.json").read_text())["plugins"][0]["file"]).name, "plugin.py")


if __name__ == "__main__":
    unittest.main()
