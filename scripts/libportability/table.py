# SPDX-License-Identifier: Apache-2.0
"""The table of docs/portability.md."""
import re

from libportability import ROOT
from libportability.rows import ROWS

HEADER = "| row | compiler | C++ | result |\n|---|---|--:|---|"


def of(outcomes):
    """Markdown, a line a row."""
    lines = [f"| {o.row.name} | {o.compiler or o.row.compiler} | {o.row.standard} | {o.verdict} |" for o in outcomes]
    return "\n".join([HEADER, *lines])


def write(text):
    """Puts the lines between the markers of its page, in the place of those of the same rows; the others stay."""
    page = ROOT / "docs/portability.md"
    whole = page.read_text()
    found = re.search(r"(?<=<!-- rows -->\n).*?(?=<!-- /rows -->)", whole, flags=re.S)
    if not found:
        raise SystemExit(f"portability: {page} has no markers <!-- rows --> and <!-- /rows -->")
    lines = {name_in(line): line for line in [*found[0].splitlines(), *text.splitlines()] if name_in(line)}
    order = [row.name for row in ROWS if row.name in lines]
    table = "\n".join([HEADER, *(lines[name] for name in order)])
    page.write_text(f"{whole[:found.start()]}{table}\n{whole[found.end():]}")


def name_in(line):
    """Of the row that a line of the table tells of; none in its header."""
    name = line.strip("| ").split("|")[0].strip()
    return name if name in {row.name for row in ROWS} else ""
