#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A wheel of what is built, in a fresh virtual environment without a network: docs/python.md."""
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["SARE_BUILD"])
EXPERIMENT = "network: {topology: mesh, dims: [4, 4]}\ntraffic: {workload: bernoulli, load: 0.2}\n"
SCRIPT = """
import sare
run = sare.run("mesh.yaml")
print(run.status, run.summary["load"]["accepted"], sare.command.program())
"""


def call(*command, folder=None, **environment):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True,
                          env={**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, **environment})


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        made = call("/usr/bin/python3", "-m", "venv", cls.folder / "fresh")
        assert made.returncode == 0, made.stdout + made.stderr
        cls.python = cls.folder / "fresh/bin/python"
        done = call(cls.python, "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", cls.folder,
                    "--config-settings", f"build-dir={BUILD}", ROOT / "tb/python")
        assert done.returncode == 0, done.stdout + done.stderr
        cls.wheel = next(cls.folder.glob("sare-*.whl"))
        done = call(cls.python, "-m", "pip", "install", "--no-index", cls.wheel)
        assert done.returncode == 0, done.stdout + done.stderr
        (cls.folder / "mesh.yaml").write_text(EXPERIMENT)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_package_runs_the_command_of_the_wheel(self):
        done = call(self.python, "-c", SCRIPT, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        status, accepted, program = done.stdout.split()
        self.assertEqual(status, "completed")
        self.assertAlmostEqual(float(accepted), 0.2, delta=0.01)
        self.assertEqual(program, str(self.folder / "fresh/bin/sare"))

    def test_command_finds_what_came_with_it(self):
        done = call(self.folder / "fresh/bin/sare", "run", "mesh.yaml", "--out", "out", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "out/report.html").exists())

    def test_wheel_has_library_headers_and_tables(self):
        names = zipfile.ZipFile(self.wheel).namelist()
        for part in ("lib/libsare.a", "include/sare/tlm/sare.h", "share/sare/rtl/sare_router.sv", "share/sare/power/"):
            self.assertTrue(any(part in name for name in names), part)

    def test_refuses_a_tree_without_the_package(self):
        done = call(self.python, "-m", "pip", "wheel", "--no-index", "--no-build-isolation", "--config-settings",
                    f"build-dir={self.folder}", ROOT / "tb/python", folder=self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout + done.stderr, r"_native\S+ is missing: the build tree has no package for Python 3")


if __name__ == "__main__":
    sys.exit(unittest.main())
