// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"

/// Collectives as Extrae records them, for Dimemas and Paraver alike: at each process the bytes that it
/// sends and receives in all, those of a tree's root and leaf being 0 where they only receive or send.
namespace sare::traffic {

/// A call of one process.
struct extrae_collective {
    op what = op::barrier;
    std::uint32_t rank = 0, ranks = 1;  ///< in the communicator
    std::uint64_t sent = 0, received = 0;
};

/// Whether one process has a part of its own.
bool has_root(op what);
/// Whether the sizes of a call of such a kind are those of the root.
bool is_root_by_size(const extrae_collective& c);
/// What the call is; `common` has the communicator and the root. `alike` becomes true where sizes of each
/// process are not recorded, and taken as alike.
std::vector<event> events_of(const extrae_collective& c, const event& common, bool& alike);

}  // namespace sare::traffic
