# SPDX-License-Identifier: Apache-2.0
"""What a flit-hop costs by the size of the network, at equal loads of a link: docs/performance.md."""
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

SIZES = {64: [8, 8], 1024: [32, 32], 4096: [64, 64], 65536: [64, 32, 32], 1048576: [128, 128, 64]}
LOADS = (0.05, 0.3)
SECONDS = 2  # that the cycles of a figure take at least
FIRST_HOPS = 6e6  # of a first try, about
NOISE = 0.25  # of a figure: where rounds differ by more, it is none
L2 = {"kib": 1024, "ways": 16}


def hops_of_way(dims):
    """Links of a packet's way, in the mean."""
    return sum((d // 2) * ((d + 1) // 2) / d for d in dims)


def setting(routers, load, cycles, threads):
    """`load`: flits a link and cycle. A warm-up until packets that began at first have come."""
    dims = SIZES[routers]
    return {"network": {"topology": "torus", "dims": dims}, "routing": {"function": "dor"},
            "router": {"vcs": 4, "depth": 8}, "threads": threads,
            "traffic": {"workload": "bernoulli", "pattern": "uniform", "length": 1,
                        "load": load * 2 * len(dims) / hops_of_way(dims)},
            "measurement": {"warmup": 100 + int(8 * hops_of_way(dims)), "convergence_count": 0, "batch": cycles,
                            "batches": 4},
            "checks": {"deadlock": False}}


def cycles_for(routers, load):
    """Of a batch, in a first try."""
    return max(5, int(FIRST_HOPS / (routers * load * 2 * len(SIZES[routers]) * 4)))


def spread(rounds):
    """Largest less smallest, as a part of the median."""
    return (max(rounds) - min(rounds)) / abs(statistics.median(rounds)) if statistics.median(rounds) else float("inf")


def is_figure(rounds):
    """Whether the rounds agree so well that their median says something."""
    return len(rounds) > 1 and min(rounds) > 0 and spread(rounds) <= NOISE


def text_of(name, rounds):
    """A figure with the least and the most of its rounds; without the figure where their noise swallows it."""
    median = f"{statistics.median(rounds):.0f}" if is_figure(rounds) else "unknown"
    return f"{name}={median} {name}_from={min(rounds):.0f} {name}_to={max(rounds):.0f}"


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.cycles = {}  # of a batch, by case

    def run(self, what, prefix=()):
        """Of the cycles, without what writing their results takes: processor seconds (of older programs those of the
        clock on the wall), wall seconds, flit-hops, threads; stderr."""
        file, out = self.folder / "size.yaml", self.folder / "out"
        file.write_text(json.dumps(what))
        shutil.rmtree(out, ignore_errors=True)
        with (self.folder / "log").open("w+") as log:
            process = subprocess.Popen([*prefix, self.path, "run", file, "--out", out, "--quiet", "--no-report"], stderr=log)
            status = process.wait()
            log.seek(0)
            text = log.read()
        if status != 0:
            sys.exit(f"bench: {self.path} ended with status {status}: {text.strip()}")
        its = json.loads((out / "summary.json").read_text())["run"]
        return its.get("processor_s", its["wall_s"]), its["wall_s"], its["flit_hops"], its["threads"], text

    def hop(self, routers, load, threads):
        """ns of a flit-hop, of processors and of the clock on the wall, and the threads at work: the difference of a
        long and a short run, the long one so long that it takes SECONDS more."""
        cycles = self.cycles.get((routers, load, threads), cycles_for(routers, load))
        short = self.run(setting(routers, load, 1, threads))
        while True:
            long = self.run(setting(routers, load, cycles, threads))
            took = min(a - b for a, b in zip(long[:2], short[:2]))
            if took >= SECONDS:
                break
            cycles = math.ceil(cycles * min(100, max(1.5, 1.2 * SECONDS / max(took, 1e-3))))
        self.cycles[routers, load, threads] = cycles
        hops = long[2] - short[2]
        return [*((a - b) * 1e9 / hops for a, b in zip(long[:2], short[:2])), long[3]]

    def counts(self, routers, load):
        """Instructions of a flit-hop, and lines that it brings into a cache like the processor's second, by valgrind,
        which fetches none ahead: of the cycles alone."""
        found = []
        for cycles in (max(2, cycles_for(routers, load) // 8), 1):
            tool = ["valgrind", "--tool=callgrind", "--cache-sim=yes", f"--LL={L2['kib'] * 1024},{L2['ways']},64",
                    "--toggle-collect=sare::cycle_engine::run_until*", f"--callgrind-out-file={self.folder / 'callgrind'}"]
            _, _, hops, _, log = self.run(setting(routers, load, cycles, 1), tool)
            counted = [re.search(rf"{what}:\s+([\d,]+)", log).group(1) for what in (r"I\s+refs", "LLd misses")]
            found.append([*(int(count.replace(",", "")) for count in counted), hops])
        instructions, lines, hops = (long - short for long, short in zip(*found))
        return instructions / hops, lines / hops


def ns_of_line():
    """What the memory takes for a line that is changed, one after the other: the least of some rounds."""
    import numpy  # the other measurements do without

    words = numpy.zeros(1 << 25)  # more than caches hold
    lines = words[::64 // words.itemsize]
    rounds = []
    for _ in range(6):
        start = time.process_time()
        lines += 1
        rounds.append((time.process_time() - start) * 1e9 / lines.size)
    return min(rounds)


def line_of(case, times):
    """What is told of a case: `times`: by case, of a program, its rounds of hop()."""
    load, threads, routers = case
    used, wall, taken = zip(*times[case])
    text = (f"load_of_link={load} threads={threads} threads_at_work={min(taken)} routers={routers} "
            f"{text_of('ns_per_flit_hop', used)} {text_of('wall_ns', wall)}")
    smallest = next(times[other] for other in times if other[0] == load)
    for name, of, to in (("of_smallest", [r[0] for r in smallest], used),
                         ("times_as_fast", wall, [r[1] for r in times.get((load, 1, routers), [])])):
        if (name == "times_as_fast") == (threads > 1) and is_figure(of) and is_figure(to):
            text += f" {name}={statistics.median(to) / statistics.median(of):.2f}"
    return text


def measure(folder, paths, most, rounds, lines):
    """All cases by turns, `rounds` times; the medians, what they are of that of 64 routers, and the memory's time. True
    if the rounds agree about all figures."""
    programs = []
    for number, path in enumerate(paths):
        (folder / f"size{number}").mkdir()
        programs.append(Program(path, folder / f"size{number}"))
    cases = [(load, threads, routers) for load in LOADS for threads in (1, 2) for routers in SIZES
             if routers <= most and (threads == 1 or routers >= 512)]
    times = {program: {case: [] for case in cases} for program in programs}
    for _ in range(rounds):
        for load, threads, routers in cases:
            for program in programs:
                times[program][load, threads, routers].append(program.hop(routers, load, threads))
    for program in programs:
        for load, threads, routers in cases:
            text = f"size program={program.path} {line_of((load, threads, routers), times[program])}"
            if lines and threads == 1:
                instructions, missed = program.counts(routers, load)
                text += f" instructions={instructions:.0f} lines_into_{L2['kib']}_kib={missed:.2f}"
            print(text, flush=True)
    print(f"size ns_of_a_line_of_memory={ns_of_line():.1f}", flush=True)
    noisy = [case for program in programs for case in cases for k in (0, 1)
             if not is_figure([r[k] for r in times[program][case]])]
    if noisy:
        print(f"bench: {len(noisy)} figures are unknown: their rounds differ by more than {NOISE:.0%}; measure on a quiet "
              "machine", file=sys.stderr)
    return not noisy
