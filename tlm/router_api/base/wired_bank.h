// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/router_api/plain_inbox.h"
#include "tlm/router_api/router_context.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace sare {

/// Base class for banks whose routers have a plain_inbox: keeps the inboxes, and the wires of every port.
/// Input VCs and output VCs of a router have numbers: port * vcs() + vc.
class wired_bank : public router_bank {
  public:
    wired_bank(router_context& net, std::vector<std::uint32_t> routers, std::uint32_t ports,
               const router_terms& terms)
        : router_bank(std::move(routers), ports, terms),
          m_net(net),
          m_ring(net.domain_of(router(0)).ring()),
          m_all(ports * terms.vcs),
          m_credit_sets((m_all + 63) / 64),
          m_wires(std::size_t{size()} * ports),
          m_extras(m_wires.size()) {}

    /// Returns the size of an inbox in 64-bit words: a plain_inbox and, if credits are batched, a 16-bit
    /// count for each output VC.
    inbox_words inbox() const override {
        return {0, first_number() + (m_net.batched() ? (all() + 3) / 4 : 0)};
    }
    /// 1: a router wakes itself at most for the next cycle.
    std::uint32_t reach() const override { return 1; }
    void construct(plane_layout at) override {
        m_batched = m_net.batched();
        for (std::uint32_t k = 0; k < size(); ++k) m_inboxes.emplace_back(at, k);
    }
    std::pair<wire, wire_extras> flits_into(std::uint32_t k, std::uint32_t port) const override {
        return {m_inboxes[k].flits(port, credit_sets()), {}};
    }
    std::pair<wire, wire_extras> credits_into(std::uint32_t k, std::uint32_t port) const override {
        wire_extras x;
        if (m_net.batched()) x.counts = first_number() - 1;
        return {m_inboxes[k].credits(port * vcs()), x};
    }
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) override {
        m_wires[port_of(k, port)].flits = w;
        m_extras[port_of(k, port)].flits = x;
        for (std::uint32_t v = 0; v < vcs(); ++v) set_credits(k, port * vcs() + v, x.depth);
    }
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                    const link_end&) override {
        m_wires[port_of(k, port)].credits = w;
        m_extras[port_of(k, port)].credits = x;
    }

  protected:
    /// Sets the initial credits, in flits, of output VC `o` of router k.
    virtual void set_credits(std::uint32_t k, std::uint32_t o, std::uint16_t credits) = 0;

    router_context& net() const { return m_net; }      ///< network of the bank
    const link_ring& ring() const { return m_ring; }   ///< links of the bank's clock domain
    std::uint32_t vcs() const { return terms().vcs; }  ///< number of VCs of a port
    std::uint32_t all() const { return m_all; }  ///< number of input VCs, and of output VCs, of a router
    /// Inbox of router k.
    const plain_inbox& inbox_of(std::uint32_t k) const { return m_inboxes[k]; }
    /// Returns the number of words of an inbox that hold the credit bits, a bit for each output VC.
    std::uint32_t credit_sets() const { return m_credit_sets; }
    /// Returns the word of an inbox, from 0, at which the counts of batched credits begin, 16 bits for each
    /// output VC.
    std::uint32_t first_number() const { return plain_inbox::words(ports(), credit_sets()); }
    /// Takes the credits out of `inbox`, the first word of an inbox in the plane of this cycle: calls f(o, n)
    /// for each output VC `o` that has got credits, `n` in number.
    template <class F>
    void take_credits(std::uint64_t* inbox, const F& f) const {
        for (std::uint32_t w = 0; w < m_credit_sets; ++w) {
            for (std::uint64_t rest = inbox[1 + w]; rest != 0; rest &= rest - 1) {
                const std::uint32_t o = w * 64 + static_cast<std::uint32_t>(lowest(rest));
                f(o, m_batched ? take_number(inbox, o) : std::uint16_t{1});
            }
            inbox[1 + w] = 0;
        }
    }
    /// Returns the index of a port of router k in arrays that have an element for each port of the bank.
    std::size_t port_of(std::uint32_t k, std::uint32_t port) const { return std::size_t{k} * ports() + port; }
    /// Returns the wires that router k writes, by port: for flits that leave by the port, and for credits to
    /// the sender of the flits that come in by it.
    const port_wires* wires_of(std::uint32_t k) const { return &m_wires[port_of(k, 0)]; }
    /// Returns the further properties of the wires that router k writes, by port.
    const port_extras* extras_of(std::uint32_t k) const { return &m_extras[port_of(k, 0)]; }

  private:
    std::uint16_t take_number(std::uint64_t* inbox, std::uint32_t o) const {
        return std::exchange(reinterpret_cast<std::uint16_t*>(inbox + first_number())[o], std::uint16_t{0});
    }

    router_context& m_net;               ///< network of the bank
    const link_ring& m_ring;             ///< links of the bank's clock domain
    std::uint32_t m_all, m_credit_sets;  ///< results of all() and credit_sets()
    bool m_batched = false;              ///< true: credits come as 16-bit counts
    std::vector<plain_inbox> m_inboxes;  ///< inboxes, by router of the bank
    std::vector<port_wires> m_wires;     ///< wires of the links at a port, by port_of() of router and port
    std::vector<port_extras> m_extras;   ///< further properties of these wires, by port_of()
};

}  // namespace sare
