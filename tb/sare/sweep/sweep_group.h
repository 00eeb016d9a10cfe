// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_directory.h"

#include <sys/types.h>

#include <array>

/// The processes of a sweep. A group elaborates a network once and forks a process for each of its points; it
/// does what the coordinator tells it through a pipe and answers through another.
namespace sare::cli {

/// From a group to the coordinator. The end of a group is seen by waitpid().
struct sweep_message {
    enum kind : std::int32_t { ready, finished, failed, killed, reason };
    std::int32_t what, group, point;
    std::array<char, 3000> text;  ///< of a reason why a point fails; whole in a pipe, where 4096 bytes are
};

struct sweep_group {
    pid_t process = 0;
    int commands = -1;  ///< write a point's number (int32); close it to end the group
};

/// What every process of a sweep shares.
struct sweep_shared {
    const sweep_plan* plan = nullptr;
    const sweep_directory* directory = nullptr;
    int answers = -1;            ///< groups write messages here
    double* progress = nullptr;  ///< of each point, in shared memory
};

/// Of waitpid(): ended by a signal as a batch system, an operator or a lack of memory sends it; what ended so
/// may do better another time.
bool from_outside(int status);

/// Forks a group whose network is that of point `first`.
sweep_group start_group(const sweep_shared& shared, std::size_t group, std::size_t first);

}  // namespace sare::cli
