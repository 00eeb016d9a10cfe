// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/network.h"

#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/systemc/engine_wiring.h"
#include "tlm/systemc/reports.h"
#include "tlm/topology/region/clock_region.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace sare {
namespace {

/// True if a block has the network's clock, always.
bool keeps_clock(const clock_ratio& clock, const clock_region* region) {
    return clock == clock_ratio() && (region == nullptr || !region->changes_clock());
}

/// Refuses sections that only a run by the program (simulation) uses. Throws config::error for those that
/// would change figures; warns of `traffic`, for which the caller may make a workload himself.
void refuse_what_runs(const experiment& e) {
    const std::string here = ", which sare::network alone makes nothing of; ";
    if (e.fidelity != fidelity::flit)
        throw e.written.mistake(std::string("'fidelity' is ") + to_string(e.fidelity) + here +
                                "leave it out");
    if (e.nic.retransmission != retransmission::none)
        throw e.written.mistake(
            "'nic.retransmission' is go_back_n" + here +
            "leave it out, and put a sare::go_back_n between the engine and its workload");
    if (const auto [section, at] = e.sections.of_runs(); !section.empty())
        throw config::error(at, "there is a section '" + section + "'" + here + "leave it out");
    if (e.traffic.type() != config::value::kind::null)
        SC_REPORT_WARNING(
            report_id::config,
            config::error(e.traffic.where(), "there is a section 'traffic'" + here +
                                                 "give a workload to set_workload() of the engine")
                .what());
}

/// Throws config::error for a period that SystemC would round.
sc_core::sc_time period_of(const experiment& e) {
    const double wanted = e.clock_seconds();
    const double steps = wanted / sc_core::sc_get_time_resolution().to_seconds();
    if (std::abs(steps - std::round(steps)) > 1e-12 * steps)
        throw e.written.mistake("'clock_period' is '" + e.clock_period +
                                "'; it must be a multiple of SystemC's time resolution, which is " +
                                sc_core::sc_get_time_resolution().to_string());
    return sc_core::sc_time::from_seconds(wanted);
}

}  // namespace

network::network(const sc_core::sc_module_name& name, const experiment& e, std::uint32_t classes,
                 std::uint32_t bound_limit, const foreign_maker& maker)
    : network(name, e, with_config_reports([&] {
                  refuse_what_runs(e);
                  return e.make_map();
              }),
              classes, bound_limit, maker) {}

network::network(const sc_core::sc_module_name& name, const experiment& e,
                 std::shared_ptr<const topology> map, std::uint32_t classes, std::uint32_t bound_limit,
                 const foreign_maker& maker, world* processes)
    : sc_core::sc_module(name),
      m_map(std::move(map)),
      m_world(processes),
      m_blueprint(with_config_reports([&] { return network_blueprint(e, m_map, classes); })),
      m_engine("engine", m_blueprint.vcs(), classes, e.seed,
               with_config_reports([&] { return period_of(e); }), e.classes.vcs),
      m_bound(m_map->routers() <= bound_limit && m_map->nodes() / 32 <= bound_limit && processes == nullptr),
      m_late(!m_bound && !maker.router && !maker.nic) {
    if (m_world != nullptr)
        m_engine.set_world(*m_world, with_config_reports([&] { return m_blueprint.cut_for(*m_world); }));
    with_config_reports([&] { m_blueprint.prepare(m_engine.net().builder(), e); });
    with_config_reports([&] { make_modules(maker); });
    with_config_reports([this] { connect_all(); });
}

network::~network() = default;

namespace {

/// Returns a module of the network; reports and throws if there is none.
template <class Module>
Module& module_of(const network& net, const std::vector<std::unique_ptr<Module>>& all, std::uint32_t number,
                  const std::string& what) {
    if (number < all.size() && all[number]) return *all[number];
    const std::string text =
        fmt::format("{}: there is no {} module {}{}", net.name(), what, number,
                    number < all.size() ? "; that one is not the model's own, or another process has it"
                                        : fmt::format("; there are {}, 0 and up", all.size()));
    report_error(report_id::elaboration, text);
    throw std::out_of_range(text);  // should reports not throw
}

}  // namespace

router& network::router_module(std::uint32_t r) {
    if (m_late && r < m_routers.size() && !m_routers[r] && m_engine.net().view().has_router(r))
        make_inside(*this, [&] {
            m_routers[r].reset(new router((fmt::format("r{}", r)).c_str(), m_engine,
                                          m_map->ports(router_id(r)), router::existing{r}));
        });
    return module_of(*this, m_routers, r, "router");
}

nic& network::nic_module(std::uint32_t n) {
    if (m_late && n < m_nics.size() && !m_nics[n] &&
        m_engine.net().view().has_router(m_map->router_of(node_id(n)).value))
        make_inside(*this, [&] {
            m_nics[n].reset(new nic((fmt::format("n{}", n)).c_str(), m_engine, m_blueprint.nic(), n));
        });
    return module_of(*this, m_nics, n, "NIC");
}

void network::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "topology = " << m_map->name() << '\n'
        << "links are " << (m_bound ? "modules" : "wires without modules") << '\n';
    m_engine.dump(out);
}

void network::connect_all() {
    for_each_link(*m_map, [this](const link_end& from, const link_end& to) {
        const bool injects = from.what == link_end::kind::nic;
        connect(from, to,
                injects ? m_map->injection_link(node_id(from.id))
                        : m_map->link(router_id(from.id), port_id(from.port)));
    });
}

void network::make_modules(const foreign_maker& maker) {
    for (std::uint32_t r = 0; r < m_map->routers(); ++r) make_router(r, maker);
    for (std::uint32_t n = 0; n < m_map->nodes(); ++n) make_nic(n, maker);
}

void network::make_nic(std::uint32_t n, const foreign_maker& maker) {
    m_nics.emplace_back();
    m_foreign_nics.emplace_back();
    const std::uint32_t r = m_map->router_of(node_id(n)).value;
    if (m_late || !m_engine.net().view().has_router(r)) {  // nodes are where their routers are
        m_engine.net().builder().add_nic(m_blueprint.nic());
        return;
    }
    const std::string name = fmt::format("n{}", n);
    m_nics[n] = std::make_unique<nic>(name.c_str(), m_engine, m_blueprint.nic());
    if (!maker.nic) return;
    m_foreign_nics[n] = maker.nic((name + "_rtl").c_str(), {m_engine, *m_map, routing(), plan(), r, n});
    const clock_ratio clock = m_map->clock(node_id(n));
    if (m_foreign_nics[n] && !keeps_clock(clock, m_map->region(node_id(n))))
        throw config::error(fmt::format(
            "the NIC of node {} has clock {}; RTL runs with the network's, so it must be 1, always", n,
            clock.text()));
    if (m_foreign_nics[n]) m_engine.net().builder().take_over_nic(n);
}

void network::make_router(std::uint32_t r, const foreign_maker& maker) {
    const std::string name = fmt::format("r{}", r);
    const std::uint32_t ports = m_map->ports(router_id(r));
    m_routers.emplace_back();
    m_foreign_routers.emplace_back();
    const bool is_here = m_engine.net().view().has_router(r);
    if (maker.router && is_here)
        m_foreign_routers[r] = maker.router(name.c_str(), {m_engine, *m_map, routing(), plan(), r});
    const clock_ratio clock = m_map->clock(router_id(r));
    if (m_foreign_routers[r] && !keeps_clock(clock, m_map->region(router_id(r))))
        throw config::error(
            fmt::format("router {} has clock {}; RTL and blocks of one's own run with the network's, so it "
                        "must be 1, always",
                        r, clock.text()));
    const std::shared_ptr<const router_model>& model = plan().of(r).model;
    if (m_late || !is_here) return m_engine.wiring().add_bare_router(ports, model, clock);
    if (m_foreign_routers[r])
        m_engine.wiring().add_foreign_router(ports, model);
    else
        m_routers[r] = std::make_unique<router>(name.c_str(), m_engine, ports, model, clock);
}

foreign_block* network::foreign_at(const link_end& e) const {
    return (e.what == link_end::kind::nic ? m_foreign_nics : m_foreign_routers)[e.id].get();
}

flit_initiator_socket& network::out_of(const link_end& e) {
    if (foreign_block* s = foreign_at(e)) return s->out(e.port);
    return e.what == link_end::kind::nic ? m_nics[e.id]->out() : m_routers[e.id]->out(e.port);
}

flit_target_socket& network::in_of(const link_end& e) {
    if (foreign_block* s = foreign_at(e)) return s->in(e.port);
    return e.what == link_end::kind::nic ? m_nics[e.id]->in() : m_routers[e.id]->in(e.port);
}

/// Throws if a neighbour of a foreign block is in another process: its links are sockets.
void network::check_is_here(const link_end& e, const link_end& foreign) const {
    if (e.what == link_end::kind::nic || m_engine.net().view().has_router(e.id)) return;
    throw config::error(
        fmt::format("several processes cannot run this network: router {} is in RTL, and its neighbour {} in "
                    "another process; 'sare topo FILE --parts {}' shows which routers have all theirs in one",
                    foreign.id, e.id, m_world->ranks()));
}

void network::connect(const link_end& from, const link_end& to, const link_attributes& attributes) {
    if (!m_bound && foreign_at(from) == nullptr && foreign_at(to) == nullptr)
        return m_engine.net().builder().connect(from, to, attributes);
    check_is_here(from, to);
    check_is_here(to, from);
    const std::string name = from.what == link_end::kind::nic ? fmt::format("l_n{}", from.id)
                                                              : fmt::format("l_r{}_{}", from.id, from.port);
    m_links.push_back(std::make_unique<link>(name.c_str(), m_engine, attributes));
    if (from.what == link_end::kind::router) m_links.back()->begins_at(from.id, from.port);
    if (const foreign_block* s = foreign_at(from); s != nullptr && s->counts_pools())
        m_links.back()->sender_counts_pools();
    bind(out_of(from), *m_links.back(), in_of(to));
}

}  // namespace sare
