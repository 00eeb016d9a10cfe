// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/engine_wiring.h"

#include "tlm/fabric/fabric.h"
#include "tlm/router_api/registry.h"
#include "tlm/systemc/modules.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

namespace sare {
namespace {

void fail(const std::string& what) {
    report_error(report_id::elaboration, what);
}

template <class Module>
void put(std::vector<Module*>& all, std::uint32_t number, Module& m) {
    if (number >= all.size()) all.resize(number + 1, nullptr);
    all[number] = &m;
}

std::string text(const port_peer& p) {
    const std::optional<link_end> to = end_of(p);
    return to ? text(*to) : "nothing";
}

}  // namespace

std::uint32_t engine_wiring::add(router& r, std::shared_ptr<const router_model> model, std::uint32_t ports,
                                 const clock_ratio& clock) {
    const std::uint32_t id = with_config_reports(
        r.name(), [&] { return m_fabric.builder().add_router(std::move(model), ports, clock); });
    put(m_routers, id, r);
    return id;
}

std::uint32_t engine_wiring::add(nic& n, const nic_params& params) {
    const bool first = m_nics.empty();
    if (!first && params.flit_bytes != m_flit_bytes)
        report_error(
            report_id::flit_bytes,
            fmt::format(
                "{} has {} bytes in a flit, and {} has {}; all NICs of an engine have the same flit_bytes",
                n.name(), params.flit_bytes, m_nics.front()->name(), m_flit_bytes));
    const std::uint32_t node =
        with_config_reports(n.name(), [&] { return m_fabric.builder().add_nic(params); });
    if (first) m_flit_bytes = params.flit_bytes;
    put(m_nics, node, n);
    return node;
}

void engine_wiring::add(link& l) {
    m_links.push_back(&l);
}

void engine_wiring::join(router& r) {
    put(m_routers, r.id(), r);
}

void engine_wiring::join(nic& n) {
    put(m_nics, n.node(), n);
}

std::uint32_t engine_wiring::add_foreign_router(std::uint32_t ports) {
    const auto vcs = config::value::map({{"vcs", config::number(m_fabric.view().vcs())}});
    return with_config_reports(m_engine, [&] {
        return m_fabric.builder().add_router(router_registry::instance().make(vcs), ports);
    });
}

std::uint32_t engine_wiring::add_foreign_router(std::uint32_t ports,
                                                std::shared_ptr<const router_model> model) {
    const std::uint32_t id =
        with_config_reports(m_engine, [&] { return m_fabric.builder().add_router(std::move(model), ports); });
    m_foreign_routers.resize(id + 1);
    m_foreign_routers[id] = true;
    return id;
}

void engine_wiring::add_bare_router(std::uint32_t ports, std::shared_ptr<const router_model> model,
                                    clock_ratio clock) {
    with_config_reports([&] { return m_fabric.builder().add_router(std::move(model), ports, clock); });
}

void engine_wiring::allow_block_resets() {
    m_fabric.builder().require_wide_routers();
}

void engine_wiring::finish() {
    using kind = link_end::kind;
    check_map();
    for (router* r : m_routers)
        for (std::uint32_t p = 0; r != nullptr && p < r->ports(); ++p) {
            if (flit_initiator_socket* out = r->made_out(p)) follow(*out, {kind::router, r->id(), p});
            if (flit_target_socket* in = r->made_in(p)) follow(*in);
        }
    for (nic* n : m_nics) {
        if (n == nullptr) continue;
        if (flit_initiator_socket* out = n->made_out()) follow(*out, {kind::nic, n->node(), 0});
        if (flit_target_socket* in = n->made_in()) follow(*in);
    }
    with_config_reports([this] {
        for (link* l : m_links) connect(*l);
        m_fabric.builder().finish();
    });
    check_everything_is_bound();
}

void engine_wiring::check_map() const {
    const topology* map = m_fabric.view().map();
    if (map == nullptr)
        return fail(m_engine + " has no map: call set_routing() before the simulation starts");
    if (map->routers() == m_fabric.view().routers() && map->nodes() == m_fabric.view().nodes()) return;
    fail(fmt::format("{}: the map has {} routers and {} nodes, but {} routers and {} NICs were made",
                     m_engine, map->routers(), map->nodes(), m_fabric.view().routers(),
                     m_fabric.view().nodes()));
}

/// Notes in the link that `out` is bound to that `from` sends into it.
void engine_wiring::follow(flit_initiator_socket& out, const link_end& from) {
    if (auto* l = dynamic_cast<link*>(out.get_base_port().get_interface()))
        l->m_from = from;
    else
        fail(std::string(out.name()) +
             " is bound to something that is no sare::link; put a link between the two blocks");
}

void engine_wiring::follow(flit_target_socket& in) {
    if (dynamic_cast<link*>(in.get_base_port().get_interface()) == nullptr)
        fail(std::string(in.name()) +
             " is bound to something that is no sare::link; put a link between the two blocks");
}

void engine_wiring::connect(link& l) {
    using kind = link_end::kind;
    link_end from{kind::foreign, 0, 0}, to{kind::foreign, 0, 0};
    if (l.m_from) from = *l.m_from;
    sc_core::sc_interface* target = l.out.get_base_port().get_interface();
    if (auto* in = dynamic_cast<router::input*>(target)) {
        to = in->end();
    } else if (auto* n = dynamic_cast<nic*>(target)) {
        to = {kind::nic, n->node(), 0};
    }
    check_link(l, from, to);
    if (from.what == kind::foreign) {
        note_sender(l, to);
        from.id = m_fabric.builder().add_foreign(l);
    }
    if (to.what == kind::foreign) to.id = m_fabric.builder().add_foreign(l);
    l.join(from, to);
    m_fabric.builder().connect(from, to, l.attributes(),
                               to.what == kind::foreign ? foreign_behind(from) : std::nullopt);
}

/// Notes the output of the map at which a foreign block has link `l`: as begins_at() said, or else by where
/// the link leads.
void engine_wiring::note_sender(link& l, const link_end& to) {
    using kind = link_end::kind;
    const topology* map = m_fabric.view().map();
    if (map == nullptr) return;
    std::optional<port_peer> from = l.m_begins_at;
    if (!from && to.what == kind::router && to.port < map->ports(router_id(to.id)))
        from = map->source(router_id(to.id), port_id(to.port));
    else if (!from && to.what == kind::nic) {
        const router_port at = map->ejection_of(node_id(to.id));
        from = {port_peer::kind::router, at.router.value, at.port.value};
    }
    if (!from || from->what != port_peer::kind::router) return;
    l.m_leaves_router = true;
    if (from->id >= m_foreign_outputs.size()) m_foreign_outputs.resize(from->id + 1);
    put(m_foreign_outputs[from->id], from->port, std::as_const(l));
}

std::uint32_t engine_wiring::flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    const link* foreign = router < m_foreign_outputs.size() && port < m_foreign_outputs[router].size()
                              ? m_foreign_outputs[router][port]
                              : nullptr;
    return foreign == nullptr ? m_fabric.view().flits_sent(router, port, vc) : foreign->flits_taken(vc);
}

/// Returns the router or NIC in whose place a foreign block stands at the other end of `from`'s link on the
/// map; none if that block keeps to no model's terms.
std::optional<link_end> engine_wiring::foreign_behind(const link_end& from) const {
    using kind = link_end::kind;
    const topology* map = m_fabric.view().map();
    port_peer to;
    if (from.what == kind::nic)
        to = {port_peer::kind::router, map->router_of(node_id(from.id)).value, 0};
    else if (from.what == kind::router)
        to = map->peer(router_id(from.id), port_id(from.port));
    if (to.what == port_peer::kind::node && m_fabric.view().is_taken_over(to.id))
        return link_end{kind::nic, to.id, 0};
    const bool stands =
        to.what == port_peer::kind::router && to.id < m_foreign_routers.size() && m_foreign_routers[to.id];
    return stands ? std::optional(link_end{kind::router, to.id, to.port}) : std::nullopt;
}

/// Reports a link between two of our own blocks that does not lead where the map says: packets go by the map.
void engine_wiring::check_link(const link& l, const link_end& from, const link_end& to) const {
    using kind = link_end::kind;
    const topology* map = m_fabric.view().map();
    if (map == nullptr || from.what == kind::foreign || to.what == kind::foreign) return;
    port_peer expected;
    if (from.what == kind::nic) {
        expected = {port_peer::kind::router, map->router_of(node_id(from.id)).value,
                    map->port_of(node_id(from.id)).value};
    } else if (from.port < map->ports(router_id(from.id))) {
        expected = map->peer(router_id(from.id), port_id(from.port));
    }
    if (text(expected) == text(to)) return;
    fail(std::string(l.name()) + " leads from " + text(from) + " to " + text(to) + "; on the map it is " +
         text(expected));
}

bool engine_wiring::has(const router& r) const {
    return r.id() < m_routers.size() && m_routers[r.id()] == &r;
}

bool engine_wiring::has(const nic& n) const {
    return n.node() < m_nics.size() && m_nics[n.node()] == &n;
}

/// Reports ports and nodes that have a link on the map, and none by sockets or (in the composer's large
/// networks) by wires.
void engine_wiring::check_everything_is_bound() const {
    const topology& map = *m_fabric.view().map();
    for (const router* r : m_routers)
        for (std::uint32_t p = 0; r != nullptr && p < map.ports(router_id(r->id())); ++p) {
            const port_peer to = map.peer(router_id(r->id()), port_id(p));
            if (to.what == port_peer::kind::none || m_fabric.view().out(r->id(), p, 0).credits != 0) continue;
            fail(fmt::format("{}: out({}) is bound to nothing; on the map it leads to {}", r->name(), p,
                             text(to)));
        }
    for (const nic* n : m_nics) {
        if (n == nullptr || m_fabric.view().is_taken_over(n->node())) continue;
        const nic_state& state = m_fabric.view().nic(n->node());
        if (state.depth == 0) fail(std::string(n->name()) + ": out() is bound to nothing");
        if (state.credits.wake_bit == 0) fail(std::string(n->name()) + ": in() is bound to nothing");
    }
}

}  // namespace sare
