# SPDX-License-Identifier: Apache-2.0
"""Records an MPI program of ours, compares the trace with what the program counted itself, and replays it to the end."""
import shutil
import unittest
from collections import Counter

from bench import HERE, LAUNCH, MPI, SENDS, TRACE_MPI, Bench, Trace, compiled, counted, run


class Programs(Bench):
    def test_messages(self):
        for tasks in (4, 16):
            trace = self.compare("point_to_point", tasks)
            # Nothing is left open: each receive has the source, tag and bytes that came.
            for _, words, _ in trace.all():
                self.assertNotIn("any", words)

    def test_messages_of_64_tasks(self):
        self.compare("point_to_point", 64)

    def test_requests(self):
        for tasks in (4, 16):
            trace = self.compare("requests", tasks)
            done = trace.actions()
            # 8 rounds of 6, 3 of the persistent one, one that is not waited for; two collective ones; no cancelled receive.
            self.assertEqual(done["isend"], tasks * (8 * 6 + 3 + 1))
            self.assertEqual(done["irecv"], tasks * (8 * 6 + 3 + 1))
            self.assertEqual(done["wait"], tasks * (2 * 8 * 6 + 2 * 3 + 1))

    def test_communicators(self):
        for tasks in (4, 16):
            trace = self.compare("communicators", tasks)
            # Communicators that were freed, and whose handles MPI has given again, have numbers of their own.
            self.assertGreater(len(trace.groups), 15)

    def test_collectives(self):
        for tasks in (4, 16):
            trace = self.compare("collectives", tasks)
            counts = [5 * (t % 4) for t in range(tasks)]
            ints = [4] * tasks
            once = ["barrier", "bcast 1 1000", "reduce 2 400", "allreduce 400", "scan 40", "exscan 80", "gather 3 60",
                    "scatter 0 70", "allgather 80", "alltoall 90", "allgatherv " + " ".join(map(str, counts)),
                    "reduce_scatter " + " ".join(map(str, ints)), "reduce_scatter " + " ".join(map(str, [8] * tasks)),
                    "alltoallv " + " ".join(map(str, ints + ints))]
            for task in range(tasks):
                lines = Counter(" ".join(word for word in words if "=" not in word)
                                for owner, words, _ in trace.all() if owner == task)
                for line in once:
                    self.assertGreaterEqual(lines[line], 2, f"task {task}: {line}")
                self.assertEqual(lines["allgather 80"], 3)
                half = tasks // 2
                to = [1] * half + [4] * half
                got = [1 if task < half else 4] * tasks
                self.assertEqual(lines["alltoallv " + " ".join(map(str, to + got))], 1)

    def test_one_sided(self):
        for tasks in (4, 16):
            trace, counts = self.record("one_sided", tasks)
            self.assertEqual(trace.flows(SENDS), counted(counts, "sent"))
            self.assertEqual(trace.flows({"put": 1}), counted(counts, "put"))
            self.assertEqual(trace.flows({"get": 1}), counted(counts, "gotten"))
            done = trace.actions()
            self.assertEqual((done["fence"], done["flush"], done["probe"]), (2 * tasks, 4 * tasks, 2 * tasks))
            self.check(trace.file)
            self.replay(trace.file)

    def test_computation_is_the_processors_time(self):
        # A tenth of a second each, however many share a processor; the program's own clock is as coarse as a tick.
        trace, _ = self.record("compute", 4)
        for task, events in trace.events.items():
            seconds = sum(float(words[1]) for words in events if words[0] == "compute")
            self.assertGreater(seconds, 0.09, task)
            self.assertLess(seconds, 0.2, task)
            self.assertIn(["mark", "6"], events)

    @unittest.skipUnless(shutil.which("gfortran"), "there is no gfortran")
    def test_fortran(self):
        program = self.folder / "fortran"
        done = run("mpifort." + MPI, HERE / "ring.f90", "-o", program, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.folder / "fortran-trace"
        done = run(TRACE_MPI, "--out", out, *LAUNCH[MPI], 4, program)
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = Trace(out)
        self.assertEqual(trace.flows(SENDS), {(t, (t + 1) % 4): [1, 800] for t in range(4)})
        self.assertEqual(trace.actions()["allreduce"], 4)
        self.check(trace.file)

    def test_threads(self):
        program = compiled(self.folder, ["threads"], "-pthread")
        out = self.folder / "threads-trace"
        done = run(TRACE_MPI, "--out", out, *LAUNCH[MPI], 2, program)
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = Trace(out)
        self.assertEqual(trace.flows(SENDS), {(t, 1 - t): [400, 400 * 64] for t in range(2)})
        self.check(trace.file)
        self.replay(trace.file)

    def test_killed(self):
        """What a process did before it was killed is there, and can be read."""
        program = compiled(self.folder, ["killed"])
        out = self.folder / "killed-trace"
        done = run(TRACE_MPI, "--out", out, *LAUNCH[MPI], 2, program)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.splitlines()[-1],
                         r"^trace-mpi: 'mpirun\.\w+' ended with status \d+; no MPI_Finalize of task .*trace.sare has what was done")
        sends = [words for words in Trace(out).events[0] if words[0] == "send"]
        self.assertEqual(len(sends), 100)


if __name__ == "__main__":
    unittest.main(verbosity=2)
