# SPDX-License-Identifier: Apache-2.0
"""Runs of the model, and what each flit does in them."""
import csv
import dataclasses
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from ..rtl import ROOT
from .points import NETWORKS, Router, Run

BEYOND = 60  # cycles that are run beyond those that count: where packets under way go
SARE = Path(os.environ.get("SARE", ROOT / "build" / "sare"))


@dataclass
class Flit:
    cycle: int
    port: str
    vc: int
    packet: int
    number: int
    source: int
    destination: int


@dataclass
class Traced:
    """What came into a router, and what left it."""
    came: list[Flit] = field(default_factory=list)
    left: list[tuple[Flit, str, int]] = field(default_factory=list)  # with output port and VC


@dataclass
class Trace:
    routers: dict[int, Traced]
    lengths: dict[int, int]
    ways: dict[int, set[str]]  # of a packet: ports by which it left routers
    cycles: int


def fitting(router: Router, runs: list[Run]) -> list[Run]:
    """With cut-through a buffer holds a whole packet."""
    if router.switching != "cut_through":
        return runs
    return [dataclasses.replace(r, length=min(r.length, router.depth)) for r in runs]


def experiment(router: Router, run: Run) -> dict:
    length = {} if run.length == 1 else {"length": run.length}
    return {
        "seed": run.seed,
        "network": NETWORKS[router.network], "routing": "dor",
        "router": dict(vcs=router.vcs, depth=router.depth, va_allocator=router.va_allocator, sa_allocator=router.sa_allocator,
                       va_arbiter=router.va_arbiter, sa_arbiter=router.sa_arbiter, switching=router.switching,
                       lookahead=router.lookahead, speculative=router.speculative),
        **({"nic": {"max_packet_flits": router.depth}} if router.switching == "cut_through" else {}),
        "traffic": {"workload": "bernoulli", "pattern": run.pattern, "load": run.load, **length},
        "measurement": {"warmup": 0, "batch": run.cycles + BEYOND, "batches": 1},
        "observe": {"from": 0, "to": run.cycles + BEYOND, "inside": {"csv": True, "events": ["flit_in", "flit_out"]}},
    }


def trace(router: Router, run: Run) -> Trace:
    with tempfile.TemporaryDirectory() as name:
        file, out = Path(name) / "run.yaml", Path(name) / "out"
        file.write_text(json.dumps(experiment(router, run)))  # JSON is YAML
        run_model(file, out)
        with open(out / "packet_events.csv", newline="") as text:
            return read_events(csv.reader(text), run.cycles)


def energies(router: Router, run: Run, table: dict, skip: int, exact: bool) -> list[float]:
    """Of each router in pJ as the section `power` has them, by the counts of that run, without its first cycles."""
    with tempfile.TemporaryDirectory() as name:
        file, out = Path(name) / "run.yaml", Path(name) / "out"
        (Path(name) / "table.yaml").write_text(json.dumps(table))
        setting = {**experiment(router, run), "measurement": {"warmup": skip, "batch": run.cycles - skip, "batches": 1, "convergence_count": 0},
                   "power": {"table": "table.yaml", "frequency": "100MHz", "data": str(run.activity), "width": router.width,
                             "clock_gating": router.clock_gating, "memory_buffers": router.memory_buffers, "exact": exact}}
        del setting["observe"]
        file.write_text(json.dumps(setting))
        run_model(file, out)
        with open(out / "routers.csv", newline="") as text:
            return [float(r["energy_dynamic"]) + float(r["energy_clock"]) for r in csv.DictReader(text)]


def run_model(file: Path, out: Path) -> None:
    done = subprocess.run([SARE, "run", file, "--out", out, "--quiet", "--no-report"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(f"rtl-power: sare: {done.stderr.strip()}")


def read_events(rows, cycles: int) -> Trace:
    place = {name: k for k, name in enumerate(next(rows))}
    columns = [place[n] for n in ("cycle", "event", "packet", "source", "destination", "router", "in_port", "in_vc", "out_port", "out_vc", "flit")]
    found = Trace({}, {}, {}, cycles)
    for row in rows:
        cycle, event, packet, source, destination, router, in_port, in_vc, out_port, out_vc, number = (row[c] for c in columns)
        flit = Flit(int(cycle), in_port, int(in_vc), int(packet), int(number), int(source), int(destination))
        traced = found.routers.setdefault(int(router), Traced())
        if event == "flit_in":
            traced.came.append(flit)
            found.lengths[flit.packet] = max(found.lengths.get(flit.packet, 0), flit.number + 1)
        else:
            traced.left.append((flit, out_port, int(out_vc)))
            found.ways.setdefault(flit.packet, set()).add(out_port)
    return found


def busiest(t: Trace, count: int) -> list[int]:
    """Routers in order of what came, the busiest, and one of the least; only those with traffic."""
    order = sorted(t.routers, key=lambda r: (-len(t.routers[r].came), r))
    return order[:count - 1] + order[-1:] if len(order) > count > 1 else order[:count]


def router_of(router: Router, number: int) -> list[int]:
    """Its coordinates."""
    found = []
    for size in router.dims:
        found.append(number % size)
        number //= size
    return found


def neighbour(router: Router, number: int, port: str) -> Optional[int]:
    """The router behind a port such as +x; none behind a node's."""
    if port[0] == "n":
        return None
    d, step = "xyzw".index(port[1]), 1 if port[0] == "+" else -1
    at, stride = router_of(router, number), 1
    for size in router.dims[:d]:
        stride *= size
    size = router.dims[d]
    to = at[d] + step
    if not 0 <= to < size and not router.wraps:
        return None
    return number + (to % size - at[d]) * stride
