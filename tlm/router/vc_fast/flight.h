// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/passage.h"

namespace sare {

/// The way of a packet of one flit while it is all that moves: from router to router as fast_passage takes
/// it, but nothing is written to planes and lists in between.
template <int S, int N>
class fast_flight {
    using cycle = fast_cycle<S, N, false>;
    using block = fast_block<S, N, true>;
    using index = std::uint64_t;

  public:
    /// Router k is the only one awake in `c`, and nothing else is on any link.
    fast_flight(cycle& c, std::uint32_t k, std::uint32_t routers) : m_c(c), m_k(k), m_routers(routers) {}

    /// Runs cycles before `before`, and gives the cycle behind the last one run: that of `c` if there was
    /// none. Then `c` is in the cycle in which the flit comes to what is next on its way.
    cycle_t run(cycle_t before) {
        block& first = m_c.block_of(m_k);
        std::uint64_t* const inbox = m_c.inbox_of(m_k);
        const std::uint64_t come = inbox[0] >> block::arrivals_at;
        const auto credits = static_cast<typename block::set>(inbox[block::inbox_sets - 1]);
        if (come == 0 || (come & (come - 1)) != 0 || credits != 0) return m_c.time;
        index i = lowest(come);
        std::uint64_t& there = m_c.here[first.flits_at + (i >> S)];
        std::uint64_t word = there;
        cycle_t end = m_c.time;
        block* from = nullptr;
        index o = 0;
        while (pass(i, word, o)) {
            end = m_c.time + 1;
            from = &m_c.block_of(m_k);
            m_c.time += fast_write_ahead + m_c.around.shape.flit_delay;
            m_c.now = static_cast<std::uint32_t>(m_c.time);
            if (m_c.time >= before || !is_member(from->stocked, o) || !find_next(*from, o, i)) break;
        }
        if (from == nullptr) {
            there = word;
        } else {
            inbox[0] = 0;
            link_side<S, N>(m_c, *from)
                .put_flit(m_c.around.ring.at(m_c.time), from->output_at(o), o & block::vc_mask, word);
        }
        return end;
    }

  private:
    /// A credit that goes by wire would move, too.
    bool pass(index i, std::uint64_t& word, index& o) const {
        block& b = m_c.block_of(m_k);
        return b.input_at(i).account.is_open() && fast_passage<S, N>(m_c, b).run_lone(i, word, o);
    }
    /// The router behind output VC `o`, and its input VC; false if that is none of the bank's.
    bool find_next(const block& b, index o, index& i) {
        const auto& to = b.output_at(o);
        m_k = m_c.places.endpoint_at(to.flit_inbox) - m_c.around.shape.first;
        i = to.flit_place + (o & block::vc_mask) - block::arrivals_at;
        return m_k < m_routers;
    }

    cycle& m_c;
    std::uint32_t m_k;
    const std::uint32_t m_routers;
};

}  // namespace sare
