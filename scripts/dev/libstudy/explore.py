#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How near a search of few runs comes to the front of all designs: prints the tables of docs/studies/search.md and draws its
picture. Searches are those of `sare explore`, but for their runs, which are looked up in a sweep over all designs.

    scripts/dev/libstudy/explore.py FILE.yaml SWEEP FILE.png
"""
import csv
import json
import statistics
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
sys.path.append(str(Path(__file__).resolve().parents[3] / "build/python"))
from matplotlib import pyplot
from sare import search

SEEDS = range(1, 11)
SAMPLERS = {"tpe": "#2060c8", "nsga2": "#3a8a4a", "random": "#d0581c"}
STEPS = (10, 20, 30, 40, 50, 60)  # runs


def key(design):
    return tuple(str(v).lower() for v in design.values())


class Everything:
    """All designs with their runs, in the place of a machine that runs them."""

    def __init__(self, space, sweep):
        self.ended = []
        paths = [p.path for p in space.parameters]
        with open(sweep / "sweep.csv", newline="") as table:
            self.points = {tuple(row[p] for p in paths): sweep.absolute() / "points" / f"{int(row['point']):03d}" for row in csv.DictReader(table)}
        signs = [1 if d == "min" else -1 for d in space.directions]
        self.costs = {}  # by design; less of each is better
        for design in space.designs():
            summary = json.loads((self.points[key(design)] / "summary.json").read_text())
            self.costs[key(design)] = tuple(s * v for s, v in zip(signs, space.values(list(space.objectives.values()), design, summary)))

    def start(self, task):
        task.begin()
        task.place.symlink_to(self.points[key(task.design)])
        self.ended.append(task)

    def wait(self):
        ended, self.ended = self.ended, []
        return ended

    def stop(self):
        pass


def front(points):
    """Those that no other beats, each once."""
    return [p for p in set(points) if not any(q != p and all(a <= b for a, b in zip(q, p)) for q in points)]


def scaled(points, low, high):
    """Each objective from 0, the best of all designs, to 1, the worst."""
    return [tuple((x - a) / (b - a) for x, a, b in zip(p, low, high)) for p in points]


def area(points):
    """That points in two dimensions dominate within the unit square."""
    total, top = 0.0, 1.0
    for x, y in sorted(points):
        if y < top:
            total += (1 - x) * (top - y)
            top = y
    return total


def volume(points):
    """Slab by slab along the last objective."""
    ordered = sorted(points, key=lambda p: p[2])
    ends = [p[2] for p in ordered[1:]] + [1.0]
    return sum((end - p[2]) * area([q[:2] for q in ordered[:k + 1]]) for k, (p, end) in enumerate(zip(ordered, ends)))


def shortfalls(goal, found):
    """Of each design of the front how much the nearest found one is worse, in the objective in which it is worst."""
    def worse(p, q):
        return max(b / a if a > 0 else a / b for a, b in zip(p, q)) - 1
    return [min(worse(p, q) for q in found) for p in goal]


def searched(file, everything, sampler, seed):
    """Costs of the designs tried, in order."""
    declared = search.read(file)
    space = declared.space({"sampler": sampler, "seed": seed, "runs": STEPS[-1]})
    with tempfile.TemporaryDirectory() as folder:
        one = search.Search(space, declared.text, Path(folder), 1, everything, False)
        one.run()
        return [everything.costs[key(r["design"])] for r in sorted(one.tried.values(), key=lambda r: r["run"])]


def table(goal, low, high, found):
    best = volume(scaled(goal, low, high))
    share = {}
    for sampler, runs in found.items():
        share[sampler] = [[volume(scaled(front(tried[:n]), low, high)) / best for n in STEPS] for tried in runs]
        gaps = [shortfalls(goal, front(tried)) for tried in runs]
        last = [s[-1] for s in share[sampler]]
        hits = [len(set(goal) & set(tried)) for tried in runs]
        print(f"| {sampler} | {statistics.mean(last):.1%} | {min(last):.1%} to {max(last):.1%} | "
              f"{statistics.mean(map(statistics.mean, gaps)):.1%} | {statistics.mean(map(max, gaps)):.1%} | {max(map(max, gaps)):.1%} | "
              f"{statistics.mean(hits):.1f} |")
        print(f"  {sampler}: " + ", ".join(f"{n} runs {statistics.mean(s[k] for s in share[sampler]):.1%}" for k, n in enumerate(STEPS)))
    return share


def draw(file, everything, goal, share, tried):
    pyplot.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False})
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.4, 3.1), constrained_layout=True)
    for sampler, runs in share.items():
        middle = [statistics.mean(s[k] for s in runs) for k in range(len(STEPS))]
        left.fill_between(STEPS, [min(s[k] for s in runs) for k in range(len(STEPS))], [max(s[k] for s in runs) for k in range(len(STEPS))],
                          color=SAMPLERS[sampler], alpha=0.15, linewidth=0)
        left.plot(STEPS, middle, color=SAMPLERS[sampler], marker="o", markersize=3, label=sampler)
    left.set_xlabel("runs")
    left.set_ylabel("hypervolume, of that of the whole front")
    left.legend(frameon=False, loc="lower right")
    for points, colour, size, label in ((everything, "#c4c4c4", 5, "all designs"), (goal, "#222222", 14, "their front")):
        right.scatter([-p[1] for p in points], [p[0] for p in points], s=size, color=colour, linewidth=0, label=label)
    found = front(tried)
    right.scatter([-p[1] for p in found], [p[0] for p in found], s=34, facecolor="none", edgecolor=SAMPLERS["tpe"], label="found in 60 runs (tpe, seed 1)")
    right.set_xlabel("throughput, Gbit/s")
    right.set_ylabel("latency, ns")
    right.legend(frameon=False, loc="lower left", bbox_to_anchor=(-0.05, 1), ncol=2, columnspacing=0.8, handletextpad=0.2)
    figure.savefig(file, dpi=150)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    file, sweep, picture = map(Path, sys.argv[1:])
    everything = Everything(search.read(file).space({}), sweep)
    costs = list(everything.costs.values())
    goal = front(costs)
    low, high = ([pick(p[k] for p in costs) for k in range(3)] for pick in (min, max))
    print(f"{len(costs)} designs, {len(goal)} on the front")
    for design, cost in sorted(everything.costs.items(), key=lambda pair: pair[1]):
        if cost in goal:
            print("  ", *design, *(f"{abs(x):.4g}" for x in cost))
    asked = [(sampler, seed) for sampler in SAMPLERS for seed in SEEDS]
    with ProcessPoolExecutor() as pool:
        tried = dict(zip(asked, pool.map(searched, repeat(file), repeat(everything), *zip(*asked))))
    found = {sampler: [tried[sampler, seed] for seed in SEEDS] for sampler in SAMPLERS}
    draw(picture, costs, goal, table(goal, low, high, found), found["tpe"][0])


if __name__ == "__main__":
    main()
