// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace sare {

/// Shortest paths in a network without a formula for them, by a search for each source, whose results are
/// kept.
class path_search {
  public:
    /// Most paths that are kept (128 MiB); the paths of the last source are kept in any case.
    static constexpr std::size_t most_kept = std::size_t{1} << 22;

    /// `net` outlives this; `kept`: paths to be kept at most.
    explicit path_search(const topology& net, std::size_t kept = most_kept) : m_net(net), m_kept(kept) {}

    /// Returns the cost of a shortest path as of topology::add_path(), valid until the next call. Throws
    /// std::logic_error if there is none.
    const path_cost& path(router_id from, router_id to);
    std::uint64_t searches() const { return m_searches; }  ///< number of searches so far

  private:
    std::vector<path_cost> search(router_id from) const;

    const topology& m_net;
    std::size_t m_kept;
    std::unordered_map<std::uint32_t, std::vector<path_cost>> m_rows;  ///< paths to each router, by source
    std::deque<std::uint32_t> m_order;  ///< sources, the one kept longest first
    std::uint64_t m_searches = 0;
};

}  // namespace sare
