/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

static int counts[most_tasks], places[most_tasks], ones[most_tasks];
static char all[most_tasks * 1024], more[most_tasks * 1024];
static const MPI_Comm world = MPI_COMM_WORLD;

/* All that have whole lines in the trace, once each; the test knows their bytes. */
static void whole(void) {
    MPI_Barrier(world);
    MPI_Bcast(out, 1000, MPI_BYTE, 1, world);
    MPI_Reduce(out, in, 100, MPI_INT, MPI_SUM, 2, world);
    MPI_Allreduce(out, in, 50, MPI_DOUBLE, MPI_SUM, world);
    MPI_Scan(out, in, 10, MPI_INT, MPI_SUM, world);
    MPI_Exscan(out, in, 20, MPI_INT, MPI_SUM, world);
    MPI_Gather(out, 60, MPI_BYTE, all, 60, MPI_BYTE, 3, world);
    MPI_Scatter(all, 70, MPI_BYTE, in, 70, MPI_BYTE, 0, world);
    MPI_Allgather(out, 20, MPI_INT, all, 20, MPI_INT, world);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 20, MPI_INT, world);
    MPI_Alltoall(all, 90, MPI_BYTE, more, 90, MPI_BYTE, world);
    MPI_Allgatherv(out, counts[rank], MPI_BYTE, all, counts, places, MPI_BYTE, world);
    MPI_Reduce_scatter(all, in, ones, MPI_INT, MPI_SUM, world);
    MPI_Reduce_scatter_block(all, in, 2, MPI_INT, MPI_SUM, world);
    MPI_Alltoallv(all, ones, ones, MPI_INT, more, ones, ones, MPI_INT, world);
}

static void beside(void) {
    enum { n = 15 };
    MPI_Request r[n];
    MPI_Ibarrier(world, &r[0]);
    MPI_Ibcast(out, 1000, MPI_BYTE, 1, world, &r[1]);
    MPI_Ireduce(out, in, 100, MPI_INT, MPI_SUM, 2, world, &r[2]);
    MPI_Iallreduce(out, in + 1000, 50, MPI_DOUBLE, MPI_SUM, world, &r[3]);
    MPI_Iscan(out, in + 2000, 10, MPI_INT, MPI_SUM, world, &r[4]);
    MPI_Iexscan(out, in + 3000, 20, MPI_INT, MPI_SUM, world, &r[5]);
    MPI_Waitall(6, r, MPI_STATUSES_IGNORE);
    MPI_Igather(out, 60, MPI_BYTE, all, 60, MPI_BYTE, 3, world, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Iscatter(all, 70, MPI_BYTE, in, 70, MPI_BYTE, 0, world, &r[1]);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    MPI_Iallgather(out, 20, MPI_INT, all, 20, MPI_INT, world, &r[2]);
    MPI_Wait(&r[2], MPI_STATUS_IGNORE);
    MPI_Ialltoall(all, 90, MPI_BYTE, more, 90, MPI_BYTE, world, &r[3]);
    MPI_Wait(&r[3], MPI_STATUS_IGNORE);
    MPI_Iallgatherv(out, counts[rank], MPI_BYTE, all, counts, places, MPI_BYTE, world, &r[4]);
    MPI_Wait(&r[4], MPI_STATUS_IGNORE);
    MPI_Ireduce_scatter(all, in, ones, MPI_INT, MPI_SUM, world, &r[5]);
    MPI_Wait(&r[5], MPI_STATUS_IGNORE);
    MPI_Ireduce_scatter_block(all, in, 2, MPI_INT, MPI_SUM, world, &r[6]);
    MPI_Wait(&r[6], MPI_STATUS_IGNORE);
    MPI_Ialltoallv(all, ones, ones, MPI_INT, more, ones, ones, MPI_INT, world, &r[7]);
    MPI_Wait(&r[7], MPI_STATUS_IGNORE);
}

/* A type for each: the lower half of the tasks get bytes, the others integers. */
static void types_of_all(void) {
    MPI_Datatype types[most_tasks], got[most_tasks];
    for (int t = 0; t < size; ++t) {
        types[t] = t < size / 2 ? MPI_BYTE : MPI_INT;
        got[t] = rank < size / 2 ? MPI_BYTE : MPI_INT;
    }
    MPI_Alltoallw(all, ones, places, types, more, ones, places, got, world);
}

/* Those whose sizes only the root knows are messages. */
static void messages(void) {
    MPI_Request request;
    MPI_Gatherv(out, counts[rank], MPI_BYTE, all, counts, places, MPI_BYTE, 1, world);
    if (rank != 1 && counts[rank]) count(sent, 1, counts[rank]);
    MPI_Scatterv(all, counts, places, MPI_BYTE, in, counts[rank], MPI_BYTE, 0, world);
    MPI_Iscatterv(all, counts, places, MPI_BYTE, in, counts[rank], MPI_BYTE, 0, world, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int t = 1; rank == 0 && t < size; ++t)
        if (counts[t])
            for (int twice = 0; twice < 2; ++twice) count(sent, t, counts[t]);
}

/* On a grid of two dimensions, one of them a ring, perhaps of two. */
static void neighbours(void) {
    MPI_Comm grid;
    MPI_Request request;
    int dims[2] = {2, size / 2}, periods[2] = {1, 0}, next[4], each[4], at[4];
    MPI_Cart_create(world, 2, dims, periods, 0, &grid);
    for (int d = 0; d < 2; ++d) MPI_Cart_shift(grid, d, 1, &next[2 * d], &next[2 * d + 1]);
    MPI_Neighbor_allgather(out, 11, MPI_BYTE, all, 11, MPI_BYTE, grid);
    MPI_Neighbor_alltoall(all, 13, MPI_BYTE, more, 13, MPI_BYTE, grid);
    MPI_Ineighbor_alltoall(all, 17, MPI_BYTE, more, 17, MPI_BYTE, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* Longer upwards than downwards: what goes up comes from below. */
    const int lengths[4] = {100, 200, 300, 400}, got[4] = {200, 100, 400, 300};
    for (int i = 0; i < 4; ++i) at[i] = 500 * i;
    MPI_Neighbor_alltoallv(all, lengths, at, MPI_BYTE, more, got, at, MPI_BYTE, grid);
    for (int i = 0; i < 4; ++i) {
        each[0] = 11, each[1] = 13, each[2] = 17, each[3] = lengths[i];
        for (int k = 0; next[i] != MPI_PROC_NULL && k < 4; ++k) count(sent, next[i], each[k]);
    }
    MPI_Comm_free(&grid);
}

void collectives(void) {
    for (int t = 0; t < size; ++t) {
        counts[t] = 5 * (t % 4);
        places[t] = t == 0 ? 0 : places[t - 1] + counts[t - 1];
        ones[t] = 1;
    }
    whole();
    beside();
    types_of_all();
    messages();
    neighbours();
}
