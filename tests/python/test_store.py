#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A store of runs as a DataFrame: what the command's own export has."""
import io
import sqlite3
import unittest

import common
import pandas
import sare


class Store(common.Case):
    def test_runs(self):
        common.small().save(self.folder / "e.yaml")
        self.command("run", "e.yaml", "--out", "a", "--no-report", "--store", "runs.db")
        self.command("sweep", "e.yaml", "--axis", "traffic.load=0.1,0.3", "--out", "b", "--no-report", "--store", "runs.db")
        frame = sare.runs(self.folder / "runs.db")
        self.assertEqual(list(frame.index), [1, 2, 3, 4])
        self.assertEqual(list(frame["kind"]), ["run", "sweep", "run", "run"])
        self.assertEqual(list(frame["sweep"]), [0, 0, 2, 2])
        self.assertEqual(frame["network.dims"][1], "[4, 4]")
        self.assertEqual(list(frame.index[(frame["router.vcs"] == 2) & (frame["traffic.load"] > 0.15)]), [1, 4])
        run = sare.load(frame["directory"][1])
        self.assertEqual(frame["latency.mean"][1], run.latency)
        self.assertEqual(frame.attrs["units"]["latency.mean"], "cycles")
        table = pandas.read_csv(io.StringIO(self.command("runs", "export", "--store", "runs.db").stdout), index_col="id", float_precision="round_trip")
        for path in ("latency.mean", "load.accepted", "router.vcs", "traffic.load", "points"):
            pandas.testing.assert_series_equal(frame[path].astype(float), table[path].astype(float))

    def test_records_what_python_runs(self):
        """A run that the store has is copied, wall clock and all; again: it is not."""
        e, store = common.small(), self.folder / "runs.db"
        first = sare.run(e, store=store)
        self.assertEqual(sare.run(e, store=store).summary["run"], first.summary["run"])
        sweep = sare.sweep(e, {"traffic.load": [0.1, 0.2]}, store=store)
        self.assertEqual(sweep.point(1).summary["run"], first.summary["run"])
        self.assertNotEqual(sare.run(e, store=store, again=True).summary["run"], first.summary["run"])
        found = sare.saturate(e, tolerance=0.05, store=store)
        frame = sare.runs(store)
        self.assertEqual(list(frame["saturation"][frame["kind"] == "saturate"]), [found.load])
        self.assertEqual(set(frame["kind"]), {"run", "sweep", "saturate"})
        sare.run(e, store=False)
        self.assertEqual(len(sare.runs(store)), len(frame))

    def test_errors(self):
        with self.assertRaisesRegex(sare.Error, "no such store"):
            sare.runs(self.folder / "runs.db")
        (self.folder / "text").write_text("no store\n" * 1000)
        with self.assertRaisesRegex(sare.Error, "cannot be read: file is not a database"):
            sare.runs(self.folder / "text")
        sqlite3.connect(self.folder / "other").execute("CREATE TABLE t(x)")
        with self.assertRaisesRegex(sare.Error, "no store of runs"):
            sare.runs(self.folder / "other")


if __name__ == "__main__":
    unittest.main()
