# SPDX-License-Identifier: Apache-2.0
"""A thin tree k:k',n in the study: what it costs, what kernels took on it, and which trees make a curve."""
from dataclasses import dataclass, field

# What a switch of radix R costs: nothing for its ports, so much a port, or a crossbar.
COSTS = {"constant": 0, "linear": 1, "quadratic": 2}
FAMILY = 3  # so many trees at least make a curve


@dataclass
class Tree:
    k: int
    up: int
    n: int
    nodes: int
    switches: int
    runs: dict = field(default_factory=dict)      # cycles by kernel, of each seed
    relative: dict = field(default_factory=dict)  # to the full tree

    @property
    def name(self):
        return f"{self.k}:{self.up},{self.n}"

    def cycles(self, kernel):
        return sum(self.runs[kernel]) / len(self.runs[kernel])

    @property
    def radix(self):
        return self.k + self.up

    @property
    def performance(self):
        """1 for the full tree."""
        return len(self.relative) / sum(self.relative.values())

    def cost(self, kind):
        return self.switches * self.radix ** COSTS[kind]

    def worth(self, kind):
        """Performance for the cost of a node."""
        return self.performance * self.nodes / self.cost(kind)


def families(found, same):
    """[(what they have in common, trees by k')] for trees that are alike in n and `same` ("k" or "radix")."""
    groups = {}
    for tree in sorted(found, key=lambda tree: (tree.n, getattr(tree, same), tree.up)):
        groups.setdefault((getattr(tree, same), tree.n), []).append(tree)
    return [(key, group) for key, group in groups.items() if len(group) >= FAMILY]
