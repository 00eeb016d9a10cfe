/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads of each of two processes send and receive at the same time, by blocking calls that wait for
 * each other. */
#include <mpi.h>
#include <pthread.h>

static int rank;

static void* talk(void* tag_of) {
    const int tag = *(int*)tag_of, other = 1 - rank;
    char out[64] = {0}, in[64];
    for (int i = 0; i < 200; ++i) {
        if ((rank + tag) % 2 == 0) MPI_Ssend(out, 64, MPI_BYTE, other, tag, MPI_COMM_WORLD);
        MPI_Recv(in, 64, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if ((rank + tag) % 2 != 0) MPI_Ssend(out, 64, MPI_BYTE, other, tag, MPI_COMM_WORLD);
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided, tags[2] = {0, 1};
    pthread_t second;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&second, NULL, talk, &tags[1]);
    talk(&tags[0]);
    pthread_join(second, NULL);
    MPI_Finalize();
    return 0;
}
