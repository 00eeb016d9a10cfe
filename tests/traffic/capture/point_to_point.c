/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

/* Sends of every kind around the ring, longer from higher tasks, into receives with more room than that. */
static void kinds_of_sends(void) {
    static char space[4 * room];
    MPI_Request request;
    const int bytes = 100 * (rank + 1), most = 100 * most_tasks;
    MPI_Buffer_attach(space, sizeof space);
    for (int kind = 0; kind < 4; ++kind) {
        MPI_Irecv(in, most, MPI_BYTE, left, kind, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD); /* a ready send needs a receive that is there */
        if (kind == 0) MPI_Send(out, bytes, MPI_BYTE, right, kind, MPI_COMM_WORLD);
        if (kind == 1) MPI_Bsend(out, bytes, MPI_BYTE, right, kind, MPI_COMM_WORLD);
        if (kind == 2) MPI_Ssend(out, bytes, MPI_BYTE, right, kind, MPI_COMM_WORLD);
        if (kind == 3) MPI_Rsend(out, bytes, MPI_BYTE, right, kind, MPI_COMM_WORLD);
        count(sent, right, bytes);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    void* buffer;
    int n;
    MPI_Buffer_detach(&buffer, &n);
}

/* All to task 0, which takes them in whatever order they come, with the rest of one known: source, tag,
 * neither. */
static void wildcards(void) {
    const int bytes = 10 * rank;
    for (int round = 0; round < 4; ++round) {
        if (rank != 0) {
            MPI_Send(out, bytes, MPI_BYTE, 0, round == 1 ? 7 : rank, MPI_COMM_WORLD);
            count(sent, 0, bytes);
        }
        for (int t = 1; rank == 0 && t < size; ++t) {
            MPI_Status got;
            MPI_Request request;
            const int from = round == 2 ? t : MPI_ANY_SOURCE, tag = round == 1 ? 7 : MPI_ANY_TAG;
            if (round < 3) {
                MPI_Recv(in, room, MPI_BYTE, from, tag, MPI_COMM_WORLD, &got);
            } else {
                MPI_Irecv(in, room, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request);
                MPI_Wait(&request, &got);
            }
            must(round == 1 || got.MPI_SOURCE == got.MPI_TAG, "tag of a message");
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void exchanges(void) {
    const int up = rank + 1 < size ? right : MPI_PROC_NULL, down = rank > 0 ? left : MPI_PROC_NULL;
    MPI_Sendrecv(out, 640, MPI_BYTE, right, 1, in, 640, MPI_BYTE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count(sent, right, 640);
    MPI_Sendrecv(out, 40, MPI_INT, right, rank, in, 40, MPI_INT, left, left, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    count(sent, right, 160);
    MPI_Sendrecv_replace(out, 8, MPI_DOUBLE, left, 3, right, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count(sent, left, 64);
    MPI_Sendrecv(out, 5, MPI_BYTE, up, 4, in, 5, MPI_BYTE, down, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (up != MPI_PROC_NULL) count(sent, up, 5);
}

/* A column of a matrix, and a part of it: their bytes, not what they span. */
static void datatypes(void) {
    MPI_Datatype column, part;
    const int sizes[2] = {16, 16}, sub[2] = {3, 5}, at[2] = {2, 2};
    MPI_Request request;
    MPI_Type_vector(16, 1, 16, MPI_DOUBLE, &column);
    MPI_Type_create_subarray(2, sizes, sub, at, MPI_ORDER_C, MPI_DOUBLE, &part);
    MPI_Type_commit(&column);
    MPI_Type_commit(&part);
    MPI_Irecv(in, 2, column, left, 0, MPI_COMM_WORLD, &request);
    MPI_Send(out, 2, column, right, 0, MPI_COMM_WORLD);
    count(sent, right, 2 * 16 * 8);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 15, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &request);
    MPI_Send(out, 1, part, right, 0, MPI_COMM_WORLD);
    count(sent, right, 15 * 8);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Type_free(&part);
}

/* A probe that takes its message: the one behind it, with the same tag, is received first. */
static void matched_probes(void) {
    MPI_Message message;
    MPI_Request request, sends[3];
    MPI_Status got;
    int flag = 0;
    for (int i = 0; i < 3; ++i) {
        MPI_Isend(out, 10 + i, MPI_BYTE, right, 5, MPI_COMM_WORLD, &sends[i]);
        count(sent, right, 10 + i);
    }
    MPI_Mprobe(left, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Recv(in, room, MPI_BYTE, left, 5, MPI_COMM_WORLD, &got);
    MPI_Mrecv(in, room, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    while (!flag) MPI_Improbe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, &message, &got);
    MPI_Imrecv(in, room, MPI_BYTE, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
}

void point_to_point(void) {
    kinds_of_sends();
    wildcards();
    exchanges();
    datatypes();
    matched_probes();
}
