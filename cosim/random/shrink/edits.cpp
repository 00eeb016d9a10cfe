// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/shrink/edits.h"

#include "tlm/base/bits.h"
#include "tlm/topology/topology.h"

#include <algorithm>

namespace sare::cosim {
namespace {

std::uint32_t grid_ports(const router_setting& s) {
    return s.dims() * (s.one_way ? 1 : 2);
}

/// Gives the buffers beyond all ports the size of the router's own.
void as_here(router_setting& s) {
    s.out_depth.clear();
    s.out_pool.clear();
}

// ---- tables

/// Tables with a node for each port, here and there.
void plain_tables(pin_case& c) {
    if (c.setting.forks()) return;
    for (pin_case::packet& p : c.packets) p.destination = c.place.here[p.destination];
    c.setting.nodes = std::max(c.setting.ports, 2u);
    c.place.here.clear();
    for (std::uint32_t n = 0; n < c.setting.nodes; ++n) c.place.here.push_back(n % c.setting.ports);
    c.place.next = c.place.here;
}

/// Packets leave by the lowest port of their routes only.
void without_forking(pin_case& c) {
    if (!c.setting.forks()) return;
    for (auto* table : {&c.place.here, &c.place.next})
        for (std::uint32_t& ports : *table) ports = static_cast<std::uint32_t>(lowest(ports));
    c.setting.model.forking = forking_rule::none;
}

void grid_to_table(pin_case& c) {
    if (c.setting.table) return;
    const surroundings at = make_surroundings(c.setting, c.place);
    for (pin_case::packet& p : c.packets) {
        route_header h;
        h.destination = p.destination % at.map->nodes();
        h.state = static_cast<std::uint16_t>(p.ways);
        p.destination = at.around->here(h, {}).port;
        p.ways = 0;
    }
    c.place = {};
    for (std::uint32_t n = 0; n < c.setting.ports; ++n) c.place.here.push_back(n);
    router_setting plain;
    plain.table = true;
    plain.ports = c.setting.ports;
    plain.model = c.setting.model;
    plain.out_depth = c.setting.out_depth;
    plain.out_pool = c.setting.out_pool;
    plain.classes = c.setting.classes;
    plain.credit_out_delay = c.setting.credit_out_delay;
    plain.credit_in_delay = c.setting.credit_in_delay;
    static_cast<hardware_params&>(plain) = c.setting;
    c.setting = plain;
    plain_tables(c);
}

edit ports_to(std::uint32_t ports) {
    return [ports](pin_case& c) {
        if (!c.setting.table || ports >= c.setting.ports || c.setting.forks()) return;
        c.setting.ports = ports;
        for (auto* table : {&c.place.here, &c.place.next})
            for (std::uint32_t& port : *table) port %= ports;
        plain_tables(c);
    };
}

// ---- grids

/// Removes dimension d, while there are others.
edit without_dimension(std::uint32_t d) {
    return [d](pin_case& c) {
        router_setting& s = c.setting;
        if (s.table || s.dims() < 2 || d >= s.dims()) return;
        const std::uint32_t each = s.one_way ? 1 : 2, first = d * each;
        std::uint32_t below = 1;
        for (std::uint32_t k = 0; k < d; ++k) below *= s.sizes[k];
        const std::uint32_t size = s.sizes[d], nodes = s.concentration;
        const auto without = [&](std::uint32_t router) {
            return router / below / size * below + router % below;
        };
        const auto port = [&](std::uint32_t p) { return p < first ? p : p < first + each ? 0 : p - each; };
        for (pin_case::packet& p : c.packets) {
            p.port = port(p.port);
            p.destination = without(p.destination / nodes) * nodes + p.destination % nodes;
        }
        for (pin_case::credit& k : c.credits) k.port = port(k.port);
        c.place.router = without(c.place.router);
        s.sizes.erase(s.sizes.begin() + d);
        s.wrap = (s.wrap & ((1u << d) - 1)) | (s.wrap >> (d + 1) << d);
        as_here(s);
        s.ports -= each;
    };
}

void lone_node(pin_case& c) {
    router_setting& s = c.setting;
    if (s.table || s.concentration == 1 || grid_ports(s) + 1 < 2) return;
    for (pin_case::packet& p : c.packets) p.destination /= s.concentration;
    s.ports = grid_ports(s) + 1;
    s.concentration = 1;
    as_here(s);
}

edit sizes_to(std::uint32_t size) {
    return [size](pin_case& c) {
        router_setting& s = c.setting;
        if (s.table) return;
        std::uint32_t place = 0, below = 1, old = c.place.router;
        for (std::uint32_t& its : s.sizes) {
            const std::uint32_t fresh = std::min(its, size), at = old % its;
            // An end stays an end.
            place += (at == its - 1 ? fresh - 1 : std::min(at, fresh - 1)) * below;
            old /= its;
            below *= fresh;
            its = fresh;
        }
        c.place.router = place;
        s.coord_width = index_bits(*std::max_element(s.sizes.begin(), s.sizes.end()));
    };
}

void no_rings(pin_case& c) {
    if (c.setting.table || c.setting.one_way) return;
    c.setting.wrap = 0;
    c.setting.dateline = 0;
    if (c.setting.model.vcs / c.setting.classes < 2) c.setting.dateline = 3;
}

// ---- VCs, and the rest

edit vcs_to(std::uint32_t vcs) {
    return [vcs](pin_case& c) {
        router_setting& s = c.setting;
        const std::uint32_t before = s.model.vcs;
        s.model.vcs = std::min(before, vcs);
        for (std::uint32_t& pool : s.out_pool) pool = pool / before * s.model.vcs;
        if (s.model.vcs % s.classes != 0) s.classes = 1;
        if (s.model.vcs / s.classes < 2 && !s.table) s.dateline = 3;
    };
}

/// Sets one field of the model to its default.
template <class T>
edit usual(T router_params::*field) {
    return [field](pin_case& c) { c.setting.model.*field = router_params().*field; };
}

void plain_hardware(pin_case& c) {
    c.setting.clock_gating = false;
    c.setting.flit_width = 16;
}

edit credits_within(std::uint32_t cycles) {
    return [cycles](pin_case& c) {
        c.setting.credit_out_delay = std::min(c.setting.credit_out_delay, cycles);
        c.setting.credit_in_delay = std::min(c.setting.credit_in_delay, cycles);
        c.setting.model.credit_delay = c.setting.credit_in_delay;
    };
}

}  // namespace

std::vector<edit> simplifying_edits(const pin_case& c) {
    using p = router_params;
    std::vector<edit> all{grid_to_table};
    for (std::uint32_t d = c.setting.dims(); d-- > 0;) all.push_back(without_dimension(d));
    all.insert(all.end(), {lone_node,
                           no_rings,
                           sizes_to(2),
                           ports_to(2),
                           [](pin_case& k) { k.setting.classes = 1; },
                           vcs_to(1),
                           [](pin_case& k) { k.setting.model.depth = 2; },
                           [](pin_case& k) { as_here(k.setting); },
                           [](pin_case& k) {
                               if (k.setting.table) plain_tables(k);
                           },
                           [](pin_case& k) { k.setting.memory_buffers = false; },
                           plain_hardware,
                           without_forking,
                           credits_within(0),
                           usual(&p::buffers),
                           usual(&p::switching),
                           usual(&p::rc_delay),
                           usual(&p::va_delay),
                           usual(&p::sa_delay),
                           usual(&p::st_delay),
                           usual(&p::input_register),
                           usual(&p::lookahead),
                           usual(&p::speculative),
                           usual(&p::reallocation),
                           usual(&p::va_allocator),
                           usual(&p::sa_allocator),
                           usual(&p::va_arbiter),
                           usual(&p::sa_arbiter),
                           [](pin_case& k) { k.place.router = 0; }});
    return all;
}

std::vector<edit> halving_edits() {
    const auto to = [](auto field, std::uint32_t most) {
        return
            [field, most](pin_case& c) { c.setting.model.*field = std::min(c.setting.model.*field, most); };
    };
    using p = router_params;
    return {ports_to(3),         sizes_to(3),      vcs_to(2),           vcs_to(4),
            to(&p::depth, 3),    to(&p::depth, 5), to(&p::rc_delay, 2), to(&p::va_delay, 2),
            to(&p::sa_delay, 2), credits_within(1)};
}

void fit_events(pin_case& c) {
    router_setting& s = c.setting;
    s.model.reserved = std::min(s.model.reserved, s.model.depth);
    std::uint32_t nodes = s.table ? s.nodes : s.concentration;
    for (const std::uint32_t size : s.sizes) nodes *= s.table ? 1 : size;
    for (pin_case::packet& p : c.packets) {
        p.port %= s.ports;
        p.vc %= s.model.vcs;
        p.destination %= nodes;
        if ((s.cut_through() || s.forks()) && p.at.size() > s.model.depth) p.at.resize(s.model.depth);
    }
    for (pin_case::credit& k : c.credits) {
        k.port %= s.ports;
        k.vc %= s.model.vcs;
    }
}

}  // namespace sare::cosim
