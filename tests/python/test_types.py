#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Type hints: those of the package are complete, and a wrong key is found without running anything."""
import os
import subprocess
import unittest
from pathlib import Path

import common

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(os.environ["SARE_BUILD"]) / "python"


class Types(common.Case):
    def mypy(self, *files):
        return subprocess.run(["/usr/bin/mypy", "--config-file", ROOT / "tb/python/mypy.ini", "--cache-dir", self.folder, *files],
                              capture_output=True, text=True, cwd=PACKAGE)

    @unittest.skipUnless(Path("/usr/bin/mypy").exists(), "mypy is not installed")
    def test_hints(self):
        user = self.folder / "user.py"
        user.write_text("import sare\ne = sare.Experiment(network=sare.topologies.Mesh(dims=[4, 4]))\ne.router.vcs = 3\ne.routing = 'dor'\n"
                        "x: float = sare.run(e).latency\n")
        wrong = self.folder / "wrong.py"
        wrong.write_text("import sare\nsare.topologies.Mesh(dimz=[4, 4])\n")
        done = self.mypy("sare", user)
        self.assertEqual(done.returncode, 0, done.stdout)
        done = self.mypy(wrong)
        self.assertIn('Argument "dimz" to "Mesh" has incompatible type', done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
