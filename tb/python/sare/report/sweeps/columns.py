# SPDX-License-Identifier: Apache-2.0
"""What the columns of sweep.csv and saturation.csv are called in a figure, and their units."""
SATURATION = "saturation"  # the column of saturation.csv
PLAIN_NAMES = {"latency_mean": "latency", "accepted": "accepted load", "offered": "offered load", "injected": "injected load",
               "latency_p50": "median latency", "latency_p95": "95th percentile of latency", "latency_p99": "99th percentile of latency",
               "latency_max": "largest latency", "network_latency_mean": "latency in the network", "hops_mean": "hops",
               "makespan_cycles": "makespan", "slowdown_mean": "slowdown", "slowdown_p50": "median slowdown",
               "slowdown_p99": "99th percentile of slowdown", "latency_ns": "latency", "throughput_gbit_s": "throughput",
               "power_mw": "power", "energy_per_bit_pj": "energy per bit", "area_mm2": "area", "clock_period_ns": "clock period",
               "buffer_bits": "buffers", SATURATION: "saturation", "traffic.load": "offered load"}
UNITS = {"latency_mean": "cycles", "makespan_cycles": "cycles", "latency_ns": "ns", "power_mw": "mW",
         "energy_per_bit_pj": "pJ", "area_mm2": "mm²", "throughput_gbit_s": "Gbit/s", "buffer_bits": "bits", "clock_period_ns": "ns",
         **{name: "cycles" for name in ("latency_p50", "latency_p95", "latency_p99", "latency_max", "network_latency_mean", "cycles")},
         **{name: "flits/node/cycle" for name in ("offered", "injected", "accepted", SATURATION, "traffic.load")}}


def is_latency(column):
    """Whether it grows with the length of a run that is saturated."""
    return "latency" in column
