// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace sare {

/// Shortest paths between routers of a network for which there is no formula. One search finds the paths from
/// a source to all routers, which are kept.
class path_search {
  public:
    /// Default for the number of paths that are kept (128 MiB).
    static constexpr std::size_t most_kept = std::size_t{1} << 22;

    /// `net` must outlive this object. `kept`: most paths that are kept: the paths from the source searched
    /// first are dropped first, and the paths from the last source are always kept.
    explicit path_search(const topology& net, std::size_t kept = most_kept) : m_net(net), m_kept(kept) {}

    /// Returns the cost of a shortest path, as topology::add_path() defines it; valid until the next call.
    /// Throws std::logic_error if there is no path; numbers of routers are not checked.
    const path_cost& path(router_id from, router_id to);
    std::uint64_t searches() const { return m_searches; }  ///< number of searches so far

  private:
    std::vector<path_cost> search(router_id from) const;

    const topology& m_net;
    std::size_t m_kept;  ///< most paths that are kept
    /// Costs of the paths to all routers, by source.
    std::unordered_map<std::uint32_t, std::vector<path_cost>> m_rows;
    std::deque<std::uint32_t> m_order;  ///< sources, the one kept longest first
    std::uint64_t m_searches = 0;
};

}  // namespace sare
