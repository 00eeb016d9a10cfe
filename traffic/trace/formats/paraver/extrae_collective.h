// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"

/// Collectives as Extrae records them, for Dimemas and Paraver alike: the bytes that each process sends and
/// receives in all; a tree's root and leaf have 0 where they only receive or send.
namespace sare::traffic {

/// One process's call.
struct extrae_collective {
    op what = op::barrier;
    std::uint32_t rank = 0, ranks = 1;  ///< rank in the communicator, and its size
    std::uint64_t sent = 0, received = 0;
};

/// True if one process of the collective has a part of its own.
bool has_root(op what);
/// True if the sizes of a call are those of the root.
bool is_root_by_size(const extrae_collective& c);
/// Returns the events of a call; `common` has the communicator and the root. `alike` becomes true if sizes of
/// each process are not recorded, and are taken as alike.
std::vector<event> events_of(const extrae_collective& c, const event& common, bool& alike);

}  // namespace sare::traffic
