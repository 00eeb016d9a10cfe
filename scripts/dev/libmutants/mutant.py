# SPDX-License-Identifier: Apache-2.0
"""A mutant: one edit of one file, which whoever judges it has to notice. And what came of it."""
from dataclasses import dataclass

# Where an edit of a router can matter at all: of its parameters in co-simulation.
SPECULATES = "Speculative and VaDelay"
RINGS = "Wrap and not Routing"
DATELINE = f"{RINGS} and Dateline != 3"
RC = "RcDelay and not Lookahead"
WAVEFRONT = "VaAllocator == 2 or SaAllocator == 2"


@dataclass
class Mutant:
    number: int
    side: str  # the option that names it
    path: str
    what: str
    old: str  # occurs exactly once in the file
    new: str

    @property
    def row(self):
        """What its row in the table begins with."""
        return [str(self.number), self.path, self.what]

    @property
    def title(self):
        return f"{self.number:3} {self.path:<39} {self.what}"

    def edited(self, text):
        """Its file's text with the edit."""
        if text.count(self.old) != 1:
            raise SystemExit(f"mutants: {self.number}: {self.path} has not one place with: {self.old}")
        return text.replace(self.old, self.new)


@dataclass
class CosimMutant(Mutant):
    """Of the RTL or the model's router: `sare cosim` compares it with the other one."""
    needs: str = "True"
    equivalent: str = ""  # the reason, if no run can tell it from the original
    of: str = "routers"  # what is drawn at random: routers, bridges or nics


@dataclass
class TestedMutant(Mutant):
    """Of what the RTL has not: a program of tests/ has to fail."""
    program: str = ""
    equivalent: str = ""


@dataclass
class Verdict:
    """`run` and `after` are the two columns of the table that say where it was found: see Table."""
    mutant: Mutant
    run: str = ""
    after: str = ""
    by: str = ""  # pin, assertion or test that found it; "": it survived
    problem: str = ""  # it is no program

    @property
    def text(self):
        if self.problem:
            return f"NO PROGRAM: {self.problem}"
        if self.by:
            where = ", ".join(filter(None, [self.run, self.after]))
            return f"found by {self.by} ({where})"
        reason = self.mutant.equivalent
        return f"SURVIVED {self.run}" + (f": equivalent: {reason}" if reason else "")

    @property
    def wrong(self):
        return bool(self.problem) or bool(self.by) == bool(self.mutant.equivalent)

    @property
    def row(self):
        """Of the table."""
        return self.mutant.row + [self.run, self.after, self.by, "" if self.by else self.mutant.equivalent]
