// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/random_case.h"

#include "tlm/topology/topology.h"

#include <algorithm>
#include <set>

namespace sare::cosim {
namespace {

/// A network of one router and as many nodes as a table has entries: tables need no other map.
class lone_router final : public topology {
  public:
    lone_router(std::uint32_t ports, std::uint32_t nodes) : m_ports(ports), m_nodes(nodes) {}
    std::string name() const override { return "lone router"; }
    std::uint32_t nodes() const override { return m_nodes; }
    std::uint32_t routers() const override { return 1; }
    std::uint32_t ports(router_id) const override { return m_ports; }
    port_peer peer(router_id, port_id) const override { return {}; }
    link_attributes link(router_id, port_id) const override { return {}; }
    link_attributes injection_link(node_id) const override { return {}; }
    router_id router_of(node_id) const override { return router_id(0); }
    port_id port_of(node_id n) const override { return port_id(n.value % m_ports); }

  private:
    std::uint32_t m_ports, m_nodes;
};

/// Any port for any destination, here and at the next router.
class random_tables final : public routing_context {
  public:
    random_tables(const topology& map, const router_setting& s, rng& random)
        : m_map(map), m_nodes(s.nodes), m_vcs((1u << (s.model.vcs / s.classes)) - 1) {
        for (std::uint32_t n = 0; n < 2 * m_nodes; ++n)
            m_ports.push_back(static_cast<std::uint8_t>(random.below(s.ports)));
    }
    const topology& map() const override { return m_map; }
    std::uint32_t router() const override { return 0; }
    route_candidate here(const route_header& h, const input_channel&) const override {
        return candidate(m_ports[h.destination]);
    }
    route_candidate ahead(const route_header& h, const input_channel&) const override {
        return candidate(m_ports[m_nodes + h.destination]);
    }

  private:
    route_candidate candidate(std::uint8_t port) const {
        return {port, false, static_cast<std::uint16_t>(m_vcs)};
    }

    const topology& m_map;
    std::uint32_t m_nodes, m_vcs;
    std::vector<std::uint8_t> m_ports;
};

class drawing {
  public:
    explicit drawing(std::uint64_t seed) : m_random(seed, stream::test, 2) {}

    random_case draw(std::uint32_t most_vcs) {
        random_case c;
        do {
            c.setting = {};
            draw_ports(c.setting);
        } while (c.setting.ports < 2 || c.setting.ports > 16 || nodes_of(c.setting) > 70000 ||
                 !may_be(c.setting.ports * c.setting.model.vcs, most_vcs));
        draw_router(c.setting);
        if (c.setting.table)
            place_tables(c);
        else
            place_in_grid(c);
        c.setting.model.input_register = m_random.below(4) == 0;  // last: the seeds' other parameters stay
        draw_others(c.setting);
        return c;
    }

  private:
    template <class T>
    T one_of(std::initializer_list<T> all) {
        return all.begin()[m_random.below(static_cast<std::uint32_t>(all.size()))];
    }
    bool flip() { return m_random.below(2) == 0; }

    bool may_be(std::uint32_t vcs, std::uint32_t most_vcs) {
        if (most_vcs != by_cost) return vcs <= most_vcs;
        return vcs <= 24 && m_random.bernoulli(4.0 / vcs);
    }

    static std::uint64_t nodes_of(const router_setting& s) {
        std::uint64_t n = s.concentration;
        for (const std::uint32_t size : s.sizes) n *= size;
        return n;
    }

    void draw_ports(router_setting& s) {
        s.model.vcs = 1 + m_random.below(m_random.below(4) == 0 ? 16 : 8);
        do s.classes = 1 + m_random.below(s.model.vcs);
        while (s.model.vcs % s.classes != 0);
        s.table = m_random.bernoulli(0.3);
        s.sizes.clear();
        if (s.table) {
            s.ports = 2 + m_random.below(15);
            s.nodes = one_of({2u, 5u, 16u, 33u, 64u, 200u});
            return;
        }
        const std::uint32_t dims = one_of({1u, 1u, 2u, 2u, 2u, 3u, 4u, 5u, 6u, 7u, 8u});
        for (std::uint32_t d = 0; d < dims; ++d)
            s.sizes.push_back(dims < 4 ? one_of({1u, 2u, 3u, 4u, 5u, 7u, 8u, 13u}) : one_of({2u, 3u}));
        s.one_way = m_random.bernoulli(0.2);
        const std::uint32_t all = (1u << dims) - 1;
        s.wrap = s.one_way ? all : one_of({0u, all, all, m_random.next() & all});
        s.concentration = one_of({1u, 1u, 2u, 3u, 5u});
        s.ports = dims * (s.one_way ? 1 : 2) + s.concentration;
        s.coord_width = index_bits(*std::max_element(s.sizes.begin(), s.sizes.end())) + one_of({0u, 0u, 1u});
        s.dateline = s.one_way ? one_of({0u, 3u}) : one_of({0u, 0u, 1u, 1u, 3u});
        // A dateline takes two VCs a class: few routers would have one by chance.
        if (s.wrap != 0 && s.dateline != 3 && s.model.vcs / s.classes < 2) {
            s.model.vcs = std::max(s.model.vcs, 2u);
            s.classes = 1;
        }
        if (s.model.vcs / s.classes < 2) s.dateline = 3;
    }

    config::value draw_arbiter() {
        const std::string name = one_of({"round_robin", "matrix", "priority", "weighted"});
        if (name != "weighted") return config::value::scalar(name);
        std::vector<config::value> weights;
        for (std::uint32_t c = 0; c < 3; ++c)
            weights.push_back(config::value::scalar(std::to_string(1 + m_random.below(5))));
        return config::value::map({{"name", config::value::scalar(name)},
                                   {"by", config::value::scalar("class")},
                                   {"weights", config::value::list(std::move(weights))}});
    }

    void draw_router(router_setting& s) {
        router_params& p = s.model;
        p.depth = one_of({2u, 2u, 3u, 4u, 5u, 7u, 8u, 12u, 16u, 31u, 64u});
        s.flit_width = one_of({16u, 17u, 32u, 33u, 64u, 100u, 128u, 256u, 512u});
        p.switching = flip() ? switching_mode::wormhole : switching_mode::cut_through;
        for (auto* delay : {&p.rc_delay, &p.va_delay, &p.sa_delay, &p.st_delay})
            *delay = one_of({0u, 0u, 0u, 1u, 1u, 1u, 2u, 2u + m_random.below(14)});
        p.lookahead = flip();
        p.speculative = flip();
        p.reallocation = flip() ? reallocation_rule::tail : reallocation_rule::atomic;
        for (auto* kind : {&p.va_allocator, &p.sa_allocator})
            *kind = config::value::scalar(one_of({"input_first", "output_first", "wavefront"}));
        for (auto* kind : {&p.va_arbiter, &p.sa_arbiter}) *kind = draw_arbiter();
        s.memory_buffers = p.sa_delay != 0 && flip();
        s.clock_gating = flip();
        const std::uint32_t delay = one_of({0u, 1u, 1u, 2u, 3u, 7u});
        s.credit_out_delay = one_of({delay, 0u, m_random.below(delay + 1)});
        s.credit_in_delay = delay - s.credit_out_delay;
        p.credit_delay = s.credit_in_delay;
        if (m_random.below(3) != 0) return;
        for (std::uint32_t q = 0; q < s.ports; ++q)
            s.out_depth.push_back(one_of({1u, 2u, p.depth, 9u, 255u}));
        // A buffer that holds no whole packet never takes one.
        if (s.cut_through())
            for (auto& depth : s.out_depth) depth = std::max(depth, p.depth);
    }

    /// Parameters that nothing above has drawn, by their declarations: any value.
    void draw_others(router_setting& s) {
        static const std::vector<config::parameter_doc> all = documented_parameters();
        static const std::set<std::string> drawn{
            "ports",        "vcs",          "depth",      "out_depth",       "flit_width", "classes",
            "switching",    "rc_delay",     "va_delay",   "sa_delay",        "st_delay",   "input_register",
            "lookahead",    "speculative",  "va_arbiter", "sa_arbiter",      "routing",    "reallocation",
            "va_allocator", "sa_allocator", "nodes",      "memory_buffers",  "one_way",    "clock_gating",
            "credit_delay", "coord_width",  "wrap",       "credit_in_delay", "dateline"};
        config::value others = config::value::map({});
        for (const config::parameter_doc& d : all)
            if (drawn.count(d.name) == 0) others.set(d.name, any_value(d));
        s.take(others);
    }

    config::value any_value(const config::parameter_doc& d) {
        const auto below = [this](auto n) { return m_random.below(static_cast<std::uint32_t>(n)); };
        if (d.type == "flag") return config::value::scalar(flip() ? "true" : "false");
        if (!d.choices.empty()) return config::value::scalar(d.choices[below(d.choices.size())]);
        return config::number(static_cast<std::uint32_t>(d.min.value()) +
                              below(d.max.value() - d.min.value() + 1));
    }

    void place_tables(random_case& c) {
        c.map = std::make_unique<lone_router>(c.setting.ports, c.setting.nodes);
        c.around = std::make_unique<random_tables>(*c.map, c.setting, m_random);
        c.place = "tables of " + std::to_string(c.setting.nodes) + " nodes";
    }

    /// Often at an end of a dimension: that is where rings wrap.
    std::uint32_t draw_router_number(const router_setting& s) {
        std::uint32_t me = 0;
        for (std::uint32_t d = s.dims(); d-- > 0;) {
            const std::uint32_t last = s.sizes[d] - 1;
            const std::uint32_t place = flip() ? one_of({0u, last}) : m_random.below(last + 1);
            me = me * s.sizes[d] + place;
        }
        return me;
    }

    void place_in_grid(random_case& c) {
        const config::location at{"random case", 0, 0};
        std::vector<config::value> sizes, wrap;
        std::string text;
        for (std::uint32_t d = 0; d < c.setting.dims(); ++d) {
            sizes.push_back(config::number(c.setting.sizes[d], at));
            wrap.push_back(config::value::scalar((c.setting.wrap >> d & 1) != 0 ? "true" : "false", at));
            text += (d == 0 ? "" : "x") + std::to_string(c.setting.sizes[d]);
        }
        config::value map = config::value::map({{"topology", config::value::scalar("torus", at)}}, at);
        map.set("dims", config::value::list(sizes, at));
        map.set("wrap", config::value::list(wrap, at));
        map.set("concentration", config::number(c.setting.concentration, at));
        if (c.setting.one_way) map.set("unidirectional", config::value::scalar("true", at));
        c.map = topology_registry::instance().make(map);
        static const char* rules[] = {"trc", "basic", "improved", "none"};
        config::value section = config::value::map({{"function", config::value::scalar("dor", at)}}, at);
        section.set("dateline", config::value::scalar(rules[c.setting.dateline], at));
        c.routing = routing_registry::instance().make(
            section, sare::routing_context{c.map.get(), c.setting.model.vcs / c.setting.classes});
        const std::uint32_t me = draw_router_number(c.setting);
        c.around = std::make_unique<network_routing_context>(*c.map, *c.routing, me);
        c.place = "router " + std::to_string(me) + " of " + text;
    }

    rng m_random;
};

}  // namespace

random_case draw_case(std::uint64_t seed, std::uint32_t most_vcs) {
    return drawing(seed).draw(most_vcs);
}

}  // namespace sare::cosim
