# SPDX-License-Identifier: Apache-2.0
"""What scripts/trace-mpi says where something is wrong: one line, and no traceback."""
import os
import tempfile
import unittest
from pathlib import Path

from bench import LAUNCH, TRACE_MPI, compiled, run


class Problems(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = Path(self.scratch.name)
        self.out = self.folder / "trace"

    def expect(self, said, *command):
        done = run(TRACE_MPI, "--out", self.out, *command)
        self.assertEqual(done.returncode, 1, done.stderr)
        last = done.stderr.splitlines()[-1]
        self.assertRegex(last, "^trace-mpi: .*" + said)
        self.assertNotIn("Traceback", done.stderr)

    def test_nothing_to_run(self):
        done = run(TRACE_MPI)
        self.assertEqual(done.returncode, 2)
        self.assertIn("for example: trace-mpi mpirun -n 4", done.stderr)

    def test_no_launcher(self):
        self.expect("'mpirun.other' is not there", "mpirun.other", "-n", "2", "./program")

    def test_folder_exists(self):
        self.out.mkdir()
        self.expect("trace is there already", *LAUNCH["mpich"], 2, "true")

    def test_no_program_of_mpi(self):
        self.expect("nothing is recorded.*MPI program", *LAUNCH["mpich"], 2, "true")
        self.assertFalse(self.out.exists())

    def test_launcher_of_the_other_mpi(self):
        self.expect("is linked with MPICH, but mpirun.openmpi is Open MPI's", "mpirun.openmpi", "-n", "2",
                    compiled(self.folder, ["killed"]))

    def test_no_such_program(self):
        self.expect("ended with status .*nothing is recorded", *LAUNCH["mpich"], 2, "./there-is-none")

    def test_inside_open_mpi(self):
        self.expect("--inside is for MPICH", "--inside", "mpirun.openmpi", "-n", "2", "true")

    def test_disk_is_full(self):
        """The program goes on, and ends well."""
        program = compiled(self.folder, ["threads"], "-pthread")
        disk = self.folder / "disk"
        disk.mkdir()
        command = " ".join(map(str, [TRACE_MPI, "--plain", "--out", disk / "trace", *LAUNCH["mpich"], 2, program]))
        done = run("unshare", "-rm", "sh", "-c", f"mount -t tmpfs -o size=16k tmpfs {disk} && exec {command}")
        if done.stderr.startswith("unshare:"):
            self.skipTest(done.stderr.splitlines()[0])
        self.assertEqual(done.returncode, 1)
        lines = done.stderr.splitlines()
        self.assertIn(f"sare-trace: {disk}/trace/task-0: No space left on device; the recording of this task ends here", lines)
        self.assertRegex(lines[-1], "^trace-mpi: .*(No space left on device|no MPI_Finalize of task)")
        self.assertNotIn("Traceback", done.stderr)

    def test_program_behind_a_script(self):
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\n{compiled(self.folder, ['ring'])}\n")
        script.chmod(0o755)
        done = run(TRACE_MPI, "--out", self.out, *LAUNCH["mpich"], 2, script)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.out / "trace.sare").is_file())


if __name__ == "__main__":
    os.chdir(tempfile.gettempdir())
    unittest.main(verbosity=2)
