/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives of several sizes, each behind a mark, for a look at the messages inside them. */
#include <mpi.h>
#include <stdlib.h>

#include "traffic/capture/sare_trace.h"

enum { sizes = 4, most = 1 << 18 };
static const int bytes[sizes] = {8, 1024, 32768, most};

int main(int argc, char** argv) {
    int tasks, phase = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &tasks);
    char *out = calloc((size_t)tasks, most), *in = calloc((size_t)tasks, most);
    if (out == NULL || in == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    const MPI_Comm world = MPI_COMM_WORLD;
    SARE_TRACE_MARK(++phase);
    MPI_Barrier(world);
    for (int i = 0; i < sizes; ++i) {
        const int n = bytes[i], part = n / tasks < 8 ? 8 : n / tasks;
        SARE_TRACE_MARK(++phase);
        MPI_Bcast(out, n, MPI_BYTE, 0, world);
        SARE_TRACE_MARK(++phase);
        MPI_Reduce(out, in, n / 8, MPI_DOUBLE, MPI_SUM, 0, world);
        SARE_TRACE_MARK(++phase);
        MPI_Allreduce(out, in, n / 8, MPI_DOUBLE, MPI_SUM, world);
        SARE_TRACE_MARK(++phase);
        MPI_Reduce_scatter_block(out, in, part / 8, MPI_DOUBLE, MPI_SUM, world);
        SARE_TRACE_MARK(++phase);
        MPI_Allgather(out, part, MPI_BYTE, in, part, MPI_BYTE, world);
        SARE_TRACE_MARK(++phase);
        MPI_Alltoall(out, part, MPI_BYTE, in, part, MPI_BYTE, world);
        SARE_TRACE_MARK(++phase);
        MPI_Gather(out, part, MPI_BYTE, in, part, MPI_BYTE, 0, world);
        SARE_TRACE_MARK(++phase);
        MPI_Scatter(out, part, MPI_BYTE, in, part, MPI_BYTE, 0, world);
        SARE_TRACE_MARK(++phase);
        MPI_Scan(out, in, n / 8, MPI_DOUBLE, MPI_SUM, world);
    }
    SARE_TRACE_MARK(++phase);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
