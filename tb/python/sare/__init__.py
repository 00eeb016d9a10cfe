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
from importlib import import_module
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from . import (allocators, arbiters, bridge_protocols, flow_formats, governors, lengths, patterns, placements, router_kinds,
                   routing_functions, sections, statistics, task_trees, topologies, variants, workloads)
    from .errors import Error, Interrupted
    from .experiment import Experiment
    from .figures import plot
    from .fitting import fit
    from .graph import topology
    from .results import Exploration, Fit, Run, Saturation, Sweep, load
    from .search import explore
    from .simulation import Delivery, Measured, Simulation
    from .store import runs
    from .study import check, cpus, run, saturate, sweep
    from .variants import Governor, Pattern, RoutingFunction, Workload
else:
    # All is imported when it is asked for: a script pays for no more than it uses, and sare.report needs neither the simulator
    # nor what is generated from the program.
    _homes = {name: home for home, names in {
        "errors": "Error Interrupted", "experiment": "Experiment", "figures": "plot", "graph": "topology",
        "fitting": "fit", "results": "Exploration Fit Run Saturation Sweep load", "search": "explore", "simulation": "Delivery Measured Simulation",
        "store": "runs", "study": "check cpus run saturate sweep", "variants": "Governor Pattern RoutingFunction Workload",
    }.items() for name in names.split()}

    def __getattr__(name: str) -> Any:
        home = _homes.get(name)
        try:
            found = getattr(import_module(f"sare.{home}"), name) if home else import_module(f"sare.{name}")
        except ModuleNotFoundError as problem:
            if problem.name != f"sare.{name}":
                raise
            raise AttributeError(f"module 'sare' has no attribute '{name}'") from None
        globals()[name] = found
        return found

__all__ = [
    "Delivery", "Error", "Experiment", "Exploration", "Fit", "Governor", "Interrupted", "Measured", "Pattern", "RoutingFunction", "Run", "Saturation",
    "Simulation", "Sweep", "Workload", "allocators", "arbiters", "bridge_protocols", "check", "cpus", "explore",
    "fit", "flow_formats", "governors", "lengths", "load", "patterns", "placements", "plot", "router_kinds", "routing_functions", "run",
    "runs", "saturate", "sections", "statistics", "sweep", "task_trees", "topologies", "topology", "workloads",
]


def __dir__() -> List[str]:
    return __all__
