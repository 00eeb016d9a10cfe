// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/calls.h"

#include <functional>
#include <memory>
#include <vector>

namespace sare::capture {

/// A communicator, or the processes of a window, as a trace has it: of an intercommunicator the ranks of one
/// side, then those of the other.
struct group {
    int number = 0;      ///< 0: all tasks
    int own_first = 0;   ///< the trace's rank of rank 0 of this process's side
    int peer_first = 0;  ///< that of rank 0 of those that messages go to
    int rank = 0;        ///< this process's, in MPI
    int size = 1;        ///< of this process's side
    bool inter = false;
    std::vector<int> world;  ///< by the trace's rank

    std::string on() const { return number == 0 ? "" : "on=" + std::to_string(number); }
    int peer(int mpi_rank) const { return peer_first + mpi_rank; }
};
using group_pointer = std::shared_ptr<const group>;

/// What a communicator is in the trace; null for one that is not known (of processes that were spawned, or of
/// a session), which is said once
/// unless `said` is false.
group_pointer group_of(MPI_Comm comm, bool said = true);
/// A new communicator is agreed on by all that are in it, who all call this; MPI_COMM_NULL is nothing.
void adopt(MPI_Comm comm);
/// As adopt(), for one that a non-blocking call on `parent` makes: starts to agree on it. What is returned
/// ends that, once the call has ended.
std::function<void()> adopt_later(MPI_Comm parent, MPI_Comm* made);
void forget(MPI_Comm comm);
/// Tasks of a group's processes; MPI_UNDEFINED for those of another world.
std::vector<int> tasks_of(MPI_Group some);
/// The world is known.
void begin_groups();

/// The processes of a window, which has a number of its own: called by all that are in `comm`.
void adopt_window(MPI_Win window, MPI_Comm comm);
group_pointer window_group(MPI_Win window);
void forget_window(MPI_Win window);

}  // namespace sare::capture
