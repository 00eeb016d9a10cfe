// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/cycle_engine.h"

#include "tlm/base/world.h"
#include "tlm/fabric/parts/world_counts.h"
#include "tlm/fabric/view/wait_for.h"
#include "tlm/router/vc/model.h"
#include "tlm/systemc/modules.h"
#include "tlm/systemc/reports.h"

#include <algorithm>
#include <tuple>

namespace sare {
namespace {

void fail(const std::string& what) {
    report_error(report_id::elaboration, what);
}

std::string text(const port_peer& p) {
    const std::optional<link_end> to = end_of(p);
    return to ? text(*to) : "nothing";
}

/// By sc_stop().
bool has_stopped() {
    return sc_core::sc_get_status() == sc_core::SC_STOPPED;
}

std::size_t count_processes(const std::vector<sc_core::sc_object*>& objects) {
    std::size_t all = 0;
    for (const sc_core::sc_object* o : objects)
        all += (dynamic_cast<const sc_core::sc_process_b*>(o) != nullptr) +
               count_processes(o->get_child_objects());
    return all;
}

}  // namespace

cycle_engine::cycle_engine(const sc_core::sc_module_name& name, std::uint32_t vcs, std::uint32_t classes,
                           std::uint64_t seed, const sc_core::sc_time& period, const own_vcs_list& own)
    : sc_core::sc_module(name),
      m_fabric(with_config_reports(this->name(), [&] { return fabric(vcs, classes, seed, own); })),
      m_clock(period != sc_core::SC_ZERO_TIME ? period : sc_core::sc_get_time_resolution()),
      m_next("next"),
      m_period_changed("period_changed") {
    check_period(period);
    SC_HAS_PROCESS(cycle_engine);
    SC_METHOD(run);
    sensitive << m_next;
    dont_initialize();  // cycle 0 is run when there is something to do in it
    m_fabric.stepper().set_cycle_seconds(period.to_seconds());
}

cycle_engine::~cycle_engine() = default;

bool cycle_engine::check_period(const sc_core::sc_time& period) const {
    if (period != sc_core::SC_ZERO_TIME) return true;
    report_error(report_id::period, std::string(name()) +
                                        ": the period of its clock is no time; SystemC counts in steps of " +
                                        sc_core::sc_get_time_resolution().to_string());
    return false;
}

void cycle_engine::set_period(const sc_core::sc_time& period) {
    if (!check_period(period)) return;
    if (sc_core::sc_get_status() < sc_core::SC_RUNNING)
        m_clock = engine_clock(period);
    else
        m_clock.change(cycle() + 1, period, sc_core::sc_time_stamp());
    m_fabric.stepper().set_cycle_seconds(period.to_seconds());
    m_period_changed.notify(sc_core::SC_ZERO_TIME);
    if (m_running) {
        m_until = sc_core::SC_ZERO_TIME;
        sc_core::sc_pause();
    }
    // What was due by the old one. Within a cycle the engine itself sees to it.
    m_next.cancel();
    if (m_due != workload::never) work_at(m_due);
}

std::uint32_t cycle_engine::add(router& r, std::shared_ptr<const router_model> model, std::uint32_t ports,
                                std::uint32_t clock) {
    const std::uint32_t id = with_config_reports(
        r.name(), [&] { return m_fabric.builder().add_router(std::move(model), ports, clock); });
    m_routers.push_back(&r);
    return id;
}

std::uint32_t cycle_engine::add(nic& n, const nic_params& params) {
    if (!m_nics.empty() && params.flit_bytes != m_flit_bytes)
        report_error(report_id::flit_bytes,
                     std::string(n.name()) + " has " + std::to_string(params.flit_bytes) +
                         " bytes in a flit, and " + m_nics.front()->name() + " has " +
                         std::to_string(m_flit_bytes) + "; all NICs of an engine have the same flit_bytes");
    const std::uint32_t node =
        with_config_reports(n.name(), [&] { return m_fabric.builder().add_nic(params); });
    if (m_nics.empty()) m_flit_bytes = params.flit_bytes;
    m_nics.push_back(&n);
    return node;
}

void cycle_engine::add(link& l) {
    m_links.push_back(&l);
}

std::uint32_t cycle_engine::add_foreign_router(std::uint32_t ports) {
    router_params params;
    params.vcs = m_fabric.view().vcs();
    return with_config_reports(
        name(), [&] { return m_fabric.builder().add_router(std::make_shared<vc_model>(params), ports); });
}

std::uint32_t cycle_engine::add_foreign_router(std::uint32_t ports,
                                               std::shared_ptr<const router_model> model) {
    const std::uint32_t id =
        with_config_reports(name(), [&] { return m_fabric.builder().add_router(std::move(model), ports); });
    m_foreign_routers.resize(id + 1);
    m_foreign_routers[id] = true;
    return id;
}

void cycle_engine::set_world(world& all, partition_map ranks) {
    m_fabric.builder().set_world(all, std::move(ranks));
    m_of_all = std::make_unique<world_counts>(m_fabric.view(), all);
}

void cycle_engine::add_remote_router(std::uint32_t ports, std::shared_ptr<const router_model> model,
                                     std::uint32_t clock) {
    with_config_reports([&] { return m_fabric.builder().add_router(std::move(model), ports, clock); });
}

void cycle_engine::set_routing(const topology& map, const routing_function& routing) {
    m_fabric.builder().set_routing(map, routing);
}

void cycle_engine::end_of_elaboration() {
    using kind = link_end::kind;
    check_map();
    for (router* r : m_routers)
        for (std::uint32_t p = 0; p < r->ports(); ++p) {
            if (flit_initiator_socket* out = r->made_out(p)) follow(*out, {kind::router, r->id(), p});
            if (flit_target_socket* in = r->made_in(p)) follow(*in);
        }
    for (nic* n : m_nics) {
        if (flit_initiator_socket* out = n->made_out()) follow(*out, {kind::nic, n->node(), 0});
        if (flit_target_socket* in = n->made_in()) follow(*in);
    }
    with_config_reports([this] {
        for (link* l : m_links) connect(*l);
        m_fabric.builder().finish();
    });
    check_everything_is_bound();
}

void cycle_engine::check_map() const {
    const topology* map = m_fabric.view().map();
    if (map == nullptr)
        return fail(std::string(name()) + " has no map: call set_routing() before the simulation starts");
    if (map->routers() == m_fabric.view().routers() && map->nodes() == m_fabric.view().nodes()) return;
    fail(std::string(name()) + ": the map has " + std::to_string(map->routers()) + " routers and " +
         std::to_string(map->nodes()) + " nodes, but " + std::to_string(m_fabric.view().routers()) +
         " routers and " + std::to_string(m_fabric.view().nodes()) + " NICs were made");
}

/// Notes in the link behind a socket what sends into it.
void cycle_engine::follow(flit_initiator_socket& out, const link_end& from) {
    if (auto* l = dynamic_cast<link*>(out.get_base_port().get_interface()))
        l->m_from = from;
    else
        fail(std::string(out.name()) +
             " is bound to something that is no sare::link; put a link between the two blocks");
}

void cycle_engine::follow(flit_target_socket& in) {
    if (dynamic_cast<link*>(in.get_base_port().get_interface()) == nullptr)
        fail(std::string(in.name()) +
             " is bound to something that is no sare::link; put a link between the two blocks");
}

void cycle_engine::connect(link& l) {
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

/// Of which output of the map a block that is not ours has the link: as it was told, or by where it leads.
void cycle_engine::note_sender(link& l, const link_end& to) {
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
    if (from && from->what == port_peer::kind::router) m_foreign_outputs[{from->id, from->port}] = &l;
}

std::uint32_t cycle_engine::flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    const auto foreign = m_foreign_outputs.find({router, port});
    return foreign == m_foreign_outputs.end() ? m_fabric.view().flits_sent(router, port, vc)
                                              : foreign->second->flits_taken(vc);
}

/// The router or NIC for which a block stands that is where the map says that `from` leads to.
std::optional<link_end> cycle_engine::foreign_behind(const link_end& from) const {
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

/// Between our own blocks a link must lead where the map says that it leads: packets go by the map.
void cycle_engine::check_link(const link& l, const link_end& from, const link_end& to) const {
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

/// What the map links must be linked, by sockets or (in the composer's large networks) by wires alone.
void cycle_engine::check_everything_is_bound() const {
    const topology& map = *m_fabric.view().map();
    for (const router* r : m_routers)
        for (std::uint32_t p = 0; p < map.ports(router_id(r->id())); ++p) {
            const port_peer to = map.peer(router_id(r->id()), port_id(p));
            if (to.what == port_peer::kind::none || m_fabric.view().out(r->id(), p, 0).credits != 0) continue;
            fail(std::string(r->name()) + ": out(" + std::to_string(p) +
                 ") is bound to nothing; on the map it leads to " + text(to));
        }
    for (const nic* n : m_nics) {
        if (m_fabric.view().is_taken_over(n->node())) continue;
        const nic_state& state = m_fabric.view().nic(n->node());
        if (state.depth == 0) fail(std::string(n->name()) + ": out() is bound to nothing");
        if (state.credits.wake_bit == 0) fail(std::string(n->name()) + ": in() is bound to nothing");
    }
}

void cycle_engine::set_workload(workload& w, bool stop_when_finished) {
    if (m_workload != nullptr)
        return report_error(report_id::traffic,
                            std::string(name()) + " has its traffic: set_workload() is for once");
    if (w.classes_needed() > m_fabric.view().classes())
        return report_error(report_id::traffic, std::string(name()) + ": the traffic needs " +
                                                    std::to_string(w.classes_needed()) +
                                                    " message classes, and the network has " +
                                                    std::to_string(m_fabric.view().classes()) +
                                                    ", as its engine was made");
    if (w.nodes_needed() > m_fabric.view().nodes())
        return report_error(report_id::traffic,
                            std::string(name()) + ": the traffic needs " + std::to_string(w.nodes_needed()) +
                                " nodes, and the network has " + std::to_string(m_fabric.view().nodes()));
    m_workload = &w;
    m_stop_when_finished = stop_when_finished;
    const cycle_t first = std::max(cycle(), m_next_cycle);
    m_fabric.stepper().set_workload(&w, first);
    if (first != 0 && w.next_tick() == workload::never && m_fabric.view().empty())
        SC_REPORT_WARNING(report_id::traffic, (std::string(name()) + ": the traffic that is set in cycle " +
                                               std::to_string(first) + " has nothing to send from then on")
                                                  .c_str());
    work_at(first);
}

bool cycle_engine::set_bridge(workload& w) {
    if (m_bridge != nullptr) {
        report_error(report_id::memory,
                     std::string(name()) +
                         " has a memory map, or a CHI transport; one engine has one map, with the "
                         "ranges of all nodes, and the transport is made with it");
        return false;
    }
    m_bridge = &w;
    m_fabric.stepper().set_bridge(&w);
    return true;
}

/// Why a message cannot be sent; "" if it can.
std::string cycle_engine::wrong_with(const message& m, bool of_bridge) const {
    if (std::string wrong = m_fabric.port().wrong_with(m); !wrong.empty()) return wrong;
    if (of_bridge && m_bridge == nullptr)
        return "for a memory bridge, and no memory map or CHI transport is there to be told of it";
    if (!of_bridge && (m.tag & bridge_tag) != 0)
        return "with the highest bit of its tag, which is the memory bridge's";
    return "";
}

void cycle_engine::send(const message& m) {
    if (const std::string wrong = wrong_with(m, false); !wrong.empty())
        return report_error(report_id::send, std::string(name()) + ": a message " + wrong);
    post(m);
}

void cycle_engine::send_for_bridge(const message& m) {
    if (const std::string wrong = wrong_with(m, true); !wrong.empty())
        return report_error(report_id::send, std::string(name()) + ": a message of the bridge, " + wrong);
    message of_bridge = m;
    of_bridge.tag |= bridge_tag;
    post(of_bridge);
}

void cycle_engine::post(const message& m) {
    if (m_finished || m_failure)
        return report_error(report_id::finished,
                            std::string(name()) + ": a message from node " + std::to_string(m.source) +
                                " after cycle " + std::to_string(m_next_cycle - 1) + ", in which " +
                                (m_finished ? "its traffic had finished (stop_when_finished)" : "it failed") +
                                "; the engine runs no further");
    m_posted.push_back({cycle(), posted::kind::message, 0, m});
    work_at(cycle() + 1);
}

/// The workload has finished, and nothing is on its way any more.
bool cycle_engine::is_over() const {
    return m_posted.empty() && m_workload->finished() && m_fabric.view().empty() &&
           (m_bridge == nullptr || m_bridge->finished());
}

/// Does what was asked for in earlier cycles, in an order that does not depend on that of processes.
void cycle_engine::hand_in(cycle_t now) {
    const auto later =
        std::stable_partition(m_posted.begin(), m_posted.end(), [=](const posted& p) { return p.at < now; });
    std::stable_sort(m_posted.begin(), later, [](const posted& a, const posted& b) {
        return std::tie(a.at, a.what_kind, a.id, a.what.source, a.what.message_class) <
               std::tie(b.at, b.what_kind, b.id, b.what.source, b.what.message_class);
    });
    std::for_each(m_posted.begin(), later, [=](const posted& p) { carry_out(p, now); });
    m_posted.erase(m_posted.begin(), later);
}

void cycle_engine::reset() {
    post_reset(posted::kind::network_reset, 0, m_fabric.reset().obstacle());
}

void cycle_engine::reset(const router& r) {
    if (r.id() >= m_routers.size() || m_routers[r.id()] != &r) return refuse_foreign(r);
    post_reset(posted::kind::router_reset, r.id(), m_fabric.reset().obstacle_to_blocks());
}

void cycle_engine::reset(const nic& n) {
    if (n.node() >= m_nics.size() || m_nics[n.node()] != &n) return refuse_foreign(n);
    post_reset(posted::kind::nic_reset, n.node(), m_fabric.reset().obstacle_to_blocks());
}

void cycle_engine::refuse_foreign(const sc_core::sc_module& block) const {
    report_error(report_id::reset,
                 std::string(name()) + " cannot reset " + block.name() + ", which is of another network");
}

void cycle_engine::post_reset(posted::kind what, std::uint32_t id, const std::string& obstacle) {
    if (!obstacle.empty())
        return report_error(report_id::reset, std::string(name()) + " cannot be reset: " + obstacle);
    post_order(what, id);
}

void cycle_engine::post_power(posted::kind what, std::uint32_t id) {
    if (id >= m_fabric.view().sleepers())
        return report_error(report_id::power, std::string(name()) +
                                                  ": of the links that can sleep there is no " +
                                                  std::to_string(id) + "; there are " +
                                                  std::to_string(m_fabric.view().sleepers()));
    post_order(what, id);
}

void cycle_engine::post_order(posted::kind what, std::uint32_t id) {
    if (m_finished || m_failure)
        return report_error(report_id::finished,
                            std::string(name()) +
                                ": a reset, or a link that is to sleep or wake, after cycle " +
                                std::to_string(m_next_cycle - 1) + "; the engine runs no further");
    m_posted.push_back({cycle(), what, id, {}});
    work_at(cycle() + 1);
}

void cycle_engine::carry_out(const posted& p, cycle_t now) {
    switch (p.what_kind) {
        case posted::kind::network_reset:
            return m_fabric.reset().all(now);
        case posted::kind::router_reset:
            return m_fabric.reset().router(p.id, now);
        case posted::kind::nic_reset:
            return m_fabric.reset().nic(p.id, now);
        case posted::kind::link_up:
            return m_fabric.sleeper(p.id).power_up(now);
        case posted::kind::link_down:
            return m_fabric.sleeper(p.id).power_down(now);
        case posted::kind::message:
            return m_fabric.port().send(p.what);
    }
}

/// The last one that begins before SystemC's time ends.
cycle_t cycle_engine::last_cycle() const {
    return m_clock.cycle_at(sc_core::sc_max_time());
}

void cycle_engine::work_at(cycle_t at) {
    at = std::max(at, m_next_cycle);
    m_due = std::min(m_due, at);
    if (at > last_cycle() || m_ahead) return;
    const sc_core::sc_time due = m_clock.begin_of(at);
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    m_next.notify(due > now ? due - now : sc_core::SC_ZERO_TIME);
}

void cycle_engine::run() {
    if (m_failure || m_finished || m_restores) return;
    const cycle_t t = cycle();
    // A process of the same cycle may have woken us once more: a cycle is run once.
    if (t >= m_next_cycle) run_cycle(t);
    if (m_failure || m_finished) return;
    // An event holds its earliest notification only, so what woke us may have displaced the one for the next
    // cycle.
    if (const cycle_t next = run_unseen(next_after(t)); next != workload::never) work_at(next);
}

/// Runs cycles from `next` on that nothing can see, and gives the one that comes then.
cycle_t cycle_engine::run_unseen(cycle_t next) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    const sc_core::sc_time horizon = m_running ? m_until : m_horizon;
    if (horizon <= now || !m_posted.empty()) return next;
    const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext());
    const sc_core::sc_time until = std::min(now + pending, horizon);
    const cycle_t end = m_clock.cycle_at(until) + (m_clock.begin_of(m_clock.cycle_at(until)) < until);
    if (next >= end) return next;
    m_ahead = next;
    guarded([&] { next = m_fabric.stepper().run_unobserved(next, end); });
    m_ahead.reset();
    m_next_cycle = m_fabric.port().now() + 1;
    return next;
}

cycle_t cycle_engine::next_after(cycle_t t) {
    if (!m_posted.empty()) return t + 1;
    const cycle_t next = m_fabric.stepper().next_work(t);
    if (next == workload::never && m_of_all != nullptr) finish_together();
    return next;
}

/// Nothing but the engine can tell what time it is.
bool cycle_engine::is_alone() {
    if (sc_core::sc_get_status() != sc_core::SC_PAUSED) return false;  // there may be more to come
    const auto& objects = sc_core::sc_get_top_level_objects();
    if (objects.size() != m_objects) {  // sc_main may spawn more
        m_objects = objects.size();
        m_alone = count_processes(objects) == 1;
    }
    if (!m_alone) return false;
    m_next.cancel();
    if (!sc_core::sc_pending_activity()) return true;
    if (m_due != workload::never) work_at(m_due);
    return false;
}

void cycle_engine::run_ahead(cycle_t end) {
    m_due = std::max(m_due, m_next_cycle);  // what was due may have been run unseen since
    while (m_due < end && !m_failure && !m_finished) {
        const cycle_t t = m_due;
        m_ahead = t;
        run_cycle(t);
        m_due = std::max(next_after(t), m_next_cycle);
    }
    m_ahead.reset();
}

/// What a cycle throws stops the engine.
template <class Cycle>
void cycle_engine::guarded(const Cycle& run) {
    try {
        run();
    } catch (const sc_core::sc_report&) {
        m_failure = std::current_exception();
        m_ahead.reset();
        throw;
    } catch (const std::exception& problem) {
        m_failure = std::current_exception();
        m_ahead.reset();
        report_error(report_id::engine, std::string(name()) + ", cycle " +
                                            std::to_string(m_fabric.port().now()) + ": " + problem.what());
    }
}

void cycle_engine::run_cycle(cycle_t t) {
    m_next_cycle = t + 1;
    m_due = workload::never;
    guarded([&] {
        if (!m_posted.empty()) hand_in(t);
        m_fabric.stepper().step(t);
    });
    if (m_failure) return;
    if (m_stop_when_finished) note_end(t);
}

/// Of several processes each may be over, and have more to do when something comes from another one.
void cycle_engine::note_end(cycle_t t) {
    const bool was_over = m_over;
    m_over = is_over();
    if (!m_over || was_over) return;
    m_finished_at = t;
    m_finished = m_of_all == nullptr;
}

/// Nothing is under way in any of the processes: a call of all of them.
void cycle_engine::finish_together() {
    world& all = *m_of_all->processes();
    m_finished = all.least(std::uint64_t{m_over}) != 0;
    m_finished_at = all.most(m_finished_at);
}

std::string cycle_engine::describe_standstill() const {
    const std::string here = describe_wait_for_cycle(m_fabric.view());
    if (m_of_all == nullptr) return here.empty() ? "no cycle of waiting packets was found" : here;
    const std::string found = m_of_all->processes()->first_said(here);
    return found.empty() ? "packets wait for each other across processes; one process would tell which"
                         : found;
}

void cycle_engine::rethrow_failure() const {
    if (m_failure) std::rethrow_exception(m_failure);
}

/// The period may change meanwhile: set_period() ends SystemC's step then.
void cycle_engine::wait_until(cycle_t end) {
    m_running = true;
    while (m_clock.begin_of(end) > sc_core::sc_time_stamp() && !m_failure && !has_stopped()) {
        m_until = m_clock.begin_of(end);
        sc_core::sc_start(m_until - sc_core::sc_time_stamp());
    }
    m_running = false;
}

void cycle_engine::run_until(cycle_t end) {
    if (end > last_cycle())
        return report_error(report_id::engine,
                            std::string(name()) + ": cycle " + std::to_string(end) +
                                " is beyond the end of SystemC's time, which with this clock is cycle " +
                                std::to_string(last_cycle()));
    try {
        const bool alone = is_alone();
        if (alone) run_ahead(end);
        wait_until(end);
        if (alone && m_due != workload::never) work_at(m_due);  // sooner, the kernel would have it in hand
    } catch (const sc_core::sc_report&) {
        m_running = false;
        rethrow_failure();  // as what it was, rather than as the kernel's report of it
        throw;
    }
    rethrow_failure();
    // Else they would know only when nothing happens any more, which may be in another interval.
    if (m_of_all != nullptr && m_stop_when_finished && !m_finished) finish_together();
    if (end != 0 && !has_stopped()) m_fabric.stepper().pass(m_finished ? m_finished_at : end - 1);
}

}  // namespace sare
