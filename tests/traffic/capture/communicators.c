/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

/* A message around the ring of a communicator. */
static void ring(MPI_Comm comm, int bytes) {
    int r, n;
    MPI_Comm_rank(comm, &r);
    MPI_Comm_size(comm, &n);
    MPI_Request request;
    MPI_Irecv(in, room, MPI_BYTE, MPI_ANY_SOURCE, 0, comm, &request);
    MPI_Send(out, bytes, MPI_BYTE, (r + 1) % n, 0, comm);
    count(sent, task_of(comm, (r + 1) % n), bytes);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_MAX, comm);
}

/* Halves, ranked backwards; again and again, as a program may that frees them. */
static void splits(void) {
    MPI_Comm half, same;
    for (int round = 0; round < 3; ++round) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
        ring(half, 100 + round);
        MPI_Comm_dup(half, &same);
        MPI_Comm_free(&half);
        ring(same, 200);
        MPI_Comm_free(&same);
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, 0, &half);
    must((half == MPI_COMM_NULL) == (rank == 0), "task 0 is left out");
    if (rank != 0) ring(half, 300);
    if (rank != 0) MPI_Comm_free(&half);
    ring(MPI_COMM_SELF, 20);
}

/* Made while other things go on. */
static void made_later(void) {
    MPI_Comm made;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    MPI_Sendrecv(out, 10, MPI_BYTE, right, 0, in, 10, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count(sent, right, 10);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    ring(made, 400);
    MPI_Comm_free(&made);
}

static void by_group(void) {
    MPI_Group world, few;
    MPI_Comm made, again;
    const int members[3] = {2, 0, 3};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 3, members, &few);
    MPI_Comm_create(MPI_COMM_WORLD, few, &made);
    if (made != MPI_COMM_NULL) {
        ring(made, 500);
        MPI_Comm_create_group(made, few, 0, &again);
        ring(again, 501);
        MPI_Comm_free(&again);
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&few);
}

static void topologies(void) {
    MPI_Comm grid, row, graph;
    int dims[2] = {0, 0}, periods[2] = {1, 0}, remain[2] = {1, 0}, down, up;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    ring(grid, 600);
    MPI_Cart_shift(grid, 1, 1, &down, &up);
    MPI_Sendrecv(out, 30, MPI_BYTE, up, 1, in, 30, MPI_BYTE, down, 1, grid, MPI_STATUS_IGNORE);
    if (up != MPI_PROC_NULL) count(sent, task_of(grid, up), 30);
    MPI_Cart_sub(grid, remain, &row);
    ring(row, 610);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    ring(graph, 620);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
}

/* Odd and even tasks, each rank with the same rank of the others. */
static void across(void) {
    MPI_Comm half, both, all;
    const int odd = rank % 2, there = rank / 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - odd, 5, &both);
    MPI_Request request;
    MPI_Irecv(in, room, MPI_BYTE, MPI_ANY_SOURCE, 0, both, &request);
    MPI_Send(out, 700 + rank, MPI_BYTE, there, 0, both);
    count(sent, 2 * there + 1 - odd, 700 + rank);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Intercomm_merge(both, odd, &all);
    ring(all, 710);
    MPI_Comm_free(&all);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

void communicators(void) {
    splits();
    made_later();
    by_group();
    topologies();
    across();
}
