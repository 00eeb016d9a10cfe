# SPDX-License-Identifier: Apache-2.0
"""Times of runs on this machine: alone, two independent ones side by side, and by mpirun. A try that others' processes
have disturbed is made again."""
import json
import os
import re
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from .cut import WINDOW
from .problem import Problem
from .program import ROOT, SARE

BUSY = 0.04   # of the processors' time, by others: more is a disturbance
TRIES = 5
MPIRUN = ["mpirun", "--oversubscribe"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def processor():
    """As /proc/cpuinfo names it."""
    text = Path("/proc/cpuinfo").read_text()
    of = lambda key: (re.findall(rf"^{key}\s*: (.*)$", text, re.M) or ["?"])[0]
    return f"{of('model name')} (family {of('cpu family')}, model {of('model')}, {of('cpu MHz')} MHz)"


def experiment(torus, warmup, cycles, batches=1):
    return {"network": {"topology": "torus", "dims": list(torus.dims)}, "routing": "dor", "router": {"vcs": 4, "depth": 8},
            "traffic": {"workload": "bernoulli", "load": torus.load},
            "measurement": {"warmup": warmup, "convergence_count": 0, "batch": cycles // batches, "batches": batches},
            "checks": {"deadlock": False}}


def start(folder, name, setting, ranks):
    file = folder / f"{name}.yaml"
    file.write_text(json.dumps(setting))
    prefix = [*MPIRUN, "-np", str(ranks)] if ranks > 1 else []
    return subprocess.Popen([*prefix, SARE, "run", file, "--out", folder / name, "--overwrite", "--quiet", "--no-report"],
                            env={**os.environ, **AS_ROOT}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(folder, name, process):
    said = process.communicate()[1].strip()
    if process.returncode != 0:
        raise Problem(f"sare ended with status {process.returncode}: {said.splitlines()[-1] if said else 'it says nothing'}")
    return json.loads((folder / name / "summary.json").read_text())


def busy_seconds():
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return sum(int(fields[k]) for k in (1, 2, 3, 6, 7, 8)) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def once(setting, how):
    """The summaries of the processes, one or two, and the part of the processors' time that went to others."""
    names = ["a", "b"] if how == "pair" else ["a"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun, busy, own = time.monotonic(), busy_seconds(), own_seconds()
        started = [start(folder, n, setting, how if isinstance(how, int) else 1) for n in names]
        summaries = [finish(folder, n, p) for n, p in zip(names, started)]
        spent = time.monotonic() - begun
        return summaries, (busy_seconds() - busy - (own_seconds() - own)) / spent / os.cpu_count()


def undisturbed(setting, how, accept_all=False):
    """What counts of a run."""
    for _ in range(TRIES):
        summaries, others = once(setting, how)
        if others <= BUSY or accept_all:
            return [counts(s) for s in summaries]
    raise Problem(f"{100 * others:.0f}% of this machine's processors are at work for others; measure when it is quiet, or "
                  "take what comes by --busy")


def counts(summary):
    run = summary["run"]
    found = {"seconds": run["wall_s"], "windows": -(-summary["cycles"] // WINDOW)}
    if "processes" in run:
        if run["processes"]["window_cycles"] != WINDOW:
            raise Problem(f"windows of {run['processes']['window_cycles']} cycles; this model knows those of {WINDOW}")
        found |= {key: run["processes"][key] for key in ("windows", "messages", "bytes")}
    return found


def difference(setting, other, how, accept_all):
    """Mean of the processes, of what the one run has more than the other."""
    more, less = undisturbed(setting, how, accept_all), undisturbed(other, how, accept_all)
    return {key: sum(m[key] - l[key] for m, l in zip(more, less)) / len(more) for key in more[0]}


def packing(torus, warmup, cycles, ranks=2):
    """By a recording of the ranks' own calls of MPI: `seconds` of a processor between the sum and the exchange of a window,
    median of all windows and ranks, and the counts of the run. What else the machine does takes no part in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.yaml").write_text(json.dumps(experiment(torus, warmup, cycles)))
        done = subprocess.run([ROOT / "scripts" / "trace-mpi", "--plain", "--mpi", "openmpi", "--out", folder / "trace", *MPIRUN,
                               "-np", str(ranks), SARE, "run", folder / "a.yaml", "--out", folder / "a", "--quiet",
                               "--no-report"], env={**os.environ, **AS_ROOT}, capture_output=True, text=True)
        if done.returncode != 0:
            raise Problem(f"trace-mpi ended with status {done.returncode}: {done.stderr.strip()}")
        times = []
        for task in folder.glob("trace/task-*"):
            of_task = list(packing_times(task.read_text().splitlines()))
            times += of_task[len(of_task) * warmup // (warmup + cycles):]
        return {**counts(json.loads((folder / "a" / "summary.json").read_text())), "seconds": statistics.median(times)}


def packing_times(lines):
    """Of a task of a recording: what is computed between an allreduce and an isend."""
    before = [("", ""), ("", "")]
    for line in lines:
        action, value = (line.split() + ["", "", ""])[1:3]
        if action == "isend" and before[1][0] == "compute" and before[0][0] == "allreduce":
            yield float(before[1][1])
        before = [before[1], (action, value)]


def record(torus, found, how):
    """What is kept of a run beside its time."""
    kept = {"dims": list(torus.dims), "load": torus.load, "how": how, "windows": int(found["windows"])}
    return kept | {key: int(found[key]) for key in ("messages", "bytes") if key in found}


def interval_end(torus, warmup, cycles, many=40):
    """Seconds of a processor, by what a process took in all."""
    used = []
    for batches in (1, many):
        before = own_seconds()
        once(experiment(torus, warmup, cycles, batches), "alone")
        used.append(own_seconds() - before)
    return (used[1] - used[0]) / (many - 1)


def try_once(torus, warmup, cycles, how, accept_all):
    """What is kept of a case, and its time: of a window; of 'intervals' that of one's end. As a difference of a long and a
    short run, so that building, beginning and results are left out."""
    if how == "packing":
        found = packing(torus, warmup, cycles)
        return record(torus, found, how), found["seconds"]
    if how == "intervals":
        return record(torus, {"windows": 0}, how), interval_end(torus, warmup, cycles)
    found = difference(experiment(torus, warmup, cycles + WINDOW), experiment(torus, warmup, WINDOW), how, accept_all)
    return record(torus, found, how), found["seconds"] / found["windows"]


class Figures:
    """Of a file; times of a case are a list, whose median counts."""

    def __init__(self, file):
        self.file = Path(file)
        self.content = {"processor": processor(), "cores": os.cpu_count(), "runs": []}
        if self.file.exists():
            try:
                self.content = json.loads(self.file.read_text())
                self.content["runs"], self.content["cores"]
            except (ValueError, KeyError, TypeError):
                raise Problem(f"{self.file}: not a file that 'scaling measure' wrote") from None

    def find(self, torus, how):
        for run in self.content["runs"]:
            if (tuple(run["dims"]), run["how"]) == (torus.dims, how) and abs(run["load"] / torus.load - 1) < 1e-9:
                return run
        return None

    def get(self, torus, how):
        run = self.find(torus, how)
        if run is None:
            raise Problem(f"{self.file}: nothing of {torus} at load {torus.load:.4g}, {how}; 'scaling measure' it")
        return run

    def add(self, torus, warmup, cycles, how, accept_all):
        kept, seconds = try_once(torus, warmup, cycles, how, accept_all)
        run = self.find(torus, how)
        if run is None:
            run = {**kept, "seconds": []}
            self.content["runs"].append(run)
        run["seconds"].append(float(f"{seconds:.4g}"))
        self.file.write_text(self.text())
        return seconds

    def text(self):
        """A line a case."""
        head = {key: value for key, value in self.content.items() if key != "runs"}
        runs = ",\n  ".join(map(json.dumps, self.content["runs"]))
        return json.dumps(head)[:-1] + f', "runs": [\n  {runs}\n]}}\n'
