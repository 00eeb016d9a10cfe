# SPDX-License-Identifier: Apache-2.0
"""Routers and runs by the names of the experiment file; which of them are characterised, and which validate that."""
import dataclasses
import json
import random
from dataclasses import dataclass

# Networks by their inner routers. Rings are of odd size: no two ways round are as short.
NETWORKS = {
    "line": dict(topology="mesh", dims=[6]), "ring": dict(topology="torus", dims=[7]),
    "ring2": dict(topology="torus", dims=[5], concentration=2), "mesh": dict(topology="mesh", dims=[4, 4]),
    "torus": dict(topology="torus", dims=[5, 5]), "mesh2": dict(topology="mesh", dims=[3, 3], concentration=2),
    "cube": dict(topology="mesh", dims=[3, 3, 3]),
}
ALLOCATORS = {"input_first": 0, "output_first": 1, "wavefront": 2}
ARBITERS = {"round_robin": 0, "matrix": 1}
COORDINATE_BITS = 3


@dataclass(frozen=True)
class Router:
    """The keys are those of the sections network, router and cosim."""
    network: str = "mesh"
    vcs: int = 4
    depth: int = 4
    width: int = 32
    va_allocator: str = "input_first"
    sa_allocator: str = "input_first"
    va_arbiter: str = "round_robin"
    sa_arbiter: str = "round_robin"
    switching: str = "wormhole"
    lookahead: bool = False
    speculative: bool = False
    memory_buffers: bool = False
    clock_gating: bool = False

    @property
    def dims(self) -> list[int]:
        return NETWORKS[self.network]["dims"]

    @property
    def wraps(self) -> bool:
        return NETWORKS[self.network]["topology"] == "torus"

    @property
    def nodes_at(self) -> int:
        return NETWORKS[self.network].get("concentration", 1)

    @property
    def ports(self) -> int:
        return 2 * len(self.dims) + self.nodes_at

    @property
    def bits(self) -> int:
        """Of the buffers, roughly: with the header of a flit."""
        return self.ports * self.vcs * self.depth * (self.width + 12)

    def parameters(self) -> dict[str, int]:
        """Those of sare_router."""
        return dict(
            Ports=self.ports, Vcs=self.vcs, Depth=self.depth, FlitWidth=self.width, Dims=len(self.dims),
            CoordWidth=COORDINATE_BITS, Wrap=(1 << len(self.dims)) - 1 if self.wraps else 0,
            VaAllocator=ALLOCATORS[self.va_allocator], SaAllocator=ALLOCATORS[self.sa_allocator],
            VaArbiter=ARBITERS[self.va_arbiter], SaArbiter=ARBITERS[self.sa_arbiter],
            Switching=int(self.switching == "cut_through"), Lookahead=int(self.lookahead),
            Speculative=int(self.speculative), MemoryBuffers=int(self.memory_buffers),
            ClockGating=int(self.clock_gating))

    def settings(self) -> dict[str, object]:
        """What terms and conditions of a table may name."""
        return {**dataclasses.asdict(self), "ports": self.ports, "dims": len(self.dims), "wraps": self.wraps}

    def key(self) -> str:
        return json.dumps(self.parameters(), sort_keys=True)

    def __str__(self) -> str:
        plain = Router(self.network, self.vcs, self.depth, self.width)
        other = [f"{k} {v}" if not isinstance(v, bool) else k for k, v in dataclasses.asdict(self).items()
                 if v != getattr(plain, k)]
        return ", ".join([f"{self.network}, {self.vcs} VCs of {self.depth}, {self.width} bits", *other])


@dataclass(frozen=True)
class Run:
    """Traffic, and the data that flits carry: random (a bit is 1 as often as `ones` says), zero, or alternating."""
    load: float
    length: int = 4
    pattern: str = "uniform"
    data: str = "random"
    ones: float = 0.5
    cycles: int = 400
    seed: int = 1

    @property
    def activity(self) -> float:
        """Bits that differ between two flits."""
        return {"zero": 0.0, "alternating": 1.0}.get(self.data, 2 * self.ones * (1 - self.ones))


def both(kind: str) -> dict[str, str]:
    return dict(va_allocator=kind, sa_allocator=kind)


# Spread so that ports, VCs, depth and width vary apart and no router has more than some 6,000 flip-flops: the cost of
# synthesis grows with them. Each option is there at two sizes or more, mostly small ones.
POINTS = [
    Router(), Router("mesh", 1, 4, 32), Router("line", 4, 2, 16), Router("cube", 2, 2, 32), Router("mesh", 2, 8, 64),
    Router("ring", 2, 4, 64), Router("mesh", 2, 2, 128), Router("mesh", 8, 2, 16), Router("line", 1, 8, 32), Router("cube", 4, 2, 16),
    Router("mesh", 1, 16, 32), Router("mesh", 2, 4, 32), Router("cube", 1, 4, 64), Router("mesh", 3, 5, 32),
    Router("line", 1, 2, 16), Router("line", 1, 4, 64), Router("line", 2, 4, 24), Router("line", 3, 3, 48), Router("line", 1, 16, 16),
    Router("mesh", 1, 8, 16), Router("mesh2", 1, 3, 24), Router("line", 2, 8, 16),
    # Rings.
    Router("ring", 2, 4, 16), Router("ring2", 2, 4, 32), Router("ring", 3, 3, 24), Router("torus", 2, 2, 16),
    # Gated clocks.
    Router("mesh", 2, 4, 32, clock_gating=True), Router("line", 4, 4, 16, clock_gating=True), Router("line", 1, 8, 32, clock_gating=True),
    Router("line", 2, 4, 64, clock_gating=True), Router("mesh", 1, 4, 16, clock_gating=True), Router("line", 3, 2, 24, clock_gating=True),
    Router("cube", 1, 8, 16, clock_gating=True),
    # Allocators and arbiters.
    Router("mesh", 2, 4, 32, **both("wavefront")), Router("line", 4, 2, 16, **both("wavefront")),
    Router("line", 1, 4, 32, sa_allocator="wavefront"), Router("cube", 1, 2, 16, sa_allocator="wavefront"),
    Router("mesh", 2, 4, 16, **both("output_first")), Router("line", 4, 4, 32, **both("output_first")),
    Router("line", 2, 2, 16, **both("output_first")), Router("mesh", 2, 4, 16, va_arbiter="matrix", sa_arbiter="matrix"),
    Router("line", 4, 2, 32, sa_arbiter="matrix"), Router("line", 2, 4, 16, va_arbiter="matrix", sa_arbiter="matrix"),
    # Other options.
    Router("mesh", 2, 4, 32, speculative=True), Router("line", 4, 4, 16, speculative=True), Router("line", 2, 2, 24, speculative=True),
    Router("mesh", 2, 4, 32, lookahead=True), Router("line", 3, 3, 16, lookahead=True), Router("line", 1, 8, 24, lookahead=True),
    Router("line", 2, 4, 16, switching="cut_through"), Router("mesh", 1, 6, 24, switching="cut_through"),
    Router("line", 1, 8, 32, switching="cut_through"),
    Router("mesh", 2, 4, 32, memory_buffers=True), Router("line", 1, 8, 16, memory_buffers=True),
    Router("line", 3, 4, 32, memory_buffers=True), Router("line", 2, 4, 16, memory_buffers=True, clock_gating=True),
    # Places that are no power of two, and several nodes a router.
    Router("line", 1, 7, 24, clock_gating=True), Router("mesh", 1, 7, 16), Router("line", 2, 3, 32, clock_gating=True),
    Router("line", 1, 3, 32), Router("line", 2, 7, 16), Router("line", 1, 11, 24), Router("line", 4, 2, 64),
    Router("mesh", 1, 5, 24, sa_allocator="wavefront"), Router("mesh2", 2, 2, 48), Router("line", 3, 5, 16, clock_gating=True),
    Router("line", 2, 6, 24), Router("ring2", 3, 3, 16),
    # Drawn at random.
    Router("line", 1, 7, 32, clock_gating=True), Router("line", 1, 7, 96, sa_allocator="wavefront"),
    Router("mesh2", 2, 2, 64, **both("output_first")), Router("ring2", 3, 4, 16), Router("line", 2, 5, 24, sa_arbiter="matrix"),
    Router("cube", 1, 11, 24, sa_allocator="wavefront"), Router("ring2", 2, 3, 64, clock_gating=True),
    Router("line", 2, 7, 24, lookahead=True), Router("line", 3, 3, 16, clock_gating=True),
    Router("ring", 4, 6, 32, switching="cut_through"), Router("cube", 1, 3, 24), Router("mesh", 4, 2, 64),
    Router("line", 4, 7, 16, switching="cut_through"), Router("ring", 2, 12, 16, sa_arbiter="matrix"),
    Router("ring", 4, 6, 24, clock_gating=True), Router("ring2", 2, 4, 96, switching="cut_through"),
    Router("mesh", 1, 8, 48, sa_arbiter="matrix"), Router("line", 1, 9, 48, **both("output_first")),
    # Options of one VC, and of several on more ports; memories.
    Router("mesh", 1, 4, 16, speculative=True), Router("cube", 1, 3, 16, lookahead=True), Router("ring", 2, 4, 16, lookahead=True),
    Router("mesh2", 1, 4, 16, switching="cut_through"), Router("mesh", 2, 4, 16, switching="cut_through"),
    Router("torus", 2, 4, 16, switching="cut_through"), Router("line", 2, 6, 16, memory_buffers=True),
    Router("line", 1, 6, 24, memory_buffers=True, clock_gating=True), Router("mesh", 1, 4, 16, **both("output_first")),
    Router("mesh2", 1, 3, 16, sa_allocator="wavefront"),
    # A wavefront in SA over several VCs; gated clocks and deep.
    Router("line", 3, 3, 16, sa_allocator="wavefront"), Router("mesh", 2, 3, 16, sa_allocator="wavefront"),
    Router("ring2", 3, 2, 16, sa_allocator="wavefront"), Router("line", 1, 12, 16, clock_gating=True),
]

# Those that validate are drawn.
SETTINGS = 12
# Seeds: of those that validated an earlier form and have joined the table, of those that validate it, and of those that validate scaled ones.
JOINED, HELD_OUT, OF_SCALED = (36, 37, 41, 43), 53, (36, 57)
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
        if not crossed and r not in known and r.bits <= MOST_BITS and r.ports * r.vcs <= 20:
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


def smallest() -> list[list[tuple[Router, list[Run]]]]:
    """The smaller halves of two draws, for scaled tables, which none of them has made."""
    draws = [drawn(seed, POINTS + ([] if seed in JOINED else [r for r, _ in joined()])) for seed in OF_SCALED]
    return [sorted(draw, key=lambda drawing: drawing[0].bits)[:SETTINGS // 2] for draw in draws]


def held_out() -> list[tuple[Router, list[Run]]]:
    return drawn(HELD_OUT, POINTS + [r for r, _ in joined()])
