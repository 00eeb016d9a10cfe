// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/world.h"

#include <memory>

namespace sare::cli {

/// The processes that mpirun has started, this one among them; null where it is alone. What they talk by is
/// in libsare_mpi.so, beside the program or in ../lib/sare, which is loaded then: the program itself needs no
/// MPI. Throws config::error where there are others and no such library.
std::unique_ptr<world> join_processes();

}  // namespace sare::cli
