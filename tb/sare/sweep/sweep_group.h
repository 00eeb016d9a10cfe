// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_directory.h"

#include <sys/types.h>

#include <array>

/// Processes of a sweep. A group is a process that elaborates a network once and forks a process for each of
/// its points. It gets orders by a pipe from the coordinator, the process of the sweep itself, and answers by
/// another pipe.
namespace sare::cli {

/// A message from a group to the coordinator. The end of a group is no message: waitpid() shows it.
struct sweep_message {
    /// Kind of the message.
    enum kind : std::int32_t {
        ready,     ///< the group has elaborated its network
        finished,  ///< the point has its result
        failed,    ///< the point has failed, and would fail again
        killed,    ///< the point was killed from outside, and may succeed another time
        reason     ///< `text` says why the point (-1: each point of the group) fails
    };
    std::int32_t what;            ///< value of `kind`
    std::int32_t group;           ///< number of the group, from 0
    std::int32_t point;           ///< number of the point; -1: none
    std::array<char, 3000> text;  ///< with a 0 at its end; the message fits into a pipe's 4096 bytes
};

/// The process of a group, as the coordinator sees it.
struct sweep_group {
    pid_t process = 0;  ///< id of the process, to wait for; 0: not started
    int commands = -1;  ///< file descriptor: write a point's number (int32); close it to end the group
};

/// Data that all processes of a sweep share.
struct sweep_shared {
    const sweep_plan* plan = nullptr;            ///< points of the sweep
    const sweep_directory* directory = nullptr;  ///< directory of the results
    int answers = -1;                            ///< file descriptor to which groups write messages
    double* progress = nullptr;  ///< fraction done (negative: unknown), by point, in shared memory
};

/// Returns true if a status of waitpid() is an end by SIGKILL or SIGTERM, as from a batch system, an operator
/// or lack of memory: the process may succeed another time.
bool from_outside(int status);

/// Forks the group of number `group`, which elaborates the network of point `first` but does not run that
/// point by itself. Throws config::error if no process can be made.
sweep_group start_group(const sweep_shared& shared, std::size_t group, std::size_t first);

}  // namespace sare::cli
