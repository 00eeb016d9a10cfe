# SPDX-License-Identifier: Apache-2.0
"""What ranks do, window by window, as a program in Sare's own format (docs/traces.md), and Sare's simulation of it."""
import csv
import json
import math
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .problem import Problem
from .program import sare


@dataclass
class Work:
    """Of a schedule; times in seconds."""

    sizes: list          # routers by rank
    between: dict        # (rank, rank): bytes in a window
    hops: float          # flits out of a router in a window
    seconds_a_hop: float
    seconds_a_byte: float  # to pack and to unpack, half each
    windows: int
    varies: bool = True  # in a window a rank has more or fewer flits to move

    def neighbours(self, rank):
        return sorted(b for a, b in self.between if a == rank)

    def routers_seconds(self, rank):
        """Mean of a window."""
        return self.sizes[rank] * self.hops * self.seconds_a_hop

    def packing_seconds(self, rank):
        """Of what it sends and of what it gets."""
        return sum(b for pair, b in self.between.items() if rank in pair) / 2 * self.seconds_a_byte


def exact_bytes(between, windows):
    """(rank, rank), bytes for each message, window by window: whole numbers that add up."""
    total, sent = 0.0, 0
    for _ in range(windows):
        window = {}
        for pair, size in between.items():
            total += size
            window[pair] = round(total) - sent
            sent += window[pair]
        yield window


def lines_of(work, seed=1):
    """Rank by rank within a window, so that a reader has little to keep."""
    draw = random.Random(seed)
    ranks = range(len(work.sizes))
    neighbours = [work.neighbours(r) for r in ranks]
    yield "sare-trace 3"
    yield f"tasks {len(work.sizes)}"
    for window in exact_bytes(work.between, work.windows):
        for r in ranks:
            pack = sum(window[r, n] for n in neighbours[r]) * work.seconds_a_byte / 2
            unpack = sum(window[n, r] for n in neighbours[r]) * work.seconds_a_byte / 2
            flits = work.sizes[r] * work.hops
            if work.varies:  # what is under way in a part of the network is as good as drawn anew: Poisson, of many
                flits = max(0.0, draw.gauss(flits, math.sqrt(flits)))
            yield f"{r} allreduce 8"
            yield f"{r} compute {pack:.6g}"
            for n in neighbours[r]:
                yield f"{r} isend {n} {window[r, n]} 0 {n}"
            for n in neighbours[r]:
                yield f"{r} recv {n} {window[n, r]} 0"
            yield f"{r} waitall"
            yield f"{r} compute {unpack + flits * work.seconds_a_hop:.6g}"


@dataclass
class Simulated:
    window: float    # seconds
    messages: int    # of the exchanges
    bytes: int
    compute: float   # parts of the time, mean of the ranks: packing included
    overhead: float
    waiting: float


def write(work, experiment, folder):
    """The experiment's file."""
    (folder / "schedule.trace").write_text("\n".join(lines_of(work)) + "\n")
    experiment = {**experiment, "traffic": {"workload": "trace", "file": "schedule.trace", **experiment["traffic"]}}
    file = folder / "schedule.yaml"
    file.write_text(json.dumps(experiment, indent=1) + "\n")  # JSON is YAML
    return file


def simulate(work, experiment):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = write(work, experiment, folder)
        sare("run", file, "--out", folder / "out", "--quiet", "--no-report")
        summary = json.loads((folder / "out" / "summary.json").read_text())
        with open(folder / "out" / "tasks.csv", newline="") as text:
            tasks = list(csv.DictReader(text))
    if summary["status"] != "completed":
        raise Problem(f"the schedule's simulation has ended as {summary['status']}: {summary['status_reason']}")
    span = summary["workload"]["makespan_cycles"] * len(tasks)
    compute, overhead = (sum(float(t[f"{part}_cycles"]) for t in tasks) / span for part in ("compute", "overhead"))
    return Simulated(summary["workload"]["makespan_seconds"] / work.windows, len(work.between) * work.windows,
                     sum(sum(window.values()) for window in exact_bytes(work.between, work.windows)), compute, overhead,
                     1 - compute - overhead)
