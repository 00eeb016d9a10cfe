// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Table of the answers (sets of candidates) of a routing function that always answers equal headers alike.
/// An entry is a byte, the number of the answer. It is found by router, by column (state * nodes +
/// destination of the header), and, if the function looks at the input port, by that port.
///
/// A *keyed* table has an entry for every message class and column, by the key: class * columns + column.
/// Such an entry tells the class, too: number of the answer + class * answers().size(). A head can then carry
/// its key, and no router need read its packet. The entries of class 0 come first, so that columns are keys
/// of class 0.
class route_table {
  public:
    /// Builds the table; called once. The table stays empty if the function looks at congestion, or if
    /// neither its tabular_states() nor tabular_by_input() allows one. It also stays empty for more than 256
    /// answers or 2^20 entries (2^18 with several states or by input port). `ports`: most ports of a router.
    void build(const routing_function& routing, std::uint32_t routers, std::uint32_t ports,
               std::uint32_t nodes);
    /// Makes the table keyed for `classes` message classes; call once. Returns false, without a change, if
    /// there is no table, or if there are more than 65,536 keys or 256 answers with their classes.
    bool add_keys(std::uint32_t classes);

    /// True if there is a table.
    bool exists() const { return !m_table.empty(); }
    /// True if the table is keyed.
    bool keyed() const { return m_keys != 0; }
    /// An answer: candidates first to first + size - 1 of ways(). `size` is 1 or more: if there is no route,
    /// one candidate without VCs. If every answer has one candidate, the candidate of answer n is ways()[n].
    struct answer {
        std::uint16_t first, size;  ///< index of the first candidate in ways(); number of candidates
    };
    const std::vector<answer>& answers() const { return m_answers; }     ///< different answers, by number
    const std::vector<route_candidate>& ways() const { return m_ways; }  ///< candidates of answers
    /// True if every candidate of an answer has a port below `ports`.
    bool stays_within(const answer& a, std::uint32_t ports) const {
        for (std::uint32_t n = a.first; n < std::uint32_t{a.first} + a.size; ++n)
            if (m_ways[n].port >= ports) return false;
        return true;
    }
    /// Number of header states, route_header::state from 0, that the table tells apart.
    std::uint32_t states() const { return m_states; }
    /// Number of columns, states() * nodes, and of keys of each message class; 0 without a table.
    std::uint32_t columns() const { return m_states * m_nodes; }
    /// Returns the column of a header: state * nodes + destination.
    std::uint32_t column(const route_header& header) const {
        return header.state * m_nodes + header.destination;
    }
    /// Returns the entries of a router by column, in a keyed table by key; null if there is no table. If
    /// by_input() is not 0, the entries of input port p begin at p * by_input().
    const std::uint8_t* of_router(std::uint32_t router) const {
        return exists() ? &m_table[std::size_t{router} * m_inputs * m_stride] : nullptr;
    }
    /// Number of entries of each input port; 0: all input ports share their entries.
    std::uint32_t by_input() const { return m_inputs == 1 ? 0 : m_stride; }
    /// Returns the number of a *place* of a head, which has come to `router` by input port `in`. It is the
    /// number of the router; if the input port matters, router * (most ports of a router) + input port.
    std::uint32_t place(std::uint32_t router, std::uint32_t in) const {
        return m_inputs == 1 ? router : router * m_inputs + in;
    }
    /// Looks up the candidates `out` of a head that has come to a router by port `in`. The table must exist.
    void look_up(std::uint32_t router, std::uint32_t in, const route_header& header, route_set& out) const {
        const answer& a = m_answers[of_router(router)[in * by_input() + column(header)]];
        const route_candidate* const first = &m_ways[a.first];
        for (std::uint32_t n = 0; n < a.size; ++n) out.candidates[n] = first[n];
        out.size = a.size;
    }
    /// Returns the key of a header of a message class in a keyed table; numbers are not checked.
    std::uint32_t key(std::uint32_t message_class, const route_header& header) const {
        return message_class * columns() + column(header);
    }

    /// Value in `next` of count_hops() for a link that leads to no router.
    static constexpr std::uint32_t none = 0xffffffff;
    /// Returns the number of routers that a packet passes from each place to its destination, [place *
    /// columns + column], the router of the place included; routers r with counts_itself[r] are not counted.
    /// Returns an empty list without a table, or if candidates of one answer differ in the number. `ports`:
    /// most ports of a router. `next`: for the link at output router * ports + port (the index), the input
    /// router * ports + port where it ends; none: it leads to no router.
    std::vector<std::uint16_t> count_hops(const std::vector<std::uint32_t>& next, std::uint32_t ports,
                                          const std::vector<bool>& counts_itself) const;

  private:
    /// Finds or adds the answer `ways`, and sets its `number`. Returns false for more than 256 answers.
    bool find_or_add(const route_set& ways, std::uint8_t& number);
    const answer& answer_at(std::uint32_t place, std::uint32_t column) const {
        return m_answers[m_table[std::size_t{place} * m_stride + column]];
    }

    std::uint32_t m_routers = 0, m_nodes = 0, m_states = 0, m_keys = 0;  ///< m_keys 0: not keyed
    /// Number of input ports of a router that the table tells apart; 1: the port does not matter.
    std::uint32_t m_inputs = 1;
    std::uint32_t m_stride = 0;         ///< number of entries of a place: columns, or keys
    std::vector<std::uint8_t> m_table;  ///< entries: [place * m_stride + column or key]
    std::vector<answer> m_answers;
    std::vector<route_candidate> m_ways;
};

}  // namespace sare
