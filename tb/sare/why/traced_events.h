// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/journey/journey.h"
#include "tlm/topology/topology.h"

#include <filesystem>
#include <string>

/// The events of a run, read again.
namespace sare::cli {

constexpr const char* events_file = "packet_events.csv";  ///< name of the file of events

/// Reads packet_events.csv of a result directory into `book`; `map`: network of the run. Throws
/// config::error, with file and line, if it cannot be read or is malformed.
void read_events(const std::filesystem::path& directory, const topology& map, journey_book& book);

/// A packet in slowest.csv, which the statistic `slowest` writes.
struct slow_packet {
    std::string chosen;        ///< reason why the packet is in the file: "slowest", "sample" or "asked"
    std::uint64_t packet = 0;  ///< number of the packet, from 0; has a meaning only if `numbered`
    bool numbered = false;     ///< true: the file has the number of the packet
    std::uint32_t source = 0, destination = 0;          ///< numbers of its nodes
    cycle_t generated = 0, injected = 0, consumed = 0;  ///< cycles of these events
};
/// Returns the lines of `text`, the content of a file slowest.csv. `file`: its name, for errors. Throws
/// config::error if it is malformed.
std::vector<slow_packet> read_slowest(const std::string& text, const std::string& file);

}  // namespace sare::cli
