# SPDX-License-Identifier: Apache-2.0
"""The messages inside MPICH's collectives: recorded of a program that is linked with libmpich.a, and compared with what
algorithms that both have do."""
import tempfile
import unittest
from pathlib import Path

import compare

# What MPICH's manual and sources call by the same names, on 4 tasks: (collective, Sare's name).
SAME = {("bcast 0 8", "binomial"), ("reduce 0 8", "binomial"), ("allreduce 8", "recursive_doubling"),
        ("reduce_scatter 8 8 8 8", "recursive_halving"), ("allgather 8", "recursive_doubling"), ("gather 0 8", "binomial"),
        ("scatter 0 8", "binomial"), ("bcast 0 262144", "binomial"), ("alltoall 8192", "pairwise")}


class Inside(unittest.TestCase):
    def test_messages_are_those_of_the_algorithms(self):
        with tempfile.TemporaryDirectory() as folder:
            found = {(call, name) for call, _, kinds in compare.rows(Path(folder), 4) for name in kinds["same"]}
        self.assertLessEqual(SAME, found)


if __name__ == "__main__":
    unittest.main()
