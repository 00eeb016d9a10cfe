// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "traffic/moves/recording.h"

/// Parameters of the workload 'data_moves'.
namespace sare::traffic {

/// Returns the place of the value of `key` in `section`, for errors; the place of the section if it does not
/// have the key.
config::location place_of(const config::value& section, const char* key);

/// A plane (one of several networks that connect the same places) and the direction of its dimensions in the
/// grid of places.
struct plane_order {
    /// A direction in the grid of places.
    struct axis {
        bool y = false;  ///< true: along the grid's y; false: along its x
        /// True: the coordinate in the plane grows where the coordinate in the grid falls.
        bool backward = false;
    };
    std::string name;    ///< name of the plane in the recording
    axis first, second;  ///< directions of dimension 0 and of dimension 1 of the plane

    /// Returns the number, from 0, within this plane of the node at place `p`, whose chip is not looked at.
    /// `width`, `height`: places of the grid in x and in y; `p` must be in the grid (not checked).
    std::uint32_t node(const grid_position& p, std::uint32_t width, std::uint32_t height) const;
};

/// A memory that several places share, in all planes together.
struct shared_memory {
    /// Places that share the memory, on chip 0; every chip has such a memory.
    std::vector<grid_position> places;
    double rate = 0;  ///< largest rate of reads and writes together, in bytes per cycle; 0: no limit
    double out = 0;   ///< largest rate, in bytes per cycle, at which each node of these places sends; 0:
                      ///< data_moves_params::out
    double in = 0;    ///< largest rate, in bytes per cycle, at which each node of these places receives; 0:
                      ///< data_moves_params::in
    /// Cycles that the memory adds to data_moves_params::read_latency and write_latency.
    std::uint32_t latency = 0;
};

/// Parameters of the workload `data_moves`.
struct data_moves_params {
    std::string file;   ///< file of the recording, relative to workload_context::folder
    std::string chips;  ///< topology file of its chips, relative to this folder, too; empty: one chip
    std::string ethernet_plane;  ///< name of the plane in which data travel after a link between chips;
                                 ///< empty: the first plane
    double ethernet_rate = 0;    ///< rate of each direction of a link between chips, in bytes per cycle; 0:
                                 ///< no limit
    std::uint32_t ethernet_latency = 0;  ///< cycles from the time at which the last byte leaves a link's
                                         ///< first place until the data go on from its other place
    std::vector<std::uint32_t> places;   ///< width and height of the grid of places: two numbers
    /// Values of the keys `planes` and `memories`, which planes() and memories() read.
    config::value planes_given, memories_given;
    std::uint32_t packet_bytes = 8192;  ///< largest number of bytes of a packet; a larger transfer is several
                                        ///< packets
    std::uint32_t issue = 0;  ///< cycles from the recorded start of a transfer until its first packet is
                              ///< ready for its node
    std::uint32_t read_latency = 0;   ///< cycles from the arrival of a request of a read until its first data
                                      ///< may leave
    std::uint32_t write_latency = 0;  ///< cycles from the arrival of the data of a write until the
                                      ///< acknowledgement leaves
    std::uint32_t barrier = 0;        ///< least cycles of a timed barrier, even with nothing to wait for
    std::uint32_t wake = 0;  ///< cycles from the last arrival that a barrier or wait needs until its end
    std::uint32_t hop = 0;   ///< cycles of a head flit from router to router; a branch of a multicast begins
                             ///< this much later for each hop from the source
    double memory_rate = 0;  ///< rate, in bytes per cycle, of memories without one of their own; 0: no limit
    std::uint32_t memory_latency = 0;  ///< latency, in cycles, of memories without one of their own
    double out = 0, in = 0;  ///< largest rate, in bytes per cycle, at which each node sends, and receives; 0:
                             ///< no limit

    /// Returns the schema of the parameters.
    static config::schema<data_moves_params> fields();
    /// planes() returns the planes, 1 to 255, in the order of the network's. memories() returns the shared
    /// memories, which may be none; `places` must have two numbers (not checked). `section`: section of the
    /// workload, for errors. Both throw config::error for a wrong entry, planes() also if there is none.
    std::vector<plane_order> planes(const config::value& section) const;
    std::vector<shared_memory> memories() const;
};

}  // namespace sare::traffic
