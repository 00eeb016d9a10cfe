// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/network_state.h"

#include "tlm/fabric/builder/density.h"
#include "tlm/fabric/builder/hop_count.h"
#include "tlm/fabric/builder/link_timing.h"
#include "tlm/fabric/checks.h"
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/fabric/view/watch.h"
#include "tlm/topology/properties.h"

#include <algorithm>
#include <stdexcept>

namespace sare {

network_state::network_state(const class_vcs& shares, std::uint64_t seed) : router_context(shares, seed) {}

network_state::~network_state() = default;

const connection* network_state::link_from(std::uint32_t router, std::uint32_t port) const {
    const std::uint32_t k = links.from[port_index(router, port)];
    return k == link_table::no_link ? nullptr : &links.all[k];
}

const connection* network_state::link_into(std::uint32_t router, std::uint32_t port) const {
    const std::uint32_t k = links.into[port_index(router, port)];
    return k == link_table::no_link ? nullptr : &links.all[k];
}

void network_state::key_routes() {
    if (m_routes.keyed() || !m_routes.exists()) return;
    // Hops must be known beforehand: that takes a map of these routers, and ways of equal length.
    const bool mapped = m_map != nullptr && m_map->routers() == routers() && m_map->nodes() == nodes();
    if (!mapped || (m_routing->max_candidates() > 1 && count_hops(*this).empty())) return;
    m_routes.add_keys(classes());
}

router_context::wire_delays network_state::delays_of(const connection& c) const {
    return link_timing(const_cast<network_state&>(*this)).delays_of(c);
}

std::uint32_t network_state::cycles_per_flit(const connection& c) const {
    return link_timing(const_cast<network_state&>(*this)).cycles_per_flit(c);
}

router_context::buffer_places network_state::places_at(const connection& c) const {
    const end to = c.receiver();
    const std::uint32_t depth = link_timing(const_cast<network_state&>(*this)).depth_at(c);
    if (to.what != end::kind::router) return {depth, 0, false};
    return {depth, table.terms(to.id).pool, table.terms(to.id).pauses.pauses()};
}

clock_domain& network_state::domain_of(const end& e) {
    if (is_remote(e)) return remote->beyond(e);
    if (e.what == end::kind::router) return domain_of(e.id);
    return parts[e.what == end::kind::nic ? map_of_parts.of_node[e.id] : 0].base;
}

std::uint32_t network_state::most_candidates() const {
    if (m_routing == nullptr) return 1;
    return hazards != nullptr && hazards->failures ? route_set::capacity : m_routing->max_candidates();
}

packet_id network_state::copy(router_id r, port_id in, packet_id id, const route_header& way) {
    const route_header its_way = way;  // `way` may lie in a packet, which take() can move
    const std::uint32_t made = m_packets.part(0).take();
    packet& p = m_packets[made];
    p = m_packets[id.value];
    if (knows_hops()) {
        const std::uint32_t place = m_routes.place(r.value, in.value);
        p.hops = static_cast<std::uint16_t>(p.hops + hops.at(place, its_way) - hops.at(place, p.route));
    }
    p.route = its_way;
    m_messages[p.message].flits_to_consume += p.flits;
    changes.copied.add(p.flits);
    return packet_id(made);
}

void network_state::drop(router_id r, packet_id id, const std::string& cause, std::uint32_t port) {
    drop_packet(*this, id.value, cause, {r.value, port, m_packets[id.value].route.phase, false},
                packet_drop::by_routers, modes.one_part ? 0 : map_of_parts.of_router[r.value]);
}

void drop_packet(network_state& net, std::uint32_t id, const std::string& cause, const drop_location& at,
                 std::uint64_t order, std::uint16_t part) {
    const packet& p = net.packets()[id];
    if (net.modes.one_part) {
        if (observer* const o = net.observers.get()) o->packet_dropped(at.router, p, net.now());
        net.events.drops.push_back(
            {at, p.message, p.flits, net.changes.count_drop(cause, at, p.flits), order});
    } else {
        partition& its = net.parts[part];
        if (net.observers.get() != nullptr) its.told.packet_dropped(at.router, p, net.now());
        its.drops.push_back({at, p.message, p.flits, cause, order});
    }
    net.give_back(id, part);
}

void network_state::set_routing(const topology& map, const routing_function& routing) {
    m_map = &map;
    m_routing = &routing;
    traffic.dims = node_dims(map);
}

void network_state::route_by(const routing_function& routing) {
    m_routing = &routing;
    modes.shows_congestion = false;
    board.reset();
    nics.for_each([&](auto& its) { its.prepare_by(&routing); });
}

void network_state::set_seed(std::uint64_t seed) {
    m_seed = seed;
    nics.for_each([&](auto& its) { its.set_seed(seed); });
    if (hazards != nullptr && hazards->errors) hazards->errors->set_seed(seed);
    for (const auto& bank : table.banks) bank->set_seed(seed);
}

void network_state::forget_times(cycle_t t) {
    for (const clock_domain* d : domains) {
        const cycle_t before = d->clock().last_edge(m_now), now = d->clock().last_edge(t);
        if (now >> 31 == before >> 31) continue;
        for (const auto& bank : d->banks())
            if (router_acceleration* const faster = bank->acceleration())
                faster->forget_times(std::min(now - 1, before + d->ring().reach()));
    }
}

/// Forgets no time that matters still: what wakes no endpoint, such as a credit on its way, may outlast the
/// last cycle that was run, but by less than the planes hold.
void network_state::prepare_for(cycle_t t) {
    if (t >> 31 != m_now >> 31) forget_times(t);  // a domain's bit 31 changes no more often
    if (board != nullptr) board->go_on(*this, m_now, t);
    table.running.go_on(*this, t);
    for (shared_sum* const s : table.sums)
        if (s->is_due(t))
            s->look(t, remote == nullptr ? s->counted() : remote->processes().sum(s->counted()));
}

/// Polling looks at every router in each cycle, which a few packets do not pay for.
network_scale network_state::scale() const {
    constexpr std::uint32_t few = 256;
    if (modes.dense) return std::max(modes.least_scale, network_scale::dense);
    const bool lists = routers() > few || nodes() > few || (modes.few_packets && all_foresee(*this));
    return std::max(modes.least_scale, lists ? network_scale::large : network_scale::small);
}

void network_state::share_observers() {
    for (partition& p : parts) {
        if (p.its_nics == nullptr) return;
        observer* const o = observers.get();
        p.its_nics->set_observer(modes.one_part || o == nullptr ? o : &p.told);
    }
}

bool network_state::is_inside_router(std::uint32_t node) const {
    if (!has_node(node)) return table.terms(router_of(node)).owns_nodes;
    return modes.owners && parts[map_of_parts.of_node[node]].owner_of[nics.at(node).n] != partition::no_owner;
}

std::pair<wire, wire_extras> network_state::flits_to(const end& reader) const {
    if (reader.what == end::kind::router)
        return bank_of(reader.id).flits_into(in_bank(reader.id), reader.port);
    if (reader.what == end::kind::nic) {
        const auto [its, n] = nics.at(reader.id);
        return its.flits_into(n);
    }
    wire w = clock_domain::wire_to(parts[0].base.first_foreign() + reader.id);
    w.inbox = foreign[reader.id].inbox;
    w.flit_at = w.inbox + 2;
    w.port_bit = 1;
    return {w, {}};
}

std::pair<wire, wire_extras> network_state::credits_to(const end& reader) const {
    if (reader.what == end::kind::router)
        return bank_of(reader.id).credits_into(in_bank(reader.id), reader.port);
    if (reader.what == end::kind::nic) {
        const auto [its, n] = nics.at(reader.id);
        return its.credits_into(n);
    }
    auto [w, x] = flits_to(reader);
    w.inbox += 1;
    if (modes.batched) x.counts = 2;
    return {w, x};
}

/// Clears the mark of a bad packet, which no free slot of the pool has.
void network_state::give_back(std::uint32_t packet, std::uint32_t part) {
    m_packets[packet].bad = false;
    m_packets.part(part).give_back(packet);
}

void network_state::lose(std::uint32_t message, std::uint32_t flits, const std::string& cause,
                         const drop_location& at, std::uint64_t order) {
    const auto counted = changes.dropped_by_cause.try_emplace(cause).first;
    events.drops.push_back({at, message, flits, &counted->first, order});
}

void network_state::find_candidates_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc,
                                           route_header& header, route_set& out) const {
    if (modes.shows_congestion)
        m_routing->route_seeing(r, in, in_vc, header, router_congestion(*this, r), out);
    else
        m_routing->route(r, in, in_vc, header, out);
    if (hazards != nullptr && hazards->failures) hazards->failures->leave_out_dead(r, in, in_vc, out);
}

}  // namespace sare
