# SPDX-License-Identifier: Apache-2.0
"""A row of what papers say, and what rows have in common."""
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Row:
    name: str            # of the command: scripts/dev/validate papers NAME
    says: str            # what is compared
    theirs: str
    runs: dict = field(default_factory=dict)      # label: what follows 'sare run'
    figure: Callable = None                       # what all summaries, by label, come to: text, whether that agrees (None: nothing to hold it against)
    why: str = ""                                 # where it does not
    quick: bool = False
    study: str = ""                               # a page that measures it, too


def at(summary, path):
    for key in path.split("."):
        summary = summary[key]
    return summary


def accepted(s):
    return at(s, "load.accepted")


def makespan(s):
    return at(s, "workload.makespan_cycles")


def task(s, key):
    return at(s, f"workload.task_model.{key}")


def rising(values):
    return all(a < b for a, b in zip(values, values[1:]))


def list_of(values, form="{:.3g}"):
    return ", ".join(form.format(v) for v in values)


def near(theirs, bound):
    """Each value is within the bound of theirs."""
    def figure(ours):
        off = [o / t - 1 for o, t in zip(ours, theirs)]
        ends = dict.fromkeys(f"{round(x, 3) + 0.0:+.1%}" for x in (min(off), max(off)))  # no -0.0%
        return f"{list_of(ours, '{:.4g}')} ({' to '.join(ends)})", max(map(abs, off)) <= bound
    return figure
