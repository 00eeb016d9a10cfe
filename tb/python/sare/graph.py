# SPDX-License-Identifier: Apache-2.0
"""The network of an experiment as a graph."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import native
from .base import AnyExperiment, given
from .errors import need

if TYPE_CHECKING:
    import networkx


def topology(e: AnyExperiment) -> "networkx.MultiDiGraph[Any]":
    """The network as a networkx graph, an edge for each direction of a link.

    Vertices are ``("router", 5)`` and ``("node", 5)``, with attributes kind, number, name ("" if it has none) and, of
    routers of a grid, position. Edges have port (at their beginning), to_port, latency [cycles] and cycles_per_flit.
    """
    experiment = given(e)
    found = native.edges(experiment._tree(), experiment._folder)
    graph: "networkx.MultiDiGraph[Any]" = need("networkx").MultiDiGraph(name=found["name"])
    for kind, number, name, position in found["vertices"]:
        graph.add_node((kind, number), kind=kind, number=number, name=name, **({"position": tuple(position)} if position else {}))
    for start, port, end, to_port, latency, cycles_per_flit in found["edges"]:
        graph.add_edge(start, end, port=port, to_port=to_port, latency=latency, cycles_per_flit=cycles_per_flit)
    return graph
