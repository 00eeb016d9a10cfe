// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/shared_pool.h"
#include "tlm/router/apenet/block.h"
#include "tlm/router_api/router_context.h"

/// One cycle of a router of kind `apenet`, as docs/apenet.md describes it: words (flits) and credits are
/// taken in, headers ask for output ports and are given them, words go through the crossbar into output FIFOs
/// and from there onto links, credits are sent. A word that comes in a cycle can leave in the same cycle.
namespace sare {

/// References that the cycles of all routers of a bank use, beside the state of the router.
struct apenet_surroundings {
    const apenet_shape& shape;     ///< parameters and sizes of the routers
    router_context& net;           ///< the network
    const link_ring& ring;         ///< planes of the links of the bank's clock domain
    shared_pool<packet>& packets;  ///< packets of the network, by slot
};

/// Runs one cycle of one router; an object is made for one router and one cycle. An input VC or output VC has
/// the number port * vcs + vc.
class apenet_step {
  public:
    /// Keeps references to `around` and `b`, the router; `t`: the cycle.
    apenet_step(const apenet_surroundings& around, apenet_block& b, cycle_t t)
        : m_c(around), m_b(b), m_k(around.shape), m_t(t), m_vcs(m_k.vcs) {}
    /// Runs the cycle; call it once. Throws protocol_error for a word that finds its input FIFO full.
    void run();

    /// @name The inbox: see apenet_block
    /// @{
    /// Returns the number of words of an inbox with credits, which have a bit for each output VC.
    static std::uint32_t credit_sets(const apenet_shape& s) { return (s.all + 63) / 64; }
    /// Returns the index, within an inbox, of the word at which the counts of credits begin.
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
    /// True if the first packet of input VC q may ask for an output VC: with store_and_forward only when its
    /// tail has come.
    bool is_whole(const input& q) const {
        return m_k.params.switching != apenet_switching::store_and_forward || q.words >= q.left;
    }
    void bring_to_front(std::uint32_t i, input& q);

    // arbitration
    /// Input VC that has won an output port so far, and output VC that it asks for, by their numbers.
    struct winner {
        std::uint16_t input, output;
    };
    class contest;
    void allocate();
    std::uint32_t output_for(std::uint32_t i, std::uint16_t* claimed) const;
    /// Returns the credits that an output VC must have for the first packet of input VC q.
    std::uint32_t need_of(const input& q) const { return m_k.whole_packets() ? q.length : 1; }
    /// True if a packet is entering the output FIFO of `port` and the switching keeps the words of packets
    /// together.
    bool is_busy(std::uint32_t port) const { return m_k.whole_packets() && m_b.ports[port].owned != 0; }
    bool beats(std::uint32_t port, std::uint32_t i, std::uint32_t other, const std::uint32_t* drawn) const;
    void grant(std::uint32_t i, std::uint32_t o);
    /// Returns the slot of the first packet of input VC `i`.
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
