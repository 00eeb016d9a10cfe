// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/route_table.h"

#include <algorithm>
#include <optional>

namespace sare {
namespace {

bool same(const route_candidate& a, const route_candidate& b) {
    return a.port == b.port && a.vcs == b.vcs && a.escape == b.escape;
}

/// Counts the routers on the routes from all places to one destination.
template <class Next, class Counts>
class hop_count {
  public:
    /// `next(at, f)` calls f with each place that follows on one, or with `none`.
    hop_count(std::uint32_t places, Next next, Counts counts_itself)
        : m_next(std::move(next)),
          m_counts_itself(std::move(counts_itself)),
          m_seen(places),
          m_hops(places) {}
    /// Returns the hops from a place. In a circle nothing ever arrives, so that there is no right number.
    std::uint16_t from(std::uint32_t at) {
        if (m_seen[at]) return m_hops[at];
        m_seen[at] = true;
        std::optional<std::uint16_t> rest;
        m_next(at, [&](std::uint32_t beyond) {
            const std::uint16_t hops = beyond == route_table::none ? std::uint16_t{0} : from(beyond);
            m_differ = m_differ || rest.value_or(hops) != hops;
            rest = hops;
        });
        return m_hops[at] = static_cast<std::uint16_t>(*rest + (m_counts_itself(at) ? 0 : 1));
    }
    bool differ() const { return m_differ; }

  private:
    const Next m_next;
    const Counts m_counts_itself;
    std::vector<bool> m_seen;
    std::vector<std::uint16_t> m_hops;
    bool m_differ = false;
};

}  // namespace

/// Finds the number of an answer, or adds it. Returns false if there are more than 256.
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
    m_inputs = inputs;
    m_stride = static_cast<std::uint32_t>(columns);
    m_table = std::move(table);
}

bool route_table::add_keys(std::uint32_t classes) {
    const std::size_t keys = std::size_t{columns()} * classes, places = std::size_t{m_routers} * m_inputs;
    if (!exists() || keys > 65536 || m_answers.size() * classes > 256) return false;
    std::vector<std::uint8_t> table(keys * places);
    auto entry = table.begin();
    for (std::size_t place = 0; place < places; ++place)
        for (std::uint32_t c = 0; c < classes; ++c)
            for (std::uint32_t k = 0; k < columns(); ++k)
                *entry++ = static_cast<std::uint8_t>(m_table[place * m_stride + k] + c * m_answers.size());
    m_table = std::move(table);
    m_keys = m_stride = static_cast<std::uint32_t>(keys);
    return true;
}

std::vector<std::uint16_t> route_table::count_hops(const std::vector<std::uint32_t>& next,
                                                   std::uint32_t ports,
                                                   const std::vector<bool>& counts_itself) const {
    const std::uint32_t places = m_routers * m_inputs;
    std::vector<std::uint16_t> all(std::size_t{columns()} * places);
    for (std::uint32_t k = 0; k < columns(); ++k) {
        const auto each = [&](std::uint32_t at, auto leads_to) {
            const answer& a = answer_at(at, k);
            for (std::uint32_t n = 0; n < a.size; ++n) {
                const std::uint32_t to = next[at / m_inputs * ports + m_ways[a.first + n].port];
                leads_to(to == none ? none : place(to / ports, to % ports));
            }
        };
        hop_count count(places, each, [&](std::uint32_t at) { return counts_itself[at / m_inputs]; });
        for (std::uint32_t at = 0; at < places; ++at) all[std::size_t{at} * columns() + k] = count.from(at);
        if (count.differ()) return {};
    }
    return all;
}

}  // namespace sare
