# SPDX-License-Identifier: Apache-2.0
"""Whole computers on the network: two QEMU guests run MPI programs over TCP. Half a minute a run; skipped, with the
reason, where Debian's packages are not there or the kernel cannot be downloaded."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUESTS = ROOT / "scripts/guests"
EXPERIMENT = ROOT / "tb/experiments/guests-2.yaml"
PLUGIN = Path(os.environ["SARE_BUILD"]) / "libsare_qemu.so"
SKIPPED = 77
# A QEMU that is refused before it has a network.
QEMU = ["qemu-system-x86_64", "-display", "none", "-nodefaults"]


def guests(*words, **environment):
    env = {key: value for key, value in os.environ.items() if key != "SARE_BRIDGE"}
    return subprocess.run([GUESTS, *words], capture_output=True, text=True, check=False, env={**env, **environment})


def half_round_trip_us(folder, length=1):
    said = (folder / "guest-0.txt").read_text()
    return {key: float(value) for key, value in re.findall(
        r"(\w+)=([\d.]+)", re.search(rf"pingpong bytes={length} half_round_trip_us: (.*)", said)[1])}


class Guests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_experiment(self, name, text=None, *words, **environment):
        file = EXPERIMENT
        if text:
            file = Path(self.folder.name) / f"{name}.yaml"
            file.write_text(text)
        out = Path(self.folder.name) / name
        done = subprocess.run([os.environ["SARE"], "run", file, "--quiet", "--no-report", "--out", out, *words],
                              capture_output=True, text=True, check=False, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def test_programs_run_and_the_second_time_is_the_same(self):
        # With QEMU's main loop kept busy the second time: when the host gives it time must not matter.
        out, again = self.run_experiment("one"), self.run_experiment("two", SARE_QEMU_STIR="1")
        said = (out / "guest-0.txt").read_text()
        self.assertIn("guest: pingpong status=0", said)
        self.assertIn("verification=successful", said)
        self.assertEqual(said, (again / "guest-0.txt").read_text())
        workload, other = (json.loads((o / "summary.json").read_text())["workload"] for o in (out, again))
        self.assertEqual(workload["frames_sha256"], other["frames_sha256"])
        self.assertEqual(workload["worst_false_delay_us"], 0)
        for log in [folder / f"guest-{node}.log" for folder in (out, again) for node in (0, 1)]:
            self.assertIn("late by 0 ps at most", log.read_text())
        self.assertIn("0 lost before the network", (out / "guest-1.log").read_text())

        # 20 us more on the way of each frame are 20 us more of half a round trip; of a program from outside.
        own = Path(self.folder.name) / "own.c"
        own.write_bytes((ROOT / "tb/qemu/guest/pingpong.c").read_bytes())
        text = EXPERIMENT.read_text().replace("both", str(own)).replace("../../scripts", str(ROOT / "scripts"))
        far = self.run_experiment("far", text, "--set", "traffic.access_latency=7500")
        for length in (1, 256):
            near_us, far_us = half_round_trip_us(out, length), half_round_trip_us(far, length)
            self.assertAlmostEqual(far_us["min"] - near_us["min"], 20, delta=1)

    def test_a_guest_that_dies_ends_all_with_its_reason(self):
        said, file = Path(self.folder.name) / "said", Path(self.folder.name) / "small.yaml"
        command = f"exec {GUESTS} run --memory 64 2>{said}"  # MB: too little to unpack its files
        file.write_text(re.sub(r"start: .*", f"start: [sh, -c, '{command}']", EXPERIMENT.read_text()))
        done = subprocess.run([os.environ["SARE"], "run", file, "--quiet", "--no-report", "--out", file.with_suffix("")],
                              capture_output=True, text=True, check=False)
        self.assertNotEqual(done.stderr, "")
        end = time.monotonic() + 30  # it is told to end, and does so
        while not said.read_text() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertRegex(said.read_text(), r"^guests: guest [01] has died: it went off before ")

    def test_nothing_is_left_when_it_is_killed(self):
        folder = Path(self.folder.name)
        with subprocess.Popen([GUESTS, "run", "--bridge", f"unix:{folder}/none", "--folder", folder], text=True,
                              stderr=subprocess.PIPE) as script:
            def qemus():
                return [p for p in Path("/proc").glob("[0-9]*/cmdline") if str(folder).encode() in read(p)
                        and b"qemu-system" in read(p)]
            def read(file):
                try:
                    return file.read_bytes()
                except OSError:
                    return b""
            end = time.monotonic() + 30
            while len(qemus()) < 2 and time.monotonic() < end:
                time.sleep(0.05)
            self.assertEqual(len(qemus()), 2)
            script.send_signal(signal.SIGKILL)
            script.wait()
        while qemus() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(qemus(), [])

    def test_what_is_wrong_is_said_in_a_line(self):
        for words, said in [
                (["run"], "guests: no address of a network: --bridge unix:PATH"),
                (["run", "--bridge", "unix:x", "--program", "sp"], "guests: 'sp' is no program: is, pingpong, both"),
                (["run", "--bridge", "unix:x", "--plugin", "none.so"], "guests: none.so is not there: ninja"),
                (["run", "--bridge", "unix:x", "--count", "1"], "2 to 1024 guests"),
                (["build", "--kernel", "none.deb"], "guests: none.deb is no file"),
                (["run", "--bridge", "unix:x", "--program", "none.c"], "guests: compiling ")]:
            done = guests(*words, "--folder", self.folder.name) if words[0] == "run" else guests(*words)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertIn(said, done.stderr.strip().splitlines()[-1])

    def test_nothing_is_built_for_a_run_that_cannot_start(self):
        image = Path(self.folder.name) / "image"
        for words in [], ["--bridge", "unix:x", "--plugin", "none.so"], ["--bridge", "unix:x", "--program", "sp"]:
            self.assertNotEqual(guests("run", "--image", image, *words).returncode, 0)
            self.assertFalse(image.exists(), words)

    def test_the_plug_in_refuses_what_it_cannot_do(self):
        exact = ["-icount", "shift=0,sleep=off"]
        for more, options, said in [
                ([], "", "needs -icount shift=N,sleep=off"),
                (["-icount", "shift=0"], "", "needs -icount shift=N,sleep=off"),
                ([*exact, "-smp", "2"], "", "a guest has one processor"),
                (exact, "", "no address of the network"),
                (exact, ",node=x", "'node=x' is no option"),
                (exact, ",mac=52:54", "'mac=52:54' is no option")]:
            done = subprocess.run([*QEMU, *more, "-plugin", f"{PLUGIN}{options}"], capture_output=True, text=True,
                                  check=False, env={"PATH": os.environ["PATH"]})
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"sare: {said}", done.stderr)


if __name__ == "__main__":
    built = guests("build")
    if built.returncode:
        print(f"skipped: {built.stderr.strip()}")
        sys.exit(SKIPPED)
    sys.exit(unittest.main())
