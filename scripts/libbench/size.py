# SPDX-License-Identifier: Apache-2.0
"""What a flit-hop costs by the size of the network, at equal loads of a link: docs/performance.md."""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

SIZES = {64: [8, 8], 1024: [32, 32], 4096: [64, 64], 65536: [64, 32, 32], 1048576: [128, 128, 64]}
LOADS = (0.05, 0.3)
HOPS = 6e6  # measured in a run, about
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
    """Of a batch."""
    return max(5, int(HOPS / (routers * load * 2 * len(SIZES[routers]) * 4)))


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def run(self, what, prefix=()):
        """Of the cycles, without what writing their results takes: processor seconds (of older programs those of the
        clock on the wall), wall seconds, flit-hops; stderr."""
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
        return its.get("processor_s", its["wall_s"]), its["wall_s"], its["flit_hops"], text

    def hop(self, routers, load, threads):
        """ns of a flit-hop, of processors and of the clock on the wall: the difference of a long and a short run."""
        long, short = (self.run(setting(routers, load, cycles, threads)) for cycles in (cycles_for(routers, load), 1))
        hops = long[2] - short[2]
        return [(a - b) * 1e9 / hops for a, b in zip(long[:2], short[:2])]

    def counts(self, routers, load):
        """Instructions of a flit-hop, and lines that it brings into a cache like the processor's second, by valgrind,
        which fetches none ahead: of the cycles alone."""
        found = []
        for cycles in (max(2, cycles_for(routers, load) // 8), 1):
            tool = ["valgrind", "--tool=callgrind", "--cache-sim=yes", f"--LL={L2['kib'] * 1024},{L2['ways']},64",
                    "--toggle-collect=sare::cycle_engine::run_until*", f"--callgrind-out-file={self.folder / 'callgrind'}"]
            _, _, hops, log = self.run(setting(routers, load, cycles, 1), tool)
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


def measure(folder, paths, most, rounds, lines):
    """All cases by turns, `rounds` times; the medians, what they are of that of 64 routers, and the memory's time."""
    programs = []
    for number, path in enumerate(paths):
        (folder / f"size{number}").mkdir()
        programs.append(Program(path, folder / f"size{number}"))
    cases = [(load, threads, routers) for load in LOADS for threads in (1, 2) for routers in SIZES
             if routers <= most and (threads == 1 or routers >= 512)]
    times = {}
    for _ in range(rounds):
        for case in cases:
            for program in programs:
                load, threads, routers = case
                times.setdefault((program, case), []).append(program.hop(routers, load, threads))
    for program in programs:
        smallest = {}
        for case in cases:
            load, threads, routers = case
            used, wall = (statistics.median(each) for each in zip(*times[program, case]))
            smallest.setdefault(load, used)
            text = (f"size program={program.path} load_of_link={load} threads={threads} routers={routers} "
                    f"ns_per_flit_hop={used:.0f} of_smallest={used / smallest[load]:.2f} wall_ns={wall:.0f}")
            if lines and threads == 1:
                instructions, missed = program.counts(routers, load)
                text += f" instructions={instructions:.0f} lines_into_{L2['kib']}_kib={missed:.2f}"
            print(text, flush=True)
    print(f"size ns_of_a_line_of_memory={ns_of_line():.1f}", flush=True)
