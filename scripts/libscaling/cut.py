# SPDX-License-Identifier: Apache-2.0
"""Who has what of a torus that several ranks run, and what they send each other in a window.

Of uniform traffic in packets of one flit, by dimension order, below saturation: then every link of a dimension carries the
same, and what crosses a cut follows from the load. As tlm/fabric/partition.cpp cuts, and border.cpp packs."""
import math
from dataclasses import dataclass
from fractions import Fraction

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


def slabs(dims, ranks):
    """By router its rank: stretches of routers, which all have as many ports."""
    routers, ports = math.prod(dims), 2 * len(dims) + 1
    return [(r * ports + ports // 2) * ranks // (routers * ports) for r in range(routers)]


def regular_counts(dims, ranks):
    """Into how many stretches each dimension is cut, so that there are as many blocks, with the fewest links between them,
    and of those ways the one with the most in the first dimensions; None: there is no way."""
    def cost(counts):
        return sum(Fraction(n, k) for n, k in zip(counts, dims) if n > 1)
    return min(factors(ranks, dims), key=lambda counts: (cost(counts), [-n for n in counts]), default=None)


def factors(product, most):
    """All lists of as many numbers as `most` has, none above those, that make up a product."""
    if not most:
        return [()] if product == 1 else []
    return [(n, *rest) for n in range(1, min(product, most[0]) + 1) if product % n == 0
            for rest in factors(product // n, most[1:])]


def blocks(dims, counts):
    """By router its rank."""
    ranks = []
    for router in range(math.prod(dims)):
        rank = 0
        for k, n in zip(dims, counts):
            rank = rank * n + router % k * n // k
            router //= k
        ranks.append(rank)
    return ranks


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


def links_between(dims, ranks):
    """What is between them where the links are fewest, and the routers of each rank."""
    ways = [slabs(dims, ranks)]
    regular = regular_counts(tuple(dims), ranks)
    if regular is not None and is_balanced(blocks(dims, regular), ranks):
        ways.append(blocks(dims, regular))
    links = [links_of(dims, way) for way in ways]
    best = min(range(len(ways)), key=lambda k: sum(map(sum, links[k].values())))
    return links[best], sizes_of(ways[best], ranks)


def sizes_of(rank, ranks):
    sizes = [0] * ranks
    for r in rank:
        sizes[r] += 1
    return sizes


def is_balanced(rank, ranks):
    """No part has more than 5% more routers than the mean."""
    return max(sizes_of(rank, ranks)) * ranks * 100 <= len(rank) * 105


def bytes_between(torus, ranks):
    """{(rank, rank): bytes in a window}, and the routers of each rank."""
    links, sizes = links_between(torus.dims, ranks)
    flit = BYTES_OF_FLIT + BYTES_OF_CREDIT
    return {pair: WINDOW * (BYTES_OF_CYCLE + flit * sum(n * torus.link_load(d) for d, n in enumerate(by_dimension)))
            for pair, by_dimension in links.items()}, sizes


def same_density(dims, torus):
    """A torus of these sizes whose routers have as much to do as those of the other one."""
    return Torus(tuple(dims), torus.density / Torus(tuple(dims), 0.0).hops)
