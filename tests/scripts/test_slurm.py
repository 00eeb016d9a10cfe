# SPDX-License-Identifier: Apache-2.0
"""Sweeps on Slurm: a controller and three nodes on this machine (scripts/slurm-here), parts of which are killed while
a sweep runs. What must come out is what `sare sweep` gives here, byte for byte. Skipped, with the reason, where
Debian's slurm-wlm and munge are not installed."""
import getpass
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLUSTER = ROOT / "scripts/slurm-here"
SARE = os.environ["SARE"]
SKIPPED = 77
# A node that does not answer for so many seconds is down. A slow machine may miss it, too, and its jobs are repeated.
SILENCE = 6

CURVE = """network: {topology: mesh, dims: [4, 4]}
router: {vcs: 2, depth: 4}
traffic: {workload: bernoulli, load: 0.1, length: 4}
measurement: {warmup: 500, convergence_interval: 1000, convergence_tolerance: 0.2, convergence_limit: 8, batch: 500,
              batches: 3}
"""
# Points of a second or two.
SLOW = """network: {topology: mesh, dims: [4, 4]}
traffic: {workload: bernoulli, load: 0.1}
measurement: {warmup: 100, convergence_count: 0, batch: 300000, batches: 10}
"""
SLOW_POINTS = 8
NODES = ("n1", "n2", "n3")
SLOW_AXIS = ("--axis", "seed=" + ",".join(str(seed) for seed in range(1, SLOW_POINTS + 1)))


def until(what, true, seconds=240):
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.1)


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="sare-slurm-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.cluster = cls.folder / "cluster"
        settings = ("MaxArraySize=5", f"SlurmdTimeout={SILENCE}", "SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,bf_interval=3")
        subprocess.run([CLUSTER, "start", cls.cluster, "--nodes", "3", "--cpus", "2", "--with", str(os.getpid()),
                        *(word for s in settings for word in ("--set", s))], check=True, stdin=subprocess.DEVNULL)
        cls.addClassCleanup(subprocess.run, [CLUSTER, "stop", cls.cluster], check=True)
        cls.environment = {**os.environ, "SLURM_CONF": str(cls.cluster / "slurm.conf")}
        (cls.folder / "curve.yaml").write_text(CURVE)
        (cls.folder / "slow.yaml").write_text(SLOW)

    def setUp(self):
        self.dead = set()
        # What a test before this has left: jobs that Slurm has forgotten, nodes that it trusts no more.
        self.tool("scancel", "--user", getpass.getuser())
        until("the queue is empty", lambda: not self.tool("squeue", "--noheader"))
        until("all nodes are idle", self.all_idle)

    def all_idle(self):
        for node in self.tool("sinfo", "--noheader", "--Node", "--format=%N", "--states=drain,down").split():
            self.tool("scontrol", "update", f"NodeName={node}", "State=RESUME", check=False)  # if it is not back already
        return self.tool("sinfo", "--noheader", "--Node", "--format=%t").split() == ["idle"] * 3

    def tool(self, *words, check=True):
        return subprocess.run(words, capture_output=True, text=True, check=check, env=self.environment,
                              cwd=self.folder, timeout=120).stdout

    def start(self, *words, on="slurm"):
        place = ("--on", "slurm", "--poll", "0.5") if on == "slurm" else ("-j", "2")
        process = subprocess.Popen([SARE, "sweep", *words, *place, "--no-report"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def sweep(self, *words, on="slurm", status=0):
        process = self.start(*words, on=on)
        out, err = process.communicate(timeout=400)
        self.assertEqual(process.returncode, status, err)
        return out, err

    def kill(self, what):
        """Until it is revived, or the test has ended."""
        self.tool(CLUSTER, "kill", self.cluster, what)
        self.dead.add(what)
        self.addCleanup(self.revive, what)

    def revive(self, what):
        if what in self.dead:
            self.dead.remove(what)
            self.tool(CLUSTER, "revive", self.cluster, what)

    def points(self, out):
        return sorted(p.name for p in (self.folder / out / "points").glob("*") if "." not in p.name)

    def files(self, out):
        """By name, what a sweep has written but for its jobs; wall clocks left out."""
        found = {}
        for file in (self.folder / out).rglob("*"):
            name = file.relative_to(self.folder / out)
            if file.is_dir() or name.parts[0] in ("jobs", ".lock"):
                continue
            found[str(name)] = file.read_bytes()
            if file.name == "summary.json":
                tree = json.loads(found[str(name)])
                tree.pop("run")
                found[str(name)] = json.dumps(tree)
        return found

    def assert_same(self, out, other):
        one, two = self.files(out), self.files(other)
        self.assertEqual(sorted(one), sorted(two))
        for name, content in one.items():
            self.assertEqual(content, two[name], name)

    @classmethod
    def slow_here(cls):
        """The slow sweep without Slurm, once for all tests."""
        if not (cls.folder / "slow-here").exists():
            subprocess.run([SARE, "sweep", "slow.yaml", *SLOW_AXIS, "-j", "2", "--out", "slow-here", "--no-report",
                            "--quiet"], check=True, cwd=cls.folder)
        return "slow-here"

    def job_of(self, out, state="RUNNING"):
        """Array job and node of each running job of a sweep."""
        names = {json.loads(f.read_text())["array"] for f in (self.folder / out / "jobs").glob("*/submission.json")}
        lines = self.tool("squeue", "--noheader", "--array", f"--states={state}", "--format=%j|%F_%K|%N").split()
        return [line.split("|")[1:] for line in lines if line.split("|")[0] in names]

    def processes_of(self, node):
        """Of jobs on a node, behind what watches over them: a watcher that sees its job end may tell of it before it is
        killed itself."""
        watchers, pids = [], []
        for p in Path("/proc").glob("[0-9]*"):
            try:
                environment = (p / "environ").read_bytes().split(b"\0")
                parent = int((p / "stat").read_text().rsplit(")", 1)[1].split()[1])
                above = Path(f"/proc/{parent}/cmdline").read_bytes()
            except OSError:
                continue
            ours = f"SLURM_CONF={self.cluster}/slurm.conf".encode() in environment
            if ours and f"SLURMD_NODENAME={node}".encode() in environment:
                pids.append(int(p.name))
                if b"slurmstepd" in above:
                    watchers.append(parent)
        return watchers + pids

    def signal_processes(self, node, number):
        pids = self.processes_of(node)
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        return pids

    def kill_processes(self, node):
        return self.signal_processes(node, signal.SIGKILL)

    def has_written_down(self, name):
        """The controller has: of a job by this name. It renames the file, which may not be there for a moment."""
        try:
            return name.encode() in (self.cluster / "state/job_state").read_bytes()
        except FileNotFoundError:
            return False

    def test_the_same_bytes_as_here(self):
        axes = ("curve.yaml", "--axis", "traffic.load=1,0.1,0.3,0.9,0.95", "--axis", "router.vcs=1,2", "--axis", "seed=1,2")
        self.sweep(*axes, "--out", "here", on="local")
        said, _ = self.sweep(*axes, "--out", "there", "--points-per-job", "3", "-j", "2")
        self.assertEqual(said.count("Slurm job"), 2)  # 7 jobs, 5 an array
        self.assert_same("here", "there")
        rows = (self.folder / "there/sweep.csv").read_text().splitlines()[1:]
        self.assertEqual(self.points("there"), sorted(row.split(",")[0].zfill(3) for row in rows))
        self.assertEqual(self.sweep(*axes, "--out", "there")[0].count("Slurm job"), 0)

    def test_the_controller_dies_and_comes_back(self):
        process = self.start("slow.yaml", *SLOW_AXIS, "--out", "controller", "--at-once", "2")
        until("a point", lambda: self.points("controller"))
        # It writes its jobs down some seconds late. Without them it would give their numbers to others, take that for a
        # fault of the nodes, and use none of them until an operator says so. On a quick machine the sweep might end
        # before: until then its jobs are halted.
        name = json.loads((self.folder / "controller/jobs/001/submission.json").read_text())["array"]

        def is_written_down():
            for node in NODES:
                self.signal_processes(node, signal.SIGSTOP)
            return self.has_written_down(name)

        until("the jobs are written down", is_written_down)
        self.assertLess(len(self.points("controller")), SLOW_POINTS)
        self.kill("controller")
        for node in NODES:
            self.signal_processes(node, signal.SIGCONT)
        said = process.stderr.readline()
        self.assertIn("Slurm is asked again until it answers", said)
        self.revive("controller")
        _, err = process.communicate(timeout=400)
        self.assertEqual(process.returncode, 0, err)
        self.assert_same("controller", self.slow_here())

    def test_two_nodes_die(self):
        """With all that runs on them. The jobs of one sweep are not repeated by Slurm, so the sweep submits their points
        again; those of the other one are."""
        lone = self.start("slow.yaml", *SLOW_AXIS, "--out", "lone", "--points-per-job", "4", "--submit-option=--no-requeue",
                          "--submit-option=--exclude=n2")
        requeued = self.start("slow.yaml", *SLOW_AXIS, "--out", "requeued", "--points-per-job", "4",
                              "--submit-option=--exclude=n1")
        kept = {}
        for out, node in (("lone", "n1"), ("requeued", "n2")):
            until("a job on " + node, lambda: any(n == node for _, n in self.job_of(out)))
            until("its processes", lambda n=node: self.processes_of(n))
            self.kill(node)
            until("they are gone", lambda n=node: not self.kill_processes(n))
            kept.update({p: p.stat().st_mtime_ns for p in (self.folder / out).glob("points/*/summary.json")})
        # One is found dead by Slurm, the other by its operator.
        self.tool("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=dead")
        for process, again in ((lone, True), (requeued, False)):
            said, err = process.communicate(timeout=400)
            self.assertEqual((process.returncode, err), (0, ""))
            self.assertEqual(said.count("Slurm job") > 1, again, said)
        self.assertIn("Requeuing", (self.cluster / "log/controller").read_text())
        for out in ("lone", "requeued"):
            self.assert_same(out, self.slow_here())
        for file, when in kept.items():
            self.assertEqual(file.stat().st_mtime_ns, when)

    def test_only_the_daemon_of_a_node_dies(self):
        # Its job goes on; whether Slurm hears of its end or repeats it, nothing is lost.
        process = self.start("slow.yaml", *SLOW_AXIS, "--out", "daemon")
        jobs = []
        until("a job", lambda: jobs or jobs.extend(self.job_of("daemon")))
        _, node = jobs[0]
        self.kill(node)
        time.sleep(1)
        self.revive(node)
        _, err = process.communicate(timeout=400)
        self.assertEqual(process.returncode, 0, err)
        self.assert_same("daemon", self.slow_here())

    def test_the_sweep_is_killed_and_goes_on(self):
        process = self.start("slow.yaml", *SLOW_AXIS, "--out", "killed")
        until("a point", lambda: self.points("killed"))
        process.kill()
        process.communicate()
        said, _ = self.sweep("slow.yaml", *SLOW_AXIS, "--out", "killed")
        self.assertIn("jobs were submitted before", said)
        self.assertEqual(len(list((self.folder / "killed/jobs").iterdir())), 2)  # no array more
        self.assert_same("killed", self.slow_here())

    def test_ctrl_c_cancels_and_the_same_command_goes_on(self):
        process = self.start("slow.yaml", *SLOW_AXIS, "--out", "interrupted")
        until("a point", lambda: self.points("interrupted"))
        process.send_signal(signal.SIGINT)
        said, err = process.communicate(timeout=100)
        self.assertEqual((process.returncode, err), (130, ""))
        self.assertIn("points to go; the same command goes on", said)
        self.assertEqual(self.job_of("interrupted", "RUNNING,PENDING"), [])
        self.assertTrue(self.points("interrupted"))
        self.sweep("slow.yaml", *SLOW_AXIS, "--out", "interrupted")
        self.assert_same("interrupted", self.slow_here())

    def test_detached(self):
        said, _ = self.sweep("slow.yaml", *SLOW_AXIS, "--out", "detached", "--detach")
        self.assertIn("points to go", said)
        _, err = self.sweep("slow.yaml", *SLOW_AXIS, "--out", "detached", on="local", status=1)
        self.assertIn("sare: detached: has jobs at work (Slurm job ", err)
        said, _ = self.sweep("slow.yaml", *SLOW_AXIS, "--out", "detached")
        self.assertIn("jobs were submitted before", said)
        self.assert_same("detached", self.slow_here())

    def test_a_job_cancelled_by_hand_is_left(self):
        process = self.start("slow.yaml", *SLOW_AXIS, "--out", "cancelled")
        jobs = []
        until("a job", lambda: jobs or jobs.extend(self.job_of("cancelled")))
        job = jobs[0][0]
        self.tool("scancel", job)
        _, err = process.communicate(timeout=400)
        self.assertEqual(process.returncode, 1)
        self.assertIn(f"no result: Slurm job {job} ended as CANCELLED; ", err)
        self.sweep("slow.yaml", *SLOW_AXIS, "--out", "cancelled")
        self.assert_same("cancelled", self.slow_here())

    def test_a_search(self):
        """The designs of a time are a sweep; what was found is what is found here."""
        if not (Path(SARE).parent / "python/sare/search.py").exists():
            self.skipTest("there is no package for Python")
        (self.folder / "search.yaml").write_text(CURVE + "explore: {parameters: {router.vcs: [1, 2], routing: [dor, o1turn, valiant]}, "
                                                 "objectives: {latency_mean: min}, runs: 6}\n")
        (self.folder / "highest.yaml").write_text(CURVE + "explore: {parameters: {router.vcs: [1, 2]}, objectives: {saturation: max}}\n")

        def explore(*words, file="search.yaml", status=0):
            done = subprocess.run([SARE, "explore", file, "--quiet", *words], capture_output=True, text=True, cwd=self.folder,
                                  env=self.environment, timeout=400)
            self.assertEqual(done.returncode, status, done.stderr)
            return done.stderr

        there = ("--on", "slurm", "--poll", "0.5", "-j", "3", "--out", "found-there")
        explore(*there, "--runs", "3")
        explore(*there)
        explore("--out", "found-here")

        def rows(out):
            """Without the number, and the words of a mistake."""
            lines = (self.folder / out / "designs.csv").read_text().splitlines()
            return sorted(line.split(",", 1)[1].split("failed,")[0] for line in lines)

        self.assertEqual(rows("found-there"), rows("found-here"))
        self.assertEqual(sum(row in ("1,o1turn,", "1,valiant,") for row in rows("found-there")), 2)
        self.assertEqual(len(list((self.folder / "found-there/batches").iterdir())), 2)
        explore(*there[:-1], "highest-there", file="highest.yaml")  # each a search for saturation, a job of its own
        explore("--out", "highest-here", file="highest.yaml")
        self.assertEqual(rows("highest-there"), rows("highest-here"))
        for file in ("search.yaml", "highest.yaml"):
            refused = (*there[:-1], f"refused-{file}", "--partition", "fast")
            self.assertIn("invalid partition specified: fast", explore(*refused, file=file, status=1))

    def test_a_regression(self):
        """Each run is a job; verdicts are those of here, and so is the file for a CI, but for times."""
        (self.folder / "nightly.yaml").write_text("regress:\n  runs:\n    - {name: nics, random: 1, of: nics, cycles: 300, "
                                                  "speed: quick}\n    - {name: foreign, experiment: curve.yaml, set: [cosim.rtl=none.so, "
                                                  "cosim.replace=5], cycles: 100}\n")
        said = {}
        for out, more in (("regress-here", ()), ("regress-there", ("--on", "slurm", "--poll", "0.5"))):
            done = subprocess.run([SARE, "regress", "nightly.yaml", "--out", out, "--no-store", *more], capture_output=True,
                                  text=True, cwd=self.folder, env=self.environment, timeout=400)
            if "'cosim'" in done.stderr:
                self.skipTest("the program has no RTL")
            said[out] = (done.returncode, done.stderr, done.stdout.splitlines()[-1],
                         re.sub(r' time="[^"]*"', "", (self.folder / out / "junit.xml").read_text()))
        self.assertEqual(said["regress-here"], said["regress-there"])
        self.assertEqual(said["regress-here"][0], 1)
        self.assertEqual(said["regress-here"][2], "cases=2 mismatches=0 errors=1 flaky=0")

    def test_what_slurm_refuses(self):
        _, err = self.sweep("curve.yaml", "--axis", "seed=1,2", "--out", "refused", "--partition", "fast", status=1)
        self.assertEqual(err, "sare: sbatch: invalid partition specified: fast; Batch job submission failed: Invalid "
                              "partition name specified\n")
        _, err = self.sweep("curve.yaml", "--axis", "seed=1,2", "--out", "refused", "--time", "soon", status=1)
        self.assertEqual(err, "sare: sbatch: Invalid --time specification\n")


if __name__ == "__main__":
    os.environ["PATH"] += ":/usr/sbin"
    missing = [program for program in ("slurmctld", "slurmd", "sbatch", "munged") if not shutil.which(program)]
    if missing:
        print("skipped: there is no", ", ".join(missing))
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
