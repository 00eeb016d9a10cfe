// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/describe.h"

#include "tlm/fabric/view/network_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace sare {
namespace {

class drawing {
  public:
    drawing(const network_view& net, std::uint32_t router) : m_net(net), m_router(router) {}

    std::string text() const {
        const router_bank& bank = m_net.bank_of(m_router);
        std::string all =
            fmt::format("router {} ({}) after cycle {}\n", m_router, bank.variant(), m_net.now());
        all += line("port", "to", "in", "flits", "front", "state", "out", "owner", "credits", "sent");
        for (std::uint32_t p = 0; p < m_net.ports(m_router); ++p)
            for (std::uint32_t v = 0; v < bank.terms().vcs; ++v) all += vc(p, v);
        return all;
    }

  private:
    static std::string line(const std::string& port, const std::string& to, const std::string& in,
                            const std::string& flits, const std::string& front, const std::string& state,
                            const std::string& out, const std::string& owner, const std::string& credits,
                            const std::string& sent) {
        char text[256];
        std::snprintf(text, sizeof text, "%-5s %-12s %-3s %-6s %-24s %-22s %-4s %-9s %-7s %s\n", port.c_str(),
                      to.c_str(), in.c_str(), flits.c_str(), front.c_str(), state.c_str(), out.c_str(),
                      owner.c_str(), credits.c_str(), sent.c_str());
        return text;
    }
    static std::string of(std::uint32_t n, std::uint32_t all) { return fmt::format("{}/{}", n, all); }
    std::string name(std::uint32_t port) const { return port_name(*m_net.map(), m_router, port); }

    std::string to(std::uint32_t port) const {
        const std::string peer = peer_name(*m_net.map(), m_router, port);
        return peer.empty() ? "-" : peer;
    }

    std::string vc(std::uint32_t p, std::uint32_t v) const {
        const in_vc in = m_net.in(m_router, p, v);
        const out_vc out = m_net.out(m_router, p, v);
        const router_terms& terms = m_net.bank_of(m_router).terms();
        const std::string owner = owner_text(m_net, m_router, out);
        return line(v == 0 ? name(p) : "", v == 0 ? to(p) : "", std::to_string(v), of(in.count, terms.depth),
                    front(in, p, v), state(in, p, v), std::to_string(v), owner,
                    of(out.credits, m_net.depth_beyond(m_router, p)), std::to_string(out.flits));
    }

    std::string front(const in_vc& in, std::uint32_t p, std::uint32_t v) const {
        if (in.count == 0) return "-";
        const flit f = m_net.buffered(m_router, p, v, 0);
        const packet& what = m_net.packets()[f.packet];
        return fmt::format("{} to {}, flit {}", what.route.source, what.route.destination,
                           of((f.is_head() ? 0u : f.sequence) + 1u, what.flits));
    }

    /// Returns the state, and what the packet at the front has or wants.
    std::string state(const in_vc& in, std::uint32_t p, std::uint32_t v) const {
        const std::string at = state_of_front(m_net, m_router, p, v);
        if (at == "bids") return "bids for " + wanted(p, v);
        if (at == "active") return fmt::format("has {} vc {}", name(in.out_port), in.out_vc);
        return at;
    }

    std::string wanted(std::uint32_t p, std::uint32_t v) const {
        const router_bank& bank = m_net.bank_of(m_router);
        const std::uint32_t k = m_net.in_bank(m_router);
        std::string all;
        for (std::uint32_t q = 0; q < bank.ports(); ++q) {
            std::string vcs;
            for (std::uint32_t w = 0; w < bank.terms().vcs; ++w)
                if (bank.asks_for(k, p, v, q, w)) vcs += (vcs.empty() ? "" : ",") + std::to_string(w);
            if (!vcs.empty()) all += (all.empty() ? "" : "; ") + name(q) + " vc " + vcs;
        }
        return all;
    }

    const network_view& m_net;
    std::uint32_t m_router;
};

/// Returns the name of an input or output of the crossbar; with speed-up a port has several.
std::string crossbar_name(const std::string& port, std::uint32_t which) {
    return which == 0 ? port : fmt::format("{}/{}", port, which);
}

}  // namespace

std::string port_name(const topology& map, std::uint32_t router, std::uint32_t port) {
    if (router >= map.routers() || port >= map.ports(router_id(router))) return "none";
    const port_peer to = map.peer(router_id(router), port_id(port));
    if (to.what == port_peer::kind::node) return fmt::format("n{}", to.id);
    const topology& its = *map.part_of(router_id(router)).network;
    const coordinate_shape* shape = its.coordinates();
    if (shape == nullptr || port >= shape->router_ports()) return fmt::format("p{}", port);
    const std::uint32_t axis = shape->axis(port);
    const std::string sign = shape->port(axis, false) == port ? "+" : "-";
    return sign + (shape->axes() <= 4 ? std::string(1, "xyzw"[axis]) : std::to_string(axis));
}

std::string peer_name(const topology& map, std::uint32_t router, std::uint32_t port) {
    const port_peer to = map.peer(router_id(router), port_id(port));
    if (to.what == port_peer::kind::none) return "";
    if (to.what == port_peer::kind::node) return fmt::format("node {}", to.id);
    return fmt::format("r{} {}", to.id, port_name(map, to.id, to.port));
}

std::string state_of_front(const network_view& net, std::uint32_t router, std::uint32_t port,
                           std::uint32_t vc) {
    const in_vc in = net.in(router, port, vc);
    const std::uint32_t vcs = net.bank_of(router).terms().vcs;
    if (net.bids_for_vc(router, port, vc)) return "bids";
    const bool has = in.out_port < net.ports(router) && in.out_vc < vcs &&
                     net.out(router, in.out_port, in.out_vc).owner == port * vcs + vc;
    if (has) return "active";
    return in.count == 0 ? "idle" : "route";
}

std::string owner_text(const network_view& net, std::uint32_t router, const out_vc& out) {
    const std::uint32_t vcs = net.vcs();
    if (out.owner == out_vc::no_owner) return "-";
    if (out.owner >= net.ports(router) * vcs) return "node";
    return fmt::format("{} vc {}", port_name(*net.map(), router, out.owner / vcs), out.owner % vcs);
}

std::string arbiter_name(const network_view& net, std::uint32_t router, const router_arbiter& a) {
    using stage = router_arbiter::stage;
    const std::string port = port_name(*net.map(), router, a.port);
    const std::string vc = fmt::format("{} vc {}", port, a.unit), side = crossbar_name(port, a.unit);
    const std::string names[] = {
        "VA input " + vc, "VA output " + vc, "SA input " + side, "SA offers to " + side, "SA output " + side,
        "link " + port,   "engine",          "VA wavefront",     "SA wavefront"};
    static_assert(static_cast<int>(stage::sa_diagonal) + 1 == 9, "a name for each stage");
    return names[static_cast<int>(a.of)] + (a.speculative ? ", speculative" : "");
}

std::string requester_name(const network_view& net, std::uint32_t router, const router_arbiter& a,
                           std::uint32_t n) {
    using requester = router_arbiter::requester;
    if (n == router_arbiter::unknown) return "?";
    const std::uint32_t ports = net.ports(router), vcs = net.bank_of(router).terms().vcs;
    if (a.from == requester::vc) return fmt::format("vc {}", n);
    if (a.from == requester::diagonal) return fmt::format("diagonal {}", n);
    if (a.from == requester::input_vc && n >= ports * vcs) return fmt::format("queue {}", n - ports * vcs);
    const bool of_vcs = a.from == requester::input_vc;
    const std::uint32_t each = of_vcs ? vcs : std::max(1U, a.requesters / ports);
    const std::string port = port_name(*net.map(), router, n / each);
    return of_vcs ? fmt::format("{} vc {}", port, n % each) : crossbar_name(port, n % each);
}

std::string describe_router(const network_view& net, std::uint32_t router) {
    const std::string name = fmt::format("router {}", router);
    if (!net.is_finished() || net.map() == nullptr) return name + ": the network is not elaborated yet\n";
    if (router >= net.routers()) return fmt::format("{} is none of 0 to {}\n", name, net.routers() - 1);
    return drawing(net, router).text();
}

}  // namespace sare
