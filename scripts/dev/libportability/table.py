# SPDX-License-Identifier: Apache-2.0
"""The two tables of docs/portability.md: systems, and compilers with their libraries."""
import re
from pathlib import Path

from libportability import ROOT

PAGE = ROOT / "docs/portability.md"
SYSTEMS = "| system | result | tried |\n|---|---|---|"
ROWS = "| row | on | compiler | C++ | result | tried |\n|---|---|---|--:|---|---|"


def machine():
    """Name of this system: "Debian 13"."""
    told = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    return f"{told['NAME'].strip(chr(34)).split()[0]} {told['VERSION_ID'].strip(chr(34))}"


def line_of_row(outcome, tried):
    return (f"| {outcome.row.name} | {machine()} | {outcome.compiler or outcome.row.compiler} | {outcome.row.standard} | "
            f"{outcome.verdict} | {tried} |")


def line_of_system(name, verdict, tried):
    return f"| {name} | {verdict} | {tried} |"


def write(marker, header, lines):
    """Puts the lines between <!-- MARKER --> and <!-- /MARKER --> of the page, in the place of those of the same first cells (row and
    system); the others stay."""
    whole = PAGE.read_text()
    found = re.search(rf"(?<=<!-- {marker} -->\n).*?(?=<!-- /{marker} -->)", whole, flags=re.S)
    if not found:
        raise SystemExit(f"portability: {PAGE} has no markers <!-- {marker} --> and <!-- /{marker} -->")
    keys = 2 if marker == "rows" else 1
    kept = {tuple(line.split("|")[1:1 + keys]): line for line in [*found[0].splitlines()[2:], *lines]}
    PAGE.write_text(whole[:found.start()] + "\n".join([header, *kept.values()]) + "\n" + whole[found.end():])
