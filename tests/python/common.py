# SPDX-License-Identifier: Apache-2.0
"""A small network, and the command beside the package."""
import json
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import sare

PROGRAM = Path(os.environ["SARE_BUILD"]) / "sare"


def small(**others):
    return sare.Experiment(
        network=sare.topologies.Mesh(dims=[4, 4]), routing="dor", router=sare.router_kinds.Vc(vcs=2, depth=4),
        traffic=sare.workloads.Bernoulli(load=0.2, length=4),
        measurement=sare.sections.Measurement(warmup=500, batch=500, batches=4, convergence_count=0), **others)


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def wait(self, condition):
        for _ in range(300):
            if condition():
                return
            time.sleep(0.2)
        self.fail("it takes a minute")

    def command(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def same_figures(self, a, b):
        """Two directories of results, but for machine and hour."""
        names = {f.relative_to(a) for f in a.rglob("*") if f.is_file()}
        self.assertEqual(names, {f.relative_to(b) for f in b.rglob("*") if f.is_file()})
        self.assertTrue(names)
        for name in names:
            one, other = (a / name).read_bytes(), (b / name).read_bytes()
            if name.name in ("summary.json", "sweep.json", "saturate.json"):
                one, other = self.timeless(one), self.timeless(other)
            if name.name != ".lock":
                self.assertEqual(one, other, name)

    @staticmethod
    def timeless(text):
        tree = json.loads(text)
        for key in ("run", "file", "plugins"):
            tree.pop(key, None)
        tree.get("config", {}).pop("plugins", None)
        return tree
