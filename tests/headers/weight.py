#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What tlm/sare.h adds to <systemc>, in lines of code that the preprocessor leaves: weight.py COMPILER -Ifolder... The page that
says how many is at most says so here, too."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def lines(header, compiler):
    done = subprocess.run([*compiler, "-std=c++17", "-x", "c++", "-E", "-"], input=f"#include <{header}>\n", capture_output=True, text=True, check=True)
    return sum(1 for line in done.stdout.splitlines() if line.strip() and not line.startswith("#"))


def main():
    own, without = lines("tlm/sare.h", sys.argv[1:]), lines("systemc", sys.argv[1:])
    most = re.search(r"`tlm/sare\.h` adds at most ([\d,]+) lines", (ROOT / "docs/systemc.md").read_text())[1]
    print(f"tlm/sare.h adds {own - without:,} lines to the {without:,} of <systemc>; at most {most}")
    return own - without > int(most.replace(",", ""))


if __name__ == "__main__":
    sys.exit(main())
