// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/bufferless/bank.h"
#include "tlm/router/spinet/params.h"
#include "tlm/topology/multistage/multistage.h"

#include <memory>

namespace sare {

/// Parameters that all elements of a network share; an element is an optical switch, the router of kind
/// `spinet`.
struct spinet_shape {
    spinet_params params;       ///< parameters of the elements
    std::uint32_t slot = 1;     ///< cycles of a slot: how long a path through the network stands
    std::uint32_t latency = 1;  ///< latency of every link between elements in cycles
    /// Stages of the network, from the first, into which nodes send.
    std::vector<multistage_shape::stage> stages;
};

/// State of the sender of a node, which sends one packet at a time, and again until it is acknowledged.
struct spinet_sender {
    /// idle: no packet; sent: the packet is under way; waits: the packet will be sent, or sent again, from
    /// cycle `next` on.
    enum class state : std::uint8_t { idle, sent, waits };
    state is = state::idle;
    std::uint8_t next_class = 0;  ///< message class whose packet is taken next
    /// Slot, in the pool, of the packet that is sent; its length in flits; number of times that it was sent
    /// so far.
    std::uint32_t packet = 0, flits = 0, attempts = 0;
    cycle_t next = 0;  ///< first cycle in which the sender may send
    /// Cycle in which the acknowledgement of the packet reaches the sender; never: the packet has not
    /// arrived. The last element writes it in the middle of a slot; the sender reads it when the next slot
    /// begins.
    cycle_t acknowledged = never;
    static constexpr cycle_t never = workload::never;
};
/// Senders of all nodes, by node; all banks of a network share them.
using spinet_senders = std::vector<spinet_sender>;

/// Bank of elements of a bufferless optical network. On a link, a packet is one flit, its leading edge; the
/// rest follows on the same path, which stands for a slot. In each cycle an element decides about the packets
/// whose leading edges come then, and drops the packets that lose. Acknowledgements cannot collide, so none
/// is put on a link: the last element writes the cycle in which an acknowledgement would arrive into the
/// sender. Elements of the first stage run the senders of their nodes.
class spinet_bank final : public bufferless_bank {
  public:
    /// `stage`: number of the stage, from 0, of each router of the bank; `senders`: senders of all nodes of
    /// the network, shared by its banks.
    spinet_bank(router_context& net, const spinet_shape& shape, std::vector<std::uint32_t> routers,
                std::vector<std::uint32_t> stage, std::uint32_t ports, const router_terms& terms,
                std::shared_ptr<spinet_senders> senders);

    std::string variant() const override { return "spinet"; }
    /// Returns the cycles of a slot and 1: no packet is longer than a slot.
    std::uint32_t reach() const override { return m_shape.slot + 1; }
    std::uint32_t period() const override { return m_shape.slot; }
    void construct(plane_layout at) override;
    void step(std::uint64_t* awake, cycle_t t) override;
    void clear(std::uint32_t k, cycle_t t) override;
    void serialize(archive& a) override;

    /// Returns a buffer with the packet that the sender at `port` keeps until it is acknowledged; empty if
    /// router k has no sender there.
    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    std::uint64_t bytes() const override;

    std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return out(k, port, vc).flits - to_come(k, port, vc);
    }

    void add_counts(std::map<std::string, double>& sum) const override;
    void finish_counts(std::map<std::string, double>& sum) const override;

  private:
    /// State of the path through an element to one of its outputs.
    struct path {
        cycle_t open_until = 0;  ///< first cycle in which the path is free for another packet
        cycle_t asked = never;   ///< cycle in which packets last asked for the path
        /// Cycle in which the packet on the path has arrived at its node as a whole; never: no packet is
        /// arriving at a node.
        cycle_t arrives = never;
        std::uint32_t packet = 0;  ///< slot, in the pool, of the packet that is arriving at a node
        std::uint32_t flits = 0;   ///< length, in flits, of the last packet on the path
        std::uint8_t vc = 0;       ///< VC of the last packet on the path
        std::uint8_t from = 0;     ///< input port of the last packet on the path
        std::uint8_t best = 0;     ///< index in m_bids of the bid that has won so far
        std::uint8_t bidders = 0;  ///< number of bids in cycle `asked`
    };
    using sender = spinet_sender;
    /// Counts of a router since the start, for the results.
    struct counts {
        /// Packets that asked for an output; packets that lost it and were dropped here.
        std::uint64_t bids = 0, lost = 0;
        /// Sendings of a packet again; packets that the router's senders gave up.
        std::uint64_t retries = 0, given_up = 0;
    };
    /// Request, for VC `vc` of output port `output`, of a packet that has come by input port `port` in this
    /// cycle. `packet`: slot in the pool; `flits`: length. find_output() sets `output`, `vc` and `flits`.
    struct bid {
        std::uint8_t port, output, vc;
        std::uint32_t packet, flits;
    };
    static constexpr cycle_t never = workload::never;

    /// Begins a slot, in cycle t, for the senders at router k.
    void begin_slot(std::uint32_t k, cycle_t t);
    /// Takes the next packet of node `node` from its source queue into its sender s, if there is one.
    void take_next(std::uint32_t node, sender& s);
    /// Gives the packet of sender s up, or lets it wait, as it was not acknowledged by cycle t.
    void miss(std::uint32_t k, sender& s, cycle_t t);
    /// Counts a sending of the packet of sender s, at router k, in cycle t.
    void attempt(std::uint32_t k, std::uint32_t node, sender& s, cycle_t t);
    /// Adds a request of packet `packet` (slot), which has come by input port `port`; at most 64 a router and
    /// cycle (not checked).
    void bid_for(std::uint32_t port, std::uint32_t packet) {
        m_bids[m_bidders++] = {static_cast<std::uint8_t>(port), 0, 0, packet, 0};
    }
    void deliver(std::uint32_t k, cycle_t t);
    void find_output(std::uint32_t k, bid& b);
    void take_bids(std::uint32_t k, cycle_t t);
    void contend(std::uint32_t k, cycle_t t);
    std::uint32_t arbitrate(std::uint32_t k, cycle_t t);
    bool beats(std::uint32_t k, const path& way, std::uint32_t challenger);
    /// Gives request b, which has lost, the lowest free output. Returns false if there is none.
    bool sidestep(std::uint32_t k, bid& b, cycle_t t);
    void grant(std::uint32_t k, const bid& b, cycle_t t);
    std::uint32_t to_come(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const;

    const spinet_shape m_shape;
    const std::vector<std::uint32_t> m_stage;  ///< number of the stage of each router of the bank
    std::vector<std::uint8_t> m_last;  ///< 1: the router is of the last stage, whose nodes receive; by router
    std::vector<path> m_paths;         ///< paths, at index(router, output port)
    const std::shared_ptr<spinet_senders> m_senders;  ///< senders of all nodes, by node
    /// Bits, as in `awake` of step(), of the routers that run in cycles in which no slot begins: all but
    /// those of the first of several stages.
    std::vector<std::uint64_t> m_between;
    std::vector<counts> m_counts;  ///< counts of each router
    bid m_bids[64];                ///< bids at the router that runs, in this cycle
    std::uint32_t m_bidders = 0;   ///< number of elements of m_bids in use
};

}  // namespace sare
