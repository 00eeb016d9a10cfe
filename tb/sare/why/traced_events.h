// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/journey/journey.h"
#include "tlm/topology/topology.h"

#include <filesystem>
#include <string>

/// The events of a run, read again.
namespace sare::cli {

constexpr const char* events_file = "packet_events.csv";

/// Reads packet_events.csv of a directory into `book`; `map`: network of the run. Throws config::error, with
/// the line, for a file that is not one of this version.
void read_events(const std::filesystem::path& directory, const topology& map, journey_book& book);

/// A line of slowest.csv.
struct slow_packet {
    std::string chosen;        ///< "slowest", "sample" or "asked"
    std::uint64_t packet = 0;  ///< only if `numbered`
    bool numbered = false;
    std::uint32_t source = 0, destination = 0;
    cycle_t generated = 0, injected = 0, consumed = 0;
};
/// Reads the text of a file slowest.csv, whose name is `file`. Throws config::error.
std::vector<slow_packet> read_slowest(const std::string& text, const std::string& file);

}  // namespace sare::cli
