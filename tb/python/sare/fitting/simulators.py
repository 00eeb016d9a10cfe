# SPDX-License-Identifier: Apache-2.0
"""What BookSim2 and Noxim print, as measured figures. Several runs may stand one after the other in a file."""
from __future__ import annotations

import re
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

from ..errors import Error
from .data import GENERATION, INJECTION, Data, Figure

Reader = Callable[[str, str, Mapping[str, Any]], Data]
LATENCY, NETWORK_LATENCY = Figure("latency.mean", f"{GENERATION}.mean"), Figure("network_latency.mean", f"{INJECTION}.mean")
ACCEPTED, HOPS = Figure("accepted", "load.accepted"), Figure("hops.mean", "hops.mean")
NUMBER = r"([-+0-9.eE]+|-?nan|-?inf)"

OVERALL = "====== Overall Traffic Statistics ======"
IN_BOOKSIM = {rf"Packet latency average\b.*? = {NUMBER}": LATENCY, rf"Network latency average\b.*? = {NUMBER}": NETWORK_LATENCY,
              rf"Accepted flit rate average\b.*? = {NUMBER}": ACCEPTED, rf"Hops average\b.*? = {NUMBER}": HOPS}
PATTERNS: Dict[str, Any] = {"uniform": {"name": "uniform", "self": True}, "transpose": "transpose", "bitcomp": "complement", "bitrev": "reversal",
                            "shuffle": "shuffle", "tornado": "tornado", "neighbor": "neighbour"}
USUAL = {"injection_rate": "0.1", "packet_size": "1", "injection_rate_uses_flits": "0", "traffic": "uniform"}  # of BookSim2

AVERAGE_DELAY = r"^% Global average delay \(cycles\): " + NUMBER
IN_NOXIM = {AVERAGE_DELAY: LATENCY, rf"^% (?:Average IP throughput|Throughput) \(flits/cycle/IP\): {NUMBER}": ACCEPTED}
NOXIM_PATTERNS = {"TRAFFIC_RANDOM": "uniform", "random": "uniform", "TRAFFIC_TRANSPOSE1": "transpose", "TRAFFIC_BIT_REVERSAL": "reversal",
                  "TRAFFIC_SHUFFLE": "shuffle"}


def reader_of(text: str) -> Optional[Reader]:
    """The reader of a simulator's output; None: it is a table."""
    if OVERALL in text or "BEGIN Configuration File:" in text:
        return booksim
    return noxim if re.search(AVERAGE_DELAY, text, re.M) else None


def booksim(text: str, file: str, extra: Mapping[str, Any]) -> Data:
    """Runs begin where their configurations are printed. One that has not converged has no overall statistics, and is left out."""
    data = Data()
    for line, run in _runs(text, "BEGIN Configuration File:"):
        if OVERALL not in run:
            why = next((word for word in ("Simulation unstable", "Aborting simulation", "Too many sample periods") if word in run), "no overall statistics")
            data.notes.append(f"{file}:{line}: a run without a result is left out ({why})")
            continue
        before, _, statistics = run.rpartition(OVERALL)
        if len(re.findall(r"^====== Traffic class", statistics, re.M)) > 1:
            raise Error(f"{file}:{line}: several traffic classes; a fit reads outputs of one")
        given = {**USUAL, **_assignments(before)} if "Configuration File:" in before else {}
        data.add(_booksim_axes(given, f"{file}:{line}", extra), _found(IN_BOOKSIM, statistics), f"{file}:{line + before.count(chr(10))}")
    return data


def _runs(text: str, first: str) -> Iterator[Tuple[int, str]]:
    """Each run with the line where it begins; what stands before the first belongs to it."""
    starts = [at.start() for at in re.finditer(re.escape(first), text)] or [0]
    starts[0] = 0
    for begin, end in zip(starts, [*starts[1:], len(text)]):
        yield text.count("\n", 0, begin) + 1, text[begin:end]


def _assignments(text: str) -> Dict[str, str]:
    """``key = value;`` of the configuration, then ``OVERRIDE Parameter: key=value``."""
    plain = re.sub(r"//[^\n]*", "", text)
    said = re.findall(r"(?:^|(?<=;))\s*(\w+)\s*=\s*([^;\n]*?)\s*;", plain.partition("END Configuration File:")[0], re.M)
    said += re.findall(r"^OVERRIDE Parameter: (\w+)=(.*?);?\s*$", text, re.M)
    return dict(said)


def _booksim_axes(given: Mapping[str, str], where: str, extra: Mapping[str, Any]) -> Dict[str, Any]:
    if not given:
        if "traffic.load" not in extra:
            raise Error(f"{where}: the output has no configuration in it, which says at which load it was; write FILE@load=0.1")
        return {}
    try:
        rate, length = float(given["injection_rate"].strip("{}")), int(given["packet_size"].strip("{}"))
    except ValueError:
        raise Error(f"{where}: injection_rate and packet_size are to be one number each") from None
    load = rate if given["injection_rate_uses_flits"] == "1" else rate * length
    if given["traffic"] not in PATTERNS and "traffic.pattern" not in extra:
        raise Error(f"{where}: traffic '{given['traffic']}' has no counterpart here that is known; write FILE@pattern=NAME (sare describe patterns)")
    return {"traffic.load": round(load, 12), "traffic.length": length, "traffic.pattern": PATTERNS.get(given["traffic"])}


def _found(patterns: Mapping[str, Figure], text: str) -> List[Tuple[Figure, float, Optional[float]]]:
    values = [(one, re.findall(pattern, text, re.M)) for pattern, one in patterns.items()]
    return [(one, float(found[0]), None) for one, found in values if found and "n" not in found[0]]


def noxim(text: str, file: str, extra: Mapping[str, Any]) -> Data:
    """Runs end with their statistics. Their configuration is there where Noxim ran with -verbose 99: it compares the letter of that number, so that small ones print nothing."""
    data, begin = Data(), 0
    for end in [at.end() for at in re.finditer(r"^% Average IP throughput.*$|^% Throughput \(flits/cycle/IP\).*$", text, re.M)] or [len(text)]:
        run, line = text[begin:end], text.count("\n", 0, begin) + 1
        given = dict(re.findall(r"^- (\w+) = (\S+)\s*$", run, re.M))
        axes: Dict[str, Any] = {}
        if "packet_injection_rate" in given:
            length = int(given.get("max_packet_size", extra.get("traffic.length") or 1))
            axes = {"traffic.load": round(float(given["packet_injection_rate"]) * length, 12), "traffic.length": length}
            if given.get("traffic_distribution") in NOXIM_PATTERNS:
                axes["traffic.pattern"] = NOXIM_PATTERNS[given["traffic_distribution"]]
        elif "traffic.load" not in extra:
            raise Error(f"{file}:{line}: Noxim says at which load it ran only with -verbose 99; write FILE@load=0.1 (flits/node/cycle)")
        data.add(axes, _found(IN_NOXIM, run), f"{file}:{text.count(chr(10), 0, end) + 1}")
        begin = end
    return data
