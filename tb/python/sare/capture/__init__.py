# SPDX-License-Identifier: Apache-2.0
"""What scripts/trace-mpi does: it runs an MPI program with a library of the build tree that records it."""
