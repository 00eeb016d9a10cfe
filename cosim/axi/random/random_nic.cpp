// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/random/random_nic.h"

#include "cosim/axi/bridge_pairs.h"
#include "cosim/axi/model/nic_model.h"
#include "cosim/axi/rtl/nic_rtl.h"
#include "cosim/random/place.h"
#include "cosim/rtl/sare_nic_rtl.h"
#include "tlm/base/bits.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

namespace sare::axi {
namespace {

/// Returns the router: with a table of routes it has two ports. The NIC is at the last port.
cosim::router_setting router_of(const nic_setting& n) {
    cosim::router_setting s;
    s.table = n.side == 0;
    s.ports = s.table ? 2 : 5;
    s.nodes = n.nodes;
    if (!s.table) {
        s.sizes = {n.side, n.side};
        s.coord_width = index_bits(n.side);
        s.wrap = n.rings ? 3 : 0;
        s.dateline = n.vcs / n.classes > 1 ? 0 : 3;
    }
    s.classes = n.classes;
    s.flit_width = n.flit_width;
    s.model.vcs = n.vcs;
    s.model.depth = n.depth;
    s.model.lookahead = n.lookahead;
    s.model.switching = n.cut_through ? switching_mode::cut_through : switching_mode::wormhole;
    s.model.reallocation = n.atomic ? reallocation_rule::atomic : reallocation_rule::tail;
    s.model.buffers = n.shared ? buffer_policy::shared : buffer_policy::per_vc;
    s.model.reserved = n.reserved;
    s.out_depth.assign(s.ports, n.places);
    s.out_pool.assign(s.ports, 0);
    return s;
}

/// Returns a table of routes: nodes are behind the two ports in turn.
std::vector<std::uint32_t> ports_of(const nic_setting& n) {
    std::vector<std::uint32_t> all(n.nodes);
    for (std::uint32_t k = 0; k < n.nodes; ++k) all[k] = k % 2;
    return all;
}

/// A random node and a random router around a NIC.
class nic_bench {
  public:
    nic_bench(const nic_setting& n, std::uint64_t seed)
        : m_setting(n),
          m_random(seed, stream::test, 4),
          m_offers(n.classes),
          m_leaving(n.classes),
          m_held(n.vcs),
          m_places(n.vcs, n.places),
          m_arriving(n.vcs) {}

    void cycle(node_nic& nic) {
        if (m_phase-- == 0) next_phase();
        if (const auto f = arrival()) nic.arrives(*f);
        for (std::uint32_t c = 0; c < m_setting.classes; ++c) offer(c);
        const std::uint32_t sent = nic.send(m_offers, router_credits());
        for (std::uint32_t c = 0; c < m_setting.classes; ++c)
            if ((sent >> c & 1) != 0) --m_leaving[c].left;
        std::uint32_t taken = 0;
        for (std::uint32_t c = 0; c < m_setting.classes; ++c)
            if (nic.received(c).valid && m_random.bernoulli(m_take)) taken |= 1u << c;
        nic.clock(taken);
        if (const auto f = nic.sent()) {
            ++m_held[f->vc];
            ++flits;
        }
        for (std::uint32_t v = 0; v < m_setting.vcs; ++v) m_places[v] += nic.credits() >> v & 1;
    }

    std::uint64_t flits = 0;  ///< flits that the NIC has sent

  private:
    struct packet {
        std::uint32_t length = 0, left = 0, destination = 0;
        std::uint16_t ways = 0;  // any ways round the rings: a NIC cannot know
    };

    bool grid() const { return m_setting.side != 0; }
    void next_phase() {
        static const double rates[] = {0, 0.05, 0.3, 0.7, 1, 1};
        for (double* rate : {&m_begin, &m_show, &m_give, &m_arrive, &m_take})
            *rate = rates[m_random.below(6)];
        m_phase = 10 + m_random.below(100);
    }
    wide data() {
        wide all;
        for (std::uint32_t lsb = 0; lsb < m_setting.flit_width; lsb += 32)
            all.set(lsb, std::min(32u, m_setting.flit_width - lsb), m_random.next());
        return all;
    }
    std::uint32_t length(std::uint32_t places) {
        return 1 + m_random.below(m_setting.cut_through ? std::min(places, 8u) : 8);
    }

    void offer(std::uint32_t c) {
        packet& p = m_leaving[c];
        if (p.left == 0 && m_random.bernoulli(m_begin)) {
            p.length = p.left = length(m_setting.depth);
            p.destination = m_random.below(grid() ? m_setting.side * m_setting.side : m_setting.nodes);
            if (grid()) p.ways = static_cast<std::uint16_t>(m_random.next());
        }
        m_offers[c].reset();
        if (p.left == 0 || !m_random.bernoulli(m_show)) return;
        route_header route;
        route.source = m_setting.router;
        route.destination = p.destination;
        route.state = p.ways;
        m_offers[c] = {{true, p.left == 1, data()}, route, p.length};
    }
    /// Draws the VCs of which the router gives a credit; returns a mask.
    std::uint32_t router_credits() {
        std::uint32_t vcs = 0;
        for (std::uint32_t v = 0; v < m_setting.vcs; ++v) {
            if (m_held[v] == 0 || !m_random.bernoulli(m_give)) continue;
            --m_held[v];
            vcs |= 1u << v;
        }
        return vcs;
    }
    std::optional<node_nic::link_flit> arrival() {
        const std::uint32_t vc = m_random.below(m_setting.vcs);
        if (m_places[vc] == 0 || !m_random.bernoulli(m_arrive)) return std::nullopt;
        packet& p = m_arriving[vc];
        const bool head = p.left == 0;
        if (head) p.left = length(m_setting.places);
        --p.left;
        --m_places[vc];
        return node_nic::link_flit{head, p.left == 0, vc, data()};
    }

    const nic_setting m_setting;
    rng m_random;
    std::vector<std::optional<node_nic::offer>> m_offers;
    std::vector<packet> m_leaving;        ///< by class
    std::vector<std::uint32_t> m_held;    ///< flits in the router, by VC
    std::vector<std::uint32_t> m_places;  ///< free places in the NIC, by VC
    std::vector<packet> m_arriving;       ///< by VC
    double m_begin = 0, m_show = 0, m_give = 0, m_arrive = 0, m_take = 0;
    std::uint32_t m_phase = 0;
};

}  // namespace

config::schema<nic_setting> nic_setting::fields() {
    using p = nic_setting;
    config::schema<p> s;
    s.number("vcs", &p::vcs, 1, 16, "VCs", "Of the link.")
        .number("classes", &p::classes, 1, 16, "classes", "Message classes, which share the VCs evenly.")
        .number("flit_width", &p::flit_width, 16, 512, "bits", "Data of a flit.")
        .number("nodes", &p::nodes, 2, 1024, "nodes", "Entries of the routing table.")
        .number("depth", &p::depth, 2, 64, "flits", "Of the router's buffers.")
        .number("places", &p::places, 2, 64, "flits", "Of the NIC's buffers.")
        .number("delay", &p::delay, 0, 255, "cycles", "Before the link.")
        .number("credit_delay", &p::credit_delay, 0, 255, "cycles", "Of a credit that comes in.")
        .flag("cut_through", &p::cut_through, "Packets go where they have room whole.")
        .flag("atomic", &p::atomic, "Packets go to empty buffers.")
        .flag("lookahead", &p::lookahead, "Heads bring their route.")
        .number("side", &p::side, 0, 8, "routers", "Of a grid of two dimensions, in each; 0: a table.")
        .number("router", &p::router, 0, 63, "", "Its number in the grid.")
        .flag("rings", &p::rings, "The grid is a torus.")
        .flag("shared", &p::shared, "The VCs share the router's buffer.")
        .number("reserved", &p::reserved, 0, 64, "flits", "Places of it that each VC has for itself.");
    return s;
}

nic_setting draw_nic(std::uint64_t seed) {
    rng random(seed, stream::test, 3);
    const auto one_of = [&](std::initializer_list<std::uint32_t> all) {
        return *(all.begin() + random.below(static_cast<std::uint32_t>(all.size())));
    };
    nic_setting n;
    n.vcs = 1 + random.below(8);
    do n.classes = 1 + random.below(n.vcs);
    while (n.vcs % n.classes != 0);
    n.flit_width = one_of({16, 33, 64, 128, 512});
    n.nodes = one_of({2, 5, 64});
    n.depth = one_of({2, 3, 4, 8, 17, 64});
    n.places = one_of({2, 3, 4, 8, 17, 64});
    n.delay = random.below(4);
    n.credit_delay = random.below(4);
    n.cut_through = random.below(2) == 0;
    n.atomic = random.below(3) == 0;
    n.lookahead = random.below(2) == 0;
    n.side = one_of({0, 2, 3, 8});
    if (n.side != 0) n.router = random.below(n.side * n.side);
    n.rings = n.side != 0 && random.below(2) == 0;
    n.shared = !n.cut_through && !n.atomic && random.below(2) == 0;
    n.reserved = std::min(random.below(4), n.depth);
    return n;
}

random_outcome run(const random_run& what, const nic_setting& n) {
    const cosim::router_setting router = router_of(n);
    const cosim::router_place place{n.router, ports_of(n), ports_of(n)};
    const cosim::surroundings at = cosim::make_surroundings(router, place);
    nic_params params;
    params.delay = n.delay;
    params.credit_delay = n.credit_delay;
    auto rtl = std::make_unique<nic_rtl>(
        router, *at.around, router.ports - 1, params,
        [&](const cosim::rtl_request& r) { return library_for(what, r); }, what.sources);
    if (!what.waves.file.empty()) rtl->write_waves(what.waves);
    node_nic_pair pair("NIC", std::make_unique<nic_model>(router.model, n.classes, n.places, params),
                       std::move(rtl));
    pair.run_both_until(what.waves.last);
    random_outcome o;
    o.parameters =
        fmt::format("{} Places={}",
                    cosim::text(cosim::sare_nic_rtl::inject_request(router, params).parameters), n.places);
    nic_bench bench(n, what.seed);
    std::uint64_t t = 0;
    while (pair.first_difference().empty() ? t < what.cycles : t < what.waves.last) {
        if (what.on_cycle && t % 1024 == 0)
            what.on_cycle(static_cast<double>(t) / static_cast<double>(what.cycles));
        ++t;
        bench.cycle(pair);
        if (o.cycle == 0 && !pair.first_difference().empty()) o.cycle = t;
    }
    pair.finish();
    if (o.cycle == 0 && !pair.first_difference().empty()) o.cycle = t;
    o.difference = pair.first_difference();
    o.bridge_cycles = t;
    o.flits = bench.flits;
    return o;
}

}  // namespace sare::axi
