# SPDX-License-Identifier: Apache-2.0
"""Is my flow served? Networks and flows of which it is known, beside what `sare run` says of each flow.

What is known is by construction: rates that share a link are below what it carries, or above, and then its switch shares it
out fairly, or by weights; a class that goes first waits for no other. Rates near a border are not drawn.
"""
import csv
import json
import random
import subprocess
from dataclasses import dataclass

from libanswers.answer import Answer

KIND = "flows"
SHARE = 0.15  # of the questions of all kinds
CLEAR = 0.1  # as far a rate is from the border between met and not, at least
NEAR = 0.03  # of what a flow delivers, against its share
ROUGHLY = 0.2  # the same where flows also wait for a VC, which shares out a link less evenly: of 948 flows the worst was 16% off


def questions(seed, count):
    kinds = list(KINDS)
    return [Question(random.Random(f"{seed} {n}"), f"{kinds[n % len(kinds)]}-{seed}-{n}", KINDS[kinds[n % len(kinds)]]) for n in range(count)]


@dataclass
class Expected:
    """Of a flow, by its number: its verdict, and what it delivers where that is known."""
    met: str
    delivered: float = None
    near: float = NEAR


@dataclass
class Question:
    draw: random.Random
    name: str
    kind: object

    def ask(self, program, folder):
        folder.mkdir(parents=True, exist_ok=True)
        setting, truth = self.kind(self.draw)
        setting["seed"] = self.draw.randrange(10**6)
        rows = run(program, folder, setting)
        wrong, open_ = [], []
        for number, one in truth.items():
            row = rows[number]
            name, delivered = f"flow {number}", float(row["delivered"])
            if row["met"] == "cannot tell":
                open_.append(name)
            elif row["met"] != one.met:
                wrong.append(f"{name} met: {row['met']}")
            if one.delivered is not None and abs(delivered / one.delivered - 1) > one.near:
                wrong.append(f"{name} delivers {delivered:.4g}")
        shared = [number for number, one in truth.items() if one.delivered is not None]
        delivered, expected = sum(float(rows[n]["delivered"]) for n in shared), sum(truth[n].delivered for n in shared)
        if abs(delivered - expected) > NEAR * expected:
            wrong.append(f"flows {shared} deliver {delivered:.4g} together, not {expected:.4g}")
        said = ", ".join(wrong) or (f"cannot tell of {', '.join(open_)}" if open_ else "all as it is")
        return Answer("wrong" if wrong else "cannot tell" if open_ else "right",
                      "; ".join(f"flow {n} met: {one.met}" + (f", {one.delivered:.4g}" if one.delivered else "") for n, one in truth.items()), said)


def run(program, folder, setting):
    """Rows of flows.csv by number of the flow."""
    (folder / "setting.yaml").write_text(json.dumps(setting))
    done = subprocess.run([program, "run", folder / "setting.yaml", "--out", folder / "said", "--overwrite", "--no-report"], capture_output=True, text=True, check=False)
    if not (folder / "said/flows.csv").exists():
        raise RuntimeError(done.stderr)
    with (folder / "said/flows.csv").open() as file:
        return {int(row["flow"]): row for row in csv.DictReader(file)}


def measured(draw):
    return {"warmup": 2000, "batch": draw.choice([1000, 2000, 4000]), "batches": 10}


def water_level(rates, capacity):
    """Max-min fair: what a flow gets that asks for more."""
    left, share = capacity, 0
    for k, rate in enumerate(sorted(rates)):
        share = left / (len(rates) - k)
        if rate > share:
            return share
        left -= rate
    return share


def shared_link(draw, load):
    """Flows of several nodes to one, whose link is as narrow as is drawn; (setting, rates, capacity). Each comes by a port of its own."""
    sources, cycles, length = draw.randrange(2, 8), draw.choice([1, 1, 2, 4]), draw.choice([1, 2, 4])
    parts = [draw.uniform(0.2, 1) for _ in range(sources)]
    rates = [round(min(load / cycles * part / sum(parts), 0.85), 4) for part in parts]
    setting = {"network": {"topology": "crossbar", "n": sources + 1}, "router": {"vcs": 8, "depth": 8}, "measurement": measured(draw),
               "links": [{"node": sources, "cycles_per_flit": cycles}],
               "traffic": {"workload": "flows", "length": length, "flows": [{"from": n, "to": sources, "rate": rate} for n, rate in enumerate(rates)]}}
    return setting, rates, 1 / cycles


def below(draw):
    """Each flow has unit and rate as users write them."""
    setting, rates, _ = shared_link(draw, draw.uniform(0.3, 0.8))
    return setting, {n: Expected("yes") for n in range(len(rates))}


def above(draw):
    while True:
        setting, rates, capacity = shared_link(draw, draw.uniform(1.2, 2.5))
        level = water_level(rates, capacity)
        if sum(rates) > (1 + CLEAR) * capacity and all(abs(rate / level - 1) > CLEAR for rate in rates):
            return setting, {n: Expected("yes") if rate < level else Expected("no", level, ROUGHLY) for n, rate in enumerate(rates)}


def weighted(draw):
    """Two classes that both ask for more than their weight."""
    weights, cycles, length = [draw.randrange(1, 5), 1], draw.choice([1, 2]), draw.choice([1, 4])
    shares = [w / sum(weights) / cycles for w in weights]
    flows = [{"from": n, "to": 2, "rate": round(min(share * draw.uniform(1.15, 2), 0.95), 4), "class": n} for n, share in enumerate(shares)]
    router = {"vcs": 8, "depth": 8, "sa_arbiter": {"name": "weighted", "by": "class", "weights": weights}}
    return ({"network": {"topology": "crossbar", "n": 3}, "router": router, "classes": {"vcs": [4, 4]}, "measurement": measured(draw),
             "links": [{"node": 2, "cycles_per_flit": cycles}], "traffic": {"workload": "flows", "length": length, "flows": flows}},
            {n: Expected("no", share) for n, share in enumerate(shares)})


def urgent(draw):
    """An urgent flow of a node whose bulk has no end, and which has to come almost as fast as alone; and one that is promised too much."""
    line, length, rate = draw.randrange(2, 6), draw.choice([1, 4]), round(draw.uniform(0.02, 0.08), 3)
    alone = 2 + 1 + 4 * line + (line - 1) + length - 1  # cycles, of an empty network
    in_time = draw.random() < 0.7
    required = 2 * alone + 4 * length if in_time else alone - 1
    bulk = {"from": 0, "to": line - 1, "rate": round(draw.uniform(1.1, 2), 3), "class": 0, "length": 4}
    flows = [bulk, {"from": 0, "to": line - 1, "rate": rate, "class": 1, "length": length, "required_latency": required}]
    router = {"vcs": 8, "depth": 8, "va_arbiter": "priority", "sa_arbiter": "priority"}
    return ({"network": {"topology": "mesh", "dims": [line]}, "router": router, "classes": {"vcs": [4, 4]}, "nic": {"arbiter": "priority"},
             "measurement": {"warmup": 2000, "batch": 4000, "batches": 10}, "traffic": {"workload": "flows", "flows": flows}},
            {0: Expected("no"), 1: Expected("yes" if in_time else "no")})


def full_source(draw):
    """A node that is asked for more than its link carries: all its flows of that class fall behind, and those of others do not."""
    x, y = draw.choice([(3, 3), (4, 3), (4, 4)])
    nodes = list(range(x * y))
    node = draw.choice(nodes)
    others = [n for n in nodes if n != node]
    to = draw.sample(others, draw.randrange(3, 5))
    total = draw.uniform(1.15, 1.5)
    flows = [{"from": node, "to": d, "rate": round(total / len(to), 4)} for d in to]
    quiet = draw.sample([n for n in others if n not in to], 2)
    flows += [{"from": n, "to": node, "rate": 0.05} for n in quiet]
    return ({"network": {"topology": "mesh", "dims": [x, y]}, "router": {"vcs": 8, "depth": 16}, "measurement": measured(draw),
             "traffic": {"workload": "flows", "length": draw.choice([1, 4]), "flows": flows}},
            {n: Expected("no" if n < len(to) else "yes") for n in range(len(flows))})


def chip(draw):
    """Random pairs of a mesh, in units of bytes, by the same ways as the model: no link carries more than half of what it can."""
    x, y = draw.choice([(3, 3), (4, 3), (4, 4)])
    pairs = [draw.sample(range(x * y), 2) for _ in range(draw.randrange(4, 14))]
    rates = [draw.uniform(0.02, 0.3) for _ in pairs]
    loads = {}
    for (source, to), rate in zip(pairs, rates):
        at = source
        for step in way(source, to, x):
            loads[at, step] = loads.get((at, step), 0) + rate
            at = step
        for end in (("from", source), ("to", to)):
            loads[end] = loads.get(end, 0) + rate
    scale = draw.uniform(0.3, 0.6) / max(loads.values())
    flows = [{"from": a, "to": b, "rate": f"{round(8000 * rate * scale, 2)}MB/s"} for (a, b), rate in zip(pairs, rates)]
    return ({"network": {"topology": "mesh", "dims": [x, y]}, "routing": "dor", "router": {"vcs": 4, "depth": 8}, "nic": {"flit_bytes": 8}, "clock_period": "1ns",
             "measurement": measured(draw), "traffic": {"workload": "flows", "length": draw.choice([1, 2, 4]), "flows": flows}},
            {n: Expected("yes") for n in range(len(flows))})


def way(source, to, x):
    """Routers after the first, dimension by dimension."""
    at = source
    while at != to:
        across, along = to % x - at % x, to // x - at // x
        at += (1 if across > 0 else -1) if across else (x if along > 0 else -x)
        yield at


KINDS = {"below": below, "above": above, "weighted": weighted, "urgent": urgent, "full_source": full_source, "chip": chip}
