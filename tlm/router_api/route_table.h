// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <cstdint>
#include <vector>

namespace sare {

/// What a routing function that always answers the same to equal headers says, looked up beforehand: by
/// router, state of the header and destination (column state * nodes + node) a byte, which of the different
/// answers; where the function looks at the input port as well, by that, too.
///
/// Where the table is *keyed* there is an entry for every message class
/// and column (class * columns + column), which says the class, too: answer + class * answers().size(). A
/// head can then carry its key, and no router need touch its packet. The entries of class 0 come first, so
/// both may use the table.
class route_table {
  public:
    /// Nothing is tabulated where the function forbids it, the table would be too large, or there are too
    /// many different answers. `ports`: most that a router has.
    void build(const routing_function& routing, std::uint32_t routers, std::uint32_t ports,
               std::uint32_t nodes);
    /// False, and nothing is changed, where keys or answers are too many.
    bool add_keys(std::uint32_t classes);

    bool exists() const { return !m_table.empty(); }
    bool keyed() const { return m_keys != 0; }
    /// The different answers: candidates first to first + size - 1 of ways(). Where all have one, answer n is
    /// ways()[n].
    struct answer {
        std::uint16_t first, size;
    };
    const std::vector<answer>& answers() const { return m_answers; }
    const std::vector<route_candidate>& ways() const { return m_ways; }
    /// False for what no router of so many ports is answered.
    bool stays_within(const answer& a, std::uint32_t ports) const {
        for (std::uint32_t n = a.first; n < std::uint32_t{a.first} + a.size; ++n)
            if (m_ways[n].port >= ports) return false;
        return true;
    }
    /// States of headers that are told apart.
    std::uint32_t states() const { return m_states; }
    /// Of class 0.
    std::uint32_t columns() const { return m_states * m_nodes; }
    std::uint32_t column(const route_header& header) const {
        return header.state * m_nodes + header.destination;
    }
    /// By column, or by key; for a packet that came in by a port, from port * by_input() on.
    const std::uint8_t* of_router(std::uint32_t router) const {
        return exists() ? &m_table[std::size_t{router} * m_inputs * m_stride] : nullptr;
    }
    std::uint32_t by_input() const { return m_inputs == 1 ? 0 : m_stride; }  ///< 0: the port does not matter
    /// Places in the network that are told apart: routers, or input ports of routers.
    std::uint32_t place(std::uint32_t router, std::uint32_t in) const {
        return m_inputs == 1 ? router : router * m_inputs + in;
    }
    /// The answer for a head at a router that came in by a port.
    void look_up(std::uint32_t router, std::uint32_t in, const route_header& header, route_set& out) const {
        const answer& a = m_answers[of_router(router)[in * by_input() + column(header)]];
        const route_candidate* const first = &m_ways[a.first];
        for (std::uint32_t n = 0; n < a.size; ++n) out.candidates[n] = first[n];
        out.size = a.size;
    }
    std::uint32_t key(std::uint32_t message_class, const route_header& header) const {
        return message_class * columns() + column(header);
    }

    /// [place * columns + column]: routers on the way, of those that do not count for themselves. `next`:
    /// by router * ports + port, where one comes in, in the same numbers, or `none`. Empty where ways of one
    /// answer differ in that.
    static constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint16_t> count_hops(const std::vector<std::uint32_t>& next, std::uint32_t ports,
                                          const std::vector<bool>& counts_itself) const;

  private:
    bool find_or_add(const route_set& ways, std::uint8_t& number);
    const answer& answer_at(std::uint32_t place, std::uint32_t column) const {
        return m_answers[m_table[std::size_t{place} * m_stride + column]];
    }

    std::uint32_t m_routers = 0, m_nodes = 0, m_states = 0, m_keys = 0;
    std::uint32_t m_inputs = 1;  ///< of a router, that are told apart
    std::uint32_t m_stride = 0;  ///< from place to place: columns, or keys
    std::vector<std::uint8_t> m_table;
    std::vector<answer> m_answers;
    std::vector<route_candidate> m_ways;
};

}  // namespace sare
