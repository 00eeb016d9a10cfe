// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/bufferless/bank.h"
#include "tlm/router/spinet/params.h"
#include "tlm/topology/multistage/multistage.h"

#include <memory>

namespace sare {

/// Parameters that all elements (2 x 2 or larger optical switches) of a network share.
struct spinet_shape {
    spinet_params params;
    std::uint32_t slot = 1;     ///< cycles of a slot, the time for which a path through the network stands
    std::uint32_t latency = 1;  ///< cycles of a link between elements
    std::vector<multistage_shape::stage> stages;  ///< stages of the network
};

/// Sender of a node, which sends one packet at a time.
struct spinet_sender {
    /// idle: no packet; sent: the packet is under way; waits: it failed, and will be sent again.
    enum class state : std::uint8_t { idle, sent, waits };
    state is = state::idle;
    std::uint8_t next_class = 0;  ///< message class whose packet is taken next
    /// Packet that is sent (slot in the pool), its flits, and number of times that it was sent so far.
    std::uint32_t packet = 0, flits = 0, attempts = 0;
    cycle_t next = 0;  ///< first cycle in which the sender may send
    /// Cycle in which the acknowledgement of the packet reaches the sender; never: the packet has not
    /// arrived. Written in the middle of a slot, read when one begins.
    cycle_t acknowledged = never;
    static constexpr cycle_t never = workload::never;
};
/// Senders of all nodes, by node; all banks of a network share them.
using spinet_senders = std::vector<spinet_sender>;

/// Bank of elements of a bufferless optical network. A packet is one flit on a link, its leading edge; the
/// rest of the packet takes the same path, which stands for a slot. An element decides in each cycle about
/// the packets that come in it, and drops those that lose. Acknowledgements meet no others on a path that
/// stands, so none crosses the links: the last element tells the sender, for which an acknowledgement counts
/// from the cycle in which it would have come. Elements of the first stage run the senders of their nodes.
class spinet_bank final : public bufferless_bank {
  public:
    /// `stage`: stage of each router of the bank; `senders`: senders of all nodes.
    spinet_bank(router_context& net, const spinet_shape& shape, std::vector<std::uint32_t> routers,
                std::vector<std::uint32_t> stage, std::uint32_t ports, const router_terms& terms,
                std::shared_ptr<spinet_senders> senders);

    std::string variant() const override { return "spinet"; }
    /// A slot and one cycle: no packet is longer than a slot.
    std::uint32_t reach() const override { return m_shape.slot + 1; }
    std::uint32_t period() const override { return m_shape.slot; }
    void construct(plane_layout at) override;
    void step(std::uint64_t* awake, cycle_t t) override;
    void clear(std::uint32_t k, cycle_t t) override;
    void serialize(archive& a) override;

    /// Returns, as a buffer of the first stage, the packet that a sender keeps until it is acknowledged.
    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    std::uint64_t bytes() const override;

    std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return out(k, port, vc).flits - to_come(k, port, vc);
    }

    void add_counts(std::map<std::string, double>& sum) const override;
    void finish_counts(std::map<std::string, double>& sum) const override;

  private:
    /// Path through an element to one of its outputs.
    struct path {
        cycle_t open_until = 0;  ///< first cycle in which the path does not stand any more
        cycle_t asked = never;   ///< cycle in which packets last asked for the path
        /// Cycle in which the packet on the path has arrived at its node as a whole; never: it leads to no
        /// node.
        cycle_t arrives = never;
        std::uint32_t packet = 0;  ///< slot of that packet
        std::uint32_t flits = 0;   ///< length of the last packet on the path
        std::uint8_t vc = 0;       ///< VC of the last packet on the path
        std::uint8_t from = 0;     ///< input of the last packet on the path
        std::uint8_t best = 0;     ///< index in m_bids of the bid that has won so far
        std::uint8_t bidders = 0;  ///< number of bids in cycle `asked`
    };
    using sender = spinet_sender;
    /// Counts of a router, for the results.
    struct counts {
        std::uint64_t bids = 0, lost = 0;  ///< packets that came; packets that were dropped
        /// Sendings after the first one; packets that senders gave up.
        std::uint64_t retries = 0, given_up = 0;
    };
    /// Request of a packet that has come by input `port` in this cycle.
    struct bid {
        std::uint8_t port, output, vc;
        std::uint32_t packet, flits;
    };
    static constexpr cycle_t never = workload::never;

    void begin_slot(std::uint32_t k, cycle_t t);
    void take_next(std::uint32_t node, sender& s);
    void miss(std::uint32_t k, sender& s, cycle_t t);
    void attempt(std::uint32_t k, std::uint32_t node, sender& s, cycle_t t);
    void bid_for(std::uint32_t port, std::uint32_t packet) {
        m_bids[m_bidders++] = {static_cast<std::uint8_t>(port), 0, 0, packet, 0};
    }
    void deliver(std::uint32_t k, cycle_t t);
    void find_output(std::uint32_t k, bid& b);
    void take_bids(std::uint32_t k, cycle_t t);
    void contend(std::uint32_t k, cycle_t t);
    std::uint32_t arbitrate(std::uint32_t k, cycle_t t);
    bool beats(std::uint32_t k, const path& way, std::uint32_t challenger);
    bool sidestep(std::uint32_t k, bid& b, cycle_t t);
    void grant(std::uint32_t k, const bid& b, cycle_t t);
    std::uint32_t to_come(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const;

    const spinet_shape m_shape;
    const std::vector<std::uint32_t> m_stage;  ///< stage of each router
    std::vector<std::uint8_t> m_last;          ///< 1: the router has nodes that receive; by router
    std::vector<path> m_paths;                 ///< paths, by router and output
    const std::shared_ptr<spinet_senders> m_senders;
    /// Bits of the routers that must run although no slot begins, as in `awake` of step().
    std::vector<std::uint64_t> m_between;
    std::vector<counts> m_counts;  ///< counts of each router
    bid m_bids[64];                ///< bids at one router in one cycle
    std::uint32_t m_bidders = 0;   ///< number of these bids
};

}  // namespace sare
