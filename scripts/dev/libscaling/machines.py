# SPDX-License-Identifier: Apache-2.0
"""The machines that schedules run on, as experiments without their traffic's file, and the closed form beside them."""
import math
from dataclasses import dataclass

from .problem import Problem

# Open MPI 4.1 between processes of a machine (btl_vader_eager_limit): more bytes ask first.
LOCAL_EAGER = 4096

# InfiniBand EDR, 4 lanes of 25.78125 Gb/s in 64b/66b: 12.5 GB/s; MTU 4,096 bytes, of headers LRH 8, BTH 12, ICRC 4, VCRC 2
# (InfiniBand Architecture Specification, vol. 1). Assumed: 90 ns a switch, as makers say; 0.25 us for each adapter with
# its bus, 0.2 us of a processor to send and to receive, which make 1.0 us of MPI through one switch; 8 KiB eager.
EDR_FLIT = 64                        # bytes
EDR_CLOCK = EDR_FLIT / (100e9 / 8 * 25.78125 / 25 * 64 / 66)  # s; of it a flit on a link
EDR_SWITCH, EDR_ADAPTER, EDR_OVERHEAD, EDR_EAGER = 90e-9, 0.25e-6, 0.2e-6, 8192
EDR_RADIX = 16                       # ports down of a switch, and up: 32 of its 36


@dataclass
class Machine:
    """This one, as fitted; seconds."""

    cores: int
    latency: float         # of a message between two processes that have a core each
    turn: float            # of a message's receiver, where processes share cores and must take turns
    packing: float         # of a byte, to pack and unpack it; of processes that have a core each
    shared_packing: float  # where they take turns: then what they touch has left the caches

    def experiment(self, ranks):
        return {"network": {"topology": "crossbar", "n": 2}, "routing": "table", "clock_period": "1ns",
                "checks": {"deadlock": False},
                "traffic": {"tasks_per_node": ranks, **self.inside(ranks)}}

    def seconds_a_byte(self, ranks):
        """Of ranks on this machine."""
        return self.shared_packing if ranks > self.cores else self.packing

    def inside(self, ranks):
        traffic = {"node_cores": self.cores, "local_latency": self.latency, "eager_limit": LOCAL_EAGER}
        return {**traffic, "overhead_receive": self.turn} if ranks > self.cores else traffic


def cluster(machine, count):
    """`count` of these machines, a rank a core, by InfiniBand EDR in a fat tree of 16 ports down and 16 up."""
    levels = round(math.log(count, EDR_RADIX))
    if EDR_RADIX ** levels != count:
        raise Problem(f"{count} machines make no full tree; {EDR_RADIX} and {EDR_RADIX ** 2} do")
    cycles = lambda seconds: max(1, round(seconds / EDR_CLOCK))
    pipeline = 4  # rc, va, sa, st: a cycle each
    return {"network": {"topology": "kary_ntree", "k": EDR_RADIX, "n": levels,
                        "link_latency": cycles(EDR_SWITCH) - pipeline, "node_link_latency": cycles(EDR_ADAPTER)},
            "routing": {"function": "tree_static", "by": "destination"},
            "router": {"vcs": 1, "depth": 256, "switching": "cut_through"},
            "nic": {"flit_bytes": EDR_FLIT, "header_bytes": 26, "max_packet_flits": 1 + 4096 // EDR_FLIT,
                    "ejection_depth": 256},
            "clock_period": f"{EDR_CLOCK * 1e12:.0f}ps", "checks": {"deadlock": False},
            "traffic": {"tasks_per_node": machine.cores, **machine.inside(machine.cores), "eager_limit": EDR_EAGER,
                        "overhead_send": EDR_OVERHEAD, "overhead_receive": EDR_OVERHEAD}}


def closed_form(work, latency, bandwidth, eager):
    """Seconds of a window: the slowest rank's computation and packing, then steps of a message each: log2 of the ranks
    for the sum, one for the exchange, two more where it asks first; and what one rank sends over one link."""
    ranks = len(work.sizes)
    flits = max(work.sizes) * work.hops
    most = flits + (math.sqrt(2 * math.log(ranks) * flits) if work.varies else 0)  # the largest of so many normal ones
    packing = max(map(work.packing_seconds, range(ranks)))
    sent = max(sum(b for pair, b in work.between.items() if pair[0] == r) for r in range(ranks))
    steps = math.ceil(math.log2(ranks)) + 1 + 2 * (max(work.between.values()) > eager)
    return most * work.seconds_a_hop + packing + steps * latency + sent / bandwidth


def cluster_latency(count):
    """Of a small message between the farthest two."""
    switches = 2 * round(math.log(count, EDR_RADIX)) - 1
    return 2 * EDR_OVERHEAD + 2 * EDR_ADAPTER + switches * EDR_SWITCH


def cluster_bandwidth(machine):
    """Bytes per second that one rank has of its machine's link."""
    return EDR_FLIT / EDR_CLOCK / machine.cores
