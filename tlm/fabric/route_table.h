// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <cstdint>
#include <vector>

namespace sare {

/// What a routing function that always answers the same says, looked up beforehand: by router and destination
/// a byte, which of the different ways.
///
/// Where the table is *keyed* there is an entry for every message class and destination (class * nodes +
/// node), which says the class, too: way + class * ways().size(). A head can then carry its key, and no
/// router need touch its packet. The entries of class 0 come first, so both may use the table.
class route_table {
  public:
    /// Nothing is tabulated where the function forbids it, the table would be too large, or there are too
    /// many different ways.
    void build(const routing_function& routing, std::uint32_t routers, std::uint32_t nodes);
    /// False, and nothing is changed, where keys or ways are too many.
    bool add_keys(std::uint32_t classes);

    bool exists() const { return !m_table.empty(); }
    bool keyed() const { return m_keys != 0; }
    const std::vector<route_candidate>& ways() const { return m_ways; }
    /// By destination, or by key.
    const std::uint8_t* of_router(std::uint32_t router) const {
        return exists() ? &m_table[router * m_columns] : nullptr;
    }
    std::uint32_t key(std::uint32_t message_class, std::uint32_t destination) const {
        return message_class * m_nodes + destination;
    }

    /// [router * nodes + destination]: routers on the way, of those that do not count for themselves. `next`:
    /// by router * ports + port, the router there or `none`.
    static constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint16_t> count_hops(const std::vector<std::uint32_t>& next, std::uint32_t ports,
                                          const std::vector<bool>& counts_itself) const;

  private:
    std::uint32_t m_routers = 0, m_nodes = 0, m_keys = 0;
    std::size_t m_columns = 0;
    std::vector<std::uint8_t> m_table;
    std::vector<route_candidate> m_ways;
};

}  // namespace sare
