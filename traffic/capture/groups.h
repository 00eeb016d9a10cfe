// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/calls.h"

#include <functional>
#include <memory>
#include <vector>

namespace sare::capture {

/// A communicator, or the processes of a window, as the trace has it. For an intercommunicator the trace has
/// one communicator, with the ranks of one side first and then the ranks of the other.
struct group {
    int number = 0;      ///< number of the communicator in the trace; 0: all tasks
    int own_first = 0;   ///< rank in the trace of rank 0 of this process's side
    int peer_first = 0;  ///< rank in the trace of rank 0 of the side that this process sends to: the other
                         ///< side, or the only one
    int rank = 0;        ///< rank of this process in MPI's communicator
    int size = 1;        ///< number of processes on this process's side
    bool inter = false;  ///< true: an intercommunicator
    std::vector<int> world;  ///< task (rank in MPI_COMM_WORLD) of each rank of the group in the trace

    /// Returns the word that names the communicator in an event, such as "on=2"; empty for all tasks.
    std::string on() const { return number == 0 ? "" : "on=" + std::to_string(number); }
    /// Returns the rank in the trace of the process that MPI knows as peer `mpi_rank`.
    int peer(int mpi_rank) const { return peer_first + mpi_rank; }
};
using group_pointer = std::shared_ptr<const group>;  ///< null: no group of the trace

/// Returns the group of a communicator; null if some of its processes are no tasks of this trace (they were
/// spawned, or come from a session). If `said` is true, the first null result prints a warning.
group_pointer group_of(MPI_Comm comm, bool said = true);
/// Gives a new communicator its number in the trace; all its processes must call this. Ignores MPI_COMM_NULL.
void adopt(MPI_Comm comm);
/// Begins to number the communicator that a non-blocking call on `parent` makes; `made`: address where that
/// call stores the communicator. Returns a function that must be called once the call has ended.
std::function<void()> adopt_later(MPI_Comm parent, MPI_Comm* made);
/// Forgets a communicator, which the program frees.
void forget(MPI_Comm comm);
/// Returns the task of each process of a group; MPI_UNDEFINED for a process that is no task of this trace.
std::vector<int> tasks_of(MPI_Group some);
/// Makes the group of MPI_COMM_WORLD. Must be called once, when MPI is initialised, before the other
/// functions.
void begin_groups();

/// Makes the group of a window; all processes of `comm`, the communicator of the window's creation, must call
/// this.
void adopt_window(MPI_Win window, MPI_Comm comm);
/// Returns the group of a window; null if some of its processes are no tasks of this trace, or if no recorded
/// call made the window.
group_pointer window_group(MPI_Win window);
/// Forgets a window, which the program frees.
void forget_window(MPI_Win window);

}  // namespace sare::capture
