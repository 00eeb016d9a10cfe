# SPDX-License-Identifier: Apache-2.0
"""Where 8x8 meshes and tori saturate, by `sare saturate`, beside a fine sweep by hand, as a table.

The fine sweep runs loads one percent apart, four times as long, around what was found: the highest load without a
saturated one below it.
"""
import contextlib
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from libvalidate.rows import SARE

PATTERNS = ["uniform", "transpose", "complement", "reversal", "shuffle", "butterfly", "tornado", "neighbour"]
STRONG = ["router.va_allocator=wavefront", "router.sa_allocator=wavefront", "router.input_speedup=4"]
NETWORKS = {  # title: topology, routing, what else is set, patterns
    "8x8 mesh, routing: dor": ("mesh", "dor", [], PATTERNS),
    "8x8 torus, routing: {function: dor, dateline: trc}": ("torus", "{function: dor, dateline: trc}", [], PATTERNS),
    "8x8 mesh, strong routers": ("mesh", "dor", STRONG, ["uniform", "tornado"]),
    "8x8 torus, strong routers": ("torus", "{function: dor, dateline: trc}", STRONG, ["uniform", "tornado"]),
}
EXPERIMENT = """\
network: {topology: mesh, dims: [8, 8]}
router: {vcs: 8, depth: 8}
traffic: {workload: bernoulli, pattern: uniform, load: 0.1, length: 4}
"""
STEPS = range(-4, 5)  # of the fine sweep, in percent
LONGER = {"warmup": 12000, "batch": 4000}  # four times as by default
MOST = 0.02
COLUMNS = ["network", "pattern", "bound", "saturation", "of_bound", "confidence", "sweep_sustained", "sweep_next", "differs",
           "zero_load_latency", "load_at_twice_that"]


class Sare:
    """The program, in a folder of its own."""

    def __init__(self, folder):
        self.folder, self.calls = pathlib.Path(folder), 0
        (self.folder / "experiment.yaml").write_text(EXPERIMENT)

    def call(self, command, sets, axis):
        """The directory of results."""
        self.calls += 1
        out = self.folder / str(self.calls)
        line = [str(SARE), command, str(self.folder / "experiment.yaml"), "--out", str(out), "--quiet", "--no-report",
                "-j", str(os.cpu_count()), "--axis", axis]
        for setting in sets:
            line += ["--set", setting]
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"saturation: {' '.join(line)}: {done.stderr.strip() or done.returncode}")
        return out


def combinations(sare, sets, patterns):
    """By pattern what `sare saturate` says."""
    out = sare.call("saturate", sets, f"traffic.pattern={','.join(patterns)}")
    found = json.loads((out / "summary.json").read_text())["combinations"]
    return {one["axes"]["traffic.pattern"]: one for one in found}


def fine(sare, sets, pattern, load):
    """The highest load that a sweep by hand finds sustained, and the next that it ran."""
    loads = [round(load * (1 + step / 100), 5) for step in STEPS]
    sets = sets + [f"traffic.pattern={pattern}"] + [f"measurement.{key}={value}" for key, value in LONGER.items()]
    out = sare.call("sweep", sets, f"traffic.load={','.join(map(str, loads))}")
    with open(out / "sweep.csv", encoding="utf-8") as file:
        status = {float(row["traffic.load"]): row["status"] for row in csv.DictReader(file)}
    first = min((x for x, s in status.items() if s == "saturated"), default=max(loads))
    best = max((x for x, s in status.items() if s == "completed" and x < first), default=min(loads))
    return best, min((x for x in loads if x > best), default=best)


def table(sare):
    """The rows, and the settings in which both methods differ too much."""
    rows, wrong = [], []
    for title, (topology, routing, more, patterns) in NETWORKS.items():
        sets = [f"network.topology={topology}", f"routing={routing}", *more]
        for pattern, one in combinations(sare, sets, patterns).items():
            bound, at = one["bound"]["load"], one["saturation"]
            low, high = fine(sare, sets, pattern, at["load"] or (at["sustained"] + at["saturated"]) / 2)
            apart = max(low - at["saturated"], at["sustained"] - high, 0) / low  # of the two brackets
            middle = abs((at["sustained"] + at["saturated"]) / (low + high) - 1)
            if apart > MOST or middle > MOST:
                wrong.append(f"{title}, {pattern}: {at['sustained']} to {at['saturated']}, by hand {low} to {high}")
            slow = f"{one['slow']['load']:.3f}" if one["slow"] and one["slow"]["load"] else ""
            found = [f"{at['load']:.3f}", f"{100 * one['of_bound']:.0f}%"] if at["load"] else [one["status"], ""]
            rows.append([title, pattern, f"{bound:.3f}", *found, at["confidence"],
                         f"{low:.3f}", f"{high:.3f}", f"{100 * middle:.1f}%", f"{one['zero_load_latency']:.1f}", slow])
            print(", ".join(rows[-1]), file=sys.stderr, flush=True)
    return rows, wrong


def validate(file):
    """`file`: a CSV file that gets the table; none: it is printed."""
    with tempfile.TemporaryDirectory() as folder:
        rows, wrong = table(Sare(folder))
    to = sys.stdout if file is None else open(file, "w", encoding="utf-8", newline="")
    with contextlib.nullcontext() if file is None else to:
        csv.writer(to, lineterminator="\n").writerows([COLUMNS, *rows])
    print("\n".join(wrong))
    return 1 if wrong else 0
