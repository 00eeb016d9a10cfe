// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"

/// Collectives as Extrae records them, in traces of Dimemas and Paraver.
namespace sare::traffic {

/// The call of a collective by one process, with the bytes that Extrae records: of the whole vector for bcast
/// and reduce; of all blocks at the root of gather and scatter; of one block for alltoall. A process that
/// only receives has sent 0, and one that only sends has received 0.
struct extrae_collective {
    op what = op::barrier;              ///< kind of the collective
    std::uint32_t rank = 0, ranks = 1;  ///< rank of the process in the communicator; number of ranks of the
                                        ///< communicator
    std::uint64_t sent = 0, received = 0;  ///< bytes recorded as sent, and as received, in this call
};

/// Returns true if the collective has a root: bcast, reduce, gather, scatter, gatherv, scatterv.
bool has_root(op what);
/// Returns true if the sizes of a call show that its process is the root: it receives in a gather(v), sends
/// in a scatter(v), only sends in a bcast, only receives in a reduce. False where all sizes are 0, and for a
/// collective without root.
bool is_root_by_size(const extrae_collective& c);
/// Returns the events of this process that replace its call: one collective; for gatherv and scatterv,
/// messages to or from the root or, at the root, every other rank. `common`: an event with communicator,
/// root, line and number. `alike` is set to true if the record has only the sum of all blocks, so that they
/// are assumed to be equal; otherwise it keeps its value.
std::vector<event> events_of(const extrae_collective& c, const event& common, bool& alike);

}  // namespace sare::traffic
