// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/own_counts.h"
#include "tlm/router_api/plain_inbox.h"
#include "tlm/router_api/router_context.h"

#include <vector>

namespace sare {

/// Base class of banks of routers without buffers (docs/bufferless.md): a flit that comes in a cycle leaves,
/// or is dropped, in the same cycle, no credits are sent, and the routers own the queues of their nodes.
/// Keeps inboxes, wires, counts of flits sent and random streams. A derived class adds step().
class bufferless_bank : public router_bank, public own_counts {
  public:
    bufferless_bank(router_context& net, std::vector<std::uint32_t> routers, std::uint32_t ports,
                    const router_terms& terms);

    inbox_words inbox() const final { return {0, plain_inbox::words(ports(), credit_sets)}; }
    void construct(plane_layout at) override;
    std::pair<wire, wire_extras> flits_into(std::uint32_t k, std::uint32_t port) const final;
    std::pair<wire, wire_extras> credits_into(std::uint32_t k, std::uint32_t port) const final;
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) final;
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                    const link_end& from) final;

    void set_seed(std::uint64_t seed) final;
    resets can_reset() const final { return resets::of_network; }

    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const final;
    std::uint32_t flits_sent(std::uint32_t k) const final;
    void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const final;
    flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const override;
    bool bids_for_vc(std::uint32_t, std::uint32_t, std::uint32_t) const override { return false; }
    std::uint64_t bytes() const override;

  protected:
    /// Value of port_end::sender and ::receiver at a port that leads to no node.
    static constexpr std::uint32_t no_node = 0xffffffff;
    static constexpr std::uint32_t credit_sets = 1;  ///< words of the inbox for credits
    /// Wires and nodes at a port.
    struct port_end {
        wire flits;                      ///< wire for flits that leave by the port
        wire credits;                    ///< wire for credits of flits that come in by the port
        std::uint32_t sender = no_node;  ///< node whose packets come in by the port; no_node: none
        /// Node that takes the flits that leave by the port; no_node: none.
        std::uint32_t receiver = no_node;
        /// Depth, in flits, that wire_output() was given for the buffer behind the link; out() returns it as
        /// the credits.
        std::uint16_t depth = 0;
    };

    /// Calls run(k, inbox) for each router k whose bit is set in `awake`, and clears these bits. `inbox`:
    /// first word of the router's plain_inbox in the plane of cycle `t`, which `run` must clear.
    template <class Run>
    void run_all(std::uint64_t* awake, cycle_t t, Run run) {
        std::uint64_t* const plane = m_ring.at(t);
        const std::uint32_t all = words();
        for (std::uint32_t w = 0; w < all; ++w) {
            std::uint64_t bits = awake[w];
            if (bits == 0) continue;
            awake[w] = 0;
            for (; bits != 0; bits &= bits - 1) {
                const std::uint32_t k = w * 64 + static_cast<std::uint32_t>(lowest(bits));
                run(k, plane + m_inboxes[k].at);
            }
        }
    }

    router_context& net() { return m_net; }
    const router_context& net() const { return m_net; }
    link_ring& ring() { return m_ring; }
    /// Wakes router k in cycle `t`, after the present one and within reach() (not checked).
    void wake(std::uint32_t k, cycle_t t) { m_inboxes[k].wake(m_ring, t); }
    /// Returns the wires and nodes at port `p` of router k.
    const port_end& port(std::uint32_t k, std::uint32_t p) const { return m_port_ends[index(k, p)]; }
    /// Returns the stream of random numbers of router k.
    rng& random(std::uint32_t k) { return m_random[k]; }
    /// Adds `flits` to the number of flits sent on VC `vc` of port `p` of router k.
    void count_sent(std::uint32_t k, std::uint32_t p, std::uint32_t vc, std::uint32_t flits) {
        m_sent[index(k, p) * terms().vcs + vc] += flits;
    }
    /// Returns the index of port `p` of router k in arrays by router and port.
    std::size_t index(std::uint32_t k, std::uint32_t p) const { return std::size_t{k} * ports() + p; }
    /// Serialises the streams of random numbers and the counts of flits sent.
    void serialize_common(archive& a);

  private:
    router_context& m_net;
    link_ring& m_ring;
    std::vector<plain_inbox> m_inboxes;  ///< inboxes, by router of the bank
    std::vector<port_end> m_port_ends;   ///< wires and nodes of ports, at index()
    std::vector<std::uint32_t> m_sent;   ///< flits sent, modulo 2^32, by router, port and VC
    std::vector<rng> m_random;           ///< random streams, by router of the bank
};

/// Returns the latency, in cycles, that all links between the routers `all` have; 1 if there are no links.
/// `all` must not be empty (not checked). Throws config::error unless `all` are all routers of this process,
/// with equal models and the network's clock, whose links have one latency, take a flit a cycle and cannot
/// sleep.
std::uint32_t check_links_are_alike(const router_context& net, const std::vector<router_instance>& all);

}  // namespace sare
