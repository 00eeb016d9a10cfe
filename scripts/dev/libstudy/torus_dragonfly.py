#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/torus-dragonfly.png of docs/studies/torus-dragonfly.md: a column a network, accepted load and latency
over applied load, a curve a routing function, and the closed form of the busiest channel.

    scripts/dev/libstudy/torus_dragonfly.py FILE.png DIR...    # written by 'sare sweep'
"""
import csv
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

NAMES = {"dor": "e-cube", "duato": "star-channel", "smart_dor": "smart dimension order", "dragonfly_minimal": "minimal"}
COLOURS = {"e-cube": "#2060c8", "star-channel": "#d0581c", "smart dimension order": "#1e8a5f", "minimal": "#7a3fa8"}
WORDS, FRAME = 66, 2


def torus_bound(dims):
    """Words of a node and cycle at which a channel of the longest dimension k is full: 8 / k, for even k, of what its
    frames leave; a node sends nothing to itself."""
    nodes = 1
    for k in dims:
        nodes *= k
    return min(1, 8 / max(dims) * (nodes - 1) / nodes * WORDS / (WORDS + FRAME))


def dragonfly_bound(p, a, h, g):
    """Global links carry (a p)^2 / (N - 1) of it, local ones p^2 (1 + 2 a h) / (N - 1), those of nodes 1 and no frame."""
    nodes = p * a * g
    busiest = max((a * p) ** 2, p * p * (1 + 2 * a * h)) / (nodes - 1)
    return min(1, WORDS / (WORDS + FRAME) / busiest)


def network(row, configured):
    """Its name and bound."""
    text = row.get("network") or row.get("network.dims") or configured
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    if "dragonfly" in text:
        p, a, h, g = numbers[:4]
        return f"dragonfly, {p * a * g:,} nodes", dragonfly_bound(p, a, h, g)
    return "x".join(map(str, numbers)) + " torus", torus_bound(numbers)


def curves(folders):
    """By network, by routing: points of (applied, accepted, latency); and the bound of each network."""
    found, bounds = {}, {}
    for folder in folders:
        try:
            configured = re.search(r"dims: *(\[[^]]*\])", (folder / "sweep.json").read_text().replace('"', "").replace("\n", ""))
            with open(folder / "sweep.csv", newline="") as file:
                rows = list(csv.DictReader(file))
        except OSError as error:
            raise SystemExit(f"torus_dragonfly: {error.filename}: {error.strerror}; give directories of 'sare sweep'") from None
        try:
            for row in rows:
                name, bound = network(row, configured.group(1) if configured else "")
                function = re.search(r"function: (\w+)", row.get("routing") or "function: dragonfly_minimal").group(1)
                point = tuple(float(row[column]) for column in ("offered", "accepted", "latency_mean"))
                bounds[name] = bound
                found.setdefault(name, {}).setdefault(NAMES[function], []).append(point)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise SystemExit(f"torus_dragonfly: {folder}: not of the sweeps that docs/studies/torus-dragonfly.md makes") from None
    return found, bounds


def main():
    if len(sys.argv) < 3:
        raise SystemExit("torus_dragonfly: give FILE.png and directories of 'sare sweep'")
    found, bounds = curves([Path(folder) for folder in sys.argv[2:]])
    figure, places = pyplot.subplots(2, len(found), figsize=(2.9 * len(found), 5.4), sharex="col", squeeze=False)
    for (name, by_routing), (top, bottom) in zip(found.items(), places.T):
        for routing, points in by_routing.items():
            applied, accepted, latency = zip(*sorted(points))
            style = {"color": COLOURS[routing], "marker": "o", "markersize": 3.5, "linewidth": 1.4, "label": routing}
            top.plot(applied, accepted, **style)
            bottom.plot(applied, latency, **style)
        top.axhline(bounds[name], color="#777777", linewidth=1, linestyle="--", label="busiest channel")
        top.set_title(name, fontsize=10)
        bottom.set_xlabel("applied load, words/node/cycle", fontsize=9)
        for ax in (top, bottom):
            ax.set_xlim(left=0)
            ax.set_ylim(bottom=0)
            ax.grid(color="#dddddd", linewidth=0.6)
            ax.tick_params(labelsize=8)
    places[0][0].set_ylabel("accepted load", fontsize=9)
    places[1][0].set_ylabel("latency from generation, cycles", fontsize=9)
    labels = {label: line for ax in places[0] for line, label in zip(*ax.get_legend_handles_labels())}
    figure.legend(labels.values(), labels.keys(), loc="upper center", ncol=len(labels), frameon=False, fontsize=9)
    figure.tight_layout(rect=(0, 0, 1, 0.95))
    figure.savefig(sys.argv[1], dpi=110)


if __name__ == "__main__":
    main()
