// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_directory.h"

#include <sys/types.h>

#include <array>

/// The processes of a sweep. A group elaborates a network once and forks a process for each of its points; it
/// gets orders from the coordinator by a pipe, and answers by another.
namespace sare::cli {

/// A message from a group to the coordinator. waitpid() shows the end of a group.
struct sweep_message {
    enum kind : std::int32_t { ready, finished, failed, killed, reason };
    std::int32_t what, group, point;
    std::array<char, 3000> text;  ///< why a point fails; the message fits into a pipe's 4096 bytes
};

struct sweep_group {
    pid_t process = 0;
    int commands = -1;  ///< write a point's number (int32); close it to end the group
};

/// Data that all processes of a sweep share.
struct sweep_shared {
    const sweep_plan* plan = nullptr;
    const sweep_directory* directory = nullptr;
    int answers = -1;            ///< groups write messages here
    double* progress = nullptr;  ///< by point, in shared memory
};

/// True if a status of waitpid() is a signal from a batch system, an operator or lack of memory: the process
/// may succeed another time.
bool from_outside(int status);

/// Forks a group with the network of point `first`.
sweep_group start_group(const sweep_shared& shared, std::size_t group, std::size_t first);

}  // namespace sare::cli
