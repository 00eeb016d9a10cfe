# SPDX-License-Identifier: Apache-2.0
"""Why is it slow? Networks with one planted bottleneck, which `sare run --remedy` has to name and to mend.

All else is generous. That it is the bottleneck is seen by the counterfactual: its parameter mended gains more than GAIN
in flits accepted, and more than any other parameter that is mended in its place. A setting of which that is not so is
drawn again.
"""
import copy
import json
import random
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from libanswers.answer import Answer

KIND = "causes"
SHARE = 0.5  # of the questions of all kinds
GAIN = 0.05
CLEARLY = 0.8  # another parameter gains less than this share of what the planted one does
TRIES = 30
MORE_OF_THE_SAME = {"allocator": ["input"]}  # a switch that takes all VCs at once needs no better allocator: the larger change for the same reason


def questions(seed, count):
    plants = list(PLANTS)
    return [Question(f"{plants[n % len(plants)]}-{seed}-{n}", plants[n % len(plants)], random.Random(f"{seed} {n}")) for n in range(count)]


@dataclass
class Setting:
    """An experiment, how each reason would be mended in it, and the resource at which the planted one is seen."""
    network: dict
    traffic: dict
    router: dict = field(default_factory=dict)
    links: list = field(default_factory=list)
    nic: dict = field(default_factory=dict)
    at: str = ""  # kind of the link, where the reason has several

    def tree(self):
        router = {"vcs": 8, "depth": 16, **self.router}
        return {"network": self.network, "router": router, "links": self.links, "nic": self.nic, "traffic": self.traffic, "seed": 1,
                "measurement": {"warmup": 2000, "batch": 1500, "batches": 6}}


def mended(tree, reason):
    """The experiment with what a reason asks for; None where there is nothing to mend."""
    tree = copy.deepcopy(tree)
    router, nic = tree["router"], tree["nic"]
    if reason == "busy":
        for link in tree["links"]:
            link["cycles_per_flit"] //= 2
        return tree if tree["links"] else None
    if reason == "credits":
        router["depth"] *= 4
        if "ejection_depth" in nic:
            nic["ejection_depth"] *= 4
    elif reason == "vcs":
        router["vcs"] = min(16, 2 * router["vcs"])
    elif reason == "pipeline":
        router["rc_delay"] = router["va_delay"] = 1
    else:
        key, value = {"atomic": ("reallocation", "tail"), "pace": ("sa_delay", 1), "allocator": ("sa_allocator", "wavefront"),
                      "input": ("input_speedup", router["vcs"])}[reason]
        router[key] = value
    return tree


REASONS = ["busy", "vcs", "atomic", "credits", "pace", "allocator", "input", "pipeline"]


def grid(draw):
    """A grid and its links between routers, as pairs."""
    kind = draw.choice(["mesh", "mesh", "torus"])
    x, y = draw.choice([(4, 4), (5, 4), (3, 5), (4, 3), (6, 3)])
    pairs = [(x * j + i, x * j + i + 1) for j in range(y) for i in range(x - 1)] + [(x * j + i, x * (j + 1) + i) for j in range(y - 1) for i in range(x)]
    return {"topology": kind, "dims": [x, y]}, x * y, pairs


def line(draw):
    n = draw.choice([2, 3, 4])
    return {"topology": "mesh", "dims": [n]}, n


def uniform(load, length):
    return {"workload": "bernoulli", "load": load, "length": length, "pattern": "uniform"}


def flows(all_of_them, length):
    return {"workload": "flows", "flows": [{"from": a, "to": b, "rate": rate, "length": length} for a, b, rate in all_of_them]}


def narrow_link(draw):
    network, nodes, pairs = grid(draw)
    between = list(draw.choice(pairs))
    return Setting(network, uniform(round(draw.uniform(0.12, 0.3), 3), draw.choice([2, 4, 8])), at="router",
                   links=[{"between": between, "cycles_per_flit": draw.choice([4, 6, 8])}])


def hot_ejection(draw):
    network, nodes, _ = grid(draw)
    node = draw.randrange(nodes)
    traffic = {"workload": "bernoulli", "load": round(draw.uniform(0.08, 0.2), 3), "length": draw.choice([2, 4, 8]),
               "pattern": {"name": "hotspot", "nodes": [node], "fraction": round(draw.uniform(0.1, 0.3), 2)}}
    return Setting(network, traffic, at="ejection", links=[{"node": node, "cycles_per_flit": draw.choice([2, 4])}])


def hot_injection(draw):
    network, nodes, _ = grid(draw)
    node = draw.randrange(nodes)
    others = [n for n in range(nodes) if n != node]
    hot = [(node, to, round(draw.uniform(0.1, 0.2), 3)) for to in draw.sample(others, draw.choice([3, 4, 5]))]
    rest = [(n, draw.choice([m for m in range(nodes) if m != n]), 0.05) for n in others]
    return Setting(network, flows(hot + rest, draw.choice([2, 4, 8])), at="injection", links=[{"node": node, "cycles_per_flit": draw.choice([4, 6])}])


def few_vcs(draw):
    network, nodes, _ = grid(draw)
    network["topology"] = "mesh"
    return Setting(network, uniform(round(draw.uniform(0.3, 0.6), 3), draw.choice([4, 8, 12])), router={"vcs": draw.choice([1, 1, 2]), "depth": 16})


def given_late(draw):
    latency = draw.choice([15, 30, 60])
    length = draw.choice([1, 2, 3])
    router = {"vcs": draw.choice([2, 4]), "depth": 64, "reallocation": "atomic"}
    if draw.random() < 0.5:  # at an ejection
        n = draw.choice([3, 4, 5])
        return Setting({"topology": "crossbar", "n": n, "node_link_latency": latency},
                       flows([(k, 0, round(draw.uniform(0.7, 0.9) / (n - 1), 3)) for k in range(1, n)], length), router)
    network, n = line(draw)
    return Setting({**network, "link_latency": latency}, flows([(0, n - 1, round(draw.uniform(0.3, 0.7), 3))], length), router)


def shallow_buffers(draw):
    latency = draw.choice([10, 15, 20, 30])
    router = {"vcs": draw.choice([1, 2]), "depth": draw.choice([2, 3, 4])}
    length = draw.choice([4, 8, 16])
    if draw.random() < 0.3:
        n = draw.choice([3, 4, 5])
        return Setting({"topology": "crossbar", "n": n, "node_link_latency": latency},
                       flows([(k, 0, round(draw.uniform(0.7, 0.9) / (n - 1), 3)) for k in range(1, n)], length),
                       {**router, "depth": 64}, nic={"ejection_depth": router["depth"]})
    if draw.random() < 0.5:
        network, n = line(draw)
        return Setting({**network, "link_latency": latency}, flows([(0, n - 1, round(draw.uniform(0.4, 0.8), 3))], length), router)
    network, nodes, _ = grid(draw)
    network["topology"] = "mesh"
    return Setting({**network, "link_latency": latency}, uniform(round(draw.uniform(0.2, 0.4), 3), length), router)


def slow_switch(draw):
    router = {"vcs": draw.choice([1, 2, 4]), "sa_delay": draw.choice([3, 4, 6, 8])}
    length = draw.choice([4, 8, 16])
    if draw.random() < 0.5:
        n = draw.choice([3, 4, 6])
        return Setting({"topology": "crossbar", "n": n}, flows([(k, 0, round(draw.uniform(0.7, 0.9) / (n - 1), 3)) for k in range(1, n)], length), router)
    network, nodes, _ = grid(draw)
    network["topology"] = "mesh"
    return Setting(network, uniform(round(draw.uniform(0.25, 0.45), 3), length), router)


def weak_allocator(draw):
    n = draw.choice([8, 12, 16])
    return Setting({"topology": "crossbar", "n": n}, uniform(round(draw.uniform(0.8, 0.95), 3), draw.choice([1, 2])), {"vcs": draw.choice([4, 8])})


def one_input(draw):
    n = draw.choice([6, 8, 12])
    return Setting({"topology": "crossbar", "n": n}, uniform(round(draw.uniform(0.85, 0.98), 3), draw.choice([1, 2, 4])),
                   {"vcs": draw.choice([2, 4, 8]), "sa_allocator": "wavefront"})


def long_pipeline(draw):
    router = {"vcs": draw.choice([1, 2]), "rc_delay": draw.choice([8, 12, 15]), "va_delay": draw.choice([1, 4])}
    network, n = line(draw)
    return Setting(network, flows([(0, n - 1, round(draw.uniform(0.4, 0.8), 3))], draw.choice([1, 2, 4])), router)


PLANTS = {  # reason as it is said, at which link, how it is planted
    "link": ("busy", narrow_link),
    "ejection": ("busy", hot_ejection),
    "injection": ("busy", hot_injection),
    "vcs": ("vcs", few_vcs),
    "atomic": ("atomic", given_late),
    "credits": ("credits", shallow_buffers),
    "pace": ("pace", slow_switch),
    "allocator": ("allocator", weak_allocator),
    "input": ("input", one_input),
    "pipeline": ("pipeline", long_pipeline),
}


class Question:
    def __init__(self, name, plant, draw):
        self.name, self.plant, self.draw = name, plant, draw

    def ask(self, program, folder):
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        reason, make = PLANTS[self.plant]
        for _ in range(TRIES):
            setting = make(self.draw)
            if is_planted(program, folder, setting.tree(), reason):
                return answered(program, folder, setting, reason)
        raise RuntimeError(f"{self.name}: none of {TRIES} settings has this bottleneck alone")


def accepted(program, folder, tree):
    return run(program, folder, tree)["load"]["accepted"]


def is_planted(program, folder, tree, reason):
    before = run(program, folder, tree)
    if before["status"] != "saturated":
        return False
    before = before["load"]["accepted"]
    planted = accepted(program, folder, mended(tree, reason)) / before - 1
    if planted < 1.2 * GAIN:
        return False
    others = [mended(tree, other) for other in REASONS if other != reason and other not in MORE_OF_THE_SAME.get(reason, [])]
    return all(accepted(program, folder, other) / before - 1 < max(GAIN, CLEARLY * planted) for other in others if other not in (None, tree))


def answered(program, folder, setting, reason):
    summary = run(program, folder, setting.tree(), "--remedy")
    truth = f"{reason} {setting.at}".strip()
    roots = summary.get("congestion")
    if not roots:
        return Answer("cannot tell", truth, "no root")
    root, remedy = roots[0], json.loads((folder / "out" / "remedy.json").read_text())
    said = f"{root['reason']} {root['kind'] if setting.at else ''}".strip()
    gain = remedy.get("gain")
    text = f"{said} ({root['kind']}), {remedy['verdict']}" + (f", gain {100 * gain:.0f}%" if gain is not None else "")
    if remedy["verdict"] == "cannot tell":
        return Answer("cannot tell", truth, text)
    return Answer("right" if said == truth and gain is not None and gain > GAIN else "wrong", truth, text)


def run(program, folder, tree, *options):
    """The summary of a run."""
    (folder / "planted.yaml").write_text(json.dumps(tree, indent=1))  # JSON is YAML
    shutil.rmtree(folder / "out", ignore_errors=True)
    done = subprocess.run([program, "run", "planted.yaml", "--out", "out", "--no-report", "--no-store", "--quiet", *options], cwd=folder,
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{folder / 'planted.yaml'}: {done.stderr.strip()}")
    return json.loads((folder / "out" / "summary.json").read_text())
