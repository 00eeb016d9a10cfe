# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/validation: a row for each mutant in a CSV file, and what they come to in mutants.md."""
import csv
import re
from dataclasses import dataclass

from checkout import ROOT

FOLDER = ROOT / "docs/validation"
PAGE = FOLDER / "mutants.md"
BEGIN, END = "<!-- mutants -->\n", "<!-- /mutants -->\n"


@dataclass
class Table:
    file: str  # in FOLDER
    run: str  # heads of the two columns that say where a mutant was found
    after: str
    mutants: list
    verdicts: object  # how its mutants are judged

    @property
    def heads(self):
        return ["number", "file", "edit", self.run, self.after, "found_by", "equivalent_because"]

    def rows(self):
        """Those of its file."""
        with open(FOLDER / self.file, newline="") as text:
            heads, *rows = csv.reader(text)
        if heads != self.heads:
            raise SystemExit(f"mutants: {FOLDER / self.file} begins with {','.join(heads)}, not with {','.join(self.heads)}")
        return rows

    def written(self, old, verdict):
        """Its rows: those of other mutants stay while they are about the same edit, in whichever file it is now."""
        known = {(row[0], row[2]): row[3:] for row in [*old, verdict.row]}
        return [m.row + known[m.row[0], m.row[2]] for m in self.mutants if (m.row[0], m.row[2]) in known]

    def write(self, verdict):
        rows = self.written(self.rows(), verdict)
        with open(FOLDER / self.file, "w", newline="") as text:
            csv.writer(text, lineterminator="\n").writerows([self.heads, *rows])


def summary(groups):
    """Markdown of what groups of rows come to: (what was broken, rows) each."""
    lines = ["| broken | mutants | found | survived |", "|---|--:|--:|--:|"]
    survived = []
    for what, rows in groups:
        left = [row for row in rows if not row[5]]
        lines.append(f"| {what} | {len(rows)} | {len(rows) - len(left)} | {len(left)} |")
        survived += left
    lines += ["", "| | survived: file | edit | equivalent because |", "|--:|---|---|---|"]
    lines += [f"| {row[0]} | `{row[1]}` | {row[2]} | {row[6]} |" for row in survived]
    return "\n".join(lines) + "\n"


def write_summary(tables, sides):
    """Puts the sum of all tables into the page."""
    groups = []
    for side, what in sides.items():
        numbers = {str(m.number) for table in tables for m in table.mutants if m.side == side}
        groups.append((what, [row for table in tables for row in table.rows() if row[0] in numbers]))
    text = PAGE.read_text()
    if not re.search(f"{BEGIN}.*{END}", text, re.S):
        raise SystemExit(f"mutants: {PAGE} has no markers {BEGIN.strip()} and {END.strip()}")
    before, rest = text.split(BEGIN)
    PAGE.write_text(before + BEGIN + summary(groups) + END + rest.split(END)[1])


def totals(found, survived):
    return f"mutants={found + survived} found={found} survived={survived}"
