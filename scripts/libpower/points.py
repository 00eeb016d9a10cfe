# SPDX-License-Identifier: Apache-2.0
"""Routers by the names of the experiment file, and which of them are characterised."""
import dataclasses
import json
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
    # A wavefront in SA over several VCs; gated clocks and deep.
    Router("line", 3, 3, 16, sa_allocator="wavefront"), Router("mesh", 2, 3, 16, sa_allocator="wavefront"),
    Router("ring2", 3, 2, 16, sa_allocator="wavefront"), Router("line", 1, 12, 16, clock_gating=True),
]
