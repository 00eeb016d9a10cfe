# SPDX-License-Identifier: Apache-2.0
"""The table of docs/portability.md."""
import re

from libportability import ROOT

HEADER = "| row | compiler | C++ | result |\n|---|---|--:|---|"


def of(outcomes):
    """Markdown, a line a row."""
    lines = [f"| {o.row.name} | {o.compiler or o.row.compiler} | {o.row.standard} | {o.verdict} |" for o in outcomes]
    return "\n".join([HEADER, *lines])


def write(text):
    """Puts the table between the markers of its page."""
    page = ROOT / "docs/portability.md"
    replaced, found = re.subn(r"(<!-- rows -->\n).*?(<!-- /rows -->)", lambda m: f"{m[1]}{text}\n{m[2]}", page.read_text(), flags=re.S)
    if found != 1:
        raise SystemExit(f"portability: {page} has no markers <!-- rows --> and <!-- /rows -->")
    page.write_text(replaced)
