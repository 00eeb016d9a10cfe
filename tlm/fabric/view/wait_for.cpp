// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/view/wait_for.h"

#include "tlm/api/endpoint_waits.h"
#include "tlm/api/workload.h"
#include "tlm/fabric/view/network_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sare {
namespace {

/// Address of an input VC; or the number `vc` of an endpoint_wait, if `router` is `endpoint`.
struct input_channel {
    static constexpr std::uint32_t endpoint = 0xffffffff;
    std::uint32_t router, port, vc;
};

class wait_for_graph {
  public:
    wait_for_graph(const network_view& net, const workload* traffic) : m_net(net), m_vcs(net.vcs()) {
        if (const auto* its = dynamic_cast<const endpoint_workload*>(traffic))
            m_endpoints = its->endpoint_waits();
        for (std::uint32_t r = 0; r < net.routers(); ++r) {
            m_first.push_back(m_size);
            m_size += net.ports(r) * m_vcs;
        }
    }

    std::string cycle() const {
        std::vector<std::uint8_t> seen(m_size + m_endpoints.size(), 0);  // 0 not yet, 1 on this walk, 2 done
        for (std::uint32_t r = 0; r < m_net.routers(); ++r)
            for (std::uint32_t p = 0; p < m_net.ports(r); ++p)
                for (std::uint32_t v = 0; v < m_vcs; ++v) {
                    std::string found = walk({r, p, v}, seen);
                    if (!found.empty()) return found;
                }
        return "";
    }

  private:
    std::uint32_t number(const input_channel& at) const {
        if (at.router == input_channel::endpoint) return m_size + at.vc;
        return m_first[at.router] + at.port * m_vcs + at.vc;
    }

    /// Adds the endpoint of a node and class to `next`, if something waits there.
    void add_endpoint(std::uint32_t node, std::uint32_t message_class,
                      std::vector<input_channel>& next) const {
        for (std::uint32_t k = 0; k < m_endpoints.size(); ++k)
            if (m_endpoints[k].node == node && m_endpoints[k].message_class == message_class)
                next.push_back({input_channel::endpoint, 0, k});
    }

    /// Returns the input VCs into which the node must send before the message of an endpoint_wait can leave.
    std::vector<input_channel> waits_for(const endpoint_wait& w) const {
        std::vector<input_channel> next;
        const topology& map = *m_net.map();
        const node_id n(w.node);
        for (std::uint32_t c = 0; c < m_net.classes(); ++c) {
            if (((w.sends >> c) & 1) == 0) continue;
            const class_queue& q = m_net.nic(w.node).queues[c];
            const bool begun = q.packet != class_queue::none;
            for (std::uint32_t v = begun ? q.vc : q.first_vc; v <= (begun ? q.vc : q.last_vc); ++v)
                next.push_back({map.router_of(n).value, map.port_of(n).value, v});
        }
        return next;
    }

    /// Returns the input VCs that must move before the packet at the front of `at` can.
    std::vector<input_channel> waits_for(const input_channel& at) const {
        if (at.router == input_channel::endpoint) return waits_for(m_endpoints[at.vc]);
        std::vector<input_channel> next;
        if (!m_net.has_router(at.router)) return next;
        const in_vc& c = m_net.in(at.router, at.port, at.vc);
        if (c.count == 0) return next;
        auto beyond = [&](std::uint32_t port, std::uint32_t vc) {
            const port_peer peer = m_net.map()->peer(router_id(at.router), port_id(port));
            if (peer.what == port_peer::kind::router) next.push_back({peer.id, peer.port, vc});
            if (peer.what == port_peer::kind::node && !m_endpoints.empty())
                add_endpoint(peer.id, class_of(at), next);
        };
        if (!m_net.bids_for_vc(at.router, at.port, at.vc)) {
            beyond(c.out_port, c.out_vc);  // has its VC: waits for room in the buffer there
            return next;
        }
        const bool forks = m_net.bank_of(at.router).terms().forks;
        for (std::uint32_t v = 0; v < m_vcs; ++v) {
            if (((c.vcs >> v) & 1) == 0) continue;
            const std::uint32_t owner = m_net.out(at.router, c.out_port, v).owner;
            // A packet that forks may have the output VC while nothing is behind it.
            if (forks && owner != out_vc::no_owner) next.push_back({at.router, owner / m_vcs, owner % m_vcs});
            beyond(c.out_port, v);
        }
        return next;
    }

    std::string walk(const input_channel& start, std::vector<std::uint8_t>& seen) const {
        std::vector<std::pair<input_channel, std::vector<input_channel>>> path;
        auto enter = [&](const input_channel& p) {
            seen[number(p)] = 1;
            path.emplace_back(p, waits_for(p));
        };
        if (seen[number(start)] == 0) enter(start);
        while (!path.empty()) {
            auto& next = path.back().second;
            if (next.empty()) {
                seen[number(path.back().first)] = 2;
                path.pop_back();
                continue;
            }
            const input_channel to = next.back();
            next.pop_back();
            if (seen[number(to)] == 0)
                enter(to);
            else if (seen[number(to)] == 1)
                return text(path, to);
        }
        return "";
    }

    std::string text(const std::vector<std::pair<input_channel, std::vector<input_channel>>>& path,
                     const input_channel& closing) const {
        std::string all = "each waits for the next: ";
        bool inside = false;
        for (const auto& [at, rest] : path) {
            inside = inside || number(at) == number(closing);
            if (inside) all += one(at) + " -> ";
        }
        return all + one(closing);
    }

    std::uint32_t class_of(const input_channel& at) const {
        const flit front = m_net.buffered(at.router, at.port, at.vc, 0);
        return m_net.messages()[m_net.packets()[front.packet].message].what.message_class;
    }

    std::string one(const input_channel& at) const {
        if (at.router == input_channel::endpoint) return m_endpoints[at.vc].text;
        const flit front = m_net.buffered(at.router, at.port, at.vc, 0);
        const packet& p = m_net.packets()[front.packet];
        return fmt::format("{} (packet from {} to {}, injected in cycle {})",
                           channel_into(*m_net.map(), at.router, at.port, at.vc), p.route.source,
                           p.route.destination, p.injected);
    }

    const network_view& m_net;
    std::uint32_t m_vcs;
    std::vector<std::uint32_t> m_first;
    std::uint32_t m_size = 0;
    std::vector<endpoint_wait> m_endpoints;
};

}  // namespace

std::string channel_into(const topology& map, std::uint32_t router, std::uint32_t port, std::uint32_t vc) {
    const port_peer from = map.source(router_id(router), port_id(port));
    return from.what == port_peer::kind::node ? fmt::format("n{}.vc{}", from.id, vc)
                                              : fmt::format("r{}.p{}.vc{}", from.id, from.port, vc);
}

std::string describe_wait_for_cycle(const network_view& net, const workload* traffic) {
    return wait_for_graph(net, traffic).cycle();
}

}  // namespace sare
