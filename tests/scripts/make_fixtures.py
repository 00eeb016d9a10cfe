#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Result directories as sare writes them, with made-up but plausible figures, for the tests of scripts/report.

make_fixtures.py DIR writes them all; from Python: make(name, DIR).
"""
import csv
import itertools
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np


class Grid:
    """Mesh or torus under uniform traffic by dimension order, so that the links carry what they would."""

    def __init__(self, dims, wrap):
        self.dims, self.wrap = dims, wrap
        self.routers = int(np.prod(dims))
        self.name = "torus" if wrap else "mesh"

    def coordinates(self, router):
        return list(np.unravel_index(router, self.dims[::-1]))[::-1]

    def number(self, place):
        return int(np.ravel_multi_index(place[::-1], self.dims[::-1]))

    def place(self, router):
        x, y, *further = self.coordinates(router) + [0] * (2 - len(self.dims))
        plane = int(np.ravel_multi_index(further[::-1], self.dims[:1:-1])) if further else 0
        return x + plane * (self.dims[0] + 1.4), y, "".join(f"c{d + 2}={c}" for d, c in enumerate(further))

    def stub(self, router, port, other):
        """Degrees of a link that leads round an edge or to another plane."""
        way = 1 - 2 * (port % 2)
        d = port // 2
        if d < 2 and self.coordinates(other)[d] == self.coordinates(router)[d] + way:
            return ""
        return [0, 90, 45][min(d, 2)] + 90 * (1 - way)

    def links(self):
        for router, d, step in itertools.product(range(self.routers), range(len(self.dims)), (1, -1)):
            place = self.coordinates(router)
            place[d] += step
            if self.wrap or 0 <= place[d] < self.dims[d]:
                place[d] %= self.dims[d]
                yield router, 2 * d + (step < 0), self.number(place), 2 * d + (step > 0)

    def hops(self, source, destination):
        """The (router, port) pairs on the way."""
        here, there = self.coordinates(source), self.coordinates(destination)
        for d, size in enumerate(self.dims):
            way = there[d] - here[d]
            if self.wrap and abs(way) * 2 > size:
                way -= int(np.sign(way)) * size
            for _ in range(abs(way)):
                yield self.number(here), 2 * d + (way < 0)
                here[d] = (here[d] + int(np.sign(way))) % size


class FatTree:
    """A k-ary 2-tree."""
    name = "kary-ntree"
    dims = []
    wrap = False

    def __init__(self, k):
        self.k, self.routers = k, 2 * k

    def place(self, router):
        return router % self.k, router // self.k * 3, f"level {router // self.k}"

    def stub(self, router, port, other):
        return ""

    def links(self):
        for leaf, top in itertools.product(range(self.k), repeat=2):
            yield leaf, self.k + top, self.k + top, leaf
            yield self.k + top, leaf, leaf, self.k + top


def write_csv(file, header, rows):
    rows = list(rows)
    with open(file, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    described = file.parent / "columns.json"
    tables = json.loads(described.read_text()) if described.exists() else {}
    tables[file.name] = {"columns": [{"name": name, "kind": kind_of(name, [row[k] for row in rows]), "unit": "", "sentence": ""}
                                     for k, name in enumerate(header)]}
    write_json(described, tables)


def kind_of(name, cells):
    """What columns.json says of a column with these cells."""
    if name in ("kind", "status", "group", "phase", "state", "part", "cause"):
        return "text"
    try:
        values = [float(cell) for cell in cells if cell != ""]
    except ValueError:
        return "text"
    return "count" if values and all(v >= 0 and v % 1 == 0 for v in values) else "number"


def write_json(file, tree):
    file.write_text(json.dumps(tree, indent=2) + "\n")


def config(topology, dims, load):
    return {
        "network": {"topology": topology, "dims": dims, "link": {"latency": 1}},
        "routing": {"name": "dimension-order", "selection": "random"},
        "router": {"name": "pipelined", "vcs": 4, "buffer": 8, "arbiter": "round-robin"},
        "nic": {"queue": 0, "packet_flits": 4},
        "traffic": {"kind": "synthetic", "pattern": "uniform", "load": load},
        "measurement": {"warmup": 2000, "cycles": 10000, "batches": 10, "seed": 1},
    }


def link_loads(net, load):
    """Exact loads of uniform traffic at small sizes; a smooth guess beyond, where all pairs take too long."""
    links = list(net.links())
    if isinstance(net, Grid) and net.routers <= 128:
        count = Counter(hop for pair in itertools.product(range(net.routers), repeat=2) for hop in net.hops(*pair))
        return links, [load * count[l[0], l[1]] / net.routers for l in links]
    if not isinstance(net, Grid):
        return links, [load * 0.8 for _ in links]
    loads = []
    for a, port, b, _ in links:
        d = port // 2
        at = min(net.coordinates(a)[d], net.coordinates(b)[d]) + 1
        n = net.dims[d]
        loads.append(load * (n / 8 if net.wrap else at * (n - at) / n))
    return links, loads


def write_links(out, net, load, nodes, rng):
    links, loads = link_loads(net, load)
    loads = np.clip(np.array(loads) * rng.normal(1, 0.03, len(loads)), 0, 1)
    rows = []
    for (a, p, b, q), l in zip(links, loads):
        rows.append([a, p, b, q, "router", round(l * 10000), f"{l:.5f}", f"{l:.5f}", net.stub(a, p, b), f"{l * .6:.5f}", f"{l * .4:.5f}"])
    for n in range(nodes):
        r = n if isinstance(net, Grid) else n // net.k
        rows.append([n, 0, r, 9, "injection", round(load * 10000), f"{load:.5f}", f"{load:.5f}", "", f"{load:.5f}", 0])
        rows.append([r, 9, n, 0, "ejection", round(load * 10000), f"{load:.5f}", f"{load:.5f}", "", f"{load:.5f}", 0])
    write_csv(out / "links.csv", "from,from_port,to,to_port,kind,flits,load,utilisation,stub,vc0,vc1".split(","), rows)
    mean, most = (float(loads.mean()), float(loads.max())) if len(loads) else (None, None)
    busiest = max(rows, key=lambda row: float(row[7]))
    return {"mean_load": mean, "max_load": most, "mean_utilisation": mean, "max_utilisation": most,
            "busiest": dict(zip(("from", "from_port", "to", "to_port", "kind"), busiest), load=float(busiest[6]),
                            utilisation=float(busiest[7]))}


def over_time(out, net, load, intervals=24):
    """A run in which the middle of the network fills up, with links by interval and stalls by port."""
    run(out, net, load, net.routers, status="saturated", reason="3 sources fall behind")
    with (out / "links.csv").open() as file:
        header, *links = csv.reader(file)
    length, rng = 500, np.random.default_rng(2)
    rows = []
    for link in links:
        full = min(float(link[7]) * 1.6, 1)
        fill = np.clip(full * (1 - np.exp(-np.arange(intervals) / 6)) + rng.normal(0, 0.01, intervals), 0, 1)
        waits = ["" if i < 4 or link[4] == "ejection" else round(3 * length * fill[i] ** 4) for i in range(intervals)]
        rows.append([*link[:5], 1, *np.round(fill * length).astype(int), *waits])
    ends = [length * (i + 1) for i in range(intervals)]
    write_csv(out / "links_over_time.csv", [*header[:5], "capacity", *(f"{what}_to_{end}" for what in ("flits", "waits") for end in ends)], rows)
    write_csv(out / "ports.csv", ["router", "port", "stalls_vc", "stalls_credit"],
              [[r, p, int(rng.integers(0, 9000)), int(rng.integers(0, 900))] for r in range(net.routers) for p in range(10)])
    file = out / "summary.json"
    summary = json.loads(file.read_text())
    summary["config"]["measurement"]["statistics"] = [{"name": "link_series", "intervals": 50, "congested": 0.9}]
    summary["congestion_onset"] = {"cycle": 6 * length, "link": "router 27 to router 28"}
    write_json(file, summary)


def write_routers(out, net):
    write_csv(out / "routers.csv", ["router", "x", "y", "group"], [[r, *net.place(r)] for r in range(net.routers)])


def write_series(out, load, base, rng, saturated):
    rows = []
    for i, cycle in enumerate(range(100, 12100, 100)):
        fill = 1 - np.exp(-i / 6)
        latency = base * (0.7 + 0.3 * fill) * rng.normal(1, 0.03) * (1 + i / 8 if saturated else 1)
        accepted = min(load, 0.38) * fill * rng.normal(1, 0.015)
        rows.append([cycle, f"{load * rng.normal(1, .02):.5f}", f"{accepted * 1.003:.5f}", f"{accepted:.5f}",
                     "" if i == 0 else f"{latency:.3f}", round(latency * load * 16)])
    write_csv(out / "series.csv",
              "cycle,offered,injected,accepted,latency_mean,packets_in_network".split(","), rows)


def write_histogram(out, samples, queueing):
    top = int(np.ceil(max((samples + queueing).max(), 1) / 2) * 2)
    edges = np.arange(0, top + 4, 2)
    injection, generation = np.histogram(samples, edges)[0], np.histogram(samples + queueing, edges)[0]
    write_csv(out / "latency_histogram.csv", "low,high,from_generation,from_injection".split(","),
              zip(edges[:-1], edges[1:], generation, injection))


def latency_figures(samples):
    p = {f"p{q}".replace(".", ""): float(np.percentile(samples, q)) for q in (50, 95, 99, 99.9)}
    return {"mean": float(samples.mean()), "stddev": float(samples.std()), "max": float(samples.max()),
            "ci95": float(samples.std() / 60), **p}


def counts(generated, consumed):
    return {"generated": generated, "injected": consumed + 40, "consumed": consumed, "dropped": 0}


def run(out, net, load, nodes, status="completed", reason="", matrix=False, tasks=False, series=True):
    out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(1)
    saturated = status == "saturated"
    base = 14 + 2.2 * net.routers ** 0.5
    samples = np.round(base * 0.5 + rng.gamma(4, base / 8, 8000))
    queueing = np.round(rng.exponential(60 if saturated else 4, 8000))
    links = write_links(out, net, load, nodes, rng)
    write_routers(out, net)
    if series:
        write_series(out, load, base, rng, saturated)
    write_histogram(out, samples, queueing)
    accepted = np.clip(min(load, 0.38) * rng.normal(1, 0.04, nodes), 0, 1)
    write_csv(out / "nodes.csv", "node,router,generated,injected,consumed,offered,accepted".split(","),
              [[n, n * net.routers // max(nodes, 1), 900, 890, 880, f"{load:.4f}", f"{a:.5f}"]
               for n, a in enumerate(accepted)])
    write_csv(out / "queues.csv", ["flits", "samples"], [[i, int(9e6 * 0.21 ** i)] for i in range(9)])
    far = sum(net.dims) // (2 if net.wrap else 1) or 4
    shares = np.exp(-((np.arange(far + 1) - far / 2) ** 2) / (far / 1.5)) * 9000
    write_csv(out / "distances.csv", ["hops", "injected", "consumed"],
              [[h, int(s), int(s * 0.985)] for h, s in enumerate(shares)])
    if matrix:
        write_csv(out / "matrix.csv", ["source", "destination", "packets", "flits"],
                  [[s, d, 9, int(400 * np.exp(-abs(s - d) / 3) + 90 * ((s ^ d) in (1, 2, 4, 8)))]
                   for s in range(nodes) for d in range(nodes) if s != d and (abs(s - d) < 6 or s ^ d == 8)])
    if tasks:
        write_tasks(out, nodes, rng)
    packets = counts(8800 * nodes // 4, 8700 * nodes // 4)
    write_json(out / "summary.json", {
        "program": "sare", "version": "0.1.0-14-gdaff17f", "status": status, "status_reason": reason, "seed": 1,
        "config": config(net.name, net.dims, load), "cycles": 12000, "clock_period_s": 1e-9,
        "measured": {"from": 2000, "to": 12000}, "packets": packets,
        "flits": {k: v * 4 for k, v in packets.items()}, "messages": packets,
        "load": {"offered": load, "injected": min(load, .381), "accepted": float(accepted.mean())},
        "latency": {"packet": {"from_generation": latency_figures(samples + queueing),
                               "from_injection": latency_figures(samples)},
                    "message": {"from_generation": latency_figures(samples + queueing + 3)}},
        "hops": {"mean": float(np.average(np.arange(far + 1), weights=shares)), "max": far},
        "fairness": {"accepted": {"min": float(accepted.min()), "max": float(accepted.max()), "jain": 0.9983}},
        "links": links,
        "topology": {"name": net.name, "nodes": nodes, "routers": net.routers,
                     "links": len(list(net.links())) // 2 + nodes, "channels": len(list(net.links())), "dims": net.dims},
        "batches": [{"from": 2000 + 1000 * i, "to": 3000 + 1000 * i,
                     "latency_mean": float(base + rng.normal(0, .4)), "accepted": float(accepted.mean())}
                    for i in range(10)],
        "workload": {"name": "trace", "makespan_cycles": 11873, "makespan_seconds": 1.1873e-05,
                     "operations": {"send": 1804, "recv": 1804, "allreduce": 96}} if tasks else {},
        "bounds": {"channel_load": 2.0, "zero_load_latency": 21.5},
        "run": {"wall_s": 1.84, "cycles_per_s": 6521.7, "flit_hops": 5400000, "peak_rss_bytes": 48_300_000}})


def with_flows(out):
    """A chip of named routers and nodes, of which one cannot send what flows require."""
    net = Grid([4, 3], False)
    run(out, net, 0.3, 12, status="saturated", reason="1 of 12 sources cannot send what it is offered: node sdram")
    names = ["sdram", "sram1", "sram2", "rasteriser", "up_sampler", "risc", "vu", "media_cpu", "idct", "bab", "audio", "adsp"]
    for file in ("routers", "nodes"):
        with (out / f"{file}.csv").open() as text:
            header, *rows = csv.reader(text)
        write_csv(out / f"{file}.csv", [*header, "name"], [[*row, names[int(row[0])]] for row in rows])
    columns = ("flow,kind,source,destination,class,met,required,delivered,slack,latency_mean,latency_p99,latency_max,latency_slack,rate_unit,"
               "required_given,delivered_given,latency_unit,latency_mean_given,latency_p99_given")
    rows = []
    for k in range(14):
        met, required, slack = ("no" if k < 3 else "cannot tell" if k == 3 else "yes"), 0.4 - 0.02 * k, -0.1 if k < 3 else 0
        mean, p99, most = (4520, 6142, 6150) if k < 3 else (25.1, 47, 60)
        rows.append([k, "flow", names[k % 3], names[3 + k % 9], k // 9, met, required, required + slack, slack, mean, p99, most, "",
                     "MB/s", 8000 * required, 8000 * (required + slack), "ns", mean / 2, p99 / 2])
    write_csv(out / "flows.csv", columns.split(","), rows)


def write_tasks(out, nodes, rng):
    rows = []
    for task in range(nodes):
        finish, compute, overhead = 11873 - int(rng.integers(0, 500)), int(rng.integers(5200, 6900)), 800
        rows.append([task, task, finish, compute, finish - compute - overhead, overhead])
    write_csv(out / "tasks.csv", "task,node,finish_cycle,compute_cycles,blocked_cycles,overhead_cycles".split(","), rows)


def one_idle_node(out):
    """One node, nothing sent: zeros and nulls everywhere."""
    out.mkdir(parents=True, exist_ok=True)
    zero = {"generated": 0, "injected": 0, "consumed": 0, "dropped": 0}
    none = dict.fromkeys(("mean", "stddev", "max", "p50", "p95", "p99", "p999", "ci95"))
    write_json(out / "summary.json", {
        "program": "sare", "version": "0.1.0", "status": "interrupted", "status_reason": "SIGINT at cycle 17",
        "seed": 7, "config": config("crossbar", [], 0), "cycles": 17, "clock_period_s": 1e-9,
        "measured": {"from": 0, "to": 17}, "packets": zero, "flits": zero, "messages": zero,
        "load": {"offered": 0, "injected": 0, "accepted": 0},
        "latency": {"packet": {"from_generation": none, "from_injection": dict(none, mean=float("nan"))}},
        "hops": {"mean": None, "max": 0}, "fairness": {"accepted": {"min": 0, "max": 0, "jain": None}},
        "links": {"mean_load": 0, "max_load": 0},
        "topology": {"name": "crossbar", "nodes": 1, "routers": 1, "links": 0, "dims": []}, "batches": [],
        "workload": {}, "run": {"wall_s": 0, "cycles_per_s": None, "flit_hops": 0, "peak_rss_bytes": 9_000_000}})
    write_csv(out / "series.csv", "cycle,offered,injected,accepted,latency_mean,packets_in_network".split(","),
              [[17, 0, 0, 0, "nan", 0]])
    write_csv(out / "links.csv", "from,from_port,to,to_port,kind,flits,load,vc0".split(","),
              [[0, 0, 0, 0, "injection", 0, 0, 0], [0, 0, 0, 0, "ejection", 0, 0, 0]])
    write_csv(out / "routers.csv", ["router", "x", "y"], [[0, "", ""]])
    write_csv(out / "nodes.csv", "node,router,generated,injected,consumed,offered,accepted".split(","),
              [[0, 0, 0, 0, 0, 0, 0]])
    write_csv(out / "queues.csv", ["flits", "samples"], [[0, 0]])
    write_csv(out / "distances.csv", ["hops", "injected", "consumed"], [[0, 0, 0]])
    write_csv(out / "latency_histogram.csv", "low,high,from_generation,from_injection".split(","), [])


def sweep(out, axes):
    """Latency rises as a queue's would up to each router's own saturation point."""
    out.mkdir(parents=True, exist_ok=True)
    rows, names = [], list(axes)
    for point, values in enumerate(itertools.product(*axes.values())):
        at = dict(zip(names, values))
        load, limit = at.get("traffic.load", 0.2), {"1": 0.31, "2": 0.38, "4": 0.43}[str(at.get("router.vcs", 4))]
        if at.get("routing.name") == "valiant":
            limit *= 0.6
        saturated = load >= limit
        latency = 24 + 9 * load / (limit - load) * limit if not saturated else 300 + 4000 * (load - limit)
        accepted = min(load, limit * 0.985)
        status = "saturated" if saturated else "completed"
        rows.append([point, *values, 1, status, load, accepted, accepted, f"{latency:.2f}", f"{latency * .9:.1f}",
                     f"{latency * 2.3:.1f}", f"{latency * 4:.1f}", f"{min(latency, 70):.2f}", 5.25])
        if point % 5 != 4:  # some points have no directory yet
            (out / f"points/{point:03d}").mkdir(parents=True, exist_ok=True)
            write_json(out / f"points/{point:03d}/summary.json",
                       {"program": "sare", "version": "0.1.0-14-gdaff17f", "status": status, "seed": 1,
                        "bounds": {"channel_load": 2.0}, "topology": {"name": "mesh", "nodes": 64, "routers": 64,
                                                                      "links": 224, "dims": [8, 8]}})
    figures = "offered,injected,accepted,latency_mean,latency_p50,latency_p99,latency_max,network_latency_mean"
    write_csv(out / "sweep.csv", ["point", *names, "seed", "status", *figures.split(","), "hops_mean"], rows)
    write_json(out / "sweep.json", {"file": "tb/experiments/mesh8x8-sweep.yaml", "axes": axes,
                                    "config": config("mesh", [8, 8], 0.1)})


LOADS = [0.02] + [round(0.05 * i, 2) for i in range(1, 10)]
def with_groups(out, net, groups):
    """Routers of several kinds: (name, numbers) of each."""
    run(out, net, 0.1, net.routers)
    file = out / "summary.json"
    summary = json.loads(file.read_text())
    summary["router_groups"] = [{"name": name, "at": at} for name, at in groups]
    write_json(file, summary)


def sweep_of_programs(out):
    """As sweep(), and each point has a makespan, which grows with the computation."""
    sweep(out, {"routing.name": ["dor", "valiant"], "traffic.cpu_factor": [0, 0.5, 1]})
    header, *rows = (out / "sweep.csv").read_text().splitlines()
    at = header.split(",").index("traffic.cpu_factor")
    rows = [f"{row},{1000 + int(4000 * float(row.split(',')[at]))}" for row in rows]
    (out / "sweep.csv").write_text("\n".join([header + ",makespan_cycles", *rows]) + "\n")


def without_columns(out, net):
    """As sare wrote them before it said how to draw networks."""
    run(out, net, 0.2, 16)
    for name, keep in (("links", 7), ("routers", 3)):
        rows = [line.split(",") for line in (out / f"{name}.csv").read_text().splitlines()]
        blank = len(net.dims) == 0 and name == "routers"
        write_csv(out / f"{name}.csv", rows[0][:keep],
                  [[row[0], "", ""] if blank else row[:keep] for row in rows[1:]])


FIXTURES = {
    "old-torus": lambda out: without_columns(out, Grid([4, 4], True)),
    "old-tree": lambda out: without_columns(out, FatTree(4)),
    "mixed": lambda out: with_groups(out, Grid([4, 4], False), [
        ("vc", ["0-4", "7-8", "11-15"]), ("vc, depth 16, sa_delay 2", ["5-6", 9, 10])]),
    "mixed-large": lambda out: with_groups(out, Grid([160, 20], True), [("vc", ["0-1599", "1700-3199"]),
                                                                       ("vc, depth 2", ["1600-1699"])]),
    "mixed-many": lambda out: with_groups(out, Grid([4, 3], False), [(f"vc, depth {n + 1}", [n]) for n in range(12)]),
    "mesh": lambda out: run(out, Grid([8, 8], False), 0.3, 64, matrix=True),
    "time": lambda out: over_time(out, Grid([8, 8], False), 0.36),
    "time-large": lambda out: over_time(out, Grid([36, 36], True), 0.1),
    "torus-trace": lambda out: run(out, Grid([4, 4], True), 0.12, 16, tasks=True, matrix=True),
    "cube": lambda out: run(out, Grid([4, 4, 4], True), 0.3, 64),
    "large": lambda out: run(out, Grid([48, 48], False), 0.03, 2304),
    "fat-tree": lambda out: run(out, FatTree(4), 0.5, 16, status="saturated",
                                reason="latency grew in 5 statistics in a row, the last by 12 %"),
    "deadlock": lambda out: run(out, Grid([5, 1], True), 0.2, 5, status="deadlock", series=False,
                                reason="no flit moved for 1000 cycles; 37 packets wait in a cycle of 5 channels"),
    "flows": with_flows,
    "idle": one_idle_node,
    "sweep": lambda out: sweep(out, {"traffic.load": LOADS}),
    "sweep-axes": lambda out: sweep(out, {"routing.name": ["dor", "valiant"], "router.vcs": [1, 2, 4],
                                          "traffic.load": LOADS}),
    "sweep-no-load": lambda out: sweep(out, {"router.vcs": [1, 2, 4]}),
    "sweep-programs": sweep_of_programs,
    "sweep-sections": lambda out: sweep(out, {
        "network": ["{topology: torus, dims: [4, 4]}", "{topology: twisted_torus, dims: [4, 4], twist: [[0, 0], [2, 0]]}"],
        "router": ["{kind: bubble, vcs: 3}", "{kind: bubble, vcs: 3, local_bubble: 3}"],
        "traffic.messages": [10, 100, 1000]}),
}


def make(name, out):
    FIXTURES[name](Path(out))


if __name__ == "__main__":
    for fixture in FIXTURES:
        make(fixture, Path(sys.argv[1]) / fixture)
