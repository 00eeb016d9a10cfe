// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/test_fabric.h"
#include "tlm/api/refusals.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

/// What must hold of a network in every cycle, whatever it is built of: nothing is lost, nothing is made up,
/// no buffer overflows, packets stay whole.
namespace sare::test {

class audit final : public observer {
  public:
    /// `in_order`: packets of one source, destination and class must arrive as they were injected.
    audit(const test_fabric& f, const fabric_setting& s, workload& traffic, bool in_order)
        : m_map(f.map()), m_net(f.net), m_setting(s), m_traffic(traffic), m_in_order(in_order) {}

    std::uint64_t overtaken = 0;  ///< packets that arrived before an earlier one of their flow
    std::uint64_t largest_count = 0;
    const std::string& problem() const { return m_problem; }  ///< the first one; "" if there is none

    void packet_injected(std::uint32_t node, const packet& p, cycle_t) override {
        m_flits_begun += p.flits;
        if (p.route.source != node) fail("a packet was injected at another node than its source");
        m_flows[flow_of(p)].push_back(slot_of(p));
        ++m_in_flight;
    }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override {
        if (p.route.destination != node) fail("a packet was consumed at another node than its destination");
        if (now <= p.injected || p.injected < p.generated) fail("a packet went back in time");
        std::deque<std::uint32_t>& flow = m_flows[flow_of(p)];
        const auto found = std::find(flow.begin(), flow.end(), slot_of(p));
        if (found == flow.end()) return fail("a packet was consumed that had not been injected");
        if (found != flow.begin()) ++overtaken;
        if (m_in_order && found != flow.begin()) fail("a packet overtook another one of its flow");
        flow.erase(found);
        m_flits_ended += p.flits;
        --m_in_flight;
    }
    void message_consumed(const message_record& m, cycle_t) override {
        if (m.flits_to_inject != 0 || m.flits_to_consume != 0) fail("a message was consumed in part");
        ++m_messages;
    }

    /// Looks at everything after cycle `now`.
    void check(cycle_t now) {
        check_totals(now);
        for (std::uint32_t r = 0; r < m_net.view().routers(); ++r) check_router(r);
        for (std::uint32_t n = 0; n < m_net.view().nodes(); ++n) check_node(n);
    }

    /// After the last cycle: all that was generated has been consumed.
    void check_end(cycle_t now) {
        check(now);
        const generated_counts made = made_until(now);
        if (!m_net.view().leftovers().empty()) fail("left: " + m_net.view().leftovers());
        if (made.flits != m_net.view().flits_consumed() || made.messages != m_messages)
            fail("traffic was lost");
        if (m_in_flight != 0 || m_flits_begun != m_flits_ended) fail("packets were lost");
        for (std::uint32_t r = 0; r < m_net.view().routers(); ++r)
            if (came_to(r) != went_from(r)) fail("router " + std::to_string(r) + " kept flits or made some");
    }

  private:
    using flow_key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    static flow_key flow_of(const packet& p) {
        return {p.route.source, p.route.destination, p.route.vc_base};
    }
    std::uint32_t slot_of(const packet& p) const {
        return static_cast<std::uint32_t>(&p - &m_net.view().packets()[0]);
    }

    void fail(const std::string& what) {
        if (m_problem.empty()) m_problem = what;
    }

    /// What source queues have refused is generated, and never sent.
    generated_counts made_until(cycle_t now) {
        generated_counts made = m_traffic.generated(now);
        for (std::uint32_t n = 0; n < m_net.view().nodes(); ++n) {
            const generated_counts refused = refused_by(m_traffic, n);
            made.messages -= refused.messages;
            made.flits -= refused.flits;
        }
        return made;
    }

    void check_totals(cycle_t now) {
        const generated_counts made = made_until(now);
        const std::uint64_t in = m_net.view().flits_injected(), out = m_net.view().flits_consumed();
        if (made.flits < in || in < out) fail("more flits at the end than at the beginning");
        // Of each class a node has begun one packet at the most.
        const std::uint64_t lanes = std::uint64_t{m_net.view().nodes()} * m_net.view().classes();
        const std::uint64_t longest = m_setting.nic.max_packet_flits;
        if (m_flits_begun < in || m_flits_begun - in > lanes * longest) fail("flits injected of no packet");
        if (m_net.view().packets_injected() - m_net.view().packets_consumed() != m_in_flight)
            fail("packets in flight are miscounted");
        if (m_in_flight != m_net.view().packets().in_use()) fail("packets were leaked");
        const std::uint64_t begun = m_net.view().messages_started();
        if (made.messages < begun || m_net.view().messages_waiting() > made.messages - begun + lanes)
            fail("messages wait that were never made");
        std::uint64_t injected = 0, consumed = 0;
        for (std::uint32_t n = 0; n < m_net.view().nodes(); ++n) {
            injected += m_net.view().nic(n).injected_flits;
            consumed += m_net.view().nic(n).consumed_flits;
        }
        if (injected != in || consumed != out) fail("nodes and network count differently");
    }

    std::uint32_t depth_behind(const port_peer& peer) const {
        const router_params& p = m_setting.router;
        if (peer.what == port_peer::kind::router || m_setting.nic.ejection_depth == 0) return p.depth;
        if (p.switching == switching_mode::wormhole) return m_setting.nic.ejection_depth;
        return std::max(m_setting.nic.ejection_depth, m_setting.nic.max_packet_flits);
    }

    std::uint32_t sent(std::uint32_t router, std::uint32_t port) const {
        std::uint32_t flits = 0;
        for (std::uint32_t v = 0; v < m_net.view().vcs(); ++v)
            flits += m_net.view().out(router, port, v).flits;
        return flits;
    }
    std::uint32_t came_to(std::uint32_t r) const {
        std::uint32_t flits = 0;
        for (std::uint32_t p = 0; p < m_map.ports(router_id(r)); ++p) {
            const port_peer from = m_map.source(router_id(r), port_id(p));
            if (from.what == port_peer::kind::router) flits += sent(from.id, from.port);
            if (from.what == port_peer::kind::node)
                flits += static_cast<std::uint32_t>(m_net.view().nic(from.id).injected_flits);
        }
        return flits;
    }
    std::uint32_t went_from(std::uint32_t r) const {
        std::uint32_t flits = 0;
        for (std::uint32_t p = 0; p < m_map.ports(router_id(r)); ++p) flits += sent(r, p);
        return flits;
    }

    void check_router(std::uint32_t r) {
        std::uint32_t here = 0;
        std::set<std::uint32_t> owners;
        for (std::uint32_t p = 0; p < m_map.ports(router_id(r)); ++p)
            for (std::uint32_t v = 0; v < m_net.view().vcs(); ++v) {
                here += m_net.view().in(r, p, v).count;
                check_buffer(r, p, v);
                const std::uint32_t owner = m_net.view().out(r, p, v).owner;
                if (owner != out_vc::no_owner && !owners.insert(owner).second)
                    fail("an input VC has two output VCs");
                check_credits(r, p, v);
            }
        // What came and neither lies here nor went on is on the links to here.
        const std::uint32_t on_links = came_to(r) - went_from(r) - here;
        if (on_links > std::uint32_t{1} << 30)
            fail("router " + std::to_string(r) + " sent flits that had not come");
    }

    void check_buffer(std::uint32_t r, std::uint32_t p, std::uint32_t v) {
        const std::uint32_t count = m_net.view().in(r, p, v).count;
        largest_count = std::max<std::uint64_t>(largest_count, count);
        if (count > m_setting.router.depth) return fail("a buffer holds more than its depth");
        for (std::uint32_t k = 0; k < count; ++k) check_flit(m_net.view().buffered(r, p, v, k), v);
        for (std::uint32_t k = 1; k < count; ++k)
            check_neighbours(m_net.view().buffered(r, p, v, k - 1), m_net.view().buffered(r, p, v, k));
        if (count != 0) check_room(m_net.view().buffered(r, p, v, count - 1), count);
    }
    void check_flit(const flit& f, std::uint32_t v) {
        const packet& of = m_net.view().packets()[f.packet];
        if (f.sequence >= of.flits || f.is_head() != (f.sequence == 0) ||
            f.is_tail() != (f.sequence + 1U == of.flits))
            fail("a flit's kind is wrong");
        if (v - of.route.vc_base >= m_net.view().vcs() / m_net.view().classes())
            fail("a packet is on a VC of another class");
    }
    void check_neighbours(const flit& before, const flit& f) {
        if (before.is_tail() ? !f.is_head() : f.packet != before.packet || f.sequence != before.sequence + 1)
            fail("packets are mixed in a buffer");
        if (before.is_tail() && m_setting.router.reallocation == reallocation_rule::atomic)
            fail("a buffer holds two packets, but VCs are given out only when drained");
    }
    /// Of the last packet in a buffer the rest must fit, too, if it did not come by wormhole switching.
    void check_room(const flit& last, std::uint32_t count) {
        if (m_setting.router.switching == switching_mode::wormhole) return;
        const std::uint32_t rest = m_net.view().packets()[last.packet].flits - 1 - last.sequence;
        if (count + rest > m_setting.router.depth) fail("a packet went where it does not fit");
    }

    /// Credits of an output VC and the flits in the buffer behind it are never more than its depth together.
    void check_credits(std::uint32_t r, std::uint32_t p, std::uint32_t v) {
        const port_peer to = m_map.peer(router_id(r), port_id(p));
        if (to.what == port_peer::kind::none) return;
        const std::uint32_t credits = m_net.view().out(r, p, v).credits;
        const std::uint32_t count =
            to.what == port_peer::kind::router ? m_net.view().in(to.id, to.port, v).count : 0U;
        if (credits + count > depth_behind(to)) fail("credits were made up");
    }

    void check_node(std::uint32_t n) {
        const router_port at = m_map.ejection_of(node_id(n));
        const std::uint32_t sent_to = sent(at.router.value, at.port.value);
        const std::uint32_t on_link =
            sent_to - static_cast<std::uint32_t>(m_net.view().nic(n).consumed_flits);
        if (on_link > std::uint32_t{1} << 30)
            fail("node " + std::to_string(n) + " consumed flits that were not sent");
    }

    const topology& m_map;
    const fabric& m_net;
    const fabric_setting& m_setting;
    workload& m_traffic;
    bool m_in_order;
    std::string m_problem;
    std::map<flow_key, std::deque<std::uint32_t>> m_flows;
    std::uint64_t m_in_flight = 0, m_flits_begun = 0, m_flits_ended = 0, m_messages = 0;
};

}  // namespace sare::test
