// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router/vc/block.h"

#include <algorithm>

namespace sare {

template <int N>
struct vc_surroundings;

/// Of the input VCs of a port from `first` on, those that a requester stands for.
struct vc_group {
    std::uint32_t first, vcs;
};

/// What the arbiters of a router may ask of those that compete: `find(n)` gives the vc_group of requester n.
/// Of several VCs what counts most is told: the oldest, the longest.
template <int N, class Find>
class vc_contenders final : public arbiter_requests {
  public:
    vc_contenders(const vc_surroundings<N>& around, const vc_block<N>& b, cycle_t t, const Find& find)
        : m_c(around), m_b(b), m_t(t), m_find(find) {}

    std::uint64_t age(std::uint32_t n) const override {
        return least(n, [this](std::uint32_t i) { return of_packet(i).generated; });
    }
    std::uint64_t since(std::uint32_t n) const override {
        return least(n, [this](std::uint32_t i) { return m_b.since[i]; });
    }
    std::uint32_t queue(std::uint32_t n) const override {
        return most(n, [this](std::uint32_t i) { return std::uint32_t{m_b.in[i].count}; });
    }
    std::uint32_t port(std::uint32_t n) const override {
        return m_find(n).vcs == 0 ? 0 : m_c.shape.port_of[m_find(n).first];
    }
    std::uint32_t message_class(std::uint32_t n) const override {
        return most(
            n, [this](std::uint32_t i) { return m_c.net.shares().class_of(of_packet(i).route.vc_base); });
    }
    std::uint64_t random(std::uint32_t n, std::uint32_t arbiter) const override {
        const std::uint64_t request =
            std::uint64_t{1} << 59 | std::uint64_t{m_b.id} << 23 | arbiter << 10 | n;
        return rng(m_c.net.seed() + m_t, stream::routing, request).next();
    }

  private:
    const packet& of_packet(std::uint32_t i) const { return m_c.packets[m_b.in[i].packet]; }
    template <class F>
    std::uint64_t least(std::uint32_t n, F&& of) const {
        const vc_group group = m_find(n);
        if (group.vcs == 0) return 0;
        std::uint64_t found = ~std::uint64_t{0};
        for (std::uint32_t rest = group.vcs; rest != 0; rest &= rest - 1)
            found =
                std::min<std::uint64_t>(found, of(group.first + static_cast<std::uint32_t>(lowest(rest))));
        return found;
    }

    template <class F>
    std::uint32_t most(std::uint32_t n, F&& of) const {
        const vc_group group = m_find(n);
        std::uint32_t found = 0;
        for (std::uint32_t rest = group.vcs; rest != 0; rest &= rest - 1)
            found = std::max(found, of(group.first + static_cast<std::uint32_t>(lowest(rest))));
        return found;
    }

    const vc_surroundings<N>& m_c;
    const vc_block<N>& m_b;
    const cycle_t m_t;
    const Find m_find;
};

}  // namespace sare
