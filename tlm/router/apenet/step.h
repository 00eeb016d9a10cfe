// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/shared_pool.h"
#include "tlm/router/apenet/block.h"
#include "tlm/router_api/router_context.h"

/// One cycle of a node of APEnet, as docs/apenet.md describes it: words and credits are taken in, headers ask
/// for output ports and are given them, words go through the crossbar into output FIFOs and from there onto
/// links, credits are told. A word that comes in a cycle can leave in it.
namespace sare {

/// What all routers of a bank work with, beside their own state.
struct apenet_surroundings {
    const apenet_shape& shape;  ///< parameters and sizes of the routers
    router_context& net;
    const link_ring& ring;
    shared_pool<packet>& packets;
};

/// Runs one cycle of one router: made for a router and a cycle, then run() is called once. Input VCs and
/// output VCs have numbers: port * vcs + vc.
class apenet_step {
  public:
    apenet_step(const apenet_surroundings& around, apenet_block& b, cycle_t t)
        : m_c(around), m_b(b), m_k(around.shape), m_t(t), m_vcs(m_k.vcs) {}
    void run();

    /// @name The inbox: see apenet_block
    /// @{
    /// Number of words of an inbox that have a credit bit for each output VC.
    static std::uint32_t credit_sets(const apenet_shape& s) { return (s.all + 63) / 64; }
    /// Word of an inbox, from 0, at which the counts of credits begin.
    static std::uint32_t first_number(const apenet_shape& s) {
        return plain_inbox::words(s.ports, credit_sets(s));
    }
    /// @}

  private:
    using input = apenet_input;
    using output = apenet_output;

    // arrivals
    void read_inbox();
    void take_credits(std::uint64_t* inbox);
    void take_word(std::uint32_t i, const flit& f);
    void ask(std::uint32_t i, input& q);
    /// True if the first packet of an input VC may ask for an output: with store_and_forward only when its
    /// tail has come.
    bool is_whole(const input& q) const {
        return m_k.params.switching != apenet_switching::store_and_forward || q.words >= q.left;
    }
    void bring_to_front(std::uint32_t i, input& q);

    // arbitration
    /// Input VC that has won an output port so far, and the output VC for which it asks.
    struct winner {
        std::uint16_t input, output;
    };
    class contest;
    void allocate();
    std::uint32_t output_for(std::uint32_t i, std::uint16_t* claimed) const;
    /// Returns the credits that an output VC must have for the first packet of an input VC.
    std::uint32_t need_of(const input& q) const { return m_k.whole_packets() ? q.length : 1; }
    /// True if a port serves another packet, and words of packets must not mix.
    bool is_busy(std::uint32_t port) const { return m_k.whole_packets() && m_b.ports[port].owned != 0; }
    bool beats(std::uint32_t port, std::uint32_t i, std::uint32_t other, const std::uint32_t* drawn) const;
    void grant(std::uint32_t i, std::uint32_t o);
    /// Returns the first packet of input VC `i`.
    apenet_slot& front(std::uint32_t i) const {
        return m_b.slots[std::size_t{i} * m_k.params.depth + m_b.inputs[i].first];
    }

    // from the crossbar onto the link
    bool can_enter(std::uint32_t port, std::uint32_t vc) const;
    void enter(std::uint32_t port);
    apenet_run& run_for(std::uint32_t port, const input& q, std::uint32_t vc);
    void leave(std::uint32_t i, input& q);
    void send(std::uint32_t port);
    void put_word(std::uint32_t port, apenet_port& p, apenet_run& r);
    void end_run(std::uint32_t port, apenet_port& p);
    bool is_waking(apenet_port& p, std::uint32_t port);
    void carry(apenet_port& p, std::uint32_t port, std::uint32_t words);

    void tell_credits();
    void tell_credits_of(std::uint32_t port, apenet_port& p);

    const apenet_surroundings& m_c;
    apenet_block& m_b;
    const apenet_shape& m_k;
    const cycle_t m_t;
    const std::uint32_t m_vcs;
};

}  // namespace sare
