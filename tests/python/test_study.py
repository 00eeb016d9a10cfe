#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs, sweeps and searches give the command's files, byte for byte; Ctrl-C, failures and threads do no harm."""
import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock
import warnings

import common
import sare


class Study(common.Case):
    def test_run(self):
        e = common.small()
        e.save(self.folder / "e.yaml")
        self.command("run", "e.yaml", "--out", "command", "--no-report")
        run = sare.run(e, out=self.folder / "package")
        self.same_figures(self.folder / "command", self.folder / "package")
        self.assertEqual(run.status, "completed")
        self.assertEqual(run.links.attrs["units"]["load"], "flits/cycle")
        self.assertEqual(len(run.nodes), 16)
        self.assertEqual(sare.load(self.folder / "package").summary, run.summary)
        with self.assertRaisesRegex(AttributeError, "tables are distances"):
            run.lins
        with self.assertRaisesRegex(sare.Error, "exists"):
            sare.run(e, out=self.folder / "package")

    def test_temporary_directory(self):
        run = sare.run(common.small())
        place = run.path
        kept = run.keep(self.folder / "kept")
        self.assertTrue((kept / "summary.json").exists())
        del run
        self.assertFalse(place.exists())

    def test_sweep(self):
        e = common.small()
        e.save(self.folder / "e.yaml")
        self.command("sweep", "e.yaml", "--axis", "traffic.load=0.1,0.2", "--axis", "router.vcs=1,2", "--seeds", "2", "--out", "command",
                     "--no-report", "-j2")
        sweep = sare.sweep(e, {"traffic.load": [0.1, 0.2], "router.vcs": [1, 2]}, seeds=2, jobs=2, out=self.folder / "package")
        self.same_figures(self.folder / "command", self.folder / "package")
        self.assertEqual(len(sweep.sweep), 8)
        self.assertEqual(len(sweep.frame), 4)
        self.assertEqual(sweep.frame.attrs["units"]["latency_mean"], "cycles")
        self.assertEqual(sweep.point(3).summary["config"]["router"]["vcs"], 2)
        self.assertEqual(sweep.axes["router.vcs"], [1, 2])

    def test_points_that_fail(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            sweep = sare.sweep(common.small(), {"network.dims": [[4, 4], [1, 1]], "traffic.pattern": ["transpose"]})
        if sweep.failed:
            self.assertIn("points have failed", str(told[0].message))
        with self.assertRaises(sare.Error):
            sare.sweep(common.small(), {"router.depth": ["x"]})

    def test_saturate(self):
        e = common.small()
        e.save(self.folder / "e.yaml")
        self.command("saturate", "e.yaml", "--out", "command", "--no-report", "--tolerance", "0.05")
        found = sare.saturate(e, tolerance=0.05, out=self.folder / "package")
        self.same_figures(self.folder / "command", self.folder / "package")
        self.assertAlmostEqual(found.load, 0.57, delta=0.05)
        self.assertEqual(found.frame.attrs["units"]["saturation"], "flits/node/cycle")

    def test_from_a_thread(self):
        """No process is forked from one with threads."""
        told = []
        worker = threading.Thread(target=lambda: told.append(sare.run(common.small()).status))
        worker.start()
        worker.join(60)
        self.assertEqual(told, ["completed"])

    def long_run(self):
        """Another Python, that runs for minutes and has begun."""
        script = self.folder / "long.py"
        script.write_text(
            "import common, sare, sys\n"
            "e = common.small().set({'measurement.batch': 10_000_000, 'measurement.interval_packets': 0})\n"
            "try:\n    sare.run(e, out=sys.argv[1])\nexcept sare.Interrupted as stopped:\n    print(stopped.result.status)\n")
        child = subprocess.Popen([sys.executable, script, self.folder / "out"], stdout=subprocess.PIPE, text=True,
                                 env={**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *sys.path])})
        self.addCleanup(child.stdout.close)
        self.wait(lambda: list(self.folder.glob("out.partial-*")))
        time.sleep(1)
        return child

    def test_interrupt(self):
        child = self.long_run()
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.communicate(timeout=60)[0], "interrupted\n")

    def test_killed(self):
        """The program does not outlive the Python that has started it: it writes what it has, and ends."""
        child = self.long_run()
        child.kill()
        child.wait()
        self.wait(lambda: (self.folder / "out/summary.json").exists())
        self.assertEqual(sare.load(self.folder / "out").status, "interrupted")

    def test_options_for_programs(self):
        """FILE from standard input, and lines of JSON to a file descriptor."""
        done = self.command("run", "-", "--progress-fd", "99", status=2)
        self.assertIn("--progress-fd must be an open file descriptor, not 99", done.stderr)
        done = subprocess.run([common.PROGRAM, "check", "-"], input="network: [\n", capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^sare: standard input:\d+:\d+: ")
        lines = self.folder / "lines"
        text = common.small().set({"measurement.batch": 200_000}).to_yaml()
        with lines.open("w") as to:
            done = subprocess.run([common.PROGRAM, "run", "-", "--quiet", "--no-report", "--progress-fd", str(to.fileno())], input=text,
                                  text=True, cwd=self.folder, pass_fds=(to.fileno(),))
        self.assertEqual(done.returncode, 0)
        self.assertTrue((self.folder / "out/experiment/summary.json").exists())
        told = [json.loads(line) for line in lines.read_text().splitlines()]
        self.assertTrue(told)
        self.assertEqual(set(told[0]), {"done", "text"})
        self.assertEqual([t["done"] for t in told], sorted(t["done"] for t in told))

    def test_library_is_missing(self):
        run = sare.run(common.small())
        with unittest.mock.patch.dict(sys.modules, {"pandas": None, "networkx": None}):
            with self.assertRaisesRegex(sare.Error, "pandas is missing, Debian's package python3-pandas"):
                run.links
            with self.assertRaisesRegex(sare.Error, "networkx is missing"):
                sare.topology(common.small())

    def test_program_is_missing(self):
        with unittest.mock.patch.dict(os.environ, {"SARE_PROGRAM": "/nowhere/sare"}):
            with self.assertRaisesRegex(sare.Error, "/nowhere/sare: No such file"):
                sare.check(common.small())


if __name__ == "__main__":
    unittest.main()
