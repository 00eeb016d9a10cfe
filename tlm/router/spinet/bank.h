// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/bufferless/bank.h"
#include "tlm/router/spinet/params.h"
#include "tlm/topology/multistage/multistage.h"

#include <memory>

namespace sare {

/// What all elements of a network have in common.
struct spinet_shape {
    spinet_params params;
    std::uint32_t slot = 1;     ///< cycles
    std::uint32_t latency = 1;  ///< of links between elements
    std::vector<multistage_shape::stage> stages;
};

/// Of a node: one packet at a time.
struct spinet_sender {
    enum class state : std::uint8_t { idle, sent, waits };
    state is = state::idle;
    std::uint8_t next_class = 0;
    std::uint32_t packet = 0, flits = 0, attempts = 0;
    cycle_t next = 0;  ///< when it may send again
    /// When it knows that the packet it has sent came. Written in the middle of a slot, read when one begins.
    cycle_t acknowledged = never;
    static constexpr cycle_t never = workload::never;
};
/// By node. All banks of a network share them.
using spinet_senders = std::vector<spinet_sender>;

/// Elements of a bufferless optical network. A packet is one flit on a link, its leading edge; what follows
/// it takes the same path, which stands for a slot. An element decides about what comes to it in a cycle and
/// drops what loses. An acknowledgement meets nobody on the path that stands, so none crosses the links: the
/// last element tells the sender, which has it when it would have come. Elements of the first stage have the
/// senders of their nodes.
class spinet_bank final : public bufferless_bank {
  public:
    /// `stage`: by router of the bank.
    spinet_bank(router_context& net, const spinet_shape& shape, std::vector<std::uint32_t> routers,
                std::vector<std::uint32_t> stage, std::uint32_t ports, const router_terms& terms,
                std::shared_ptr<spinet_senders> senders);

    std::string variant() const override { return "spinet"; }
    std::uint32_t reach() const override { return m_shape.slot + 1; }  ///< a packet is no longer
    void construct(plane_layout at) override;
    void step(std::uint64_t* awake, cycle_t t) override;
    void clear(std::uint32_t k, cycle_t t) override;
    void serialize(archive& a) override;

    /// The packet that a sender keeps until it is acknowledged.
    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    std::uint64_t bytes() const override;

    std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return out(k, port, vc).flits - to_come(k, port, vc);
    }

    void add_counts(std::map<std::string, double>& sum) const override;
    void finish_counts(std::map<std::string, double>& sum) const override;

  private:
    /// Through an element, to one of its outputs.
    struct path {
        cycle_t open_until = 0;    ///< it stands before that cycle
        cycle_t asked = never;     ///< when it was asked for last
        cycle_t arrives = never;   ///< when the packet on it is with its node as a whole
        std::uint32_t packet = 0;  ///< that one
        std::uint32_t flits = 0;   ///< of the last packet on it, and its VC
        std::uint8_t vc = 0;
        std::uint8_t from = 0;  ///< input
        std::uint8_t best = 0;  ///< of those that ask: the place in m_bids
        std::uint8_t bidders = 0;
    };
    using sender = spinet_sender;
    struct counts {
        std::uint64_t bids = 0, lost = 0;  ///< packets that came, and were dropped
        std::uint64_t retries = 0, given_up = 0;
    };
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
    const std::vector<std::uint32_t> m_stage;  ///< by router
    std::vector<std::uint8_t> m_last;          ///< likewise: it has nodes that receive
    std::vector<path> m_paths;                 ///< by router and output
    const std::shared_ptr<spinet_senders> m_senders;
    std::vector<std::uint64_t> m_between;  ///< by word: routers with work when no slot begins
    std::vector<counts> m_counts;          ///< by router
    bid m_bids[64];                        ///< at one router in one cycle
    std::uint32_t m_bidders = 0;           ///< of these
};

}  // namespace sare
