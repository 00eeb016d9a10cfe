/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

static char memory[room];

static void probes(void) {
    MPI_Status got;
    int flag = 0;
    MPI_Request request;
    MPI_Isend(out, 33, MPI_BYTE, right, 6, MPI_COMM_WORLD, &request);
    count(sent, right, 33);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &got);
    must(got.MPI_SOURCE == left && got.MPI_TAG == 6, "what a probe has found");
    while (!flag) MPI_Iprobe(left, 6, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(in, room, MPI_BYTE, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void fenced(MPI_Win window) {
    MPI_Win_fence(0, window);
    MPI_Put(out, 100, MPI_BYTE, right, 0, 100, MPI_BYTE, window);
    MPI_Get(in, 50, MPI_BYTE, left, 2000, 50, MPI_BYTE, window);
    MPI_Accumulate(out, 10, MPI_INT, right, 4000, 10, MPI_INT, MPI_SUM, window);
    count(put, right, 100);
    count(gotten, left, 50);
    count(put, right, 40);
    MPI_Win_fence(0, window);
}

static void locked(MPI_Win window) {
    int one = 1, before = 0;
    MPI_Request request;
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
    MPI_Put(out, 64, MPI_BYTE, right, 0, 64, MPI_BYTE, window);
    MPI_Win_flush(right, window);
    MPI_Fetch_and_op(&one, &before, MPI_INT, right, 8000, MPI_SUM, window);
    MPI_Win_unlock(right, window);
    count(put, right, 64);
    count(put, right, 4);
    count(gotten, right, 4);
    MPI_Win_lock_all(0, window);
    MPI_Rput(out, 32, MPI_BYTE, left, 0, 32, MPI_BYTE, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rget(in, 16, MPI_BYTE, left, 0, 16, MPI_BYTE, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window);
    count(put, left, 32);
    count(gotten, left, 16);
}

/* Each is opened to the left, and puts to the right. */
static void exposed(MPI_Win window) {
    MPI_Group world, from, to;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &left, &from);
    MPI_Group_incl(world, 1, &right, &to);
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Put(out, 128, MPI_BYTE, right, 0, 128, MPI_BYTE, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    count(put, right, 128);
    /* What opens and closes is a message without bytes. */
    count(sent, left, 0);
    count(sent, right, 0);
    MPI_Group_free(&world);
    MPI_Group_free(&from);
    MPI_Group_free(&to);
}

void one_sided(void) {
    MPI_Win window;
    probes();
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    fenced(window);
    MPI_Barrier(MPI_COMM_WORLD);
    locked(window);
    MPI_Barrier(MPI_COMM_WORLD);
    exposed(window);
    MPI_Win_free(&window);
}
