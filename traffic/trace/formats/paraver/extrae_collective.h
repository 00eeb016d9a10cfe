// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"

/// Collectives as Extrae records them, for Dimemas and Paraver: the bytes that each process sends and
/// receives in all; a process that only receives has sent 0, and one that only sends has received 0.
namespace sare::traffic {

/// The call of one process.
struct extrae_collective {
    op what = op::barrier;
    std::uint32_t rank = 0, ranks = 1;     ///< rank of the process in the communicator, and its size
    std::uint64_t sent = 0, received = 0;  ///< bytes
};

/// True if the collective has a root.
bool has_root(op what);
/// True if the sizes of a call show that its process is the root.
bool is_root_by_size(const extrae_collective& c);
/// Returns the events of a call. `common`: an event with the communicator and the root. Sets `alike` to true
/// if the sizes of single processes are not recorded, so that all are taken as equal.
std::vector<event> events_of(const extrae_collective& c, const event& common, bool& alike);

}  // namespace sare::traffic
