! SPDX-License-Identifier: Apache-2.0
! A message around a ring, and a sum.
program ring
  use mpi
  implicit none
  integer :: rank, tasks, failed, status(MPI_STATUS_SIZE)
  double precision :: out(100), in(100), total

  call MPI_Init(failed)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, failed)
  call MPI_Comm_size(MPI_COMM_WORLD, tasks, failed)
  out = rank
  call MPI_Sendrecv(out, 100, MPI_DOUBLE_PRECISION, mod(rank + 1, tasks), 7, in, 100, MPI_DOUBLE_PRECISION, &
                    MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, status, failed)
  call MPI_Allreduce(in(1), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, failed)
  if (nint(total) /= tasks * (tasks - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 1, failed)
  call MPI_Finalize(failed)
end program ring
