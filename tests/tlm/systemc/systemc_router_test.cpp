// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/network.h"

#include <gtest/gtest.h>

#include <deque>
#include <sstream>

/// Routers of a user, plain SystemC modules, in the places of all of Sare's.
namespace sare::test::systemc_router_test {
namespace {

constexpr std::uint32_t vcs = 4, depth = 8;

/// A wormhole router with a process of its own. `hands_on`: it hands on the header that routing changes.
class users_router final : public foreign_block {
  public:
    users_router(const sc_core::sc_module_name& name, const block_context& c, bool hands_on)
        : foreign_block(name),
          m_id(c.router),
          m_ports(c.map.ports(router_id(c.router))),
          m_routing(c.routing),
          m_clock("clock", c.engine.period()),
          m_hands_on(hands_on) {
        for (std::uint32_t p = 0; p < m_ports; ++p) {
            port& x = m_port.emplace_back();
            x.queues.resize(vcs);
            x.outputs.resize(vcs);
            const bool to_node = c.map.peer(router_id(m_id), port_id(p)).what == port_peer::kind::node;
            for (output& o : x.outputs) o.credits = to_node ? 1U << 30 : depth;
        }
        SC_HAS_PROCESS(users_router);
        SC_METHOD(cycle);
        sensitive << m_clock.posedge_event();
        dont_initialize();
    }
    flit_target_socket& in(std::uint32_t p) override { return in_socket(m_port[p].in, *this, m_port[p], p); }
    flit_initiator_socket& out(std::uint32_t p) override {
        return out_socket(m_port[p].out, *this, m_port[p], p);
    }

  private:
    static constexpr std::uint32_t none = ~0U;
    struct held {
        flit f;
        packet header;  ///< of a head
    };
    struct queue {
        std::deque<held> flits;
        std::uint32_t out = none;  ///< output port times vcs, and output VC
    };
    struct output {
        std::uint32_t credits = 0, owner = none;
    };
    struct port final : flit_fw_if, flit_bw_if {
        std::optional<flit_target_socket> in;
        std::optional<flit_initiator_socket> out;
        std::vector<queue> queues;
        std::vector<output> outputs;
        std::uint32_t last = 0;
        tlm::tlm_sync_enum nb_transport_fw(flit_payload& p, flit_phase&, sc_core::sc_time&) override {
            queues[p.data.vc].flits.push_back({p.data, *p.header});
            return tlm::TLM_ACCEPTED;
        }
        tlm::tlm_sync_enum nb_transport_bw(flit_payload& p, flit_phase&, sc_core::sc_time&) override {
            ++outputs[p.data.vc].credits;
            return tlm::TLM_ACCEPTED;
        }
    };

    void route(std::uint32_t i) {
        queue& q = m_port[i / vcs].queues[i % vcs];
        if (q.flits.empty() || q.out != none) return;
        route_header header = q.flits.front().header.route;
        route_set routes;
        m_routing.route(m_id, i / vcs, i % vcs, header, routes);
        for (std::uint32_t k = 0; k < routes.size && q.out == none; ++k)
            for (std::uint32_t v = 0; v < vcs && q.out == none; ++v) {
                output& o = m_port[routes.candidates[k].port].outputs[v];
                if ((routes.candidates[k].vcs << header.vc_base >> v & 1) == 0 || o.owner != none) continue;
                o.owner = i;
                q.out = routes.candidates[k].port * vcs + v;
                if (m_hands_on) q.flits.front().header.route = header;
            }
    }
    void send(std::uint32_t p, std::uint64_t& used) {
        for (std::uint32_t n = 1; n <= m_ports * vcs; ++n) {
            const std::uint32_t i = (m_port[p].last + n) % (m_ports * vcs);
            queue& q = m_port[i / vcs].queues[i % vcs];
            if (q.flits.empty() || q.out == none || q.out / vcs != p || (used >> (i / vcs) & 1) != 0)
                continue;
            output& o = m_port[p].outputs[q.out % vcs];
            if (o.credits == 0) continue;
            held h = q.flits.front();
            q.flits.pop_front();
            h.f.vc = static_cast<std::uint8_t>(q.out % vcs);
            --o.credits;
            m_port[p].last = i;
            used |= std::uint64_t{1} << (i / vcs);
            send_flit(*m_port[p].out, h.f, m_hands_on && h.f.is_head() ? &h.header : nullptr);
            send_credit(*m_port[i / vcs].in, i % vcs);
            if (h.f.is_tail()) o.owner = q.out = none;
            return;
        }
    }
    void cycle() {
        for (std::uint32_t i = 0; i < m_ports * vcs; ++i) route(i);
        std::uint64_t used = 0;  // input ports
        for (std::uint32_t p = 0; p < m_ports; ++p) send(p, used);
    }

    const std::uint32_t m_id, m_ports;
    const routing_function& m_routing;
    sc_core::sc_clock m_clock;
    const bool m_hands_on;
    std::deque<port> m_port;
};

struct hop_sum final : observer {
    std::uint64_t packets = 0, hops = 0;
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet& p, cycle_t) override {
        ++packets;
        hops += p.hops;
    }
    void message_consumed(const message_record&, cycle_t) override {}
};

/// What a run of `routing` gives on a 4x4 mesh: "injected, consumed, hops a packet", or an error.
std::string run(const std::string& routing, bool own_routers, bool hands_on) {
    return in_child([&] {
        const experiment e = experiment::read(
            config::parse_yaml(
                "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4, depth: 8}\nrouting: " + routing +
                    "\n",
                "test"),
            ".");
        foreign_maker maker;
        if (own_routers)
            maker.router = [hands_on](const sc_core::sc_module_name& name,
                                      const block_context& c) -> std::unique_ptr<foreign_block> {
                return std::make_unique<users_router>(name, c, hands_on);
            };
        sare::network net("net", e, 1, 1024, maker);
        const auto traffic =
            make_workload("bernoulli", 16, {{"load", "0.05"}, {"length", "4"}, {"stop_cycle", "5000"}});
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        hop_sum seen;
        net.engine().add_observer(seen);
        net.engine().set_workload(*traffic);
        net.engine().run_until(20000);
        const counted_network& all = net.engine().counters();
        std::ostringstream out;
        out << all.packets_injected() << ", " << all.packets_consumed() << ", "
            << static_cast<double>(seen.hops) / static_cast<double>(seen.packets);
        return out.str();
    });
}

/// The hops of a packet are those of its route, whoever the routers are.
TEST(SystemcRouter, UsersRoutersCarryPacketsAsOursDo) {
    for (const char* routing : {"dor", "valiant"})
        EXPECT_EQ(run(routing, true, true), run(routing, false, true));
}

TEST(SystemcRouter, ALivelockIsNoticed) {
    const std::string said = run("valiant", true, false);
    EXPECT_NE(said.find("routers send it in circles"), std::string::npos) << said;
    EXPECT_NE(said.find(" that has visited 320 routers"), std::string::npos) << said;
}

}  // namespace
}  // namespace sare::test::systemc_router_test
