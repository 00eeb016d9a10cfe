# SPDX-License-Identifier: Apache-2.0
"""Workloads, patterns, routing functions and governors in Python: derive from a class of this module.

An experiment chooses one by ``sare.workloads.Python(class_=Token)``, ``sare.patterns.Python(...)`` or
``sare.routing_functions.Python(...)``, ``sare.governors.Python(...)``; in YAML ``{workload: python, class: Token}``, with its file under ``plugins``.
"""
from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type, Union

from . import _native
from .errors import Error

Random = _native.Random
TrafficPort = _native.TrafficPort
Message = _native.Message
Arrival = _native.Arrival
Header = _native.Header
RoutedNetwork = _native.RoutedNetwork
DomainLoad = _native.DomainLoad


class _Variant:
    def _is_default(self, method: str) -> bool:
        """The method is that of the base class."""
        return any(getattr(type(self), method, None) is getattr(base, method, 0) for base in _bases.values())


class Workload(_Variant):
    """Makes messages, and is told of deliveries. In a cycle the network moves flits, then calls ``delivered`` for each message
    that has arrived, ``queue_space``, and ``tick`` if ``next_tick`` was that cycle; what is sent then may leave at once."""

    runs_to_completion: bool = True  #: measured from empty to empty; False: open loop, measured in a steady state
    largest_message: int = 0  #: flits; 0: not known
    nodes_needed: int = 0  #: 0: any number
    classes_needed: int = 1
    port: TrafficPort

    def start(self, port: TrafficPort) -> None:
        """Before the first cycle. ``port`` is the network: nodes, seed, now, send(...), queued(node), ..."""
        self.port = port

    def next_tick(self) -> Optional[int]:
        """The next cycle in which ``tick`` is to be called; None: only deliveries matter. Asked after each call."""
        return None

    def tick(self, now: int) -> None:
        """Cycle ``now`` is the one that next_tick gave."""

    def delivered(self, arrival: Arrival) -> None:
        """A whole message has arrived: arrival.message, .injected, .consumed [cycles]."""

    def dropped(self, message: Message, cause: str) -> None:
        """The network has lost a packet of it; it is never delivered."""

    def queue_space(self, node: int) -> None:
        """The queue of a node and message class (0) has fallen to what port.call_when_queued(node, level, message_class) asked for."""

    def finished(self) -> bool:
        """Nothing more is sent unless a delivery causes it. Open-loop workloads never finish."""
        return False

    def held_back(self, now: int) -> Tuple[int, int]:
        """Messages and flits made until cycle ``now`` and not sent yet, for there is no room: they count as offered."""
        return 0, 0

    def progress(self) -> float:
        """How much of it is done, from 0 to 1; negative: not known."""
        return -1.0

    def results(self) -> Dict[str, Any]:
        """Goes into summary.json, under "workload"."""
        return {}

    def tables(self) -> Dict[str, str]:
        """Further files of results: name and text."""
        return {}

    def stuck(self) -> str:
        """Why it cannot go on although the network is empty; "" if nothing is wrong."""
        return ""


class Pattern(_Variant):
    """Where a node's next message goes."""

    nodes: int
    dims: List[int]
    seed: int

    def start(self, nodes: int, dims: List[int], seed: int) -> None:
        """Before anything else. ``dims``: the grid of nodes, dimension 0 fastest."""
        self.nodes, self.dims, self.seed = nodes, dims, seed

    def destination(self, source: int, random: Random) -> int:
        """A node. ``random`` is the source's own stream: below(n), uniform(), bernoulli(p), next()."""
        raise NotImplementedError

    def silent(self, source: int) -> bool:
        """The node never sends."""
        return False


class RoutingFunction(_Variant):
    """Which way packets take. It is checked for deadlock as any other."""

    max_candidates: int = 1  #: the most ways that route() gives
    tabular: bool = False  #: route() depends on router and destination alone: it is asked once for each pair, which is fast
    deterministic: bool = True
    needs_escape: bool = False  #: free of deadlock by the ways that belong to the escape (Duato)
    network: RoutedNetwork

    def start(self, network: RoutedNetwork) -> None:
        """Before anything else. ``network``: routers, nodes, vcs (per port and class), dims, ports(router),
        peer(router, port) -> ("router", number, port) or None, router_of(node), port_of(node)."""
        self.network = network

    def name(self) -> str:
        """In results and messages."""
        return type(self).__name__

    def begin(self, header: Header, random: Random) -> None:
        """Prepares the header of a packet at its source: via, state, phase may be set."""

    def every_header(self, plain: Header) -> List[Header]:
        """All that begin() may make of ``plain``, which has source and destination: for the check."""
        return [plain]

    def route(self, router: int, in_port: int, in_vc: int, header: Header) -> Union[int, Sequence[Any]]:
        """A port; or ways in order of preference, each a port, (port, mask of VCs) or (port, mask, belongs to the escape).

        At the destination's router: ``self.network.port_of(header.destination)``.
        """
        raise NotImplementedError

    def _route(self, router: int, in_port: int, in_vc: int, header: Header) -> Any:
        said = self.route(router, in_port, in_vc, header)
        ways: Sequence[Any] = [said] if isinstance(said, int) else said
        all_vcs = (1 << self.network.vcs) - 1
        try:
            return [(w, all_vcs, False) if isinstance(w, int) else (w[0], w[1], bool(w[2]) if len(w) > 2 else False) for w in ways]
        except (TypeError, IndexError):
            return said  # refused, as what it is


class Governor(_Variant):
    """Chooses the clock and voltage of a domain, at the end of each interval. Checkpoints keep its attributes."""

    def next_level(self, load: DomainLoad) -> int:
        """The level for the time to come, from 0 to ``load.levels`` - 1. ``load``: now, the present level, levels; occupancy, the
        share of places in input buffers that hold flits; utilisation, flits for each output and cycle of the domain."""
        raise NotImplementedError


AnyVariant = Union[Workload, Pattern, RoutingFunction, Governor]
_bases: Dict[str, Type[Any]] = {"Workload": Workload, "Pattern": Pattern, "RoutingFunction": RoutingFunction, "Governor": Governor}
_needed = {"Pattern": "destination", "RoutingFunction": "route", "Governor": "next_level"}  # methods without a default
_known: Dict[str, Type[Any]] = {}


def make(name: str, base: str, parameters: Dict[str, Any]) -> Any:
    """An object of a class that is known, with these arguments: the extension asks for it."""
    if name not in _known:
        raise Error(f"no plugin has a class '{name}'; there are {', '.join(sorted(_known)) or 'none'}")
    if not issubclass(_known[name], _bases[base]):
        raise Error(f"class '{name}' is no sare.variants.{base}, which is wanted here")
    needed = _needed.get(base)
    if needed is not None and getattr(_known[name], needed) is getattr(_bases[base], needed):
        raise Error(f"class '{name}' of {file_of(_known[name]) or 'a notebook'} has no method {needed}(), which a {base} must have")
    try:
        inspect.signature(_known[name]).bind(**parameters)
    except TypeError as problem:
        raise Error(f"'parameters' of class '{name}': {problem}") from None
    return _known[name](**parameters)


def know(kind: Type[Any]) -> str:
    """Makes a class known by its name, which is returned."""
    if not issubclass(kind, tuple(_bases.values())):
        raise Error(f"class '{kind.__name__}' derives from none of sare.variants: {', '.join(_bases)}")
    _known[kind.__name__] = kind
    return kind.__name__


def file_of(kind: Type[Any]) -> str:
    """The file that a class stands in; "" for one of a notebook."""
    try:
        file = inspect.getsourcefile(kind)
    except TypeError:
        return ""
    return str(Path(file).resolve()) if file and Path(file).is_file() else ""


def load(path: str) -> None:
    """Runs a file and makes its classes known."""
    file = Path(path)
    spec = importlib.util.spec_from_file_location(f"sare_plugin_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise Error(f"cannot read plugin {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    kinds = [v for v in vars(module).values() if isinstance(v, type) and issubclass(v, tuple(_bases.values())) and v.__module__ == spec.name]
    if not kinds:
        raise Error(f"plugin {path} has no class that derives from {', '.join(_bases)} of sare.variants")
    for kind in kinds:
        know(kind)
