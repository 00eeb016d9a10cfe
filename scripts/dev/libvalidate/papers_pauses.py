# SPDX-License-Identifier: Apache-2.0
"""Pauses (PFC) alone and with DCQCN: orderings of the papers on DCQCN and HPCC (docs/links.md)."""
from libvalidate.papers_row import Row, at, list_of, rising

FILE = "tb/experiments/pauses.yaml --set 'traffic.flows=[{}]'"
CONTROL = " --set 'marking={kmin: 20, kmax: 200, pmax: 0.1}' --set 'nic.congestion_control={name: dcqcn, cnp_interval: 500, alpha_timer: 550, " \
          "rate_timer: 550, byte_counter: 6554, additive: 0.004, hyper: 0.04}'"
ALONE, DCQCN = "", CONTROL
TREE = " --set 'network={{topology: kary_ntree, k: {}, n: {}}}'"
TREES = {2: 8, 3: 4, 6: 2}  # levels: ports down; 64 nodes


def flows(pairs):
    return FILE.format(", ".join(f"{{from: {a}, to: {b}, rate: 0.95, length: 8}}" for a, b in pairs))


def delivered(s, flow):
    return next(float(f["delivered"]) for f in at(s, "workload.flows_listed") if f["flow"] == flow)


def parking_lot():
    """Three nodes of one switch and one of the other send to a node of the latter."""
    run = flows([(0, 8), (1, 8), (2, 8), (9, 8)])
    return {how: run + how for how in (ALONE, DCQCN)}


def advantage(s):
    ratios = [delivered(one, "9 to 8") * 3 / sum(delivered(one, f"{n} to 8") for n in range(3)) for one in s.values()]
    return f"{list_of(ratios, '{:.2f}')} times the others' (PFC, DCQCN)", ratios[0] > 2 and ratios[1] < 1.3


def victims():
    """Node 0 sends to the congested node, 2 from behind it to another one; more senders are where their packets do not pass."""
    return {(how, more): flows([(0, 8), (2, 9), *((10 + n, 8) for n in range(more))]) + how for how in (ALONE, DCQCN) for more in (2, 4, 6)}


def victim(s):
    by = {how: [delivered(one, "2 to 9") for (h, _), one in s.items() if h == how] for how in (ALONE, DCQCN)}
    lost = [1 - v[-1] / v[0] for v in by.values()]
    return f"PFC {list_of(by[ALONE])}, DCQCN {list_of(by[DCQCN])} flits/cycle", \
        rising(by[ALONE][::-1]) and lost[1] < 0.5 * lost[0] and min(by[DCQCN]) > max(by[ALONE])


def spreading():
    run = flows([(n, 0) for n in range(7, 64, 8)])
    return {(how, n): run + TREE.format(k, n) + how for how in (ALONE, DCQCN) for n, k in TREES.items()}


def paused(s):
    by = {how: [at(one, "pauses.links") for (h, _), one in s.items() if h == how] for how in (ALONE, DCQCN)}
    return f"{list_of(by[ALONE])} links in trees of {list_of(TREES)} levels; with DCQCN {list_of(by[DCQCN])}", \
        rising(by[ALONE]) and min(by[ALONE]) > 8 and max(by[DCQCN]) < min(by[ALONE])


DCQCN_ROWS = [
    Row("dcqcn-unfair", "PFC alone, 4 to 1: what the sender at the receiver's own switch gets", "more than the others; with DCQCN all alike",
        parking_lot(), advantage, quick=True, why="ports take turns, so the lone flow's queue is short and seldom marked"),
    Row("dcqcn-victim", "2, 4, 6 more send to the congested node: a flow behind its pauses that goes elsewhere", "falls; with DCQCN it does not",
        victims(), victim, quick=True),
]
HPCC_ROWS = [
    Row("hpcc-pauses", "8 of 64 nodes send to one: links that PFC pauses", "pauses spread from hop to hop, up to senders",
        spreading(), paused, quick=True),
]
