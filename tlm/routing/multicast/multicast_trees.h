// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/schema.h"
#include "tlm/routing/multicast/multicast.h"

#include <array>

/// Building of multicast tables, from a file, or from random targets of each source and trees of shortest
/// paths to the targets.
namespace sare {

/// Distribution of the number of targets of a node. fixed: the same number for all nodes; geometric: a
/// geometric distribution whose mean is multicast_parameters::fan_out.
enum class fan_out_law : std::uint8_t { fixed, geometric };
/// Order of the hops of a path. longest_first: the axis with the most hops first; dimension: axes in the
/// order east, north-east, north.
enum class hop_order : std::uint8_t { longest_first, dimension };

/// Parameters of multicast tables; multicast_fields() gives their ranges.
struct multicast_parameters {
    std::string file;     ///< name of a file with the table; "": the table is built
    double fan_out = 10;  ///< number of targets of a node, the mean for a geometric distribution
    fan_out_law fan_outs = fan_out_law::fixed;  ///< distribution of the number of targets
    double decay = 1;  ///< factor by which each hop of distance changes a node's probability to be a target
    std::uint32_t radius = 0;                    ///< most hops to a target; 0: no limit
    hop_order order = hop_order::longest_first;  ///< order of the hops on the path to a target
    bool default_routes = true;                  ///< true: no entries where packets go straight on
    std::uint32_t entries = 1024;                ///< most entries of a router; 0: no limit
    std::uint64_t seed = 1;                      ///< seed of the random targets
};
/// Returns the schema of multicast_parameters.
config::schema<multicast_parameters> multicast_fields();

/// Shortest paths between the routers of a triangular torus.
class triangular_paths {
  public:
    /// Numbers of hops along the axes east, north-east and north; negative: in the opposite direction.
    using hops = std::array<std::int32_t, 3>;

    /// `w`, `h`: routers along each side of the torus.
    triangular_paths(std::uint32_t w, std::uint32_t h);
    /// Returns the number of hops on a shortest path between two routers; 0 from a router to itself.
    std::uint32_t distance(std::uint32_t from, std::uint32_t to) const {
        return length(m_paths[relative(from, to)].front());
    }
    /// Returns the hops along each axis of all shortest paths between two routers; at least one element.
    const std::vector<hops>& paths(std::uint32_t from, std::uint32_t to) const {
        return m_paths[relative(from, to)];
    }
    /// Returns the first link of a shortest path between two different routers: of the first element of
    /// paths(), with hops in the order of the axes. It is the entry of a point-to-point table.
    std::uint32_t first_link(std::uint32_t from, std::uint32_t to) const {
        return m_first_link[relative(from, to)];
    }
    static std::uint32_t length(const hops& h);  ///< sum of the hops along all axes, in either direction

  private:
    /// Returns the router whose position relative to router 0 is that of `to` relative to `from`.
    std::uint32_t relative(std::uint32_t from, std::uint32_t to) const {
        const std::uint32_t x = to % m_w + m_w - from % m_w, y = to / m_w + m_h - from / m_w;
        return x % m_w + y % m_h * m_w;
    }

    std::uint32_t m_w, m_h;
    std::vector<std::vector<hops>> m_paths;  ///< paths() from router 0 to each router
    std::vector<std::uint8_t> m_first_link;  ///< first_link() from router 0 to each router
};

/// Draws the targets of every node and makes the entries of all routers for them. `paths`: paths of `net`.
/// Throws config::error at `section` if more targets are wanted than there are nodes within `radius`.
multicast_table build_multicast(const topology& net, const triangular_paths& paths,
                                const multicast_parameters& p, const config::value& section);

/// Reads a table from a file of the format "sare-multicast 1" (docs/spinnaker.md). `section`: gives the place
/// of errors, and the folder to which `file` is relative. Throws config::error for a file that cannot be read
/// or is wrong.
multicast_table read_multicast(const topology& net, const std::string& file, const config::value& section);

}  // namespace sare
