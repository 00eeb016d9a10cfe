#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/dev/mutants without a run: its edits can be made, covers what it says, and knows a program that fails."""
import csv
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/dev"))
import checkout  # noqa: E402,F401 sare is found by it
from libmutants import blocks, fast, model, nic, page, rtl, shrunk, tested  # noqa: E402
from libmutants.mutant import TestedMutant, Verdict  # noqa: E402
from sare import rtl as sources  # noqa: E402

ALL = rtl.MUTANTS + blocks.MUTANTS + model.MUTANTS + fast.MUTANTS + nic.MUTANTS

PROGRAM = """#!/bin/bash
case $1 in
    --gtest_list_tests) printf 'Suite.\\n  Plain\\n  Drawn\\nvalues/Suite.\\n  Each/0  # GetParam() = 7\\n';;
    *=Suite.Drawn) echo "SARE_TEST_SEED=$SARE_TEST_SEED"; [[ $SARE_TEST_SEED != "{bad_seed}" ]];;
    *) [[ $1 != *={bad_test} ]];;
esac
"""


class MutantsTest(unittest.TestCase):
    def program(self, bad_test="", bad_seed=""):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name) / "program"
        file.write_text(PROGRAM.format(bad_test=bad_test, bad_seed=bad_seed))
        file.chmod(0o755)
        return file

    def test_each_edit_changes_one_place(self):
        for mutant in ALL:
            text = (ROOT / mutant.path).read_text()
            self.assertNotEqual(mutant.edited(text), text, mutant.title)
            self.assertNotIn("..", mutant.path, "a copy of the sources is edited by this path")
        listed = subprocess.run([ROOT / "scripts/dev/mutants", "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(len(listed.splitlines()), len(ALL))

    def test_every_mutant_has_a_row_and_pages_count_them(self):
        rows = {}
        for name in ("mutants.csv", "tested_mutants.csv"):
            with open(page.FOLDER / name, newline="") as text:
                rows.update({(row["number"], row["edit"]): row for row in csv.DictReader(text)})
        self.assertEqual([m.title for m in ALL if (m.row[0], m.row[2]) not in rows], [])
        self.assertEqual(len(rows), len(ALL))
        found = sum(row["found_by"] != "" for row in rows.values())
        self.assertIn(f"Of {len(rows)} small mistakes", page.PAGE.read_text())
        self.assertIn(f"| {found} of {len(rows)} found;", (ROOT / "docs/validation.md").read_text())

    def test_needs_name_parameters_of_the_router(self):
        known = set(sources.parameters("sare_router"))
        for mutant in rtl.MUTANTS + model.MUTANTS:
            self.assertLessEqual(set(compile(mutant.needs, mutant.title, "eval").co_names), known, mutant.title)

    def test_every_parameter_is_understood(self):
        """As the scripts read it; cosim/rtl/rtl_module.cpp reads the same lines."""
        for file in sources.RTL.rglob("*.sv"):
            text = file.read_text()
            self.assertEqual(len(sources.declared(text)), len(re.findall(r"^\s*parameter\b", text, re.M)), file)
        self.assertLessEqual(set(sources.choices()), set(sources.parameters("sare_router")))
        flags = sources.verilator_flags("sare_router", {"Dims": 3, "Wrap": 5, "OneWay": 1, "VaArbiter": 2})
        self.assertEqual(flags, ["-GDims=3", "-GWrap=3'd5", "-GOneWay=1'b1", "-GVaArbiter=2"])
        with self.assertRaisesRegex(SystemExit, "no parameter Depht"):
            sources.verilator_flags("sare_router", {"Depht": 3})

    def test_numbers_are_given_once(self):
        twice = [n for n, times in Counter(m.number for m in ALL).items() if times > 1]
        self.assertEqual(twice, [])

    def test_every_file_of_vc_routers_and_nics_is_broken(self):
        broken = Counter(m.path for m in ALL)
        without = {"layout_choice.h", "shape.h", "arbiters.h", "removal.h", "model.h", "model.cpp", "params.h", "params.cpp",
                   "bank_arbiters.cpp", "bank_view.cpp",  # views, which change nothing
                   "forking.cpp"}  # makes what stands in machine/fork_step.h
        idle = {"congestion_control.h", "unlimited.cpp"}  # an interface, and a policy that does nothing
        for folder in ("tlm/router/vc", "tlm/nic"):
            for file in (ROOT / folder).rglob("*"):
                if file.suffix in (".h", ".cpp") and file.name not in (without if folder == "tlm/router/vc" else idle):
                    self.assertGreaterEqual(broken[str(file.relative_to(ROOT))], 2, file)

    def test_an_edit_that_fits_no_place_or_two_is_refused(self):
        mutant = TestedMutant(1, "nic", "some/file.h", "what", "old", "new", "program")
        for text in ("", "old and old"):
            with self.assertRaisesRegex(SystemExit, "1: some/file.h has not one place with: old"):
                mutant.edited(text)
        self.assertEqual(mutant.edited("an old one"), "an new one")

    def test_the_first_test_that_fails_is_named(self):
        self.assertIsNone(tested.failing(self.program()))
        self.assertEqual(tested.failing(self.program(bad_test="Suite.Plain")), ("Suite.Plain", ""))
        self.assertEqual(tested.failing(self.program(bad_test="values/Suite.Each/0")), ("values/Suite.Each/0", ""))
        self.assertEqual(tested.failing(self.program(bad_seed=1)), ("Suite.Drawn", 1))
        self.assertEqual(tested.failing(self.program(bad_seed=3)), ("Suite.Drawn", 3))
        self.assertIsNone(tested.failing(self.program(bad_seed=4)))

    def test_each_row_is_about_an_edit_of_today(self):
        """By its number, file and edit: writing what is judged next would drop another one."""
        for file, run, after, mutants in (("mutants.csv", "configuration", "router_cycles", rtl.MUTANTS + blocks.MUTANTS + model.MUTANTS),
                                          ("tested_mutants.csv", "test_program", "seed", fast.MUTANTS + nic.MUTANTS)):
            rows = page.Table(file, run, after, mutants, None).rows()
            self.assertEqual([row[:3] for row in rows if row[:3] not in [m.row for m in mutants]], [])

    def test_rows_of_others_stay_while_they_are_about_the_same_edit(self):
        mutants = [TestedMutant(n, "nic", "f.h", what, "old", "new", "program", equivalent)
                   for n, what, equivalent in ((1, "a", ""), (2, "b", "of no matter"), (3, "c", ""))]
        table = page.Table("m.csv", "test_program", "seed", mutants, None)
        old = [["1", "moved_from.h", "a", "x", "1", "T", ""], ["3", "f.h", "another edit", "x", "1", "T", ""]]
        rows = table.written(old, Verdict(mutants[1], "x"))
        self.assertEqual(rows, [["1", "f.h", "a", "x", "1", "T", ""], ["2", "f.h", "b", "x", "", "", "of no matter"]])
        self.assertEqual(page.summary([("all", rows)]).splitlines()[2:], [
            "| all | 2 | 1 | 1 |", "", "| | survived: file | edit | equivalent because |", "|--:|---|---|---|",
            "| 2 | `f.h` | b | of no matter |"])
        rows = table.written(rows, Verdict(mutants[0], "y", "2", "U"))
        self.assertEqual(rows[0], ["1", "f.h", "a", "y", "2", "U", ""])

    def test_without_a_seed_nothing_is_shrunk(self):
        row, verdict = shrunk.shrunk(rtl.MUTANTS[0], [], mock.Mock())
        self.assertEqual((len(row), row[-1], verdict.by), (len(shrunk.HEADS), "", ""))

    def test_the_page_says_what_its_tables_say(self):
        """In a copy of docs/validation a verdict is written, and taken back."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        copy = Path(shutil.copytree(page.FOLDER, Path(folder.name) / "validation"))
        with mock.patch.multiple(page, FOLDER=copy, PAGE=copy / "mutants.md"):
            tables = [page.Table("mutants.csv", "configuration", "router_cycles",
                                 sorted(rtl.MUTANTS + blocks.MUTANTS + model.MUTANTS, key=lambda m: m.number), None),
                      page.Table("tested_mutants.csv", "test_program", "seed", fast.MUTANTS + nic.MUTANTS, None)]
            sides = {"rtl": "the RTL", "model": "the model's router", "fast": "layouts of the router", "nic": "NICs"}
            before = page.PAGE.read_text()
            page.write_summary(tables, sides)
            self.assertEqual(page.PAGE.read_text(), before)
            first = tables[0].rows()[0]
            tables[0].write(Verdict(rtl.MUTANTS[0], "1 tried"))
            page.write_summary(tables, sides)
            self.assertIn("\n| 1 | `rtl/allocation/sare_arbiter.sv` | ", page.PAGE.read_text())
            tables[0].write(Verdict(rtl.MUTANTS[0], *first[3:6]))
            page.write_summary(tables, sides)
            self.assertEqual(page.PAGE.read_text(), before)

    def test_the_page_says_what_was_shrunk(self):
        rows = shrunk.rows_of_file()
        mutants = rtl.MUTANTS + blocks.MUTANTS
        named = {tuple(m.row) for m in mutants}
        self.assertLessEqual({tuple(row[:3]) for row in rows}, named, "rows are of mutants that there are")
        self.assertIn(shrunk.BEGIN + shrunk.summary(rows, mutants) + shrunk.END, page.PAGE.read_text())

    def test_only_one_that_is_said_to_be_equivalent_may_survive(self):
        plain, same = (TestedMutant(1, "nic", "f.h", "a", "old", "new", "program", e) for e in ("", "of no matter"))
        self.assertTrue(Verdict(plain, "x").wrong)
        self.assertFalse(Verdict(plain, "x", "1", "`T`").wrong)
        self.assertFalse(Verdict(same, "x").wrong)
        self.assertTrue(Verdict(same, "x", "1", "`T`").wrong)
        self.assertTrue(Verdict(same, problem="does not compile").wrong)


if __name__ == "__main__":
    unittest.main()
