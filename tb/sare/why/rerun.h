// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/why/traced_events.h"
#include "tlm/config/schema.h"
#include "tlm/network/experiment.h"

#include <functional>
#include <string>
#include <vector>

/// Runs the experiment of a result again, with the same seed, for `sare why --rerun`.
namespace sare::cli {

/// Packets whose records find_packets() returns.
struct wanted_packets {
    std::vector<std::string> numbers, messages;  ///< numbers of packets, and of messages, as text
    /// Number of the source node and of the destination node, as text; empty: all flows.
    std::vector<std::string> flow;
    std::uint64_t slowest = 0;  ///< number of the slowest packets that are wanted, too
};

/// An experiment as a result has it, and the folder of its file.
struct saved_experiment {
    config::value tree;  ///< the experiment, with all parameters
    std::string folder;  ///< folder to which names of files in it are relative
};

/// Runs `e`, in a process of its own, with the statistic `slowest`, and returns the records of the wanted
/// packets. Throws config::error if the run fails.
std::vector<slow_packet> find_packets(const saved_experiment& e, const wanted_packets& wanted);

/// Runs `e`, in a process of its own, and writes summary.json and the events of cycles [from, to) into the
/// directory `where`; a result there is replaced. The run stops at its first report of progress after cycle
/// `to`. Throws config::error if it fails.
void run_window(const saved_experiment& e, cycle_t from, cycle_t to, const std::filesystem::path& where);

}  // namespace sare::cli
