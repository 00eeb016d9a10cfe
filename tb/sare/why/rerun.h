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

/// The packets that are looked for, beside the slowest.
struct wanted_packets {
    std::vector<std::string> numbers, messages;  ///< numbers as text
    std::vector<std::string> flow;               ///< source and destination, as numbers; empty: all
    std::uint64_t slowest = 0;                   ///< how many of the slowest
};

/// An experiment as a result has it, and the folder of its file.
struct saved_experiment {
    config::value tree;
    std::string folder;
};

/// Runs `e` with the statistic `slowest` and returns its records.
std::vector<slow_packet> find_packets(const saved_experiment& e, const wanted_packets& wanted);

/// Runs `e` and writes summary.json and the events of cycles [from, to) into the directory `where`, which
/// results before it may have. Stops some time after cycle `to`.
void run_window(const saved_experiment& e, cycle_t from, cycle_t to, const std::filesystem::path& where);

}  // namespace sare::cli
