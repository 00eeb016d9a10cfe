# SPDX-License-Identifier: Apache-2.0
"""The ways to run one experiment that must give the same files: again, with checkpoints, resumed after a kill, by threads, by processes."""
import csv
import json
import os
import re
import resource
import shutil
import subprocess
import time

LIMIT = 120  # seconds of one run, of the processor: others may want it, too
WAIT = 10 * LIMIT  # and in all
LIBRARY_TEXT = re.compile(r"json\.exception|yaml-cpp|std::|basic_string|terminate called|filesystem error|runtime error:|Sanitizer|SIG[A-Z]+")
RAN = (0, 3)  # exit status
CANNOT = re.compile("several processes cannot run this|cannot be written|checkpoints:|there are [0-9]+, and it has|do not pay|cut into")


class Failure(Exception):
    """The program did what it never may: crashed, hung, spoke as a library."""


class Runner:
    def __init__(self, program, folder, draw):
        self.program, self.folder, self.draw = str(program), folder, draw
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                                UBSAN_OPTIONS="print_stacktrace=1", ASAN_OPTIONS="check_initialization_order=1:strict_init_order=1")

    def start(self, words, before=()):
        return subprocess.Popen([*before, self.program, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True, errors="replace", env=self.environment, start_new_session=True,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5)))

    def end(self, process):
        try:
            said = process.communicate(timeout=WAIT)[1]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            raise Failure(f"still running after {WAIT} s") from None
        self.judge(process.returncode, said)
        return process.returncode, said

    @staticmethod
    def judge(status, said):
        if status not in (0, 1, 2, 3):
            raise Failure(f"status {status}: {said[-3000:]}")
        if found := LIBRARY_TEXT.search(said):
            raise Failure(f"says '{found[0]}': {said[-3000:]}")

    def run(self, out, *options, before=()):
        """(status, what it said); the results are in the folder `out`."""
        return self.end(self.start(["run", "setting.yaml", "--out", out, *QUIET, *options], before))

    def results(self, out, of_one=True):
        """By name, without what depends on the hour and on the way; None: there are none. `of_one`: with what only one process
        knows, the numbers of packets and messages."""
        folder = self.folder / out
        if not (folder / "summary.json").exists():
            return None
        files = {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}
        summary = json.loads(files["summary.json"])
        summary.pop("run", None)
        summary.get("config", {}).pop("threads", None)
        files["summary.json"] = json.dumps(summary).encode()
        if not of_one and "slowest.csv" in files:
            rows = csv.DictReader(files["slowest.csv"].decode().splitlines())
            files["slowest.csv"] = [{**row, "packet": "", "message": ""} for row in rows if row["chosen"] != "asked"]
        return files

    # The ways: the folder of the results, or None where this experiment cannot be run so.

    def again(self, out):
        return out if self.run(out)[0] in RAN else None

    def checkpoints(self, out, cycles):
        every = self.draw.choice([1, self.draw.randint(1, cycles), self.draw.randint(1, cycles)]) if cycles < 60 else self.draw.randint(cycles // 10, cycles)
        self.how = f"--checkpoint {every}"
        return self.possible(out, *self.run(out, "--checkpoint", str(every)))

    def resumed(self, out, cycles):
        """Killed when it has written a checkpoint or more."""
        every = str(max(1, cycles // self.draw.randint(3, 8)))
        self.how = f"--checkpoint {every}, killed and resumed"
        process = self.start(["run", "setting.yaml", "--out", out, *QUIET, "--checkpoint", every])
        place, wanted, begun = self.folder / f"{out}.checkpoints", self.draw.randint(1, 2), time.monotonic()
        seen = set()
        while process.poll() is None and len(seen) < wanted and time.monotonic() < begun + WAIT:
            seen.update(place.glob("*.checkpoint") if place.exists() else ())
            time.sleep(0.001)
        was_running = process.poll() is None
        if was_running:
            os.killpg(process.pid, 9)
            process.communicate()
        else:
            self.judge(process.returncode, process.stderr.read())
        if not was_running or not place.exists() or not any(place.iterdir()) or (self.folder / out / "summary.json").exists():
            shutil.rmtree(place, ignore_errors=True)
            return None
        return self.possible(out, *self.end(self.start(["run", "--resume", out, "--quiet", "--no-report"])))

    def threads(self, out):
        number = self.draw.choice([2, 2, 3, 4])
        self.how = f"--threads {number}"
        out = self.possible(out, *self.run(out, "--threads", str(number), "--all-threads"))
        return out if out and self.summary(out)["run"]["threads"] > 1 else None

    def summary(self, out):
        return json.loads((self.folder / out / "summary.json").read_text())

    def processes(self, out):
        number, threads = self.draw.choice([2, 3, 3]), self.draw.choice([1, 2, 3])
        self.how = f"mpirun -np {number} --threads {threads}"
        return self.possible(out, *self.run(out, "--threads", str(threads), "--all-threads",
                                            before=("mpirun", "--oversubscribe", "-np", str(number))))

    def possible(self, out, status, said):
        if status not in RAN and not (self.folder / out / "summary.json").exists():
            if CANNOT.search(said):
                return None
            raise Failure(f"{self.how}: refused: {said[-600:]}")
        return out


QUIET = ("--overwrite", "--quiet", "--no-report")
