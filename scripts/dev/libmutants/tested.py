# SPDX-License-Identifier: Apache-2.0
"""Mutants of the router's layouts and of NICs, judged by programs of tests/: a mutant is found when a test fails, crashes or does
not end."""
import os
import re
import subprocess

from sare.rtl import run

from .mutant import Verdict
from .sources import TREE, Copy

SEEDS = [1, 2, 3]  # for tests that draw their settings: tests/support/seed.h
SECONDS = 120  # for one test: on a busy machine, too, several times what the longest takes


def tests_of(program):
    """Full names, in the program's order."""
    _, text = run([str(program), "--gtest_list_tests"])
    names, suite = [], ""
    for line in text.splitlines():
        if re.match(r"\S+\.( |$)", line):
            suite = line.split()[0]
        elif line.startswith("  "):
            names.append(suite + line.split()[0])
    if not names:
        raise SystemExit(f"mutants: {program} lists no tests:\n{text[-2000:]}")
    return names


def passes(program, test, seed):
    """A process for each test, as ctest does. Gives that, and whether the seed made a difference."""
    command = ["timeout", str(SECONDS), str(program), f"--gtest_filter={test}"]
    done = subprocess.run(command, cwd=program.parent, env={**os.environ, "SARE_TEST_SEED": str(seed)}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.returncode == 0, "SARE_TEST_SEED=" in done.stdout


def failing(program):
    """The first test that does not pass, and its seed; None if all do."""
    tests = tests_of(program)
    for seed in SEEDS:
        drawing = []
        for test in tests:
            good, drawn = passes(program, test, seed)
            if not good:
                return test, seed if drawn else ""
            if drawn:
                drawing.append(test)
        tests = drawing
    return None


def hunt(mutant, copy):
    copy.refresh(mutant)
    status, log = copy.build(mutant.program)
    if status != 0:
        return Verdict(mutant, problem=log[-3000:])
    found = failing(copy.folder / "build/tests" / mutant.program)
    if found is None:
        return Verdict(mutant, mutant.program)
    test, seed = found
    return Verdict(mutant, mutant.program, str(seed), test)


def verdicts(mutants, args):
    """One by one, as they come; first the untouched programs, whose tests have to pass."""
    if not mutants:
        return
    copy = Copy(args.out / "tested", TREE + ["tests"], ["-DCMAKE_CXX_FLAGS=-O1 -w -Wno-error", "-DSARE_TESTS=ON"], args.jobs)
    copy.refresh()
    for program in sorted({m.program for m in mutants}):
        status, log = copy.build(program)
        if status != 0:
            raise SystemExit(f"mutants: {program} cannot be built:\n{log[-2000:]}")
        if found := failing(copy.folder / "build/tests" / program):
            raise SystemExit(f"mutants: {program} fails as it is: {found[0]}")
    for mutant in mutants:
        yield hunt(mutant, copy)
