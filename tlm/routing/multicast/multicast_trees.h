// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/schema.h"
#include "tlm/routing/multicast/multicast.h"

#include <array>

/// Multicast tables that are built: who the targets of a source are, and the tree of shortest paths to them.
namespace sare {

enum class fan_out_law : std::uint8_t { fixed, geometric };
enum class hop_order : std::uint8_t { longest_first, dimension };

struct multicast_parameters {
    std::string file;
    double fan_out = 10;
    fan_out_law fan_outs = fan_out_law::fixed;
    double decay = 1;
    std::uint32_t radius = 0;
    hop_order order = hop_order::longest_first;
    bool default_routes = true;
    std::uint32_t entries = 1024;
    std::uint64_t seed = 1;
};
config::schema<multicast_parameters> multicast_fields();

/// Shortest paths on a triangular torus.
class triangular_paths {
  public:
    /// Hops along the axes east, north-east and north; negative: the other way.
    using hops = std::array<std::int32_t, 3>;

    triangular_paths(std::uint32_t w, std::uint32_t h);
    std::uint32_t distance(std::uint32_t from, std::uint32_t to) const {
        return length(m_paths[relative(from, to)].front());
    }
    /// All that are as short as can be.
    const std::vector<hops>& paths(std::uint32_t from, std::uint32_t to) const {
        return m_paths[relative(from, to)];
    }
    /// The first link of a path in dimension order; of several the first: a point-to-point table's entry.
    std::uint32_t first_link(std::uint32_t from, std::uint32_t to) const {
        return m_first_link[relative(from, to)];
    }
    static std::uint32_t length(const hops& h);

  private:
    /// The router that is to router 0 as `to` is to `from`.
    std::uint32_t relative(std::uint32_t from, std::uint32_t to) const {
        const std::uint32_t x = to % m_w + m_w - from % m_w, y = to / m_w + m_h - from / m_w;
        return x % m_w + y % m_h * m_w;
    }

    std::uint32_t m_w, m_h;
    std::vector<std::vector<hops>> m_paths;
    std::vector<std::uint8_t> m_first_link;
};

/// The targets of every node and the entries of every router for them. Throws config::error, placed by
/// `section`, for a fan-out that there are not nodes for.
multicast_table build_multicast(const topology& net, const triangular_paths& paths,
                                const multicast_parameters& p, const config::value& section);

/// A table from a file "sare-multicast 1" (docs/spinnaker.md).
multicast_table read_multicast(const topology& net, const multicast_parameters& p,
                               const config::value& section);

}  // namespace sare
