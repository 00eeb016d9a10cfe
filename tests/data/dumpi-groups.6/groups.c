// SPDX-License-Identifier: Apache-2.0
// What the traces beside it are of: 6 processes, communicators made in every way that DUMPI records.
#include <mpi.h>

static int me;
static MPI_Status status;

/// Each to the next rank, and all meet.
static void ring(MPI_Comm in) {
    if (in == MPI_COMM_NULL) return;
    int rank, size, got;
    MPI_Comm_rank(in, &rank);
    MPI_Comm_size(in, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &got, 1, MPI_INT, (rank + size - 1) % size, 3, in,
                 &status);
    MPI_Barrier(in);
}

static void ring_of(MPI_Group group) {
    MPI_Comm made;
    MPI_Comm_create(MPI_COMM_WORLD, group, &made);
    ring(made);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

/// Ranks of both sides to each other, and collectives.
static void across(MPI_Comm in) {
    if (in == MPI_COMM_NULL) return;
    int rank, size, remote, sum;
    MPI_Comm_rank(in, &rank);
    MPI_Comm_size(in, &size);
    MPI_Comm_remote_size(in, &remote);
    int got[6], sent[6] = {0}, ones[6] = {1, 1, 1, 1, 1, 1}, places[6] = {0, 1, 2, 3, 4, 5};
    if (rank < remote) {
        MPI_Request request;
        MPI_Isend(&rank, 1, MPI_INT, rank, 4, in, &request);
        MPI_Recv(got, 1, MPI_INT, MPI_ANY_SOURCE, 4, in, &status);
        MPI_Wait(&request, &status);
    }
    MPI_Barrier(in);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, in);
    MPI_Allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, in);
    MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, in);
    if (size != remote) return;  // the recording has one count for each of the own side
    MPI_Alltoallv(sent, ones, places, MPI_INT, got, ones, places, MPI_INT, in);
    MPI_Allgatherv(&rank, 1, MPI_INT, got, ones, places, MPI_INT, in);
}

static void groups(MPI_Group* evens, MPI_Group* odds) {
    MPI_Group world, middle, turned, both, made;
    int even[] = {0, 2, 4}, ranges[][3] = {{5, 3, -1}, {0, 0, 1}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 3, even, evens);
    MPI_Group_excl(world, 3, even, odds);
    MPI_Group_range_incl(world, 2, ranges, &turned);
    ring_of(turned);
    MPI_Group_range_excl(world, 2, ranges, &middle);
    MPI_Group_union(middle, *evens, &both);
    ring_of(both);
    MPI_Group_intersection(both, *odds, &made);
    ring_of(made);
    MPI_Group_difference(both, *odds, &made);
    ring_of(made);
    MPI_Group_difference(made, both, &made);  // none
    ring_of(made);
}

static void intercommunicators(MPI_Group evens, MPI_Group odds) {
    const int odd = me % 2;
    MPI_Comm half, between, made;
    MPI_Comm_create(MPI_COMM_WORLD, odd ? odds : evens, &half);  // both in one call
    ring(half);
    MPI_Intercomm_create(half, odd, MPI_COMM_WORLD, odd ? 0 : 3, 9, &between);
    across(between);
    MPI_Intercomm_merge(between, !odd, &made);
    ring(made);
    MPI_Intercomm_merge(between, 1, &made);
    ring(made);
    MPI_Comm_dup(between, &made);
    across(made);
    MPI_Comm_split(between, me < 3, -me, &made);  // two and one, one and two
    across(made);
    MPI_Group own, two, remote;
    int ranks[] = {2, 0};
    MPI_Comm_group(between, &own);
    MPI_Group_incl(own, 2, ranks, &two);
    MPI_Comm_create(between, two, &made);
    across(made);
    MPI_Comm_remote_group(between, &remote);
    MPI_Comm_group(MPI_COMM_WORLD, &own);
    MPI_Group_difference(own, remote, &own);
    ring_of(own);
}

/// Beyond its edges is no process.
static void grids(void) {
    int lengths[] = {3, 2}, around[] = {0, 1}, rows[] = {1, 0}, columns[] = {0, 1}, up, down, got;
    MPI_Comm grid, made;
    MPI_Cart_create(MPI_COMM_WORLD, 2, lengths, around, 1, &grid);
    ring(grid);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Sendrecv(&me, 1, MPI_INT, down, 5, &got, 1, MPI_INT, up, 5, grid, &status);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&got, 1, MPI_INT, up, 6, grid, &requests[0]);
    MPI_Isend(&me, 1, MPI_INT, down, 6, grid, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    MPI_Cart_sub(grid, rows, &made);
    ring(made);
    MPI_Cart_sub(grid, columns, &made);
    ring(made);
    int index[] = {2, 4, 6}, edges[] = {1, 2, 0, 2, 0, 1};
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &made);
    ring(made);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Group evens, odds;
    groups(&evens, &odds);
    intercommunicators(evens, odds);
    grids();
    MPI_Comm made;
    MPI_Comm_split(MPI_COMM_WORLD, me % 3 ? me % 3 : MPI_UNDEFINED, -me, &made);
    ring(made);
    MPI_Finalize();
    return 0;
}
