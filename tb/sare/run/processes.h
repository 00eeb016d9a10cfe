// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/world.h"

#include <memory>

namespace sare::cli {

/// Of the processes that an mpirun has started: how many, and which this one is; one where there is none.
struct started_processes {
    long count = 1, rank = 0;
};
started_processes processes_started();

/// The processes that mpirun has started, this one among them; null where it is alone. What they talk by is
/// in libsare_mpi.so, beside the program or in ../lib/sare, which is loaded then: the program itself needs no
/// MPI. Throws config::error where there are others and no such library.
std::unique_ptr<world> join_processes();

}  // namespace sare::cli
