/* SPDX-License-Identifier: Apache-2.0 */
/* A message around a ring, thrice, and the sum of what each has computed. */
#include <mpi.h>

#include "traffic/capture/sare_trace.h"

int main(int argc, char** argv) {
    int rank, tasks;
    double mine = 1, sum = 0;
    char out[1000] = {0}, in[1000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &tasks);
    for (int round = 0; round < 3; ++round) {
        SARE_TRACE_MARK(round);
        for (int i = 0; i < 1000000; ++i) mine = mine * 0.999999 + 1e-6;
        MPI_Sendrecv(out, sizeof out, MPI_BYTE, (rank + 1) % tasks, 0, in, sizeof in, MPI_BYTE,
                     MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
