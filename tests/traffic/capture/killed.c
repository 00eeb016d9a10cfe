/* SPDX-License-Identifier: Apache-2.0 */
/* A process that is killed after a hundred messages, without a word; the other one waits for more. */
#include <mpi.h>
#include <signal.h>

int main(int argc, char** argv) {
    int rank;
    char byte = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 101; ++i) {
        if (rank == 0 && i == 100) raise(SIGKILL);
        if (rank == 0)
            MPI_Send(&byte, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
