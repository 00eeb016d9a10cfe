# SPDX-License-Identifier: Apache-2.0
"""INSEE with full systems, chapter 10 of its thesis: four QEMU guests on a ring (docs/guests.md)."""
import re
from statistics import mean

from libvalidate.papers_row import Row, list_of, rising
from libvalidate.rows import fail

LBR, IPR = "local_bubble: 3", "transit_priority: 1"
# The cable to a computer and a quantum are 10 us at both speeds.
GUESTS = "tb/experiments/guests-ring.yaml --set clock_period={}ns --set traffic.access_latency={} --set traffic.quantum={}"
SPEEDS = {"1,280": (25, 400, 400), "128": (250, 40, 40)}
START = " --set 'traffic.start=[../../scripts/guests, run, --count, \"4\", {}--program, pingpong, --program, is, --program, is, --program, is, --program, is]'"


def guests(speed, how="", program=""):
    return GUESTS.format(*SPEEDS[speed]) + (f" --set 'router.{how}'".replace(": ", "=") if how else "") + \
        (START.format(program) if program else "")


def sliced(quantum):
    return GUESTS.format(25, 400, quantum) + " --set traffic.mode=slices"


def told(s, what, pattern):
    """Numbers that the first guest's console tells."""
    found = [float(t) for t in re.findall(pattern, s["guest"], re.M)]
    if not found:
        last = s["guest"].strip().splitlines()[-1:] or ["nothing"]
        fail(f"the first guest's console has no {what}; it ends with: {last[0].strip()}")
    return found


def sorting(s):
    return told(s, "sort that was verified", r"^is .* seconds=([\d.]+) .*verification=successful")


def round_trip(s):
    return told(s, "pingpong of 1 byte", r"^pingpong bytes=1 half_round_trip_us: mean=([\d.]+)")[0]


def of_sorting(s):
    times = [1e3 * t for t in sorting(s)]
    return f"{mean(times):.1f} ms ({min(times):.1f} to {max(times):.1f}, {len(times)} {'sort' if len(times) == 1 else 'sorts'})"


def spread(s):
    times = sorting(s)
    return (max(times) - min(times)) / mean(times)


def with_control(s):
    free, controlled = s.values()
    gain = mean(sorting(free)) / mean(sorting(controlled)) - 1
    return f"{of_sorting(free)}; {gain:+.1%}{', within the spread' if abs(gain) < spread(free) else ''}", None


def slices(s):
    """Errors of sorts within the spread of sorts say nothing."""
    exact = s.pop("exact")
    errors = [mean(sorting(one)) / mean(sorting(exact)) - 1 for one in s.values()]
    trips = [round_trip(one) / round_trip(exact) - 1 for one in s.values()]
    seconds = [one["processor_seconds"] for one in s.values()]
    text = f"{list_of(errors, '{:+.0%}')}; {list_of(trips, '{:+.0%}')}; {list_of(seconds, '{:.0f}')} s beside {exact['processor_seconds']:.0f}"
    grows = rising([e for e in errors if e > spread(exact)]) and errors[-1] == max(errors) > spread(exact)
    return text, grows and rising(trips) and rising([-t for t in seconds])


def libraries(s):
    return "; ".join(f"{of_sorting(one)}, {round_trip(one):.1f} us" for one in s.values()), None


COMPUTERS = [
    Row("insee-guests", "IS over TCP, four [guests](../guests.md) on a ring, 1,280 Mb/s: time; gain by LBR 3",
        "not at hand", {how: guests("1,280", how) for how in ("", LBR)}, with_control),
    Row("insee-guests-ipr", "gain by IPR 1", "the same", {how: guests("1,280", how) for how in ("", IPR)}, with_control),
    *(Row(f"insee-guests-128-{name}", f"at 128 Mb/s, {said}", "the same", {h: guests("128", h) for h in ("", how)}, with_control)
      for name, said, how in (("lbr", "LBR 3", LBR), ("ipr", "IPR 1", IPR))),
    Row("insee-slices", "slices of 10, 40 and 80 us beside none, 1,280 Mb/s: error of IS, of half a round trip; processor time",
        "error grows with the slice, and speed", {"exact": guests("1,280"), **{q: sliced(q) for q in (400, 1600, 3200)}}, slices),
    Row("insee-mpi", "MPICH and Open MPI, 1,280 Mb/s: IS, half a round trip", "not at hand",
        {"mpich": guests("1,280"), "openmpi": guests("1,280", program="--mpi, openmpi, ")}, libraries),
]
