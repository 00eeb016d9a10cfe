// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/route_table.h"

#include <algorithm>
#include <optional>

namespace sare {
namespace {

bool same(const route_candidate& a, const route_candidate& b) {
    return a.port == b.port && a.vcs == b.vcs && a.escape == b.escape;
}

/// Routers on the ways to one destination.
template <class Next>
class hop_count {
  public:
    /// `next(r, f)` calls f with each router that follows on r, or none.
    hop_count(std::uint32_t routers, Next next, const std::vector<bool>& counts_itself)
        : m_next(std::move(next)), m_counts_itself(counts_itself), m_seen(routers), m_hops(routers) {}
    /// In a circle nothing ever arrives, so there is no right number.
    std::uint16_t from(std::uint32_t r) {
        if (m_seen[r]) return m_hops[r];
        m_seen[r] = true;
        std::optional<std::uint16_t> rest;
        m_next(r, [&](std::uint32_t beyond) {
            const std::uint16_t hops = beyond == route_table::none ? std::uint16_t{0} : from(beyond);
            m_differ = m_differ || rest.value_or(hops) != hops;
            rest = hops;
        });
        return m_hops[r] = static_cast<std::uint16_t>(*rest + (m_counts_itself[r] ? 0 : 1));
    }
    bool differ() const { return m_differ; }

  private:
    const Next m_next;
    const std::vector<bool>& m_counts_itself;
    std::vector<bool> m_seen;
    std::vector<std::uint16_t> m_hops;
    bool m_differ = false;
};

}  // namespace

/// False if there are too many.
bool route_table::find_or_add(const route_set& ways, std::uint8_t& number) {
    static const route_candidate nowhere{};
    const route_candidate* const first = ways.size == 0 ? &nowhere : ways.candidates;
    const auto size = static_cast<std::uint16_t>(std::max(ways.size, 1U));
    const auto equal = [&](const answer& a) {
        return a.size == size && std::equal(first, first + size, m_ways.begin() + a.first, same);
    };
    const auto found = std::find_if(m_answers.begin(), m_answers.end(), equal);
    if (found == m_answers.end()) {
        if (m_answers.size() == 256) return false;
        m_answers.push_back({static_cast<std::uint16_t>(m_ways.size()), size});
        m_ways.insert(m_ways.end(), first, first + size);
        number = static_cast<std::uint8_t>(m_answers.size() - 1);
    } else {
        number = static_cast<std::uint8_t>(found - m_answers.begin());
    }
    return true;
}

void route_table::build(const routing_function& routing, std::uint32_t routers, std::uint32_t ports,
                        std::uint32_t nodes) {
    const bool by_input = routing.tabular_states() == 0 && routing.tabular_by_input();
    const std::uint32_t states = by_input ? 1 : routing.tabular_states(), inputs = by_input ? ports : 1;
    // One megabyte still lies in a cache; what is asked for less often than looked up has to pay for it.
    const std::size_t limit = states == 1 && !by_input ? 1 << 20 : 1 << 18;
    const std::size_t columns = std::size_t{states} * nodes, of_router = columns * inputs;
    if (states == 0 || routing.looks_at_congestion() || of_router * routers > limit) return;
    std::vector<std::uint8_t> table(of_router * routers);
    auto entry = table.begin();
    for (std::uint32_t r = 0; r < routers; ++r)
        for (std::uint32_t in = 0; in < inputs; ++in)
            for (std::uint32_t k = 0; k < columns; ++k) {
                route_header header;
                header.state = static_cast<std::uint16_t>(k / nodes);
                header.destination = k % nodes;
                route_set ways;
                routing.route(r, in, 0, header, ways);
                // In one-way networks no packet for some nodes gets to some routers.
                if (ways.size != 0 && ways.candidates[0].port >= ports) ways.size = 0;
                if (find_or_add(ways, *entry++)) continue;
                m_answers.clear();
                m_ways.clear();
                return;
            }
    m_routers = routers;
    m_nodes = nodes;
    m_states = states;
    m_by_input = by_input ? static_cast<std::uint32_t>(columns) : 0;
    m_entries = of_router;
    m_table = std::move(table);
}

bool route_table::add_keys(std::uint32_t classes) {
    const std::size_t keys = std::size_t{columns()} * classes;
    if (!exists() || m_by_input != 0 || keys > 65536) return false;
    if (m_answers.size() * classes > 256) return false;
    std::vector<std::uint8_t> table(keys * m_routers);
    auto entry = table.begin();
    for (std::uint32_t r = 0; r < m_routers; ++r)
        for (std::uint32_t c = 0; c < classes; ++c)
            for (std::uint32_t k = 0; k < columns(); ++k)
                *entry++ = static_cast<std::uint8_t>(of_router(r)[k] + c * m_answers.size());
    m_table = std::move(table);
    m_keys = static_cast<std::uint32_t>(keys);
    m_entries = keys;
    return true;
}

std::vector<std::uint16_t> route_table::count_hops(const std::vector<std::uint32_t>& next,
                                                   std::uint32_t ports,
                                                   const std::vector<bool>& counts_itself) const {
    std::vector<std::uint16_t> all(std::size_t{columns()} * m_routers);
    for (std::uint32_t k = 0; k < columns(); ++k) {
        hop_count count(
            m_routers,
            [&](std::uint32_t r, auto leads_to) {
                const answer& a = m_answers[of_router(r)[k]];
                for (std::uint32_t n = 0; n < a.size; ++n)
                    leads_to(next[std::size_t{r} * ports + m_ways[a.first + n].port]);
            },
            counts_itself);
        for (std::uint32_t r = 0; r < m_routers; ++r) all[std::size_t{r} * columns() + k] = count.from(r);
        if (count.differ()) return {};
    }
    return all;
}

}  // namespace sare
