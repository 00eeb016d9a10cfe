// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace sare {

/// Ways in a network without a formula for them: one search for each source, kept as long as there is room.
class path_search {
  public:
    /// Ways kept at most, for all sources together (those of one source are always): 128 MiB of them.
    static constexpr std::size_t most_kept = std::size_t{1} << 22;

    /// `net` outlives it.
    explicit path_search(const topology& net, std::size_t kept = most_kept) : m_net(net), m_kept(kept) {}

    /// See topology::add_path().
    const path_cost& way(router_id from, router_id to);
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
