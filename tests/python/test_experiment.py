#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Experiments as objects: what they write is what files say; mistakes are the program's sentences."""
import unittest

import common
import numpy as np
import pandas as pd
import sare


class Experiment(common.Case):
    def test_writes_what_was_set(self):
        e = common.small()
        self.assertEqual(e.to_dict()["router"], {"kind": "vc", "vcs": 2, "depth": 4})
        self.assertEqual(e.router.speculative, False)  # a default
        e.router.vcs = 4
        e["traffic.pattern"] = "transpose"
        e.observe.inside.routers = [3]
        again = sare.Experiment.from_yaml(e.to_yaml())
        self.assertEqual(again, e)
        self.assertEqual(again["traffic.pattern"], sare.patterns.Transpose())
        self.assertNotIn("nic", e.to_dict())

    def test_keys_that_are_words_of_python(self):
        e = common.small()
        e.observe.from_ = 7
        self.assertEqual(e.to_dict()["observe"], {"from": 7})
        e["traffic.pattern"] = {"name": "uniform", "self": True}
        self.assertEqual(e.traffic.pattern, sare.patterns.Uniform(self_=True))
        self.assertEqual(sare.Experiment.from_yaml(e.to_yaml()), e)

    def test_set_makes_another(self):
        e = common.small()
        other = e.set({"router": {"kind": "dally", "queue": 4}, "network.dims": (2, 3)})
        self.assertEqual(other.to_dict()["network"]["dims"], [2, 3])
        self.assertEqual(e.network.dims, [4, 4])

    def test_cases(self):
        e = sare.Experiment.from_yaml("network: mesh\ntraffic: bernoulli\ncases:\n  large: {network.dims: [8, 8]}\n")
        self.assertEqual(e.case("large").network.dims, [8, 8])
        with self.assertRaisesRegex(sare.Error, "no case 'small'; there are large"):
            e.case("small")

    def test_wrong_keys(self):
        said = self.command("check", "wrong.yaml", status=1) if (self.folder / "wrong.yaml").write_text(
            "network: mesh\ntraffic: bernoulli\nrouter: {kind: vc, vcz: 3}\n") else None
        sentence = said.stderr.split(": ", 2)[2].strip()
        self.assertIn("unknown key 'vcz' in 'vc'; did you mean 'vcs'?", sentence)
        for wrong in (lambda: sare.router_kinds.Vc(vcz=3), lambda: setattr(common.small().router, "vcz", 3),
                      lambda: common.small().set({"router.vcz": 3}), lambda: common.small().router.vcz):
            with self.assertRaises(sare.Error) as found:
                wrong()
            self.assertIn(sentence, str(found.exception))

    def test_wrong_values(self):
        for path, value, sentence in (("router.depth", "x", "router.depth: 'depth' must be an integer, not 'x'"),
                                      ("router.vcs", 99, "router.vcs: 'vcs'"), ("routing", "dorr", "did you mean 'dor'"),
                                      ("network.dims", object(), "an experiment has numbers, texts, lists and sections")):
            with self.assertRaisesRegex(sare.Error, sentence):
                e = common.small().set({path: value})
                sare.check(e)

    def test_what_does_not_fit_together(self):
        with self.assertRaisesRegex(sare.Error, "dor"):
            sare.check(common.small().set({"network": {"topology": "dragonfly"}}))

    def test_files(self):
        with self.assertRaisesRegex(sare.Error, "none.yaml: No such file"):
            sare.run(self.folder / "none.yaml")
        (self.folder / "bad.yaml").write_text("network: [\n")
        with self.assertRaisesRegex(sare.Error, "bad.yaml:"):
            sare.run(self.folder / "bad.yaml")
        with self.assertRaisesRegex(sare.Error, "e is an Experiment, a dict whose keys are texts, a text or the name of a file, not 5"):
            sare.run(5)

    def test_kinds_of_arguments(self):
        """A sentence each, that names the argument."""
        e = common.small()
        for wrong, sentence in ((lambda: sare.sweep(e, ["traffic.load"]), "axes is a dict whose keys are texts, not "),
                                (lambda: sare.sweep(e, {"traffic.load": 0.1}), "traffic.load: write its values as a list"),
                                (lambda: sare.sweep(e, {"traffic.load": np.array(0.1)}), "traffic.load: write its values as a list"),
                                (lambda: sare.sweep(e, {"traffic.load": [0.1]}, jobs="x"), "jobs is a whole number from 0, not 'x'"),
                                (lambda: sare.run(e, store=5), "store is True or False, a text or the name of a file, not 5"),
                                (lambda: sare.run(e, seed=True), "seed is a whole number from 0, not True"),
                                (lambda: sare.plot("x", labels="y"), "labels is a list, not 'y'"),
                                (lambda: sare.plot("x", ax=5), "ax is Axes of its library, not 5"),
                                (lambda: e.set(5), "values is a dict"), (lambda: sare.load(5), "directory is a text or the name of a file"),
                                (lambda: sare.Simulation.step(None, -1), "cycles is a whole number from 0, not -1"),
                                (lambda: sare.Simulation.on_delivery(None, 5), "callback is a function, not 5")):
            with self.assertRaises(sare.Error) as found:
                wrong()
            self.assertTrue(str(found.exception).startswith(sentence), str(found.exception))
        self.assertEqual(sare.sweep(e, {"seed": np.arange(1, 3)}, jobs=np.int64(2), progress=np.bool_(False)).points, [0, 1])
        self.assertEqual(sare.sweep(e, {"seed": pd.Series([1, 2])}, progress=False).points, [0, 1])

    def test_the_variant_that_need_not_be_named(self):
        """Has its class, which knows its keys."""
        e = sare.Experiment(network="mesh", traffic="bernoulli")
        self.assertIsInstance(e.router, sare.router_kinds.Vc)
        self.assertNotIn("router", e.to_dict())
        e.router.vcs = 3
        self.assertEqual(e.to_dict()["router"], {"kind": "vc", "vcs": 3})
        with self.assertRaisesRegex(sare.Error, "unknown key 'vcz' in 'vc'; did you mean 'vcs'"):
            sare.Experiment(router={"vcz": 3})

    def test_topology(self):
        g = sare.topology(common.small())
        self.assertEqual(g.number_of_nodes(), 32)
        self.assertEqual(g.number_of_edges(), 48 + 32)
        self.assertEqual(g.nodes["router", 5]["position"], (1, 1))
        self.assertEqual(g[("router", 0)][("router", 1)][0]["latency"], 1)


if __name__ == "__main__":
    unittest.main()
