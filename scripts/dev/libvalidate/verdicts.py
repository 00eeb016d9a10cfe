# SPDX-License-Identifier: Apache-2.0
"""Verdicts of runs near saturation, against a run of the same setting that is ten times as long.

A setting is drawn: a small network, its routers, a pattern, packets. What it accepts when offered all is found first,
and the load is drawn around that. The long run has to show by its own figures, not by its verdict, whether sources keep
up; where it does not, the setting is drawn again.
"""
import csv
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from libvalidate.rows import SARE

TIMES = 10  # as long as the run that is judged
BOUND = 0.02  # of the verdicts may be wrong
GROWS, ERRORS = 0.01, 4  # a backlog that grows: beyond this share of what is offered, and so many standard errors
STEADY_ERRORS, STEADY_LATENCY, MOVING_LATENCY = 1, 1.15, 1.6

NETWORKS = [  # and routing functions, nodes
    ({"topology": "mesh", "dims": [4, 4]}, ["dor", "west_first", "odd_even", "duato", "o1turn"], 16),
    ({"topology": "mesh", "dims": [6, 5]}, ["dor", "negative_first", "valiant"], 30),
    ({"topology": "mesh", "dims": [8, 8]}, ["dor", "odd_even", "duato"], 64),
    ({"topology": "torus", "dims": [4, 4]}, ["dor", "duato"], 16),
    ({"topology": "torus", "dims": [8, 8]}, ["dor", "duato"], 64),
    ({"topology": "mesh", "dims": [4, 4], "concentration": 2}, ["dor"], 32),
    ({"topology": "ring", "n": 8}, ["dor"], 8),
    ({"topology": "hypercube", "n": 4}, ["dor"], 16),
    ({"topology": "crossbar", "n": 16}, ["table"], 16),
    ({"topology": "kary_ntree", "k": 4, "n": 2}, ["tree_adaptive", "tree_static"], 16),
    ({"topology": "mesh", "dims": [4, 4], "link_cycles_per_flit": 2}, ["dor"], 16),
]
PATTERNS = ["uniform", "uniform", "transpose", "tornado", "neighbour", "shuffle", "random_permutation", "population", "population",
            {"name": "hotspot", "nodes": [3], "fraction": 0.1}, {"name": "hotregion", "fraction": 0.25, "region": 0.125}]
KINDS = {"torus": ["bubble", "dally"], "mesh": ["dally"], "kary_ntree": ["multistage"]}


def draw_setting(draw, folder):
    network, routes, nodes = draw.choice(NETWORKS)
    length = draw.choice([1, 2, 4, 8, 16, 32])
    kind = draw.choice(["vc"] * 4 + KINDS.get(network["topology"], [])) if "concentration" not in network and len(network) == 2 else "vc"
    router = {"vcs": draw.choice([2, 4, 8]), "depth": draw.choice([4, 8, 16])}
    if draw.random() < 0.3:
        router["va_allocator"] = router["sa_allocator"] = draw.choice(["wavefront", "output_first"])
    if draw.random() < 0.2:
        router["sa_arbiter"] = draw.choice(["age", "matrix", "random"])
    setting = {"seed": draw.randrange(10**6), "network": network, "router": router, "routing": draw.choice(routes)}
    if kind != "vc":
        length = min(length, 16)
        setting["router"] = {"kind": kind, "vcs": draw.choice([2, 4]), "packet": length}
        if kind == "multistage":
            setting["router"]["vcs"] = 2
        del setting["routing"]
    pattern = draw.choice(PATTERNS)
    if pattern == "population":
        pattern = {"name": "population", "file": population(draw, nodes, folder)}
    setting["traffic"] = {"workload": "bernoulli", "length": length, "pattern": pattern}
    return setting


def population(draw, nodes, folder):
    """Some pairs, a few of them to one node: what it is offered is more than what others are."""
    file = folder / "pairs.txt"
    to_one = draw.randrange(nodes)
    lines = []
    for source in range(nodes):
        others = [n for n in range(nodes) if n != source]
        for _ in range(draw.randint(0, 3)):
            lines.append(f"{source} {draw.choice(others)} {draw.choice([1, 1, 2, 5])}")
        if source != to_one and draw.random() < 0.1:
            lines.append(f"{source} {to_one} {draw.choice([1, 3])}")
    file.write_text("\n".join(lines or ["0 1 1"]) + "\n")
    return str(file)


def run(setting, folder, name):
    """Summary, nodes and series; None: it is refused."""
    file, out = folder / f"{name}.yaml", folder / name
    file.write_text(json.dumps(setting))
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run([SARE, "run", file, "--out", out, "--quiet", "--no-report"], capture_output=True, text=True)
    if not (out / "summary.json").exists():
        return None if done.returncode == 1 else sys.exit(f"verdicts: status {done.returncode}: {done.stderr}\n{json.dumps(setting)}")
    rows = {table: list(csv.DictReader((out / f"{table}.csv").open())) for table in ("nodes", "series")}
    return json.loads((out / "summary.json").read_text()), rows


def highest_load(setting, folder):
    """What the busiest source sends when all is offered, roughly: by the mean of the nodes that send."""
    asked = {**setting, "traffic": {**setting["traffic"], "load": 1}, "measurement": {"warmup": 1500, "convergence_count": 0, "batch": 1500, "batches": 1}}
    got = run(asked, folder, "full")
    if got is None or got[0]["load"]["offered"] == 0 or got[0]["status"] == "deadlock":
        return None
    sources = [row for row in got[1]["nodes"] if float(row["offered"]) > 0]
    shares = sorted(float(row["injected"]) / max(float(row["generated"]), 1) for row in sources)
    return draw_between(setting, shares)


def draw_between(setting, shares):
    """Where the first source cannot go on is somewhere from the least share to the mean of all."""
    draw = random.Random(setting["seed"])
    mean = sum(shares) / len(shares)
    return draw.uniform(max(shares[0], 0.3 * mean), mean)


def truth(long):
    """Whether backlogs grow in the long run, "" where that is not to be seen: by source and in all, and by latency."""
    summary, rows = long
    total = grown = 0
    starved, doubtful = [], False
    for row in rows["nodes"]:
        generated, growth = float(row["generated"]), float(row["generated"]) - float(row["injected"])
        total, grown = total + generated, grown + growth
        if growth > max(GROWS * generated, ERRORS * math.sqrt(generated), 4):
            starved.append(int(row["node"]))
        doubtful |= growth > max(STEADY_ERRORS * math.sqrt(generated), 3)
    from_cycle = summary["measured"]["from"]
    means = [float(row["latency_mean"]) for row in rows["series"] if int(row["cycle"]) > from_cycle and row["latency_mean"]]
    third = len(means) // 3
    rise = sum(means[-third:]) / sum(means[:third]) if third else 1
    if starved or (grown > GROWS * total and grown > ERRORS * math.sqrt(total)) or rise > MOVING_LATENCY:
        return "saturated", starved
    steady = not doubtful and 1 / STEADY_LATENCY < rise < STEADY_LATENCY and grown < 0.003 * total + math.sqrt(total)
    return ("steady" if steady else ""), starved


def one(seed):
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="sare-verdicts-") as name:
        folder = Path(name)
        while True:
            setting = draw_setting(draw, folder)
            highest = highest_load(setting, folder)
            if highest is None:
                continue
            setting["traffic"]["load"] = round(min(1.0, highest * draw.uniform(0.75, 1.3)), 4)
            setting["measurement"] = {"warmup": draw.choice([1000, 3000]), "batch": draw.choice([500, 1000]), "batches": 10}
            short = run(setting, folder, "short")
            if short is None or short[0]["status"] not in ("completed", "saturated", "unsettled"):
                continue
            measured = short[0]["measured"]
            how = {"warmup": TIMES * measured["from"], "convergence_count": 0, "batch": TIMES * (measured["to"] - measured["from"]) // 30, "batches": 30}
            long = run({**setting, "measurement": how}, folder, "long")
            known, starved = truth(long)
            if known:
                return seed, setting, short[0], known, starved


def validate(count):
    count = int(count or 200)
    kinds, wrong, starved_missed = Counter(), 0, 0
    first = int(os.environ.get("SARE_VERDICTS_SEED", "1"))
    done = 0
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for seed, setting, short, known, starved in workers.map(one, range(first, first + count)):
            kinds[known, short["status"]] += 1
            done += 1
            if done % 20 == 0:
                print(f"{done} of {count}: {dict(kinds)}", file=sys.stderr, flush=True)
            if (known, short["status"]) in (("saturated", "completed"), ("steady", "saturated")):
                wrong += 1
                starved_missed += bool(starved) and short["status"] == "completed"
                print(f"setting {seed}: {known}, called {short['status']}; starved: {starved}\n    {json.dumps(setting)}\n    {short['status_reason']}", flush=True)
    print(f"{count} settings from seed {first}")
    for (known, said), number in sorted(kinds.items()):
        print(f"{known:9s} called {said:9s} {number:4d}")
    print(f"{wrong} wrong, {starved_missed} with a starved source called completed")
    return 1 if wrong > BOUND * count or starved_missed else 0
