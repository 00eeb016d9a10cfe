// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/groups.h"
#include "traffic/capture/sare_trace.h"

/// Beginning, end and marks.
namespace sare::capture {
namespace {

void start() {
    if (!record().wanted()) return;
    int task = 0;
    int tasks = 1;
    int level = MPI_THREAD_SINGLE;
    PMPI_Comm_rank(MPI_COMM_WORLD, &task);
    PMPI_Comm_size(MPI_COMM_WORLD, &tasks);
    PMPI_Query_thread(&level);
    record().start(task, tasks, level == MPI_THREAD_MULTIPLE);
    begin_groups();
}

}  // namespace
}  // namespace sare::capture

using namespace sare::capture;

SARE_EXPORT int MPI_Init(int* argc, char*** argv) {
    const call in;
    const int result = SARE_REAL(Init)(argc, argv);
    start();
    return result;
}
SARE_ALSO_PMPI(Init)

SARE_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const call in;
    const int result = SARE_REAL(Init_thread)(argc, argv, required, provided);
    start();
    return result;
}
SARE_ALSO_PMPI(Init_thread)

SARE_CALL(Finalize, SARE_LIST(), SARE_LIST(), {
    record().finish("end");
    return real();
})

SARE_CALL(Abort, SARE_LIST(MPI_Comm comm, int code), SARE_LIST(comm, code), {
    record().finish("aborted");
    return real();
})

SARE_EXPORT void sare_trace_mark(int phase) {
    const call in;
    if (in.recorded()) record().event("mark", phase);
}
