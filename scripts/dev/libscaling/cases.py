# SPDX-License-Identifier: Apache-2.0
"""Which runs the model is fitted to, which it is held against, and what it predicts. No run is two of these."""
import statistics

from .cut import WINDOW, Torus, bytes_between, same_density
from .machines import EDR_EAGER, Machine, closed_form, cluster, cluster_bandwidth, cluster_latency
from .problem import Problem
from .schedule import Work, simulate

# (torus, cycles before what is measured, cycles measured).
# Nearly no traffic: a window is two messages one after another (the sum, the exchange) of 2 ranks, and turns of 4.
SMALL = (Torus((8, 8), 0.02), 100, 10000)
# With 2 ranks all routers lie at the cut: packing.
WIDE = (Torus((32, 32, 4), 0.06), 150, 300)
# Of 8 ranks: packing where processes take turns. Those of 2 and 4 are compared.
SHARED, SHARED_RANKS = (Torus((32, 32), 0.06), 200, 2000), 8
COMPARED = [SHARED, (Torus((64, 64), 0.04), 200, 1000), (Torus((64, 32, 32), 0.02), 200, 160)]
RANKS = (2, 4, 8)
PREDICTED = [Torus((64, 32, 32), 0.02), Torus((128, 128, 64), 0.01)]
# By itself; of both the time of a flit-hop is taken as this, as neither fits in caches.
ALONE = (Torus((64, 32, 32), 0.02), 200, 50)
# What a rank does for its routers at the end of an interval.
INTERVALS = (Torus((32, 32, 32), 0.02), 20, 80)
INTERVAL_CYCLES = 1000  # measurement.convergence_interval
MACHINES = (16, 256)
LEAST_SHARE = 1024
SHARE_HOPS = 2_000_000  # of a run whose only purpose is the time of a flit-hop


def share(torus, parts):
    """A torus of a part's routers, about as long as wide, each with as much to do; of 1,024 at least, as below other code
    runs them (docs/router.md#fast-routers)."""
    routers, dims = max(torus.routers // parts, min(LEAST_SHARE, torus.routers)), [1] * len(torus.dims)
    if torus.routers % parts or routers & (routers - 1):
        raise Problem(f"{torus} in {parts} parts: sizes are to be powers of two")
    for bit in range(routers.bit_length() - 1):
        dims[bit % len(dims)] *= 2
    return same_density(dims, torus)


def share_cycles(torus):
    return max(50, int(SHARE_HOPS / torus.density / torus.routers) // 2 * 2)


def plan(cores):
    """(torus, cycles before, cycles, how) of all runs; how: 'alone', 'pair', 'intervals', or the number of ranks."""
    shares = [share(case[0], cores) for case in [SMALL, *COMPARED]]
    shares += [share(torus, cores * machines) for torus in PREDICTED for machines in MACHINES]
    runs = [(*SMALL, ranks) for ranks in (2, 4)] + [(*WIDE, "packing"), (*INTERVALS, "intervals")]
    runs += [(torus, 150, share_cycles(torus), "pair") for torus in dict.fromkeys(shares)]
    runs += [(*case, ranks) for case in COMPARED for ranks in RANKS]
    return [*runs, (*ALONE, "alone")]


def seconds(run):
    """Of a window."""
    return statistics.median(run["seconds"])


def moved(torus):
    """Flits out of all routers in a window."""
    return WINDOW * torus.density * torus.routers


def seconds_a_hop(figures, torus, how):
    return seconds(figures.get(torus, how)) / moved(torus)


def typical_hop(figures):
    """Seconds, of a network that was not measured."""
    times = [seconds(run) / moved(Torus(tuple(run["dims"]), run["load"]))
             for run in figures.content["runs"] if run["how"] == "pair"]
    if not times:
        raise Problem(f"{figures.file}: no runs side by side; 'scaling measure' it")
    return statistics.median(times)


def work_of(figures, torus, ranks, machine):
    """The schedule of a run that was measured."""
    return work_of_run(figures.get(torus, ranks), torus, ranks, machine,
                       seconds_a_hop(figures, share(torus, machine.cores), "pair"))


def work_of_run(run, torus, ranks, machine, hop):
    """Its messages, its bytes, its flits; `hop`: seconds of a flit-hop."""
    between, sizes = bytes_between(torus, ranks)
    counted = run["bytes"] / run["windows"] / sum(between.values())
    if len(between) * run["windows"] != run["messages"]:
        raise Problem(f"{torus} by {ranks} ranks: {run['messages']} messages, and the cut gives {len(between)} a window")
    return Work(sizes, {pair: size * counted for pair, size in between.items()}, WINDOW * torus.density, hop,
                machine.seconds_a_byte(ranks), run["windows"])


def fit(figures):
    """Latency from 2 ranks of a small network, in closed form; the turn from 4, by simulation. Packing from a recording:
    to unpack is taken to be as long. Packing in turns from 8 ranks of a larger one, by simulation."""
    packed = figures.get(WIDE[0], "packing")
    packing = 2 * seconds(packed) / (packed["bytes"] / packed["messages"])  # 2 ranks: a message each
    machine = Machine(figures.content["cores"], 0.0, 0.0, packing, packing)
    if machine.cores != 2:
        raise Problem(f"{machine.cores} processors: this model of turns is fitted where 4 and 8 ranks share 2")
    small = work_of(figures, SMALL[0], 2, machine)
    alone = small.routers_seconds(0) + small.packing_seconds(0)
    machine.latency = max(0.0, (seconds(figures.get(SMALL[0], 2)) - alone) / 2)
    for name, case, ranks, most in (("turn", SMALL, 4, 100e-6), ("shared_packing", SHARED, SHARED_RANKS, 100e-9)):
        fit_one(figures, machine, name, case[0], ranks, most)
    return machine


def fit_one(figures, machine, name, torus, ranks, most):
    """By bisection: the more it is, the longer is a window."""
    low, high = 0.0, most
    for _ in range(12):
        setattr(machine, name, (low + high) / 2)
        work = work_of(figures, torus, ranks, machine)
        work.windows = 50
        if simulate(work, machine.experiment(ranks)).window < seconds(figures.get(torus, ranks)):
            low = (low + high) / 2
        else:
            high = (low + high) / 2


def compare(figures, machine):
    """(torus, ranks, run, simulated window) of all that is compared."""
    for torus, *_ in COMPARED:
        for ranks in RANKS:
            if (torus, ranks) == (SHARED[0], SHARED_RANKS):
                continue
            work = work_of(figures, torus, ranks, machine)
            work.windows = min(work.windows, 300)
            yield torus, ranks, work, figures.get(torus, ranks), simulate(work, machine.experiment(ranks))


def interval_seconds(figures, routers):
    """Of a cycle, of a rank with so many."""
    run = figures.get(INTERVALS[0], "intervals")
    return max(0.0, seconds(run)) / INTERVALS[0].routers * routers / INTERVAL_CYCLES


def predict(figures, machine, torus, machines, windows=10):
    """The schedule on a cluster, simulated, and its closed form: seconds of a window."""
    ranks = machines * machine.cores
    between, sizes = bytes_between(torus, ranks)
    work = Work(sizes, between, WINDOW * torus.density, seconds_a_hop(figures, share(torus, ranks), "pair"),
                machine.packing, windows)
    estimate = closed_form(work, cluster_latency(machines), cluster_bandwidth(machine), EDR_EAGER)
    return work, simulate(work, cluster(machine, machines)), estimate
