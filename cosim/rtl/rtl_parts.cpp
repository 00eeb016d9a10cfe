// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/rtl_parts.h"

#include "cosim/router/adapted_router.h"
#include "cosim/router/model_nic.h"
#include "cosim/router/nic_module.h"
#include "cosim/router/plugin.h"
#include "cosim/rtl/sare_nic_rtl.h"
#include "cosim/scoreboard/pairs.h"
#include "tlm/fabric/fabric.h"
#include "tlm/routing/multicast/multicast_routing.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

namespace sare::cosim {
namespace {

/// Returns the timing of the model's router, which its RTL must have, too.
router_limits limits_of(const router_setting& s) {
    const router_params& p = s.model;
    router_limits l;
    l.ports = s.ports;
    l.vcs = p.vcs;
    for (std::uint32_t q = 0; q < s.ports; ++q) {
        l.depth_beyond.push_back(s.depth_beyond(q));
        l.pool_beyond.push_back(s.pool_beyond(q));
    }
    l.max_latency = p.effective_rc_delay() + p.va_delay + p.sa_delay + p.st_delay + p.input_delay();
    l.min_latency = l.max_latency - (p.speculative ? p.va_delay : 0);
    if (s.cut_through()) l.room = pins::head_credits::whole_packet;
    if (s.atomic()) l.room = pins::head_credits::empty_buffer;
    l.settling += s.credit_in_delay + p.input_delay();
    l.patience = 10000;
    return l;
}

/// Returns a handler that notes the first problem of a part.
template <class Part>
violation_handler collector(Part& p) {
    return [&p](cycle_t t, const std::exception& problem) {
        if (p.violated) return;
        p.violated.emplace();
        p.violated->cycle = t;
        p.violated->instance = p.module->name();
        p.violated->pin = problem.what();
        const auto* v = dynamic_cast<const violation*>(&problem);
        if (v == nullptr) return;
        p.violated->since = v->since();
        p.violated->history = v->history();
    };
}

}  // namespace

struct rtl_parts::part {
    part(const block_context& context, std::shared_ptr<const arrivals> who)
        : around(context.map, context.routing, context.router, std::move(who)) {}

    network_routing_context around;
    router_setting setting;  ///< only of Sare's RTL; so are `library` and `rtl`
    std::shared_ptr<rtl_library> library, old_library;
    router_module* module = nullptr;    ///< owned by the network
    sare_router_rtl* rtl = nullptr;     ///< owned by the module
    adapted_router* foreign = nullptr;  ///< router of a plugin, owned by the module
    comparison* pair = nullptr;         ///< either with the model or older RTL; null: it is alone
    scoreboard* board = nullptr;        ///< only of a router in `replace`
    std::optional<divergence> violated;
};

struct rtl_parts::nic_part {
    explicit nic_part(const block_context& context)
        : around(context.map, context.routing, context.node), node(context.node) {}

    node_routing_context around;
    std::uint32_t node;
    std::shared_ptr<rtl_library> inject, eject, old_inject, old_eject;
    nic_module* module = nullptr;  ///< owned by the network
    sare_nic_rtl* rtl = nullptr;   ///< owned by the module
    comparison* pair = nullptr;    ///< comparison with model or older RTL; null: none
    std::optional<divergence> violated;
};

rtl_parts::rtl_parts(const experiment& e, const options& how)
    : m_experiment(e), m_params(e.sections.of<cosim_params>()), m_options(how) {}

rtl_parts::~rtl_parts() = default;

foreign_maker rtl_parts::maker() {
    if (empty()) return {};
    return {[this](const auto& name, const block_context& context) { return make(name, context); },
            [this](const auto& name, const block_context& context) { return make_nic(name, context); }};
}

void rtl_parts::check(const block_context& context) const {
    bool has_own = false;  // sare_router among the routers in RTL
    for (std::uint32_t r = 0; r < context.map.routers(); ++r) {
        const bool own = is_own(r);
        has_own = has_own || (own && (m_params.replace.contains(r) || m_params.shadow.contains(r)));
        if (!own && m_params.shadow.contains(r))
            throw config::error(
                m_params.shadow.at,
                "'shadow' compares with sare_router, pin for pin; for a router of your own write 'replace'");
        if (!own && m_params.replace.contains(r) && context.routing.forks())
            throw config::error(m_params.replace.at,
                                "packets fork in this network, which of all RTL sare_router alone can do");
    }
    if (m_params.kinds().size() > 1 && !m_options.old_rtl.empty())
        throw config::error(m_params.at, "cosim.rtl names several kinds of routers; older RTL is of one");
    for (const config::number_set* s : {&m_params.replace, &m_params.shadow})
        if (s->last() >= context.map.routers())
            throw config::error(s->at, fmt::format("there is no router {}; the network has {}, 0 and up",
                                                   s->last(), context.map.routers()));
    for (std::uint32_t r = 0; r < context.map.routers(); ++r) {
        const clock_ratio clock = context.map.clock(router_id(r));
        const bool shadowed = m_params.shadow.contains(r);
        if (clock != clock_ratio() && (shadowed || m_params.replace.contains(r)))
            throw config::error(
                (shadowed ? m_params.shadow : m_params.replace).at,
                fmt::format(
                    "router {} has clock {}; RTL runs with the network's, so name routers of clock 1 only", r,
                    clock.text()));
    }
    for (std::uint32_t r = 0; r < context.map.routers(); ++r)
        if (m_params.replace.contains(r) && m_params.shadow.contains(r))
            throw config::error(
                m_params.shadow.at,
                fmt::format("router {} is in 'replace' and in 'shadow'; it can be in one", r));
    if (context.engine.period().value() < 2)
        throw m_experiment.written.mistake("with routers in RTL 'clock_period' must be at least 2ps");
    if (!context.routing.deterministic() && context.routing.name() != "dor")
        throw config::error(m_params.at, "routers in RTL need deterministic routing: dor, or a table");
    const auto* trees = dynamic_cast<const forking_routing*>(&context.routing);
    if (has_own &&
        (trees != nullptr ? !trees->along().tabular_by_input()
                          : context.routing.name() != "dor" && !context.routing.tabular_by_input()))
        throw config::error(m_params.at,
                            "this routing function is not in RTL; dor is, and what a table of one port a "
                            "destination can hold");
}

void rtl_parts::check_nics(const block_context& context) const {
    for (const config::number_set* s : {&m_params.nics, &m_params.shadow_nics})
        if (s->last() >= context.map.nodes())
            throw config::error(s->at, fmt::format("there is no node {}; the network has {}, 0 and up",
                                                   s->last(), context.map.nodes()));
    for (std::uint32_t n = 0; n < context.map.nodes(); ++n)
        if (m_params.nics.contains(n) && m_params.shadow_nics.contains(n))
            throw config::error(
                m_params.shadow_nics.at,
                fmt::format("node {} is in 'nics' and in 'shadow_nics'; it can be in one", n));
}

std::unique_ptr<foreign_block> rtl_parts::make(const sc_core::sc_module_name& name,
                                               const block_context& context) {
    if (!std::exchange(m_checked, true)) {
        check(context);
        check_nics(context);
        const auto* trees = dynamic_cast<const forking_routing*>(&context.routing);
        const routing_function& plain = trees != nullptr ? trees->along() : context.routing;
        if (plain.tabular_by_input() && !plain.tabular())
            m_arrivals = std::make_shared<arrivals>(context.map, plain);
    }
    const bool shadow = m_params.shadow.contains(context.router);
    if (!shadow && !m_params.replace.contains(context.router)) return nullptr;
    if (!is_own(context.router)) return make_plugin(name, context);
    auto p = std::make_unique<part>(context, m_arrivals);
    p->setting = setting_of(m_experiment, context.plan, context.engine.net().view().classes(), p->around);
    auto module = std::make_unique<router_module>(name, context);
    p->module = module.get();
    module->set_counts_pools();
    const bool paired = shadow || !m_options.old_rtl.empty();
    rtl_request request = sare_router_rtl::request(p->setting);
    request.model_pins = has_waves(context) && paired;
    p->library = library_of(request);
    module->set_block(
        make_block(*p, module->name(), paired, has_waves(context) ? m_options.waves : wave_window()));
    if (m_options.collect) module->set_handler(collector(*p));
    m_parts.push_back(std::move(p));
    return module;
}

std::shared_ptr<rtl_library> rtl_parts::library_of(rtl_request request) const {
    request.speed = m_options.speed;
    request.coverage = m_options.coverage;
    request.waves = !m_options.waves.file.empty();
    if (m_options.on_build && !rtl_library::is_built(request)) m_options.on_build(request.top);
    return rtl_library::get(request);
}

std::unique_ptr<foreign_block> rtl_parts::make_nic(const sc_core::sc_module_name& name,
                                                   const block_context& context) {
    const bool shadow = m_params.shadow_nics.contains(context.node);
    if (!shadow && !m_params.nics.contains(context.node)) return nullptr;
    auto p = std::make_unique<nic_part>(context);
    const router_setting s =
        setting_of(m_experiment, context.plan, context.engine.net().view().classes(), p->around);
    auto module = std::make_unique<nic_module>(name, context);
    p->module = module.get();
    module->set_nic(make_nic_block(*p, s, shadow));
    if (m_options.collect) module->set_handler(collector(*p));
    m_nics.push_back(std::move(p));
    return module;
}

std::unique_ptr<pin_nic> rtl_parts::make_nic_block(nic_part& p, const router_setting& s, bool shadow) {
    const packet_table& packets = p.module->packets();
    const std::string old = m_params.kinds()[0] == cosim_params::own_router ? m_options.old_rtl : "";
    rtl_request inject = sare_nic_rtl::inject_request(s, m_experiment.nic),
                eject = sare_nic_rtl::eject_request(s);
    inject.model_pins = eject.model_pins = has_nic_waves(p.node) && (shadow || !old.empty());
    p.inject = library_of(inject);
    p.eject = library_of(eject);
    auto rtl = std::make_unique<sare_nic_rtl>(s, p.around, packets, *p.inject, *p.eject);
    p.rtl = rtl.get();
    std::unique_ptr<pin_nic> first;
    if (!old.empty()) {
        p.old_inject = library_of(sare_nic_rtl::inject_request(s, m_experiment.nic, old));
        p.old_eject = library_of(sare_nic_rtl::eject_request(s, old));
        first = std::make_unique<sare_nic_rtl>(s, p.around, packets, *p.old_inject, *p.old_eject);
    } else if (shadow) {
        first = std::make_unique<model_nic>(s.model, s.classes, m_experiment.nic, packets);
    } else {
        if (has_nic_waves(p.node)) rtl->write_waves(m_options.waves);
        return rtl;
    }
    auto pair = std::make_unique<nic_pair>(
        p.module->name(), std::move(first), std::move(rtl), packets,
        old.empty() ? compared_machines::model_and_rtl : compared_machines::old_and_new_rtl);
    if (has_nic_waves(p.node)) pair->write_waves(m_options.waves);
    p.pair = pair.get();
    return pair;
}

/// Makes a foreign router; the part's fields of Sare's RTL stay empty.
std::unique_ptr<foreign_block> rtl_parts::make_plugin(const sc_core::sc_module_name& name,
                                                      const block_context& context) {
    auto p = std::make_unique<part>(context, m_arrivals);
    auto module = std::make_unique<router_module>(name, context);
    p->module = module.get();
    plugin_router made =
        make_plugin_router(m_experiment, context.plan, module->name(), p->around, context.routing,
                           module->packets(), {m_options.old_rtl, m_options.two_states});
    if (has_waves(context)) made.router->write_waves(m_options.waves);
    if (m_options.coverage && !made.router->counts_coverage())
        throw config::error(m_params.at,
                            "cosim.rtl: " + m_params.rtl_of(context.router) +
                                " counts no coverage; build it with COVERAGE, or leave out --coverage");
    p->foreign = made.router;
    p->pair = made.pair;
    p->board = made.watched.get();
    module->set_block(std::move(made.watched));
    if (m_options.collect) module->set_handler(collector(*p));
    m_parts.push_back(std::move(p));
    return module;
}

std::unique_ptr<pin_router> rtl_parts::make_block(part& p, const std::string& name, bool paired,
                                                  const wave_window& waves) {
    const packet_table& packets = p.module->packets();
    if (paired) {
        if (!m_options.old_rtl.empty())
            p.old_library = library_of(sare_router_rtl::request(p.setting, m_options.old_rtl));
        own_router_pair made(name, p.setting, p.around, packets, *p.library, p.old_library.get(), waves);
        p.rtl = made.rtl;
        p.pair = made.pair.get();
        return std::move(made.pair);
    }
    auto alone = std::make_unique<sare_router_rtl>(p.setting, p.around, packets, *p.library);
    alone->write_waves(waves);
    p.rtl = alone.get();
    if (m_options.speed == rtl_speed::fast || p.setting.forks()) return alone;
    auto watched = std::make_unique<scoreboard>(std::move(alone), limits_of(p.setting), p.around, packets);
    p.board = watched.get();
    return watched;
}

std::optional<divergence> rtl_parts::first_divergence() const {
    std::optional<divergence> first;
    const auto take = [&first](const std::optional<divergence>& d, std::uint32_t router,
                               std::optional<std::uint32_t> node) {
        if (!d || (first && first->cycle <= d->cycle)) return;
        first = d;
        first->router = router;
        first->node = node;
    };
    for (const auto& p : m_parts) {
        if (p->pair != nullptr) take(p->pair->first_divergence(), p->around.router(), {});
        take(p->violated, p->around.router(), {});
    }
    for (const auto& p : m_nics) {
        if (p->pair != nullptr) take(p->pair->first_divergence(), p->around.router(), p->node);
        take(p->violated, p->around.router(), p->node);
    }
    return first;
}

void rtl_parts::finish() {
    for (const auto& p : m_parts) p->module->finish();
    for (const auto& p : m_nics) p->module->finish();
}

std::uint64_t rtl_parts::router_cycles() const {
    std::uint64_t all = 0;
    for (const auto& p : m_parts) all += p->module->cycles();
    for (const auto& p : m_nics) all += p->module->cycles();
    return all;
}

std::uint64_t rtl_parts::cycles_compared() const {
    std::uint64_t all = 0;
    for (const auto& p : m_parts) all += p->pair != nullptr ? p->pair->cycles_compared() : 0;
    return all;
}

std::uint64_t rtl_parts::flits_watched() const {
    std::uint64_t all = 0;
    for (const auto& p : m_parts) all += p->board != nullptr ? p->board->flits() : 0;
    return all;
}

std::uint64_t rtl_parts::latencies_checked() const {
    std::uint64_t all = 0;
    for (const auto& p : m_parts) all += p->board != nullptr ? p->board->latencies() : 0;
    return all;
}

void rtl_parts::write_coverage(const std::string& folder) const {
    for (std::size_t k = 0; k < m_parts.size(); ++k) {
        const part& p = *m_parts[k];
        const std::string file = fmt::format("{}/router{}.dat", folder, k);
        if (p.foreign != nullptr)
            p.foreign->write_coverage(file);
        else
            p.rtl->instance().write_coverage(file);
    }
    for (std::size_t k = 0; k < m_nics.size(); ++k)
        m_nics[k]->rtl->write_coverage(fmt::format("{}/nic{}", folder, k));
}

}  // namespace sare::cosim
