# SPDX-License-Identifier: Apache-2.0
"""Sare, a simulator of interconnection networks.

    import sare

    e = sare.Experiment(
        network=sare.topologies.Mesh(dims=[4, 4]),
        routing="dor",
        router=sare.router_kinds.Vc(vcs=2, depth=4),
        traffic=sare.workloads.Bernoulli(load=0.2, length=4))
    run = sare.run(e)
    sweep = sare.sweep(e, {"traffic.load": [0.1, 0.2, 0.3]}, jobs=2)

`help(sare.run)`, `help(sare.topologies.Mesh)`, ... say the rest; docs/python.md shows it.
"""
from . import (allocators, arbiters, bridge_protocols, flow_formats, lengths, patterns, placements, router_kinds,
               routing_functions, sections, statistics, task_trees, topologies, workloads)
from .errors import Error, Interrupted
from .experiment import Experiment
from .explore import explore
from .graph import topology
from .plot import plot
from .simulation import Delivery, Simulation
from .results import Exploration, Run, Saturation, Sweep, load
from .store import runs
from .study import check, cpus, run, saturate, sweep
from .variants import Pattern, RoutingFunction, Workload

__all__ = [
    "Delivery", "Error", "Experiment", "Exploration", "Interrupted", "Pattern", "RoutingFunction", "Run", "Saturation",
    "Simulation", "Sweep", "Workload", "allocators", "arbiters", "bridge_protocols", "check", "cpus", "explore",
    "flow_formats", "lengths", "load", "patterns", "placements", "plot", "router_kinds", "routing_functions", "run",
    "runs", "saturate", "sections", "statistics", "sweep", "task_trees", "topologies", "topology", "workloads",
]
