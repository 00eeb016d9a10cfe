// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/calls.h"

#include <functional>
#include <memory>
#include <vector>

namespace sare::capture {

/// A communicator, or the processes of a window, as it is in the trace. The trace's ranks of an
/// intercommunicator are those of one side, then those of the other.
struct group {
    int number = 0;          ///< number in the trace; 0: all tasks
    int own_first = 0;       ///< trace's rank of rank 0 of this process's side
    int peer_first = 0;      ///< trace's rank of rank 0 of the side that messages go to
    int rank = 0;            ///< rank of this process in MPI
    int size = 1;            ///< number of processes of this process's side
    bool inter = false;      ///< true: an intercommunicator
    std::vector<int> world;  ///< rank in the world, by the trace's rank

    /// Returns the argument that names it in an event: "on=2"; "" for all tasks.
    std::string on() const { return number == 0 ? "" : "on=" + std::to_string(number); }
    /// Returns the trace's rank of the peer with a rank of MPI.
    int peer(int mpi_rank) const { return peer_first + mpi_rank; }
};
using group_pointer = std::shared_ptr<const group>;

/// Returns the group of a communicator; null if it is not known (one of processes that were spawned, or of a
/// session). Then warns once unless `said` is false.
group_pointer group_of(MPI_Comm comm, bool said = true);
/// Agrees on a new communicator among all its processes, which all call this; ignores MPI_COMM_NULL.
void adopt(MPI_Comm comm);
/// Starts to agree on a communicator that a non-blocking call on `parent` makes. Returns a function to be
/// called once that call has ended, which ends the agreement.
std::function<void()> adopt_later(MPI_Comm parent, MPI_Comm* made);
/// Forgets a communicator that is freed.
void forget(MPI_Comm comm);
/// Returns the task in the trace of each process of a group; MPI_UNDEFINED for processes of another world.
std::vector<int> tasks_of(MPI_Group some);
/// Makes the group of MPI_COMM_WORLD. Call once MPI is initialised.
void begin_groups();

/// Numbers the processes of a window; called by all processes of `comm`.
void adopt_window(MPI_Win window, MPI_Comm comm);
/// Returns the group of a window; null if it is not known.
group_pointer window_group(MPI_Win window);
/// Forgets a window that is freed.
void forget_window(MPI_Win window);

}  // namespace sare::capture
