// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/bufferless/bank.h"
#include "tlm/router/spinet/params.h"
#include "tlm/topology/multistage/multistage.h"

#include <memory>

namespace sare {

/// Parameters that all elements of a network have in common.
struct spinet_shape {
    spinet_params params;
    std::uint32_t slot = 1;     ///< cycles of a slot
    std::uint32_t latency = 1;  ///< latency of the links between elements, in cycles
    std::vector<multistage_shape::stage> stages;
};

/// Sender of a node, which has one packet at a time.
struct spinet_sender {
    enum class state : std::uint8_t { idle, sent, waits };
    state is = state::idle;
    std::uint8_t next_class = 0;  ///< class whose turn it is
    /// Number and flits of the packet, and times that it was sent so far.
    std::uint32_t packet = 0, flits = 0, attempts = 0;
    cycle_t next = 0;  ///< cycle from which the sender may send again
    /// Cycle in which the acknowledgement of the packet is with the sender; never if the packet has not
    /// arrived. Written in the middle of a slot, read when one begins.
    cycle_t acknowledged = never;
    static constexpr cycle_t never = workload::never;
};
/// Senders by node. All banks of a network share them.
using spinet_senders = std::vector<spinet_sender>;

/// Bank of elements of a bufferless optical network. A packet is one flit on a link, its leading edge. The
/// rest of the packet takes the same path, which stands for a slot. An element decides in a cycle about the
/// packets that come in it, and drops those that lose. An acknowledgement meets no other on the path that
/// stands, so none crosses the links: the last element tells the sender, to which it counts from the cycle in
/// which it would have come. Elements of the first stage run the senders of their nodes.
class spinet_bank final : public bufferless_bank {
  public:
    /// `stage`: number of the stage, by router of the bank.
    spinet_bank(router_context& net, const spinet_shape& shape, std::vector<std::uint32_t> routers,
                std::vector<std::uint32_t> stage, std::uint32_t ports, const router_terms& terms,
                std::shared_ptr<spinet_senders> senders);

    std::string variant() const override { return "spinet"; }
    std::uint32_t reach() const override { return m_shape.slot + 1; }  ///< no packet is longer than a slot
    void construct(plane_layout at) override;
    void step(std::uint64_t* awake, cycle_t t) override;
    void clear(std::uint32_t k, cycle_t t) override;
    void serialize(archive& a) override;

    /// Shows the packet that a sender keeps until it is acknowledged.
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
        cycle_t open_until = 0;    ///< the path stands before that cycle
        cycle_t asked = never;     ///< cycle in which the path was asked for last
        cycle_t arrives = never;   ///< cycle in which the packet on it is with its node as a whole
        std::uint32_t packet = 0;  ///< number of that packet
        std::uint32_t flits = 0;   ///< length of the last packet on the path
        std::uint8_t vc = 0;       ///< VC of the last packet on the path
        std::uint8_t from = 0;     ///< input that had the path last
        std::uint8_t best = 0;     ///< place in m_bids of the bid that leads
        std::uint8_t bidders = 0;  ///< number of bids in cycle `asked`
    };
    using sender = spinet_sender;
    /// Counts of a router, for the results.
    struct counts {
        std::uint64_t bids = 0, lost = 0;         ///< packets that came, and packets that were dropped
        std::uint64_t retries = 0, given_up = 0;  ///< attempts after the first; packets given up by senders
    };
    /// Bid of a packet that has come by input `port` in this cycle.
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
    const std::vector<std::uint32_t> m_stage;  ///< number of the stage, by router
    std::vector<std::uint8_t> m_last;          ///< 1: the router has nodes that receive; by router
    std::vector<path> m_paths;                 ///< by router and output
    const std::shared_ptr<spinet_senders> m_senders;
    std::vector<std::uint64_t> m_between;  ///< bits of routers that have work when no slot begins, by word
    std::vector<counts> m_counts;          ///< by router
    bid m_bids[64];                        ///< bids at one router in one cycle
    std::uint32_t m_bidders = 0;           ///< number of these bids
};

}  // namespace sare
