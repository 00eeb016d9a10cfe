/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Half a round trip between rank 0 and the last one, for some lengths. The others wait. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { least = 1, most = 16384, step = 16, warm_up = 5, rounds = 20, tag = 1 };

static void round_trip(int rank, int other, char* bytes, int length) {
    if (!rank) {
        MPI_Send(bytes, length, MPI_BYTE, other, tag, MPI_COMM_WORLD);
        MPI_Recv(bytes, length, MPI_BYTE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(bytes, length, MPI_BYTE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(bytes, length, MPI_BYTE, other, tag, MPI_COMM_WORLD);
    }
}

static void measure(int rank, int other, char* bytes, int length) {
    double sum = 0, shortest = 1e30, longest = 0;
    for (int i = -warm_up; i < rounds; ++i) {
        double start = MPI_Wtime();
        round_trip(rank, other, bytes, length);
        double half = (MPI_Wtime() - start) / 2;
        if (i < 0) continue;
        sum += half;
        if (half < shortest) shortest = half;
        if (half > longest) longest = half;
    }
    if (rank) return;
    printf("pingpong bytes=%d half_round_trip_us: mean=%.3f min=%.3f max=%.3f rounds=%d\n", length,
           sum / rounds * 1e6, shortest * 1e6, longest * 1e6, rounds);
}

int main(int argc, char** argv) {
    int rank = 0, size = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char* bytes = calloc(1, most);
    int last = size - 1;
    if (last && (!rank || rank == last)) {
        for (int length = least; length <= most; length *= step)
            measure(rank, rank ? 0 : last, bytes, length);
    }
    free(bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
