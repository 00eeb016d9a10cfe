/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PROGRAM_H
#define PROGRAM_H
/* What a recorded program counts itself: for each task that it sends to, messages and bytes; puts and gets
 * apart. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/capture/sare_trace.h"

enum { most_tasks = 64, room = 1 << 16 };
enum kind { sent, put, gotten, kinds };

struct counts {
    long messages[most_tasks], bytes[most_tasks];
};
extern struct counts counted[kinds];
extern int rank, size, left, right;
extern char out[room], in[room];

void count(enum kind what, int task, long bytes);
/* Ends the program unless `right`. */
void must(int holds, const char* what);
int task_of(MPI_Comm comm, int r);

void point_to_point(void);
void requests(void);
void communicators(void);
void collectives(void);
void one_sided(void);
#endif
