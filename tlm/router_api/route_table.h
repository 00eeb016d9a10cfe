// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Table of the answers of a routing function that always answers equal headers alike. A byte, the number of
/// the answer, is found by router, state of the header and destination (column: state * nodes + node), and by
/// the input port, if the function looks at it.
///
/// A *keyed* table has an entry for every message class and column (key: class * columns + column), which
/// tells the class, too: answer + class * answers().size(). A head can then carry its key, and no router need
/// touch its packet. The entries of class 0 come first, so that columns are keys of class 0.
class route_table {
  public:
    /// Builds the table; it stays empty if the function forbids it, it would be too large, or there are more
    /// than 256 answers. `ports`: most ports of a router.
    void build(const routing_function& routing, std::uint32_t routers, std::uint32_t ports,
               std::uint32_t nodes);
    /// Makes the table keyed. Returns false, without a change, if there are too many keys or answers.
    bool add_keys(std::uint32_t classes);

    bool exists() const { return !m_table.empty(); }
    bool keyed() const { return m_keys != 0; }
    /// An answer: candidates first to first + size - 1 of ways(). If every answer has one candidate, that of
    /// answer n is ways()[n].
    struct answer {
        std::uint16_t first, size;
    };
    const std::vector<answer>& answers() const { return m_answers; }
    const std::vector<route_candidate>& ways() const { return m_ways; }
    /// False if an answer has a port that routers with `ports` ports lack.
    bool stays_within(const answer& a, std::uint32_t ports) const {
        for (std::uint32_t n = a.first; n < std::uint32_t{a.first} + a.size; ++n)
            if (m_ways[n].port >= ports) return false;
        return true;
    }
    /// Number of header states that are told apart.
    std::uint32_t states() const { return m_states; }
    /// Number of columns, which is that of class 0's keys.
    std::uint32_t columns() const { return m_states * m_nodes; }
    /// Column of a header.
    std::uint32_t column(const route_header& header) const {
        return header.state * m_nodes + header.destination;
    }
    /// Returns a router's entries, by column (or key): numbers of answers. If by_input() is not 0, the
    /// entries of input port p begin at p * by_input(). Null if there is no table.
    const std::uint8_t* of_router(std::uint32_t router) const {
        return exists() ? &m_table[std::size_t{router} * m_inputs * m_stride] : nullptr;
    }
    std::uint32_t by_input() const {
        return m_inputs == 1 ? 0 : m_stride;
    }  ///< entries of an input port; 0: the same for all
    /// Index of a place in the network: a router, or an input port of a router, if that matters.
    std::uint32_t place(std::uint32_t router, std::uint32_t in) const {
        return m_inputs == 1 ? router : router * m_inputs + in;
    }
    /// Looks up the answer for a head at a router that came in by port `in`.
    void look_up(std::uint32_t router, std::uint32_t in, const route_header& header, route_set& out) const {
        const answer& a = m_answers[of_router(router)[in * by_input() + column(header)]];
        const route_candidate* const first = &m_ways[a.first];
        for (std::uint32_t n = 0; n < a.size; ++n) out.candidates[n] = first[n];
        out.size = a.size;
    }
    /// Key of a header in a keyed table.
    std::uint32_t key(std::uint32_t message_class, const route_header& header) const {
        return message_class * columns() + column(header);
    }

    static constexpr std::uint32_t none = 0xffffffff;
    /// Returns the number of routers that a packet passes from a place on, [place * columns + column], that
    /// of the place included; routers r with counts_itself[r] are not counted. Empty if this number differs
    /// between the candidates of one answer. `next`: input router * ports + port where the link of output
    /// router * ports + port (the index) ends; none: it leads to no router.
    std::vector<std::uint16_t> count_hops(const std::vector<std::uint32_t>& next, std::uint32_t ports,
                                          const std::vector<bool>& counts_itself) const;

  private:
    bool find_or_add(const route_set& ways, std::uint8_t& number);
    const answer& answer_at(std::uint32_t place, std::uint32_t column) const {
        return m_answers[m_table[std::size_t{place} * m_stride + column]];
    }

    std::uint32_t m_routers = 0, m_nodes = 0, m_states = 0, m_keys = 0;
    std::uint32_t m_inputs = 1;  ///< input ports of a router that are told apart
    std::uint32_t m_stride = 0;  ///< entries of a place: columns, or keys
    std::vector<std::uint8_t> m_table;
    std::vector<answer> m_answers;
    std::vector<route_candidate> m_ways;
};

}  // namespace sare
