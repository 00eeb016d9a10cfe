# SPDX-License-Identifier: Apache-2.0
"""Which thin tree does most for its cost: the time of kernels on k:k',n trees beside that on the full tree k:k,n."""
from sare.report import read

from .thin_tree import COSTS, Tree

KERNELS = {"binary_tree": "BT", "wavefront": "W", "mesh_exchange": "M", "butterfly": "BU", "waterfall": "WF"}
ORDER = ["BT", "W2", "W3", "M2", "M3", "BU", "WF"]


def trees(result):
    """The trees of a sweep in its order. Every one must have run every kernel, and its full tree must be there. Runs that
    differ in the seed are averaged."""
    found, table = {}, result.tables["sweep"]
    for point, status in zip(table["point"], table["status"]):
        summary = read.point_summary(result, point)
        where = f"{result.directory}: point {int(point)}"
        if summary is None or status != "completed":
            raise read.Problem(f"{where} is not complete; run the same 'sare sweep' again")
        made = _tree(summary, where)
        tree = found.setdefault(made.name, made)
        tree.runs.setdefault(_kernel(summary, where), []).append(read.lookup(summary, "workload.makespan_cycles"))
    if not found:
        raise read.Problem(f"{result.directory}: a sweep without points")
    _compare(result, found)
    return list(found.values())


def _tree(summary, where):
    network, topology = (read.lookup(summary, name, {}) for name in ("config.network", "topology"))
    if network.get("topology") != "thin_tree":
        raise read.Problem(f"{where} is of topology {network.get('topology')}; this study is of thin_tree")
    return Tree(network["k"], network["k_up"], network["n"], topology["nodes"], topology["routers"])


def _kernel(summary, where):
    traffic = read.lookup(summary, "config.traffic", {})
    name = KERNELS.get(traffic.get("workload"))
    if name is None:
        raise read.Problem(f"{where} is of workload {traffic.get('workload')}; this study knows {', '.join(KERNELS)}")
    return name + (str(traffic["dimensions"]) if name in ("W", "M") else "")


def _compare(result, found):
    kernels = set().union(*(tree.runs for tree in found.values()))
    for tree in found.values():
        full = found.get(f"{tree.k}:{tree.k},{tree.n}")
        if full is None:
            raise read.Problem(f"{result.directory}: {tree.name} has no full tree {tree.k}:{tree.k},{tree.n} beside it; "
                               "sweep that as well")
        for kernel in sorted(kernels, key=ORDER.index):
            if kernel not in tree.runs or kernel not in full.runs:
                raise read.Problem(f"{result.directory}: {tree.name} or {full.name} has not run {kernel}, which others have")
            tree.relative[kernel] = tree.cycles(kernel) / full.cycles(kernel)


def table(result):
    """Header and rows of result.csv."""
    found = trees(result)
    kernels = list(found[0].relative)
    header = ["tree", "nodes", "switches", "radix", "links", "performance", *(f"cost_{kind}" for kind in COSTS),
              *(f"performance_per_{kind}" for kind in COSTS), *(f"time_{kernel}" for kernel in kernels)]
    rows = [[tree.name, tree.nodes, tree.switches, tree.radix, tree.switches * tree.k, _digits(tree.performance),
             *(tree.cost(kind) for kind in COSTS), *(_digits(tree.worth(kind)) for kind in COSTS),
             *(_digits(tree.relative[kernel]) for kernel in kernels)] for tree in found]
    return header, rows


def _digits(value):
    return float(f"{value:.5g}")


def plots(result, colours):
    from . import thin_tree_plots
    return thin_tree_plots.plots(trees(result), colours)
