// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "traffic/moves/recording.h"

/// Parameters of the workload 'data_moves'.
namespace sare::traffic {

/// Returns the place where a key of a section is written; the section's own if the key is left out.
config::location place_of(const config::value& section, const char* key);

/// A plane of the network (a network beside others between the same places), and the order of the grid's
/// places in it.
struct plane_order {
    struct axis {
        bool y = false;         ///< true: the grid's y, not x
        bool backward = false;  ///< true: the plane's coordinate grows as the place's falls
    };
    std::string name;    ///< name of the plane in the recording
    axis first, second;  ///< axes of the grid that are dimensions 0 and 1 of the plane

    /// Returns the node of a place, among the nodes of its plane.
    std::uint32_t node(const grid_position& p, std::uint32_t width, std::uint32_t height) const;
};

/// A memory of several places, which share its rate, whatever the plane.
struct shared_memory {
    std::vector<grid_position> places;
    double rate = 0;            ///< bytes a cycle of reads and writes together; 0: no limit
    double out = 0;             ///< bytes a cycle that each of its nodes gives at most; 0: as other nodes
    double in = 0;              ///< bytes a cycle that each takes at most; 0: as other nodes
    std::uint32_t latency = 0;  ///< cycles in addition to read_latency and write_latency
};

struct data_moves_params {
    std::string file;                            ///< the recording
    std::vector<std::uint32_t> places;           ///< width and height of the grid of places
    config::value planes_given, memories_given;  ///< lists that planes() and memories() read
    std::uint32_t packet_bytes = 8192;           ///< bytes of a packet; larger transfers are several packets
    std::uint32_t issue = 0;          ///< cycles from a recorded start until the packet enters its node
    std::uint32_t read_latency = 0;   ///< cycles from the arrival of a request until its first data leave
    std::uint32_t write_latency = 0;  ///< cycles from the arrival of data until its acknowledgement leaves
    std::uint32_t barrier = 0;        ///< cycles of a barrier that has nothing to wait for
    std::uint32_t wake = 0;           ///< cycles from the last arrival that a barrier waits for to its end
    std::uint32_t hop = 0;            ///< cycles of a head from router to router, for branches of multicasts
    double out = 0, in = 0;           ///< bytes a cycle that a node gives, and takes, at most; 0: no limit

    static config::schema<data_moves_params> fields();
    /// Return the planes, or the memories. `section`: the workload's. Throw config::error for wrong entries.
    std::vector<plane_order> planes(const config::value& section) const;
    std::vector<shared_memory> memories() const;
};

}  // namespace sare::traffic
