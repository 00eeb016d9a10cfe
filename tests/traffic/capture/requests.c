/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

enum { some = 6 };

/* Sends and receives of several lengths on the ring. */
static void post(MPI_Request all[2 * some], int tag) {
    for (int i = 0; i < some; ++i) {
        MPI_Irecv(in + 1000 * i, 1000, MPI_BYTE, i % 2 ? left : MPI_ANY_SOURCE, tag + i, MPI_COMM_WORLD,
                  &all[i]);
        MPI_Request* send = &all[some + i];
        if (i % 3 == 0) MPI_Isend(out, 10 * i, MPI_BYTE, right, tag + i, MPI_COMM_WORLD, send);
        if (i % 3 == 1) MPI_Issend(out, 10 * i, MPI_BYTE, right, tag + i, MPI_COMM_WORLD, send);
        if (i % 3 == 2) MPI_Ibsend(out, 10 * i, MPI_BYTE, right, tag + i, MPI_COMM_WORLD, send);
        count(sent, right, 10 * i);
    }
}

static void complete(MPI_Request all[2 * some], int how) {
    int done = 0, which = 0, flag = 0, indices[2 * some];
    MPI_Status got[2 * some];
    switch (how) {
        case 0:
            MPI_Waitall(2 * some, all, MPI_STATUSES_IGNORE);
            break;
        case 1:
            for (int i = 0; i < 2 * some; ++i) MPI_Waitany(2 * some, all, &which, MPI_STATUS_IGNORE);
            break;
        case 2:
            for (int n = 0; n < 2 * some; n += done) MPI_Waitsome(2 * some, all, &done, indices, got);
            break;
        case 3:
            while (!flag) MPI_Testall(2 * some, all, &flag, got);
            break;
        case 4:
            for (int n = 0; n < 2 * some; n += flag) {
                MPI_Testany(2 * some, all, &which, &flag, MPI_STATUS_IGNORE);
                flag = flag && which != MPI_UNDEFINED;
            }
            break;
        case 5:
            for (int n = 0; n < 2 * some; n += done)
                MPI_Testsome(2 * some, all, &done, indices, MPI_STATUSES_IGNORE);
            break;
        case 6:
            for (int i = 0; i < 2 * some; ++i)
                for (flag = 0; !flag;) MPI_Test(&all[i], &flag, MPI_STATUS_IGNORE);
            break;
        default:
            for (int i = 0; i < 2 * some; ++i) {
                for (flag = 0; !flag;) MPI_Request_get_status(all[i], &flag, &got[i]);
                MPI_Wait(&all[i], MPI_STATUS_IGNORE);
            }
    }
}

/* Started thrice; the second time one by one. */
static void persistent(void) {
    MPI_Request all[2];
    MPI_Send_init(out, 77, MPI_BYTE, right, 9, MPI_COMM_WORLD, &all[0]);
    MPI_Recv_init(in, 100, MPI_BYTE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &all[1]);
    for (int round = 0; round < 3; ++round) {
        if (round == 1) {
            MPI_Start(&all[1]);
            MPI_Start(&all[0]);
        } else {
            MPI_Startall(2, all);
        }
        count(sent, right, 77);
        MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Request_free(&all[0]);
    MPI_Request_free(&all[1]);
}

/* A receive that nobody sends to, and a send that nobody waits for. */
static void given_up(void) {
    MPI_Request receive, send;
    MPI_Status got;
    int cancelled = 0;
    MPI_Irecv(in, 100, MPI_BYTE, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &receive);
    MPI_Cancel(&receive);
    MPI_Wait(&receive, &got);
    MPI_Test_cancelled(&got, &cancelled);
    must(cancelled, "a receive is cancelled");
    MPI_Irecv(in, 100, MPI_BYTE, left, 98, MPI_COMM_WORLD, &receive);
    MPI_Isend(out, 50, MPI_BYTE, right, 98, MPI_COMM_WORLD, &send);
    count(sent, right, 50);
    MPI_Request_free(&send);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
}

void requests(void) {
    static char space[room];
    MPI_Request all[2 * some];
    MPI_Buffer_attach(space, sizeof space);
    for (int how = 0; how < 8; ++how) {
        post(all, 10 * how);
        complete(all, how);
    }
    void* buffer;
    int n;
    MPI_Buffer_detach(&buffer, &n);
    persistent();
    given_up();
}
