# SPDX-License-Identifier: Apache-2.0
"""What each rank has of a torus that several run, and what they send each other in a window.

Of uniform traffic in packets of one flit, by dimension order, below saturation: then every link of a dimension carries the
same, and what crosses a cut follows from the load. Sizes are those that tlm/fabric/parts/remote_links.cpp packs."""
import functools
import json
import math
import tempfile
from dataclasses import dataclass

from .program import sare

WINDOW = 2            # cycles, of links of one cycle and the default router
BYTES_OF_CYCLE = 8    # to each neighbour: how many flits and credits follow
BYTES_OF_FLIT = 144   # wire, flit, packet and message
BYTES_OF_CREDIT = 16  # wire, VCs; one for each flit, the other way


@dataclass(frozen=True)
class Torus:
    dims: tuple
    load: float  # flits per node and cycle

    @property
    def routers(self):
        return math.prod(self.dims)

    def _among_others(self, mean):
        """Uniform traffic is to other nodes only."""
        return mean * self.routers / (self.routers - 1)

    def link_load(self, d):
        """Flits per cycle, of a link along dimension d."""
        return self._among_others(self.load * ring_distance(self.dims[d]) / 2)

    @property
    def hops(self):
        """Routers that a packet visits."""
        return self._among_others(sum(map(ring_distance, self.dims))) + 1

    @property
    def density(self):
        """Flits out of a router in a cycle."""
        return self.load * self.hops

    def __str__(self):
        return "x".join(map(str, self.dims))


def ring_distance(k):
    """Mean over all pairs, the shorter way round."""
    return (k * k // 4) / k


@functools.lru_cache
def cut(dims, ranks):
    """By router its rank, as Sare cuts the network."""
    with tempfile.NamedTemporaryFile("w+", suffix=".yaml") as file:
        file.write(json.dumps({"network": {"topology": "torus", "dims": list(dims)}, "traffic": {"workload": "bernoulli"}}))
        file.flush()
        rows = sare("topo", file.name, "--parts", str(ranks)).split()
    return [int(row.rpartition(",")[2]) for row in rows[1:]]


def links_of(dims, rank):
    """{(rank, rank): links by dimension}, one way."""
    found, stride, routers = {}, 1, len(rank)
    for d, k in enumerate(dims):
        for router in range(routers) if k > 1 else ():
            last = router // stride % k == k - 1
            other = router - stride * (k - 1) if last else router + stride
            a, b = rank[router], rank[other]
            if a != b:
                for pair in ((a, b), (b, a)):
                    found.setdefault(pair, [0] * len(dims))[d] += 1
        stride *= k
    return found


def sizes_of(rank, ranks):
    sizes = [0] * ranks
    for r in rank:
        sizes[r] += 1
    return sizes


def bytes_between(torus, ranks):
    """{(rank, rank): bytes in a window}, and the routers of each rank."""
    rank = cut(torus.dims, ranks)
    links = links_of(torus.dims, rank)
    flit = BYTES_OF_FLIT + BYTES_OF_CREDIT
    return {pair: WINDOW * (BYTES_OF_CYCLE + flit * sum(n * torus.link_load(d) for d, n in enumerate(by_dimension)))
            for pair, by_dimension in links.items()}, sizes_of(rank, ranks)


def same_density(dims, torus):
    """A torus of these sizes whose routers have as much to do as those of the other one."""
    return Torus(tuple(dims), torus.density / Torus(tuple(dims), 0.0).hops)
