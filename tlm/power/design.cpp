// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/design.h"

#include "tlm/base/bits.h"
#include "tlm/base/joined.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/connection.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sare {
namespace {

void add_sentence(std::string& to, const std::string& more) {
    if (to.find(more) == std::string::npos) to += (to.empty() ? "" : "; ") + more;
}

/// True for a grid whose routers have a rule for datelines.
bool closes_rings(const topology& map) {
    const grid_shape* const grid = map.grid();
    return grid != nullptr && std::find(grid->wrap.begin(), grid->wrap.end(), true) != grid->wrap.end();
}

/// Number of dimensions of a router's coordinates in headers.
std::size_t dimensions(const topology& map, std::uint32_t ports) {
    const grid_shape* const grid = map.grid();
    return grid != nullptr ? grid->wrap.size() : std::max<std::size_t>(1, ports / 2);
}

/// Bits of a word of a router's buffer: a flit's data, destination, ways and VC (sare_router.sv,
/// PayloadWidth).
std::uint32_t bits_of_word(const router_terms& terms, std::uint32_t ports, const topology& map,
                           std::uint32_t width) {
    const grid_shape* const grid = map.grid();
    const auto dims = static_cast<std::uint32_t>(dimensions(map, ports));
    const std::uint32_t destination =
        grid == nullptr
            ? index_bits(map.nodes())
            : index_bits(ports) + dims * index_bits(*std::max_element(grid->dims.begin(), grid->dims.end()));
    return width + destination + 2 * dims + index_bits(terms.vcs);
}

cost_setting setting_at(const router_model& model, std::uint32_t ports, const topology& map,
                        std::uint32_t width) {
    cost_setting all = setting_of(model, ports);
    all.set("width", std::to_string(width));
    all.set("dims", std::to_string(dimensions(map, ports)));
    all.set("wraps", closes_rings(map) ? "true" : "false");
    return all;
}

}  // namespace

network_design::network_design(const power_params& params, const config::location& at, const topology& map,
                               const model_of& model, std::uint32_t flit_bits)
    : m_params(params),
      m_at(at),
      m_all(params.tables(at)),
      m_width(params.width != 0 ? params.width : flit_bits),
      m_header_bits(std::min(params.header_bits, m_width)),
      m_activity(params.activity(at, m_width)) {
    m_tables = joined(m_all, ", ", [](const auto& t) {
        return t->name + (t->characterised ? " (" + t->made_of + ")" : " (by hand)");
    });
    m_voltage = params.voltage;
    for (const auto& t : m_all)
        if (m_voltage == 0) m_voltage = t->voltage;
    note_levels(map);
    for (std::uint32_t r = 0; r < map.routers(); ++r) {
        const router_model& is = model(r);
        for (std::uint32_t l = 0; l < m_levels; ++l) {
            const clock_level its = level_of(map.region(router_id(r)), map.clock(router_id(r)), l);
            m_routers.push_back(costs_of_router(is, r, its.voltage, map));
            bound_period(m_routers.back()->period, its.clock, "router", r);
        }
        m_buffer_bits.push_back(map.ports(router_id(r)) * is.terms().places() * m_width);
    }
    find_nics(map, model);
    find_bridges(map);
    floorplan(map, params.links).for_each_length([this](double mm) { m_lengths.push_back(mm); });
    find_links(map);
    bound_wires(map);
    add_up(map);
}

clock_level network_design::level_of(const clock_region* region, const clock_ratio& clock,
                                     std::uint32_t level) const {
    clock_level its{clock, 0};
    if (region != nullptr) its = region->levels[level < region->levels.size() ? level : 0];
    if (its.voltage == 0) its.voltage = m_voltage;
    return its;
}

/// Looks at the voltage of the network and at the levels of its regions.
void network_design::note_levels(const topology& map) {
    std::map<double, std::string> all{{m_voltage, ""}};
    for (const clock_region* const region : regions_of(map)) {
        m_levels = std::max(m_levels, static_cast<std::uint32_t>(region->levels.size()));
        for (const clock_level& l : region->levels) {
            if (l.in_hertz) m_params.check_beside(region->name);
            if (l.voltage != 0) all.try_emplace(l.voltage, region->name);
        }
    }
    for (const auto& [volts, name] : all) {
        if (!name.empty()) m_params.check_voltage(volts, "'domains." + name + ".voltage'", m_at);
        note_voltage(volts);
    }
}

/// Says where clock periods are not those of a voltage.
void network_design::note_voltage(double volts) {
    for (const auto& t : m_all) {
        const std::string of = "clock periods of " + t->name;
        const delay_law& law = t->delay;
        if (volts == t->voltage || t->voltage == 0) continue;
        if (!law.is_known())
            add_sentence(m_extrapolated, of + " are those of " + config::number_text(t->voltage) +
                                             " V, as it has no law of delays");
        else if (volts < law.least || (law.most != 0 && volts > law.most))
            add_sentence(m_extrapolated,
                         of + ": " + config::number_text(volts) + " V, where its law of delays holds from " +
                             config::number_text(law.least) + " to " + config::number_text(law.most) + " V");
    }
}

/// Notes that a block needs a period of `ns`. `clock`: clock of the block; `what`, `number`:
/// its name.
void network_design::bound_period(double ns, const clock_ratio& clock, const char* what,
                                  std::uint32_t number) {
    if (ns / clock.period() <= m_period) return;
    m_period = ns / clock.period();
    const std::string tables =
        joined(m_all, ", ", [](const auto& t) { return t->name + (t->characterised ? "" : " (by hand)"); });
    m_slowest = fmt::format("{} {}, by {},", what, number, tables);
}

/// Wires must carry a flit within the latency of their link.
void network_design::bound_wires(const topology& map) {
    std::size_t row = 0;
    for_each_link(map, [&](const link_end& from, const link_end&) {
        const bool injects = from.what == link_end::kind::nic;
        const link_attributes a =
            injects ? map.injection_link(node_id(from.id)) : map.link(router_id(from.id), port_id(from.port));
        const clock_region* const region =
            injects ? map.region(node_id(from.id)) : map.region(router_id(from.id));
        for (std::uint32_t l = 0; l < m_levels; ++l)
            bound_period(
                wires(row, l).delay_mm * m_lengths[row] / a.latency,
                region != nullptr && region->changes() ? level_of(region, a.clock, l).clock : a.clock,
                injects ? "the link of node" : "a link from router", from.id);
        ++row;
    });
}

void network_design::add_up(const topology& map) {
    const auto add = [this](const block_costs& block) {
        for (std::size_t k = 0; k < power_components.size(); ++k) {
            m_area[k] += block.area[k];
            m_leakage[k] += block.leakage[k];
        }
    };
    for (std::uint32_t r = 0; r < map.routers(); ++r) add(router(r));
    for (std::uint32_t n = 0; n < map.nodes(); ++n) {
        add(nic(n));
        for_each_bridge(n, 0, [&](const bridges_of& b) { add(b.costs); });
    }
    for (std::size_t row = 0; row < m_lengths.size(); ++row) {
        const double mm = m_lengths[row], each = repeaters(row);
        m_area[place_of(power_component::links)] +=
            (wires(row).area_bit_mm * mm + wires(row).repeater_area * each) * m_width;
        m_leakage[place_of(power_component::links)] +=
            (wires(row).leakage_bit_mm * mm + wires(row).repeater_leakage * each) * m_width;
    }
}

double network_design::repeaters(std::size_t row) const {
    return wires(row).repeater_mm > 0 ? std::floor(m_lengths[row] / wires(row).repeater_mm) : 0;
}

const cost_table& network_design::table_for(std::uint32_t router, const std::string& kind) const {
    std::string kinds;
    for (const auto& t : m_all) {
        if (!t->router.empty() && (t->kind.empty() || t->kind == kind)) return *t;
        if (!t->router.empty()) kinds += (kinds.empty() ? "" : ", ") + t->kind;
    }
    throw config::error(m_at, fmt::format("router {} is of kind {}, and the tables of 'power' are for {}; "
                                          "add one for it, by hand for instance (docs/power.md)",
                                          router, kind, (kinds.empty() ? "no routers" : kinds)));
}

const block_costs* network_design::costs_of_router(const router_model& model, std::uint32_t router,
                                                   double volts, const topology& map) {
    const std::uint32_t ports = map.ports(router_id(router));
    const block_costs*& known = m_known[{&model, ports, volts}];
    if (known != nullptr) return known;
    const cost_table& table = table_for(router, model.kind());
    cost_setting setting = setting_at(model, ports, map, m_width);
    setting.set("clock_gating", m_params.clock_gating ? "true" : "false");
    const router_terms terms = model.terms();
    const bool is_memory =
        m_params.memory_buffers || (m_params.memory_from != 0 && terms.places() >= m_params.memory_from);
    setting.set("memory_buffers", is_memory ? "true" : "false");
    if (is_memory) {
        setting.set("words", std::to_string(terms.places()));
        setting.set("word_bits", std::to_string(bits_of_word(terms, ports, map, m_width)));
    }
    voltage_factors factors = voltage_factors::of(table, volts);
    if (m_params.glitches) {
        if (table.router.glitch_factor == 0)
            throw config::error(m_at, "'glitches' is true, and the table " + table.file +
                                          " has no glitch_factor; leave it out");
        factors.dynamic *= table.router.glitch_factor;
    }
    m_kept.push_back(costs_of(table, table.router, setting, factors));
    known = &m_kept.back();
    note("routers of kind " + model.kind(), table, table.router, *known);
    if (table.characterised) note_features(setting);
    if (is_memory) note_memories(table);
    return known;
}

/// Says what a table of gates leaves out of buffers that are memories.
void network_design::note_memories(const cost_table& table) {
    if (!table.characterised) return;
    if (table.ranges.count("words") == 0)
        add_sentence(m_not_characterised, "the memories of buffers (the table has no range of 'words')");
    else if (table.has_one_port_memories)
        add_sentence(m_not_characterised, "the second port of the memories of buffers");
    if (m_params.glitches)
        add_sentence(m_not_characterised, "glitches beside memories (the factor is that of routers without)");
}

/// Says which features of routers no table of gates knows.
void network_design::note_features(const cost_setting& setting) {
    for (const auto& [key, without] : {std::pair{"buffers", "private"}, std::pair{"forking", "none"}})
        if (const auto its = setting.texts.find(key); its != setting.texts.end() && its->second != without)
            add_sentence(m_not_characterised,
                         "what '" + std::string(key) + ": " + its->second + "' adds to routers");
}

void network_design::note(const std::string& what, const cost_table& table, const cost_list& list,
                          const block_costs& costs) {
    if (!table.characterised || list.empty()) add_sentence(m_not_characterised, what);
    if (!costs.outside.empty()) add_sentence(m_extrapolated, what + ": " + costs.outside);
}

/// Takes the costs of a block other than a router from the first table that has it.
void network_design::take(const std::string& what, cost_list cost_table::*list, const cost_setting& setting,
                          double volts, block_costs& to) {
    for (const auto& t : m_all)
        if (const cost_list& its = (*t).*list; !its.empty()) {
            to = costs_of(*t, its, setting, voltage_factors::of(*t, volts));
            return note(what, *t, its, to);
        }
    add_sentence(m_not_characterised, what);
}

/// Finds the costs of each NIC, with VCs, depth (without buffers 1) and destination width of its router.
void network_design::find_nics(const topology& map, const model_of& model) {
    decltype(m_known) known;
    for (std::uint32_t k = 0; k < map.nodes() * m_levels; ++k) {
        const std::uint32_t n = k / m_levels, l = k % m_levels;
        const router_id at = map.router_of(node_id(n));
        const router_model& is = model(at.value);
        const clock_level its = level_of(map.region(node_id(n)), map.clock(node_id(n)), l);
        const block_costs*& costs = known[{&is, map.ports(at), its.voltage}];
        if (costs == nullptr) {
            cost_setting setting = setting_at(is, map.ports(at), map, m_width);
            setting.set("vcs", std::to_string(std::max(1u, is.terms().vcs)));
            setting.set("depth", std::to_string(std::max(1u, is.terms().depth)));
            m_kept.emplace_back();
            take("NICs", &cost_table::nic, setting, its.voltage, m_kept.back());
            costs = &m_kept.back();
        }
        m_nics.push_back(costs);
        bound_period(costs->period, its.clock, "the NIC of node", n);
    }
}

/// Finds the costs of bridges: headers and beats begin with a flit each; counts their flits, and a beat's
/// share of data (docs/axi-rtl.md).
void network_design::find_bridges(const topology& map) {
    const bridge_params& p = m_params.bridge;
    const std::uint32_t data = p.data_bits(m_width);
    if (data < 8 || (data & (data - 1)) != 0)
        throw config::error(
            m_at,
            fmt::format("'bridge.data_width' is {}; it must be 0, or a power of two from 8 to 1024", data));
    cost_setting setting;
    const auto set_flits = [&](const std::string& of, std::uint32_t bits, bool beat) {
        const std::uint32_t flits = (bits + m_width - 1) / m_width;
        setting.set(of + "_flits", std::to_string(flits));
        if (beat) setting.set(of + "_fill", config::number_text(double(data) / (flits * m_width)));
        return flits;
    };
    for (const auto& [key, value] : {std::pair{"width", m_width},
                                     {"data_width", data},
                                     {"id_width", p.id_width},
                                     {"transactions", p.transactions},
                                     {"beats", p.beats}})
        setting.set(key, std::to_string(value));
    // Bits of headers beside the ID: write or read, of a request the node, the address, and all else that AXI
    // says of it; of a response what came of it.
    constexpr std::uint32_t kind = 1, node = 4, address = 32, options = 30, outcome = 2;
    const std::uint32_t request = set_flits("request", p.id_width + kind + node + address + options, false),
                        response = set_flits("response", p.id_width + kind + outcome, false);
    const auto kinds = {
        bridges_of{"manager", "bridges", m_params.bridges, {}, request, response},
        bridges_of{"subordinate", "memory_bridges", m_params.memory_bridges, {}, response, request}};
    set_flits("write", data + data / 8, true);  // with strobes
    set_flits("read", data + 2, true);          // with a response
    for (const bridges_of& all : kinds) {
        if (all.nodes.empty()) continue;
        if (!all.nodes.all && all.nodes.last() >= map.nodes())
            throw config::error(m_at, fmt::format("'{}' names node {}; there are 0 to {}", all.key,
                                                  all.nodes.last(), map.nodes() - 1));
        setting.set("end", all.end);
        std::map<double, std::size_t> of_voltage;  // number in m_bridges
        for (std::uint32_t k = 0; k < map.nodes() * m_levels; ++k) {
            const std::uint32_t n = k / m_levels;
            if (!all.nodes.contains(n)) continue;
            const clock_level level = level_of(map.region(node_id(n)), map.clock(node_id(n)), k % m_levels);
            const auto [at, is_new] = of_voltage.try_emplace(level.voltage, m_bridges.size());
            if (is_new) {
                m_bridges.push_back(all);
                m_bridges.back().nodes = {};
                take("bridges", &cost_table::bridge, setting, level.voltage, m_bridges.back().costs);
            }
            bridges_of& its = m_bridges[at->second];
            auto& ranges = its.nodes.ranges;
            if (ranges.empty() || ranges.back().second + 1 != k) ranges.push_back({k, k});
            ranges.back().second = k;
            bound_period(its.costs.period, level.clock, "the bridge of node", n);
        }
    }
}

/// Returns the costs of wires at a voltage, from the first table that has any.
wire_costs network_design::find_wires(double volts) {
    const auto t =
        std::find_if(m_all.begin(), m_all.end(), [](const auto& its) { return !its->link.empty(); });
    if (t == m_all.end() || !(*t)->characterised) add_sentence(m_not_characterised, "links");
    if (t == m_all.end()) return {};
    wire_costs w = (*t)->link;
    const voltage_factors by = voltage_factors::of(**t, volts);
    for (double* x : {&w.energy_bit_mm, &w.repeater_energy}) *x *= by.dynamic;
    for (double* x : {&w.leakage_bit_mm, &w.repeater_leakage}) *x *= by.leakage;
    return w;
}

void network_design::find_links(const topology& map) {
    for_each_link(map, [&](const link_end& from, const link_end&) {
        const clock_region* const region =
            from.what == link_end::kind::nic ? map.region(node_id(from.id)) : map.region(router_id(from.id));
        for (std::uint32_t l = 0; l < m_levels; ++l) {
            const double at = volts(region, l);
            const auto known = m_wires.find(at);
            m_wires_of.push_back(known != m_wires.end() ? &known->second
                                                        : &m_wires.emplace(at, find_wires(at)).first->second);
        }
    });
}

}  // namespace sare
