// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/calls.h"

#include <functional>
#include <memory>
#include <vector>

namespace sare::capture {

/// A communicator, or the processes of a window, as a trace has it: the ranks of an intercommunicator's one
/// side, then the ranks of the other.
struct group {
    int number = 0;      ///< number in the trace; 0: all tasks
    int own_first = 0;   ///< trace's rank of rank 0 of this process's side
    int peer_first = 0;  ///< trace's rank of rank 0 of the side that messages go to
    int rank = 0;        ///< rank of this process in MPI
    int size = 1;        ///< number of processes of this process's side
    bool inter = false;
    std::vector<int> world;  ///< rank in the world, by the trace's rank

    std::string on() const { return number == 0 ? "" : "on=" + std::to_string(number); }
    int peer(int mpi_rank) const { return peer_first + mpi_rank; }
};
using group_pointer = std::shared_ptr<const group>;

/// Returns a communicator's group; null for one that is not known (of processes that were spawned, or of a
/// session), about which it warns once unless `said` is false.
group_pointer group_of(MPI_Comm comm, bool said = true);
/// Agrees on a new communicator among all its processes, which all call this; ignores MPI_COMM_NULL.
void adopt(MPI_Comm comm);
/// Starts to agree on a communicator that a non-blocking call on `parent` makes; the returned function ends
/// that, once the call has ended.
std::function<void()> adopt_later(MPI_Comm parent, MPI_Comm* made);
void forget(MPI_Comm comm);
/// Returns the tasks of a group's processes; MPI_UNDEFINED for processes of another world.
std::vector<int> tasks_of(MPI_Group some);
/// Begins the groups with the world, which is known now.
void begin_groups();

/// Numbers the processes of a window; called by all processes of `comm`.
void adopt_window(MPI_Win window, MPI_Comm comm);
group_pointer window_group(MPI_Win window);
void forget_window(MPI_Win window);

}  // namespace sare::capture
