# SPDX-License-Identifier: Apache-2.0
"""Routers and runs drawn at random: those that a table is validated with, and those that validated an earlier form of it and
have joined it since."""
import random

from .model import Run
from .points import NETWORKS, POINTS, Router

SETTINGS = 12
JOINED, HELD_OUT = (36,), 37  # seeds
MOST_BITS = 3500  # of buffers: synthesis takes half a minute
LOADS = (0.02, 0.1, 0.2, 0.35, 0.7)
OPTIONS = [{}, {}, {}, {"clock_gating": True}, {"speculative": True}, {"lookahead": True}, {"switching": "cut_through"},
           {"va_allocator": "output_first", "sa_allocator": "output_first"}, {"sa_allocator": "wavefront"}, {"sa_arbiter": "matrix"}]


def random_router(draw: random.Random, known: list[Router]) -> Router:
    while True:
        r = Router(draw.choice(list(NETWORKS)), draw.randint(1, 6), draw.randint(2, 12), draw.choice([16, 24, 32, 48, 64, 96]))
        option = draw.choice(OPTIONS)
        r = Router(r.network, r.vcs, r.depth, r.width, **option)
        crossed = r.wraps and r.vcs < 2 or option.get("switching") and r.depth < 4
        if not crossed and r not in known and r.ports * r.vcs * r.depth * (r.width + 12) <= MOST_BITS and r.ports * r.vcs <= 20:
            return r


def random_runs(draw: random.Random, router: Router) -> list[Run]:
    patterns = ["uniform", "transpose"] if len(router.dims) == 2 and router.nodes_at == 1 and router.dims[0] == router.dims[1] else ["uniform"]
    most = min(8, router.depth) if router.switching == "cut_through" else 8
    return [Run(load, draw.randint(1, most), draw.choice(patterns), *draw.choice([("random", 0.5), ("random", 0.5), ("random", 0.15), ("zero", 0.5)]),
                cycles=1200, seed=draw.randint(1, 1000)) for load in draw.sample(LOADS, 3)]


def drawn(seed: int, known: list[Router]) -> list[tuple[Router, list[Run]]]:
    draw = random.Random(seed)
    return [(r, random_runs(draw, r)) for r in (random_router(draw, known) for _ in range(SETTINGS))]


def joined() -> list[tuple[Router, list[Run]]]:
    """What has joined the table, in its own runs."""
    found: list[tuple[Router, list[Run]]] = []
    for seed in JOINED:
        found += drawn(seed, POINTS + [r for r, _ in found])
    return found


def held_out() -> list[tuple[Router, list[Run]]]:
    return drawn(HELD_OUT, POINTS + [r for r, _ in joined()])
