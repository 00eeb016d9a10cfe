// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/router/arbiter/arbiter_row.h"
#include "tlm/router/vc/machine/stage.h"

#include <algorithm>

namespace sare {

/// Answers to an arbiter's questions about its requesters. find(n) must return the input VCs for which
/// requester n stands; if there are none, all answers but that of random() are 0. For several VCs the answer
/// is that of the VC that ranks first: the oldest packet, the longest queue. `Stage`: the vc_stage that runs.
template <class Stage, class Find>
class vc_contenders final : public arbiter_requests {
  public:
    /// Keeps a reference to `stage` and a copy of `find`.
    vc_contenders(const Stage& stage, const Find& find) : m_s(stage), m_find(find) {}

    std::uint64_t age(std::uint32_t n) const override {
        return least(n, [this](std::uint64_t i) { return of_packet(i).generated; });
    }
    std::uint64_t since(std::uint32_t n) const override {
        return least(n, [this](std::uint64_t i) { return m_s.m_b.since[i]; });
    }
    std::uint32_t queue(std::uint32_t n) const override {
        return most(n, [this](std::uint64_t i) { return std::uint32_t{m_s.m_b.in(i).count}; });
    }
    std::uint32_t port(std::uint32_t n) const override {
        const vc_group group = m_find(n);
        return group.vcs == 0 ? 0 : static_cast<std::uint32_t>(m_s.port_of(group.first));
    }
    std::uint32_t message_class(std::uint32_t n) const override {
        return most(n,
                    [this](std::uint64_t i) { return net().shares().class_of(of_packet(i).route.vc_base); });
    }
    std::uint64_t random(std::uint32_t n, std::uint32_t arbiter) const override {
        // The lowest 10 bits of an arbiter's number in its row and of n, then the others.
        const std::uint64_t request = std::uint64_t{1} << 59 | std::uint64_t{n >> 10} << 49 |
                                      std::uint64_t{arbiter >> 13} << 47 | std::uint64_t{m_s.m_b.id} << 23 |
                                      (arbiter & 0x1fff) << 10 | (n & 0x3ff);
        return rng(net().seed() + m_s.m_c.now, stream::routing, request).next();
    }

  private:
    const router_context& net() const { return m_s.m_c.around.net; }
    /// Returns the packet at the front of input VC i (VC number).
    const packet& of_packet(std::uint64_t i) const {
        return m_s.m_c.around.packets[flit::from_word(m_s.m_b.front(i)).packet];
    }
    /// Returns the least of(i) of all input VCs i of requester n; most() returns the largest. Both return 0
    /// if the requester has none.
    template <class F>
    std::uint64_t least(std::uint32_t n, F&& of) const {
        const vc_group group = m_find(n);
        if (group.vcs == 0) return 0;
        std::uint64_t found = ~std::uint64_t{0};
        for (const std::uint64_t vc : members(group.vcs))
            found = std::min<std::uint64_t>(found, of(group.first + vc));
        return found;
    }
    template <class F>
    std::uint32_t most(std::uint32_t n, F&& of) const {
        const vc_group group = m_find(n);
        std::uint32_t found = 0;
        for (const std::uint64_t vc : members(group.vcs))
            found = std::max<std::uint32_t>(found, of(group.first + vc));
        return found;
    }

    const Stage& m_s;
    const Find m_find;
};

/// Arbiters of a router: an arbiter_row for each of the eight roles in vc_shape::words_of. Arbiters and
/// requesters that are input or output VCs have the numbers used outside of the blocks, port * VCs + VC.
/// `bank` selects arbiters: 0 for plain requests, 1 for speculative ones. `Stage`: the vc_stage that runs.
template <class Stage>
class vc_arbiters {
  public:
    SARE_INLINE explicit vc_arbiters(const Stage& stage) : m_s(stage) {}

    /// Returns the VA arbiters of input VCs, which pick a VC of an output port.
    SARE_INLINE arbiter_row va_rows() const {
        return row(m_s.m_b.va_row, m_s.shape().vcs, m_s.shape().va_arbiter, 0);
    }
    /// Returns the VA arbiters of output VCs, which pick an input VC.
    SARE_INLINE arbiter_row va_columns() const {
        return row(m_s.m_b.va_column, m_s.shape().ports * m_s.shape().vcs, m_s.shape().va_arbiter, 1);
    }
    /// Returns the SA arbiters of crossbar inputs that pick a VC of the input port.
    SARE_INLINE arbiter_row sa_vcs(std::uint32_t bank) const {
        return row(m_s.m_b.turns[bank].vc, m_s.shape().vcs, m_s.shape().sa_arbiter, 2 + bank);
    }
    /// Returns the SA arbiters of crossbar outputs, which pick a crossbar input.
    SARE_INLINE arbiter_row sa_columns(std::uint32_t bank) const {
        return row(m_s.m_b.turns[bank].column, m_s.shape().crossbar_inputs, m_s.shape().sa_arbiter, 4 + bank);
    }
    /// Returns the SA arbiters of crossbar inputs that pick a crossbar output (allocator output_first only).
    SARE_INLINE arbiter_row sa_rows(std::uint32_t bank) const {
        return row(m_s.m_b.turns[bank].row, m_s.shape().crossbar_outputs, m_s.shape().sa_arbiter, 6 + bank);
    }
    /// Returns a function that makes the vc_contenders for `find`, for the parameter `make` of arbiter_row,
    /// which calls it unless it is round robin.
    template <class Find>
    SARE_INLINE auto contenders(const Find& find) const {
        return [this, find] { return vc_contenders<Stage, Find>(m_s, find); };
    }
    /// Returns contenders about which all answers but that of random() are 0, for free output VCs, which are
    /// all alike.
    SARE_INLINE auto unknown() const {
        return contenders([](std::uint32_t) { return vc_group{0, 0}; });
    }
    /// Returns contenders that are the input VCs of `port`; requester n is VC n.
    SARE_INLINE auto vcs_of(std::uint64_t port) const {
        return contenders([first = m_s.number(port, 0)](std::uint32_t vc) {
            return vc_group{first + vc, 1};
        });
    }
    /// Returns contenders that are the input VCs of the router; requester n is port * VCs + VC.
    SARE_INLINE auto input_vcs() const {
        return contenders([this](std::uint32_t n) { return vc_group{m_s.from_plain(n), 1}; });
    }

  private:
    /// Returns row `which` of vc_shape::words_of. `last`: requester served last, by arbiter; `size`: number
    /// of requesters of each arbiter; `policy`: null for round robin.
    SARE_INLINE arbiter_row row(std::uint16_t* last, std::uint32_t size,
                                const std::shared_ptr<const arbiter>& policy, std::uint32_t which) const {
        const vc_shape::arbiter_words& own = m_s.shape().words_of[which];
        return {last, size, policy.get(), m_s.m_b.remembered + own.first, own.each, which * 1024};
    }

    const Stage& m_s;
};

}  // namespace sare
