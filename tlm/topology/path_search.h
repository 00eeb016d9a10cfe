// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace sare {

/// Shortest paths in a network that has no formula for them: a search for each source, which is cached.
class path_search {
  public:
    /// Paths in the cache at most, 128 MiB; those of the last source are kept in any case.
    static constexpr std::size_t most_kept = std::size_t{1} << 22;

    /// `net` outlives it.
    explicit path_search(const topology& net, std::size_t kept = most_kept) : m_net(net), m_kept(kept) {}

    /// See topology::add_path().
    const path_cost& path(router_id from, router_id to);
    std::uint64_t searches() const { return m_searches; }  ///< made so far

  private:
    std::vector<path_cost> search(router_id from) const;

    const topology& m_net;
    std::size_t m_kept;
    std::unordered_map<std::uint32_t, std::vector<path_cost>> m_rows;  ///< by source: to each router
    std::deque<std::uint32_t> m_order;                                 ///< sources, that kept longest first
    std::uint64_t m_searches = 0;
};

}  // namespace sare
