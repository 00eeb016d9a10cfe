/* SPDX-License-Identifier: Apache-2.0 */
/* program PART FOLDER: an MPI program that says what it did, to be compared with its trace. */
#include "program.h"

#include <time.h>

struct counts counted[kinds];
int rank, size, left, right;
char out[room], in[room];

void count(enum kind what, int task, long bytes) {
    ++counted[what].messages[task];
    counted[what].bytes[task] += bytes;
}

void must(int holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "program: task %d: wrong: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

int task_of(MPI_Comm comm, int r) {
    MPI_Group own, world;
    int task;
    MPI_Comm_group(comm, &own);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(own, 1, &r, world, &task);
    MPI_Group_free(&own);
    MPI_Group_free(&world);
    return task;
}

static void report(const char* folder) {
    static const char* const names[kinds] = {"sent", "put", "gotten"};
    char path[4096];
    snprintf(path, sizeof path, "%s/counts-%d", folder, rank);
    FILE* file = fopen(path, "w");
    must(file != NULL, path);
    for (int k = 0; k < kinds; ++k)
        for (int task = 0; task < size; ++task)
            if (counted[k].messages[task])
                fprintf(file, "%s %d %d %ld %ld\n", names[k], rank, task, counted[k].messages[task],
                        counted[k].bytes[task]);
    fclose(file);
}

/* A tenth of a second of a processor. */
static void compute(void) {
    volatile double sum = 0;
    const double end = 0.1 * CLOCKS_PER_SEC;
    for (const clock_t begin = clock(); (double)(clock() - begin) < end;)
        for (int i = 0; i < 1000; ++i) sum = sum + i;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    must(argc == 3 && size <= most_tasks, "program PART FOLDER, of at most 64 tasks");
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    const struct {
        const char* name;
        void (*run)(void);
    } parts[] = {{"point_to_point", point_to_point}, {"requests", requests},
                 {"communicators", communicators},   {"collectives", collectives},
                 {"one_sided", one_sided},           {"compute", compute}};
    int known = 0;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; ++i) {
        if (strcmp(argv[1], parts[i].name) != 0 && strcmp(argv[1], "all") != 0) continue;
        known = 1;
        SARE_TRACE_MARK((int)i + 1);
        parts[i].run();
    }
    must(known, argv[1]);
    report(argv[2]);
    MPI_Finalize();
    return 0;
}
