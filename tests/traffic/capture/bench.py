# SPDX-License-Identifier: Apache-2.0
"""What the tests of recorded programs have in common. SARE: the command; SARE_BUILD: where the libraries are;
SARE_TEST_MPI: openmpi or mpich."""
import csv
import gzip
import json
import os
import re
import subprocess
import tempfile
import unittest
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SARE = os.environ.get("SARE", ROOT / "build/sare")
TRACE_MPI = ROOT / "scripts/trace-mpi"
MPI = os.environ.get("SARE_TEST_MPI", "mpich")
SOURCES = ["program", "point_to_point", "requests", "communicators", "collectives", "one_sided"]
# Many processes on few processors, as root too.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
LAUNCH = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "--mca", "pml", "ob1", "--mca", "btl",
                      "self,vader", "-n"],
          "mpich": ["mpirun.mpich", "-n"]}
SENDS = {"send": 1, "isend": 1, "sendrecv": 1}
# What the other tasks do is not in the way of messages between two.
COLLECTIVE = re.compile(r"\d+ (barrier|bcast|reduce|allreduce|scan|exscan|gather|scatter|allgather|alltoall|allgatherv|"
                        r"reduce_scatter|alltoallv) ")


def run(*command, **others):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, env=ENVIRONMENT,
                          stdin=subprocess.DEVNULL, **others)


def compiled(folder, sources, *flags, compiler=("mpicc." + MPI,)):
    program = folder / sources[0]
    files = [HERE / f"{name}.c" for name in sources]
    done = run(*compiler, "-std=c99", "-O1", "-I", ROOT, *files, *flags, "-o", program)
    assert done.returncode == 0, done.stderr
    return program


class Trace:
    """The events of a trace, read apart from Sare's own reader."""

    def __init__(self, folder):
        self.file = folder / "trace.sare"
        self.groups, self.events, self.notes, tasks = {0: None}, {}, {}, {}
        for line in self.file.read_text().splitlines():
            words = line.split()
            if words[0] == "communicator":
                self.groups[int(words[1])] = [int(word) for word in words[2:]]
            elif words[0] == "file":
                tasks[int(words[1])] = folder / words[2]
        for task, file in tasks.items():
            with (gzip.open if file.suffix == ".gz" else open)(file, "rt") as text:
                lines = text.read().splitlines()
            self.events[task] = [line.split()[1:] for line in lines if not line.startswith("#")]
            self.notes[task] = [line for line in lines if line.startswith("#")]

    def all(self):
        for task, events in self.events.items():
            for words in events:
                options = dict(word.split("=") for word in words if "=" in word)
                yield task, words, self.groups[int(options.get("on", 0))]

    def flows(self, actions):
        """{(from, to): [messages, bytes]} of some actions."""
        found = {}
        for task, words, group in self.all():
            if words[0] in actions:
                to = int(words[1]) if group is None else group[int(words[1])]
                flow = found.setdefault((task, to), [0, 0])
                flow[0] += 1
                flow[1] += int(words[2])
        return found

    def actions(self):
        return Counter(words[0] for _, words, _ in self.all())


def counted(folder, kind):
    """What the program says of itself."""
    found = {}
    for file in folder.glob("counts-*"):
        for line in file.read_text().splitlines():
            words = line.split()
            if words[0] == kind:
                found[int(words[1]), int(words[2])] = [int(words[3]), int(words[4])]
    return found


def matrix(results):
    """{(from, to): [messages, bytes]} of a run."""
    with open(results / "task_matrix.csv", newline="") as rows:
        return {(int(r["source"]), int(r["destination"])): [int(r["messages"]), int(r["bytes"])] for r in csv.DictReader(rows)}


class Bench(unittest.TestCase):
    """A folder with the program in it, for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        cls.program = compiled(cls.folder, SOURCES)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def record(self, part, tasks, *options):
        """Runs a part of the program; gives its trace and the folder of what it counted."""
        base = self.folder / f"{part}-{tasks}"
        counts, out = base / "counts", base / "trace"
        counts.mkdir(parents=True)
        done = run(TRACE_MPI, "--out", out, *options, *LAUNCH[MPI], tasks, self.program, part, counts)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return Trace(out), counts

    def check(self, trace):
        done = run(SARE, "trace", "check", trace)
        self.assertEqual((done.returncode, done.stderr), (0, ""), trace)

    def replay(self, trace):
        """The workload's results, and the matrix of what was delivered."""
        folder = Path(trace).parent
        (folder / "x.yaml").write_text("network: {topology: mesh, dims: [8, 8]}\nrouter: {vcs: 2}\n"
                                       f"traffic: {{workload: trace, file: {trace}, cpu_factor: 0}}\nobserve: {{matrix: true}}\n")
        done = run(SARE, "run", folder / "x.yaml", "--quiet", "--no-report", "--overwrite", "--out", folder / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((folder / "out/summary.json").read_text())["workload"], matrix(folder / "out")

    def without_collectives(self, folder):
        """A copy in which tasks do nothing together."""
        copy = folder / "messages"
        copy.mkdir()
        (copy / "trace.sare").write_text((folder / "trace.sare").read_text().replace(".gz", ""))
        for file in folder.glob("task-*.gz"):
            lines = gzip.decompress(file.read_bytes()).decode().splitlines(keepends=True)
            (copy / file.stem).write_text("".join(line for line in lines if not COLLECTIVE.match(line.rstrip() + " ")))
        return copy / "trace.sare"

    def compare(self, part, tasks):
        """Recorded is what was counted, for every pair; so is what a replay delivers."""
        trace, counts = self.record(part, tasks)
        own = counted(counts, "sent")
        self.assertTrue(own)
        self.assertEqual(trace.flows(SENDS), own)
        self.check(trace.file)
        self.replay(trace.file)
        self.assertEqual(self.replay(self.without_collectives(trace.file.parent))[1], own)
        return trace
