#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints which tests ctest's log says were skipped, and why: whole tests, those of GoogleTest, and those within a Python test; then
their number.

    skipped.py LastTest.log
"""
import re
import sys
from pathlib import Path

# Between "N/M Testing: NAME" and the end of its output.
TEST = re.compile(r"^\d+/\d+ Testing: (.*?)\n(.*?)^<end of output>", re.M | re.S)
WHOLE = re.compile(r"^skipped: (.*)$", re.M)
GOOGLE = re.compile(r": Skipped\n(.*?)\n+\[  SKIPPED \]", re.S)
PYTHON = re.compile(r"^(test\w+) \(.*?(?:\n.*?)? \.\.\. skipped ['\"](.*)['\"]$", re.M)


def skipped(log):
    """[(name, reason)] of the tests that were skipped."""
    found = []
    for name, output in TEST.findall(log):
        found += [(name, why) for why in (*WHOLE.findall(output), *GOOGLE.findall(output))]
        found += [(f"{name}, {inner}", why) for inner, why in PYTHON.findall(output)]
    return found


def main():
    found = skipped(Path(sys.argv[1]).read_text(errors="replace"))
    for name, why in found:
        print(f"skipped: {name}: {why}")
    print(f"{len(found)} tests or parts of tests were skipped")


if __name__ == "__main__":
    main()
