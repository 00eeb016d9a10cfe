// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/bank.h"

/// VC routers: where their arbiters stand. Usual allocators keep their turns in the state that a block has
/// anyway: the output VC that an input VC had last, the input VC that had an output VC last.
namespace sare {
namespace {

using stage = router_arbiter::stage;
using requester = router_arbiter::requester;

/// Lists the arbiters of one router, from its block, which does not change.
template <class Block>
class arbiter_list {
  public:
    using set = typename Block::set;

    arbiter_list(const vc_shape& shape, Block& b, cycle_t now, std::vector<router_arbiter>& all)
        : m_s(shape), m_b(b), m_sets(b.as_of(static_cast<std::uint32_t>(now))), m_now(now), m_all(all) {}

    void run() {
        if (m_s.va_allocator == compiled_allocator::wavefront)
            add_wavefront(stage::va_diagonal, m_s.ports * m_s.vcs);
        else
            list_va();
        if (m_s.usual_switch) return list_usual_sa();
        for (std::uint32_t bank = 0; bank < (m_s.speculative ? 2U : 1U); ++bank) list_any_sa(bank);
    }

  private:
    std::uint32_t number(std::uint32_t port, std::uint32_t vc) const {
        return Block::wide ? port * m_s.vcs + vc : port << Block::S | vc;
    }
    std::uint32_t port_of(std::uint32_t i) const { return Block::wide ? i / m_s.vcs : i >> Block::S; }
    /// Returns the VC of a VC number. The numbers with which arbiters begin may be unused ones.
    std::uint32_t vc_of(std::uint32_t i) const {
        return std::min(Block::wide ? i % m_s.vcs : i & Block::vc_mask, m_s.vcs - 1);
    }
    router_arbiter& add(stage of, requester from, std::uint32_t port, std::uint32_t unit, std::uint32_t size,
                        std::uint32_t last) {
        m_all.push_back({of, from, static_cast<port_number>(port), static_cast<std::uint8_t>(unit),
                         static_cast<std::uint16_t>(size), static_cast<std::uint16_t>(last)});
        return m_all.back();
    }
    /// Adds a wavefront, whose first diagonal moves on by one in every cycle.
    void add_wavefront(stage of, std::uint32_t diagonals) {
        add(of, requester::diagonal, 0, 0, diagonals, static_cast<std::uint32_t>(m_now % diagonals));
    }

    void list_va() {
        const std::uint32_t n = m_s.ports * m_s.vcs;
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t i = number(x / m_s.vcs, x % m_s.vcs);
            std::uint32_t last = vc_of(m_b.in(i).out);
            if (is_member(m_sets.later.in, i)) last = router_arbiter::unknown;  // its VA is still to come
            if constexpr (!Block::in_list)
                if (m_s.va_arbiter != nullptr) last = m_b.va_row[x];
            add(stage::va_input, requester::vc, x / m_s.vcs, x % m_s.vcs, m_s.vcs, last).in_turn =
                m_s.va_arbiter == nullptr;
        }
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t o = number(x / m_s.vcs, x % m_s.vcs), by = m_b.owner(o);
            std::uint32_t last = port_of(by) * m_s.vcs + vc_of(by);
            if (is_member(m_sets.later.out, o)) last = router_arbiter::unknown;
            if constexpr (!Block::in_list)
                if (m_s.va_arbiter != nullptr) last = m_b.va_column[x];
            add(stage::va_output, requester::input_vc, x / m_s.vcs, x % m_s.vcs, n, last).in_turn =
                m_s.va_arbiter == nullptr;
        }
    }
    /// Returns `last`, or that it is unknown if the port has a VC whose SA is still to come.
    std::uint32_t unless_ahead(const set& ahead, std::uint32_t port, std::uint32_t last) const {
        for (std::uint32_t v = 0; v < m_s.vcs; ++v)
            if (is_member(ahead, number(port, v))) return router_arbiter::unknown;
        return last;
    }
    void list_usual_sa() {
        for (std::uint32_t p = 0; p < m_s.ports; ++p)
            add(stage::sa_input, requester::vc, p, 0, m_s.vcs,
                unless_ahead(m_sets.soon.in | m_sets.later.in, p, vc_of(m_b.sa_vc(p))));
        for (std::uint32_t p = 0; p < m_s.ports; ++p)
            add(stage::sa_output, requester::input, p, 0, m_s.ports,
                unless_ahead(m_sets.soon.out | m_sets.later.out, p, port_of(m_b.sa_column(p))));
    }
    /// `bank`: 0 for the arbiters of plain requests, 1 for those of speculative ones.
    void list_any_sa(std::uint32_t bank) {
        if constexpr (!Block::in_list) {
            const auto& turns = m_b.turns[bank];
            const std::uint32_t ins = m_s.crossbar_inputs, outs = m_s.crossbar_outputs;
            const auto begun = static_cast<std::ptrdiff_t>(m_all.size());
            add_row(stage::sa_input, requester::vc, ins, m_s.vcs, turns.vc);
            if (m_s.sa_allocator == compiled_allocator::output_first)
                add_row(stage::sa_offer, requester::output, ins, outs, turns.row);
            if (m_s.sa_allocator == compiled_allocator::wavefront)
                add_wavefront(stage::sa_diagonal, std::max(ins, outs));
            else
                add_row(stage::sa_output, requester::input, outs, ins, turns.column);
            for (auto a = m_all.begin() + begun; a != m_all.end(); ++a) {
                a->in_turn = m_s.sa_arbiter == nullptr || a->from == requester::diagonal;
                a->speculative = bank == 1;
            }
        }
    }
    /// Adds `count` arbiters of as many requesters each.
    void add_row(stage of, requester from, std::uint32_t count, std::uint32_t size,
                 const std::uint16_t* last) {
        const std::uint32_t each = count / m_s.ports;
        for (std::uint32_t x = 0; x < count; ++x) add(of, from, x / each, x % each, size, last[x]);
    }

    const vc_shape& m_s;
    Block& m_b;
    const typename Block::sets m_sets;
    const cycle_t m_now;
    std::vector<router_arbiter>& m_all;
};

}  // namespace

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const {
    arbiter_list<block>(shape(), m_around.block_of(k), present(), all).run();
}

template void vc_bank<0, 64, false>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<0, 128, false>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<0, 256, false>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<0, 512, false>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<0, 1024, false>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<0, 4096, false>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<2, 32, false>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<2, 64, false>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<3, 64, false>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<2, 32, true>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<2, 64, true>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;
template void vc_bank<3, 64, true>::list_arbiters(std::uint32_t, std::vector<router_arbiter>&) const;

}  // namespace sare
