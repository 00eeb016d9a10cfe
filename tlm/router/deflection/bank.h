// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/bufferless/bank.h"
#include "tlm/router_api/in_parts.h"

#include <utility>

namespace sare {

/// Port that a flit takes if several are equally good: first: the first in order of dimensions; random: any.
enum class port_choice : std::uint8_t { first, random };

/// Parameters of routers that deflect, flit by flit (T. Moscibroda, O. Mutlu, "A case for bufferless routing
/// in on-chip networks", ISCA 2009: FLIT-BLESS, oldest first); docs/bufferless.md says what happens in which
/// cycle.
struct deflection_params {
    std::uint32_t vcs = 1;       ///< message classes that are told apart; all share the links
    std::uint32_t delay = 1;     ///< cycles of a flit in a router, beside the latency of the link
    std::uint32_t ejection = 1;  ///< most flits that a node takes in a cycle
    port_choice choice = port_choice::first;  ///< port among equally good ones

    static config::schema<deflection_params> fields();
    bool operator==(const deflection_params& o) const;
};

/// Counts for packets whose flits arrive out of order. All banks of a network share one object.
struct reassembly {
    /// Counts of one packet.
    struct entry {
        std::uint32_t arrived = 0;  ///< flits that have arrived
        std::uint32_t hops = 0;     ///< hops of all flits of the packet so far
    };
    std::vector<entry> of;  ///< counts of each packet, by its slot
    bool shared = false;    ///< true: several threads may count hops of one packet at once

    /// Counts a hop of a flit of a packet; take_back_hop() takes one back.
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

/// Bank of kind `deflection`: routers that send every flit on in the cycle in which it comes. A flit that
/// finds no free port which leads nearer to its destination takes another one.
class deflection_bank final : public bufferless_bank, public packet_keeper {
  public:
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
    /// A flit that is at the router in this cycle, with its rank: the flit of the oldest packet comes first,
    /// and no two flits have the same rank.
    struct here {
        cycle_t injected;      ///< cycle in which its packet was injected
        std::uint32_t source;  ///< node that sent it
        std::uint32_t number;  ///< number of the flit within its packet
        std::uint32_t packet;
        std::uint8_t vc, kind;
        std::uint8_t exit;  ///< port to its destination node; not_here if that node is at another router
        /// Mask of the ports that lead nearer to its destination; 0 if that is a node here.
        std::uint64_t productive;
        /// True if this flit comes before `o`.
        bool older_than(const here& o) const {
            return injected != o.injected ? injected < o.injected
                   : source != o.source   ? source < o.source
                                          : number < o.number;
        }
    };
    /// Packet of a message class that a node is sending.
    struct injection {
        static constexpr std::uint32_t none = 0xffffffff;
        std::uint32_t packet = none;  ///< slot of the packet; none: the node sends none of this class
        std::uint32_t next = 0;       ///< number of the flit that is sent next
    };
    /// Counts of a router, for the results.
    struct counts {
        /// Flits sent on to routers; those of them that were deflected.
        std::uint64_t hops = 0, deflected = 0;
        std::uint64_t blocked = 0;  ///< cycles in which a node had a flit to send and no port was free
    };
    static constexpr std::uint8_t not_here = 0xff;  ///< no port

    void run(std::uint32_t k, std::uint64_t* inbox, cycle_t t);
    here look_at(std::uint32_t k, std::uint32_t in, std::uint32_t id, std::uint32_t number);
    void add(const here& f);
    void eject(std::uint32_t k, cycle_t t);
    void arrive(std::uint32_t k, const here& f, cycle_t t);
    bool inject(std::uint32_t k, cycle_t t);
    bool inject_of(std::uint32_t k, std::uint32_t p, cycle_t t, bool& left);
    bool send_one(std::uint32_t k, std::uint32_t p, injection& from, cycle_t t);
    injection& current(std::uint32_t k, std::uint32_t p, std::uint32_t c) {
        return m_injections[index(k, p) * m_classes + c];
    }
    void send_all(std::uint32_t k, cycle_t t);
    std::uint32_t choose(std::uint32_t k, std::uint64_t ports);

    const deflection_params m_params;
    const std::uint32_t m_classes;
    const std::shared_ptr<reassembly> m_parts;
    std::vector<std::uint64_t> m_outputs;    ///< mask of the ports that lead to routers, by router
    std::vector<std::uint64_t> m_nodes;      ///< mask of ports that lead to nodes, by router
    std::vector<injection> m_injections;     ///< packets that nodes send, by router, port and class
    std::vector<std::uint8_t> m_next_class;  ///< class that injects first, by router and port
    std::vector<std::uint8_t> m_next_node;   ///< port that injects first, among those to nodes, by router
    std::vector<counts> m_counts;            ///< counts of each router
    std::vector<here> m_here;                ///< flits at one router in one cycle, the oldest first
    std::vector<std::uint8_t> m_ejected;  ///< flits that nodes have taken at one router in one cycle, by port
};

}  // namespace sare
