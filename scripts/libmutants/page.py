# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/validation.md."""
import re
from dataclasses import dataclass

from librtl import ROOT

PAGE = ROOT / "docs/validation.md"


@dataclass
class Table:
    marker: str
    run: str  # heads of the two columns that say where a mutant was found
    after: str
    mutants: list
    verdicts: object  # how its mutants are judged

    def written(self, old, verdict):
        """Its lines: rows of other mutants stay while they are about the same edit."""
        new = verdict.row
        rows = [new if new.startswith(m.row) else next((line for line in old if line.startswith(m.row)), "") for m in self.mutants]
        rows = [row for row in rows if row]
        survived = sum("**survived**" in row for row in rows)
        return [f"| | file | edit | {self.run} | {self.after} | found by |", "|--:|---|---|--:|--:|---|", *rows, "",
                f"`{totals(len(rows) - survived, survived)}`"]

    def write(self, verdict):
        text = PAGE.read_text()
        place = re.search(rf"<!-- {self.marker} -->\n(.*?)<!-- /{self.marker} -->", text, flags=re.S)
        if not place:
            raise SystemExit(f"mutants: {PAGE} has no markers <!-- {self.marker} --> and <!-- /{self.marker} -->")
        lines = self.written(place[1].splitlines(), verdict)
        PAGE.write_text(text[:place.start(1)] + "\n".join(lines) + "\n" + text[place.end(1):])


def totals(found, survived):
    return f"mutants={found + survived} found={found} survived={survived}"
