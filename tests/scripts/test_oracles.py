#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/dev/libcampaign/oracles.py: it finds nothing wrong with a result, and finds each table that is changed in one place."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/dev"))
from libcampaign import oracles, settings  # noqa: E402 (beside the script)

SETTING = {
    "network": {"topology": "mesh", "dims": [3, 3]}, "routing": "up_down", "router": {"vcs": 2},
    "classes": {"vcs": [1, 1]}, "failures": {"events": [{"router": 4, "at": 400}]},
    "traffic": {"workload": "bernoulli", "load": 0.2, "classes": {0: 0.5, 1: 0.5}},
    "measurement": {"warmup": 200, "convergence_count": 0, "batch": 500, "batches": 2, "matrix": True, "statistics": ["stalls"]},
    "power": {"table": ["costs.yaml"], "frequency": "1GHz"}}


class Oracles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        (cls.folder / "costs.yaml").write_text(settings.COSTS)
        (cls.folder / "setting.yaml").write_text(json.dumps(SETTING))
        subprocess.run([os.environ["SARE"], "run", "setting.yaml", "--out", "result", "--quiet", "--no-report"], cwd=cls.folder, check=True)

    @staticmethod
    def add_three(rows, column):
        """To the largest cell."""
        largest = max(rows, key=lambda row: oracles.number(row[column]))
        whole = largest[column].isdigit()
        largest[column] = str(int(largest[column]) + 3 if whole else float(largest[column]) + 3)

    def faults_with(self, name, change):
        """`change` gets the rows of the table."""
        file = self.folder / "result" / name
        text = file.read_text()
        rows = list(csv.DictReader(text.splitlines()))
        change(rows)
        try:
            with open(file, "w", newline="") as out:
                table = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
                table.writeheader()
                table.writerows(rows)
            return list(oracles.faults(self.folder / "result"))
        finally:
            file.write_text(text)

    def test_nothing_is_wrong(self):
        self.assertEqual(list(oracles.faults(self.folder / "result")), [])

    def test_one_change_is_found(self):
        for name, column in (("nodes.csv", "offered"), ("nodes.csv", "accepted"), ("nodes.csv", "generated"), ("nodes.csv", "energy"),
                             ("classes.csv", "packets_generated"), ("classes.csv", "stalls_switch"), ("routers.csv", "stalls_credit"),
                             ("routers.csv", "energy"), ("links.csv", "energy"), ("links.csv", "vc0"), ("losses.csv", "packets"),
                             ("distances.csv", "consumed"), ("distances.csv", "hops"), ("latency_histogram.csv", "from_injection"),
                             ("matrix.csv", "packets")):
            with self.subTest(f"{name}, {column}"):
                self.assertNotEqual(self.faults_with(name, lambda rows, column=column: self.add_three(rows, column)), [])

    def test_fairness_is_held_where_the_mean_is_right(self):
        def move(rows):
            rows[0]["accepted"], rows[1]["accepted"] = "0", str(float(rows[0]["accepted"]) + float(rows[1]["accepted"]))

        faults = self.faults_with("nodes.csv", move)
        self.assertEqual([fault.split(" 0")[0] for fault in faults], ["nodes.csv: Jain's index"])


if __name__ == "__main__":
    unittest.main()
