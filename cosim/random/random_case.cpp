// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/random_case.h"

#include "tlm/base/bits.h"
#include "tlm/base/rng.h"

#include <algorithm>
#include <set>

namespace sare::cosim {
namespace {

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
            c.at.router = draw_router_number(c.setting);
        c.place = c.at.text(c.setting);
        c.setting.model.input_register = m_random.below(4) == 0;  // last: the seeds' other parameters stay
        draw_others(c.setting);
        draw_sharing(c.setting);
        draw_weights(c.setting);
        if (c.setting.table) draw_forking(c);
        return c;
    }

    /// Draws until a router has the parameters of `held`, or can be given them. Those on which others of the
    /// draw depend are waited for, and the rest is set.
    random_case draw(std::uint32_t most_vcs, const config::value& held) {
        constexpr int most_draws = 20000;
        const bool none = held.type() == config::value::kind::null;
        for (int k = 0; k < most_draws; ++k) {
            random_case c = draw(most_vcs);
            if (none || takes(c.setting, held)) return c;
        }
        throw config::error(held.where(), "no random router has " + config::flow_style(held));
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

    /// Draws any value for parameters that were not drawn before, by their declarations.
    void draw_others(router_setting& s) {
        static const std::vector<config::parameter_doc> all = documented_parameters();
        static const std::set<std::string> drawn{
            "ports",          "vcs",          "depth",          "out_depth",
            "out_pool",       "buffers",      "reserved",       "flit_width",
            "classes",        "switching",    "rc_delay",       "va_delay",
            "sa_delay",       "st_delay",     "input_register", "lookahead",
            "speculative",    "va_arbiter",   "sa_arbiter",     "routing",
            "reallocation",   "va_allocator", "sa_allocator",   "nodes",
            "memory_buffers", "forking",      "one_way",        "clock_gating",
            "credit_delay",   "coord_width",  "wrap",           "credit_in_delay",
            "dateline"};
        config::value others = config::value::map({});
        for (const config::parameter_doc& d : all)
            if (drawn.count(d.name) == 0) others.set(d.name, any_value(d));
        s.take(others);
    }

    /// Draws buffers that VCs share, of the router and beyond some of its ports, if it may have them. Here
    /// each VC has a place for itself: without one, packets may wait for each other for ever.
    void draw_sharing(router_setting& s) {
        router_params& p = s.model;
        if (s.cut_through() || s.atomic()) return;
        if (flip()) {
            p.buffers = buffer_policy::shared;
            p.reserved = std::min(one_of({1u, 1u, 1u, 2u, p.depth - 1}), p.depth);
        }
        if (flip()) return;
        for (std::uint32_t q = 0; q < s.ports; ++q) {
            const std::uint32_t places = one_of({1u, 2u, 4u, 8u}), own = m_random.below(places);
            if (s.out_depth.size() == q) s.out_depth.push_back(s.own_beyond(q));
            s.out_pool.push_back(flip() ? 0 : p.vcs * (places - own));
            s.out_depth[q] = s.out_pool[q] != 0 ? own : std::max(s.out_depth[q], 1u);
        }
    }

    /// Lets packets fork in some routers with tables, and makes the router one that may. If they fork
    /// asynchronously they fit into buffers: branches of longer ones may wait for each other for ever.
    void draw_forking(random_case& c) {
        if (m_random.below(3) != 0) return;
        router_setting& s = c.setting;
        s.model.forking = flip() ? forking_rule::asynchronous : forking_rule::synchronous;
        s.model.buffers = buffer_policy::per_vc;
        s.model.lookahead = s.model.speculative = false;
        s.model.va_allocator = s.model.sa_allocator = config::value::scalar("input_first");
        s.model.va_arbiter = s.model.sa_arbiter = config::value::scalar("round_robin");
        s.out_pool.clear();
        for (std::uint32_t& own : s.out_depth) own = std::max(own, 1u);
        if (s.model.forking == forking_rule::asynchronous) s.longest = s.model.depth;
        for (std::uint32_t& ports : c.at.here) {
            ports = 1u << ports;
            for (std::uint32_t more = m_random.below(4); more != 0; --more)
                ports |= 1u << m_random.below(s.ports);
            if (m_random.below(8) == 0) ports = (1u << s.ports) - 1;
        }
        c.at.next = c.at.here;
    }

    config::value any_value(const config::parameter_doc& d) {
        const auto below = [this](auto n) { return m_random.below(static_cast<std::uint32_t>(n)); };
        if (d.type == "flag") return config::value::scalar(flip() ? "true" : "false");
        if (!d.choices.empty()) return config::value::scalar(d.choices[below(d.choices.size())]);
        return config::number(static_cast<std::uint32_t>(d.min.value()) +
                              below(d.max.value() - d.min.value() + 1));
    }

    /// Draws wider weights for the weighted arbiters of some routers.
    void draw_weights(router_setting& s) {
        for (auto* arbiter : {&s.model.va_arbiter, &s.model.sa_arbiter}) {
            if (arbiter->type() != config::value::kind::map || flip()) continue;
            std::vector<config::value> weights;
            for (std::uint32_t c = 0; c < 3; ++c)
                weights.push_back(config::number(1 + m_random.below(one_of({5u, 16u, 16u, 256u, 65535u}))));
            arbiter->set("weights", config::value::list(std::move(weights)));
        }
    }

    /// Gives a drawn router the parameters of `held`. Returns false if it cannot have them.
    static bool takes(router_setting& s, const config::value& held) {
        static const std::set<std::string> waited_for{
            "ports",           "nodes",     "vcs",      "classes", "routing",     "wrap",
            "dateline",        "out_depth", "out_pool", "one_way", "coord_width", "credit_delay",
            "credit_in_delay", "forking"};
        config::value rest = config::value::map({});
        router_setting wanted = s;
        wanted.take(held);
        const config::value now = s.values(), then = wanted.values();
        for (const auto& [name, value] : held.entries()) {
            if (waited_for.count(name) == 0)
                rest.set(name, value);
            else if (!(flow_style(*now.find(name)) == flow_style(*then.find(name))))
                return false;
        }
        s.take(rest);
        if (s.cut_through())
            for (auto& depth : s.out_depth) depth = std::max(depth, s.model.depth);
        return s.problem().empty();
    }

    void place_tables(random_case& c) {
        for (auto* table : {&c.at.here, &c.at.next})
            for (std::uint32_t n = 0; n < c.setting.nodes; ++n)
                table->push_back(m_random.below(c.setting.ports));
    }

    /// Draws a place, often at the end of a dimension, where rings wrap.
    std::uint32_t draw_router_number(const router_setting& s) {
        std::uint32_t me = 0;
        for (std::uint32_t d = s.dims(); d-- > 0;) {
            const std::uint32_t last = s.sizes[d] - 1;
            const std::uint32_t place = flip() ? one_of({0u, last}) : m_random.below(last + 1);
            me = me * s.sizes[d] + place;
        }
        return me;
    }

    rng m_random;
};

}  // namespace

random_case draw_case(std::uint64_t seed, std::uint32_t most_vcs, const config::value& held) {
    random_case c = drawing(seed).draw(most_vcs, held);
    static_cast<surroundings&>(c) = make_surroundings(c.setting, c.at);
    return c;
}

router_setting draw_setting(std::uint64_t seed, std::uint32_t most_vcs, const config::value& held) {
    return drawing(seed).draw(most_vcs, held).setting;
}

}  // namespace sare::cosim
