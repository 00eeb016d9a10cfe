// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"

/// Collectives as Extrae records them, in traces of Dimemas and Paraver.
namespace sare::traffic {

/// The call of a collective by one process, with the bytes that it sends and receives in all: a process that
/// only receives has sent 0, and one that only sends has received 0.
struct extrae_collective {
    op what = op::barrier;
    std::uint32_t rank = 0, ranks = 1;  ///< rank of the process in the communicator; number of ranks of the
                                        ///< communicator
    std::uint64_t sent = 0, received = 0;  ///< bytes that the process sends, and receives, in this call
};

/// Returns true if the collective has a root: bcast, reduce, gather, scatter, gatherv, scatterv.
bool has_root(op what);
/// Returns true if the sizes of a call show that its process is the root; false for a collective without
/// root.
bool is_root_by_size(const extrae_collective& c);
/// Returns the events that replace a call: one collective, or for gatherv and scatterv the messages between
/// the root and each other process. `common`: an event with communicator, root, place and number. Sets
/// `alike` to true, and else leaves it, if the blocks of single processes are not recorded and are taken to
/// be equal.
std::vector<event> events_of(const extrae_collective& c, const event& common, bool& alike);

}  // namespace sare::traffic
