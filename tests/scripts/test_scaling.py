#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/dev/scaling: the arithmetic of cuts, and that a schedule sends what the run that it is of has sent. No time is tested."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/dev"))
from libscaling import cut, machines, schedule  # noqa: E402

SARE = Path(os.environ.get("SARE", ROOT / "build" / "sare"))
FIGURES = ROOT / "tests" / "data" / "scaling.json"
SCALING = ROOT / "scripts/dev/scaling"
EXPERIMENT = """\
network: {topology: torus, dims: [16, 16]}
routing: dor
router: {vcs: 4, depth: 8}
traffic: {workload: bernoulli, load: 0.05}
measurement: {warmup: 200, convergence_count: 0, batch: 400, batches: 1}
"""


class Cut(unittest.TestCase):
    def test_mean_distance_of_a_ring(self):
        for k in range(1, 12):
            every = [min(d, k - d) for d in range(k)]
            self.assertAlmostEqual(cut.ring_distance(k), sum(every) / k)

    def test_slabs(self):
        rank = cut.cut((4, 4, 8), 4)
        self.assertEqual(cut.sizes_of(rank, 4), [32] * 4)
        self.assertEqual(cut.links_of((4, 4, 8), rank),
                         {(a, b): [0, 0, 16] for a in range(4) for b in range(4) if (a - b) % 4 in (1, 3)})

    def test_blocks(self):
        rank = cut.cut((8, 4, 4), 8)
        self.assertEqual(cut.sizes_of(rank, 8), [16] * 8)
        self.assertEqual(sum(map(sum, cut.links_of((8, 4, 4), rank).values())), 2 * (4 * 16 + 2 * 32))

    def test_two_ranks_meet_at_both_ends(self):
        self.assertEqual(cut.links_of((4, 8), cut.cut((4, 8), 2)), {(0, 1): [0, 8], (1, 0): [0, 8]})

    def test_parts_of_a_plane(self):
        dims = (8, 4, 4)
        links = cut.links_of(dims, [router // 16 for router in range(128)])  # half a plane each
        self.assertEqual(links[0, 1], [0, 16, 0])
        self.assertEqual(links[0, 2], [0, 0, 16])
        self.assertEqual(sorted(b for a, b in links if a == 0), [1, 2, 6])

    def test_uneven_ranks_have_all_routers(self):
        self.assertEqual(sorted(cut.sizes_of(cut.cut((5, 5), 3), 3)), [8, 8, 9])

    def test_same_density(self):
        whole = cut.Torus((64, 32, 32), 0.02)
        self.assertAlmostEqual(cut.same_density((32, 32, 32), whole).density, whole.density)


class Bytes(unittest.TestCase):
    def test_whole_numbers_add_up(self):
        windows = list(schedule.exact_bytes({(0, 1): 10.3, (1, 0): 10.3}, 100))
        self.assertEqual(sum(map(lambda w: sum(w.values()), windows)), 2060)
        self.assertTrue(all(size in (10, 11) for w in windows for size in w.values()))


class ClosedForm(unittest.TestCase):
    WORK = dict(sizes=[100, 100], between={(0, 1): 1000.0, (1, 0): 1000.0}, hops=2.0, seconds_a_hop=1e-7, windows=20,
                varies=False)

    def test_beside_the_simulation(self):
        """Two ranks that wait for nothing: what is computed, and two messages one after the other."""
        work = schedule.Work(seconds_a_byte=4e-9, **self.WORK)
        machine = machines.Machine(2, 1e-6, 0.0, 4e-9, 4e-9)
        self.assertAlmostEqual(machines.closed_form(work, 1e-6, float("inf"), 4096), 20e-6 + 4e-6 + 2e-6)
        self.assertAlmostEqual(schedule.simulate(work, machine.experiment(2)).window * 1e6, 26, delta=0.1)

    def test_cluster_beside_the_simulation(self):
        work = schedule.Work(seconds_a_byte=4e-9, **{**self.WORK, "sizes": [100] * 32,
                             "between": {(a, b): 1000.0 for a in range(32) for b in range(32) if (a - b) % 32 in (1, 31)}})
        machine = machines.Machine(2, 1e-6, 0.0, 4e-9, 4e-9)
        simulated = schedule.simulate(work, machines.cluster(machine, 16)).window
        form = machines.closed_form(work, machines.cluster_latency(16), machines.cluster_bandwidth(machine), 8192)
        self.assertAlmostEqual(simulated / form, 1, delta=0.1)


class Runs(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def scaling(self, *arguments):
        done = subprocess.run([SCALING, *map(str, arguments)], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr.strip().replace(str(self.folder), "DIR")

    @unittest.skipUnless((SARE.parent / "libsare_mpi.so").exists(), "built without Open MPI")
    def test_a_schedule_sends_what_its_run_has_sent(self):
        (self.folder / "a.yaml").write_text(EXPERIMENT)
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        subprocess.run(["mpirun", "--oversubscribe", "-np", "4", SARE, "run", self.folder / "a.yaml", "--out",
                        self.folder / "a", "--quiet", "--no-report"], check=True, env={**os.environ, **root})
        processes = json.loads((self.folder / "a" / "summary.json").read_text())["run"]["processes"]
        status, out, err = self.scaling("schedule", self.folder / "a" / "summary.json", "--figures", FIGURES, "--out",
                                        self.folder / "b")
        self.assertEqual((status, err), (0, ""))
        subprocess.run([SARE, "run", out.strip(), "--out", self.folder / "c", "--quiet", "--no-report", "--set",
                        "observe.matrix=true"], check=True)
        with open(self.folder / "c" / "task_matrix.csv", newline="") as text:
            rows = list(csv.DictReader(text))
        # With the sum of each window: by recursive doubling two messages of 8 bytes of each of 4.
        sums = processes["windows"] * 4 * 2
        self.assertEqual(sum(int(row["messages"]) for row in rows), processes["messages"] + sums)
        self.assertEqual(sum(int(row["bytes"]) for row in rows), processes["bytes"] + 8 * sums)
        # And the arithmetic alone says nearly the same: the network fills in the first of 600 cycles.
        between, _ = cut.bytes_between(cut.Torus((16, 16), 0.05), 4)
        self.assertEqual(len(between) * processes["windows"], processes["messages"])
        self.assertAlmostEqual(sum(between.values()) * processes["windows"] / processes["bytes"], 1, delta=0.1)

    def test_figures_of_the_page_agree_within_a_quarter(self):
        status, out, err = self.scaling("check", FIGURES)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.count("\n| 64x64 |") + out.count("\n| 64x32x32 |"), 6)

    def test_what_is_told(self):
        (self.folder / "x.json").write_text("{}")
        self.assertEqual(self.scaling("check", self.folder / "x.json"),
                         (1, "", "scaling: DIR/x.json: not a file that 'scaling measure' wrote"))
        (self.folder / "s.json").write_text("{}")
        self.assertEqual(self.scaling("schedule", self.folder / "s.json", "--figures", FIGURES, "--out", self.folder / "b"),
                         (1, "", "scaling: DIR/s.json: not a run of several processes; mpirun -np 2 build/sare run ..."))
        self.assertEqual(self.scaling("schedule", self.folder / "no.json", "--figures", FIGURES, "--out", self.folder / "b"),
                         (1, "", "scaling: DIR/no.json: No such file or directory"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
