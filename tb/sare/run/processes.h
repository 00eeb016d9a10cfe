// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/world.h"

#include <memory>

namespace sare::cli {

/// Number of processes that an mpirun has started, and the number of this one, from 0; 1 and 0 without
/// mpirun.
struct started_processes {
    long count = 1, rank = 0;
};
/// Returns number and rank of the processes of an mpirun, from the environment of Open MPI or PMI.
started_processes processes_started();

/// Joins the processes that mpirun has started, and returns their world; null if this process is alone. Loads
/// libsare_mpi.so, which contains all calls of MPI, from the program's folder or ../lib/sare beside it.
/// Throws config::error if there are other processes and the library is missing, cannot be loaded or has no
/// sare_make_world.
std::unique_ptr<world> join_processes();

}  // namespace sare::cli
