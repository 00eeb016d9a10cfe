// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router/insee/block.h"
#include "tlm/router_api/router_context.h"

namespace sare {

/// Inputs (phit_shape) that ask for the same output VC, as their arbiter sees them: requester i is input i.
template <int W>
class phit_contest final : public arbiter_requests {
  public:
    /// Keeps references to its arguments. `b`: the router.
    phit_contest(const router_context& net, const phit_shape& shape, phit_block<W>& b)
        : m_net(net), m_k(shape), m_b(b) {}

    std::uint64_t age(std::uint32_t i) const override { return first_of(i).generated; }
    std::uint64_t since(std::uint32_t i) const override { return m_b.queues[i].asked; }
    std::uint32_t queue(std::uint32_t i) const override { return m_b.queues[i].phits; }
    std::uint32_t port(std::uint32_t i) const override {
        return i < m_k.transit ? m_b.queues[i].port : m_k.directions + (i - m_k.transit) / m_k.injection;
    }
    std::uint32_t message_class(std::uint32_t i) const override {
        return m_net.shares().class_of(first_of(i).route.vc_base);
    }
    /// Returns a random number for input i from the stream of the router, drawn when it is first asked for.
    /// Only the numbers of the two inputs that were asked for last are kept, since the arbiter compares the
    /// input that leads with the next one.
    std::uint64_t random(std::uint32_t i, std::uint32_t) const override {
        for (std::uint32_t k = 0; k < 2; ++k)
            if (m_drawn[k].by == i) {
                m_newest = k;
                return m_drawn[k].number;
            }
        m_newest = 1 - m_newest;
        m_drawn[m_newest] = {i, m_b.random.next()};
        return m_drawn[m_newest].number;
    }

  private:
    /// Returns the first packet of input i.
    const packet& first_of(std::uint32_t i) const { return m_net.packets()[m_b.queues[i].front]; }

    /// Number that an input has drawn; `by`: the input, ~0: none.
    struct draw {
        std::uint32_t by = ~0U, number = 0;
    };
    const router_context& m_net;
    const phit_shape& m_k;
    phit_block<W>& m_b;
    mutable draw m_drawn[2];
    mutable std::uint32_t m_newest = 1;
};

}  // namespace sare
