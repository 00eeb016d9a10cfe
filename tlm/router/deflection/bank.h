// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/bufferless/bank.h"
#include "tlm/router_api/in_parts.h"

#include <utility>

namespace sare {

/// Rule by which a flit takes one of several equally good ports. first: the lowest port number, which is the
/// first in order of dimensions; random: any port, with equal chances.
enum class port_choice : std::uint8_t { first, random };

/// Parameters of routers that deflect, flit by flit (T. Moscibroda, O. Mutlu, "A case for bufferless routing
/// in on-chip networks", ISCA 2009: FLIT-BLESS, oldest first), kind `deflection`; docs/bufferless.md says
/// what happens in which cycle. fields() has their names and ranges.
struct deflection_params {
    std::uint32_t vcs = 1;       ///< number of message classes that are told apart; all share the links
    std::uint32_t delay = 1;     ///< cycles of a flit in a router, beside the latency of the link
    std::uint32_t ejection = 1;  ///< most flits that a node takes in a cycle
    port_choice choice = port_choice::first;  ///< choice among equally good ports

    static config::schema<deflection_params> fields();
    bool operator==(const deflection_params& o) const;
};

/// Counts for the reassembly of packets, whose flits arrive in any order. All banks of a network share one
/// object.
struct reassembly {
    /// Counts of one packet.
    struct entry {
        std::uint32_t arrived = 0;  ///< flits of the packet that have arrived
        std::uint32_t hops = 0;     ///< hops of all flits of the packet so far
    };
    std::vector<entry> of;  ///< counts of each packet, by slot in the pool
    bool shared = false;    ///< true: several threads may count hops of one packet at once

    /// Counts a hop of a flit of the packet with slot `packet`, an index in `of` (not checked);
    /// take_back_hop() takes a hop back.
    void add_hop(std::uint32_t packet) { add_hops(packet, 1); }
    void take_back_hop(std::uint32_t packet) { add_hops(packet, ~0U); }

  private:
    void add_hops(std::uint32_t packet, std::uint32_t n) {
        std::uint32_t& hops = of[packet].hops;
        if (shared)
            __atomic_fetch_add(&hops, n, __ATOMIC_RELAXED);
        else
            hops += n;
    }
};

/// Bank of kind `deflection`: routers that send on, or eject, every flit in the cycle in which it comes. A
/// flit that finds no free port which leads nearer to its destination takes any free port.
class deflection_bank final : public bufferless_bank, public packet_keeper {
  public:
    /// `parts`: shared by all banks of the network.
    deflection_bank(router_context& net, const deflection_params& params, std::vector<std::uint32_t> routers,
                    std::uint32_t ports, const router_terms& terms, std::shared_ptr<reassembly> parts);

    std::string variant() const override { return "deflection"; }
    std::uint32_t reach() const override { return 1; }
    void construct(plane_layout at) override;
    void keep_packets(std::uint32_t numbers) override {
        if (m_parts->of.size() < numbers) m_parts->of.resize(numbers);
    }
    std::uint32_t take_kept(std::uint32_t packet) override {
        return std::exchange(m_parts->of[packet].hops, 0);
    }
    void add_kept(std::uint32_t packet, std::uint32_t hops) override { m_parts->of[packet].hops += hops; }
    void step(std::uint64_t* awake, cycle_t t) override {
        run_all(awake, t, [&](std::uint32_t k, std::uint64_t* inbox) { run(k, inbox, t); });
    }
    void clear(std::uint32_t k, cycle_t t) override;
    void serialize(archive& a) override;
    std::uint64_t bytes() const override;

    void add_counts(std::map<std::string, double>& sum) const override;
    void finish_counts(std::map<std::string, double>& sum) const override;

  private:
    /// A flit that is at the router in this cycle. older_than() ranks flits: by the age of their packet, then
    /// by source, then by place in the packet, so that no two have the same rank.
    struct here {
        cycle_t injected;       ///< cycle in which the flit's packet was injected
        std::uint32_t source;   ///< node that sent the packet
        std::uint32_t number;   ///< place of the flit in the packet, from 0
        std::uint32_t packet;   ///< slot of the packet in the pool
        std::uint8_t vc, kind;  ///< first VC of the packet's message class; flit::kind
        std::uint8_t exit;      ///< port to the destination node; not_here: the node is at another router
        /// Mask of the ports that lead nearer to the destination; 0 if the destination is a node of this
        /// router.
        std::uint64_t productive;
        /// True if this flit ranks before flit `o`.
        bool older_than(const here& o) const {
            return injected != o.injected ? injected < o.injected
                   : source != o.source   ? source < o.source
                                          : number < o.number;
        }
    };
    /// Packet, of one message class, that a node is injecting.
    struct injection {
        static constexpr std::uint32_t none = 0xffffffff;
        /// Slot of the packet in the pool; none: the node injects no packet of this class.
        std::uint32_t packet = none;
        std::uint32_t next = 0;  ///< place, in the packet, of the flit that is injected next
    };
    /// Counts of a router since the start, for the results.
    struct counts {
        /// Flits sent to other routers; flits that were deflected among them.
        std::uint64_t hops = 0, deflected = 0;
        /// Number of times that a node had a flit to inject in a cycle and could not.
        std::uint64_t blocked = 0;
    };
    /// Value of here::exit: the destination is at another router.
    static constexpr std::uint8_t not_here = 0xff;

    /// Runs a cycle of router k, and clears its inbox.
    void run(std::uint32_t k, std::uint64_t* inbox, cycle_t t);
    /// Returns the `here` of flit `number` of packet `id` (slot), which came by port `in`, and counts a hop.
    here look_at(std::uint32_t k, std::uint32_t in, std::uint32_t id, std::uint32_t number);
    /// Puts flit f into m_here by its rank.
    void add(const here& f);
    /// Ejects the oldest flits for each node of router k, at most deflection_params::ejection; arrive()
    /// ejects one flit.
    void eject(std::uint32_t k, cycle_t t);
    void arrive(std::uint32_t k, const here& f, cycle_t t);
    /// Lets the nodes of router k inject a flit each. Returns true if a node has more flits of a packet to
    /// inject.
    bool inject(std::uint32_t k, cycle_t t);
    /// Injects a flit of the node at port p of router k. Sets `left` to true if flits of a packet are left.
    /// Returns true if a flit was injected.
    bool inject_of(std::uint32_t k, std::uint32_t p, cycle_t t, bool& left);
    /// Injects the next flit of the packet `from`. Returns false if neither a node nor a port can take it.
    bool send_one(std::uint32_t k, std::uint32_t p, injection& from, cycle_t t);
    /// Returns the packet of class c that the node at port p of router k is injecting.
    injection& current(std::uint32_t k, std::uint32_t p, std::uint32_t c) {
        return m_injections[index(k, p) * m_classes + c];
    }
    /// Sends all flits of m_here to other routers.
    void send_all(std::uint32_t k, cycle_t t);
    /// Returns a port of the mask `ports`, not 0, by the rule port_choice.
    std::uint32_t choose(std::uint32_t k, std::uint64_t ports);

    const deflection_params m_params;
    const std::uint32_t m_classes;              ///< number of message classes of the network
    const std::shared_ptr<reassembly> m_parts;  ///< shared by all banks of the network
    std::vector<std::uint64_t> m_outputs;       ///< mask of the ports that lead to routers, by router
    std::vector<std::uint64_t> m_nodes;         ///< mask of ports that lead to nodes, by router
    std::vector<injection> m_injections;  ///< packets that nodes inject, by router, port and message class
    /// Message class that injects first in the next cycle, by router and port.
    std::vector<std::uint8_t> m_next_class;
    /// Node that injects first when the router runs next, counted from 0 among the ports to nodes, by router.
    std::vector<std::uint8_t> m_next_node;
    std::vector<counts> m_counts;  ///< counts of each router
    std::vector<here> m_here;      ///< flits at the router that runs, in this cycle, by rank
    /// Number of flits that nodes of the router that runs have taken in this cycle, by port.
    std::vector<std::uint8_t> m_ejected;
};

}  // namespace sare
