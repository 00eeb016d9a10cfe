# SPDX-License-Identifier: Apache-2.0
"""Twins of variants in C++: traffic/micro/random.cpp, pattern uniform, routing function dor on a mesh, governor threshold."""
import os

import sare


class RandomPairs(sare.Workload):
    def __init__(self, messages=100, outstanding=1, bytes=4):
        self.messages, self.outstanding, self.bytes = messages, outstanding, bytes

    def start(self, port):
        super().start(port)
        self.random = sare.variants.Random(port.seed, "workload", 0)
        self.sent, self.next = 0, port.first_cycle

    def next_tick(self):
        return self.next

    def tick(self, now):
        self.next = None
        while self.sent < min(self.outstanding, self.messages):
            self.send()

    def delivered(self, arrival):
        if self.sent < self.messages:
            self.send()

    def send(self):
        source, other = self.random.below(self.port.nodes), self.random.below(self.port.nodes - 1)
        self.port.send(source, other + (other >= source), bytes=self.bytes)
        self.sent += 1

    def finished(self):
        return self.sent == self.messages


class Uniform(sare.Pattern):
    def destination(self, source, random):
        other = random.below(self.nodes - 1)
        return other + (other >= source)


class Xy(sare.RoutingFunction):
    """Dimension 0 first; ports of a mesh are +x, -x, +y, -y."""

    tabular = True

    def name(self):
        return "dor"

    def route(self, router, in_port, in_vc, header):
        target = self.network.router_of(header.destination)
        if target == router:
            return self.network.port_of(header.destination)
        wide = self.network.dims[0]
        ahead = [(target % wide) - (router % wide), target // wide - router // wide]
        d = 0 if ahead[0] else 1
        return 2 * d + (ahead[d] < 0)


class Careless(sare.Pattern):
    def destination(self, source, random):
        return {}[source]


class Steps(sare.Governor):
    def __init__(self, up=0.2, down=0.05):
        self.up, self.down = up, down

    def next_level(self, load):
        if load.occupancy > self.up and load.level > 0:
            return load.level - 1
        return min(load.level + 1, load.levels - 1) if load.occupancy < self.down else load.level


class Turns(sare.Governor):
    """Each level for three intervals; it ends the program in the cycle END_AT of the environment."""

    turns = 0

    def next_level(self, load):
        if str(load.now) == os.environ.get("END_AT"):
            os._exit(3)
        self.turns += 1
        return self.turns // 3 % load.levels
