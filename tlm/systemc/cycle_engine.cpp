// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/cycle_engine.h"

#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/parts/world_counts.h"
#include "tlm/fabric/view/wait_for.h"
#include "tlm/systemc/engine_wiring.h"
#include "tlm/systemc/kernel_api.h"
#include "tlm/systemc/modules.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

/// True if sc_stop() has ended the simulation.
bool has_stopped() {
    return sc_core::sc_get_status() == sc_core::SC_STOPPED;
}

constexpr std::size_t own_processes = 2;  // run() and pass()

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
      m_fabric(with_config_reports(this->name(),
                                   [&] { return std::make_unique<fabric>(vcs, classes, seed, own); })),
      m_wiring(std::make_unique<engine_wiring>(this->name(), *m_fabric)),
      m_clock(period != sc_core::SC_ZERO_TIME ? period : sc_core::sc_get_time_resolution()),
      m_period_changed("period_changed") {
    check_period(period);
    SARE_HAS_PROCESS(cycle_engine);
    SC_METHOD(run);
    sensitive << m_next.event;
    dont_initialize();  // cycle 0 is run when there is something to do in it
    SC_METHOD(pass);
    sensitive << m_lag.passing;
    dont_initialize();
    m_fabric->stepper().set_cycle_seconds(period.to_seconds());
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
    bool any_later = false;
    m_posted.for_each([&](const posted& p) { any_later |= p.when > sc_core::sc_time_stamp().value(); });
    if (any_later) end_lag();
    if (sc_core::sc_get_status() < sc_core::SC_RUNNING)
        m_clock = engine_clock(period);
    else
        m_clock.change(cycle() + 1, period, sc_core::sc_time_stamp());
    if (any_later) renumber_later();
    m_fabric->stepper().set_cycle_seconds(period.to_seconds());
    m_period_changed.notify(sc_core::SC_ZERO_TIME);
    if (m_running) {
        m_until = sc_core::SC_ZERO_TIME;
        sc_core::sc_pause();
    }
    // What was due by the old one. Within a cycle the engine itself sees to it.
    cancel_work();
    if (m_due != workload::never) work_at(m_due);
    m_lag.passing.cancel();
    if (m_lag.passes != m_lag.passed) notify_at(m_lag.passing, m_lag.passes);
}

/// Reports that several processes cannot have a bridge: only its own process would know its open accesses.
void cycle_engine::refuse_bridge_of_several() const {
    report_error(report_id::memory, std::string(name()) +
                                        ": several processes run its network, which can have no memory map "
                                        "or CHI transport; run it in one process");
}

void cycle_engine::set_world(world& all, partition_map ranks) {
    if (m_bridge != nullptr) return refuse_bridge_of_several();
    m_fabric->builder().set_world(all, std::move(ranks));
    m_of_all = std::make_unique<world_counts>(m_fabric->view(), *m_fabric->view().remote());
}

void cycle_engine::set_routing(const topology& map, const routing_function& routing) {
    m_fabric->builder().set_routing(map, routing);
}

void cycle_engine::end_of_elaboration() {
    if (m_bridge != nullptr && m_workload == nullptr) m_fabric->builder().expect_few_packets();
    if (m_workload != nullptr) m_fabric->builder().expect_load(m_workload->expected_load());
    m_wiring->finish();
}

std::uint32_t cycle_engine::flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    return m_wiring->flits_sent(router, port, vc);
}

void cycle_engine::set_workload(workload& w, bool stop_when_finished) {
    if (m_workload != nullptr)
        return report_error(report_id::traffic,
                            std::string(name()) + " has its traffic: set_workload() is for once");
    if (w.classes_needed() > m_fabric->view().classes())
        return report_error(
            report_id::traffic,
            fmt::format(
                "{}: the traffic needs {} message classes, and the network has {}, as its engine was made",
                name(), w.classes_needed(), m_fabric->view().classes()));
    if (w.nodes_needed() > m_fabric->view().nodes())
        return report_error(report_id::traffic,
                            fmt::format("{}: the traffic needs {} nodes, and the network has {}", name(),
                                        w.nodes_needed(), m_fabric->view().nodes()));
    end_lag();
    m_workload = &w;
    m_stop_when_finished = stop_when_finished;
    const cycle_t first = std::max(cycle(), m_next_cycle);
    m_fabric->stepper().set_workload(&w, first);
    if (first != 0 && w.next_tick() == workload::never && m_fabric->view().empty())
        SC_REPORT_WARNING(
            report_id::traffic,
            (fmt::format("{}: the traffic that is set in cycle {} has nothing to send from then on", name(),
                         first))
                .c_str());
    work_at(first);
}

bool cycle_engine::set_bridge(workload& w) {
    if (m_bridge != nullptr) {
        report_error(report_id::memory,
                     std::string(name()) +
                         " has a memory map, or a CHI transport; one engine has one map, with the ranges of "
                         "all nodes, and the transport is made with it");
        return false;
    }
    if (m_of_all != nullptr) {
        refuse_bridge_of_several();
        return false;
    }
    m_bridge = &w;
    m_fabric->stepper().set_bridge(&w);
    return true;
}

/// Returns the reason why a message cannot be sent; "" if it can.
std::string cycle_engine::wrong_with(const message& m, bool of_bridge) const {
    if (std::string wrong = m_fabric->port().wrong_with(m); !wrong.empty()) return wrong;
    if (of_bridge && m_bridge == nullptr)
        return "for a memory bridge, and no memory map or CHI transport is there to be told of it";
    if (!of_bridge && (m.tag & bridge_tag) != 0)
        return "with the highest bit of its tag, which is the memory bridge's";
    return "";
}

void cycle_engine::send(const message& m) {
    if (const std::string wrong = wrong_with(m, false); !wrong.empty())
        return report_error(report_id::send, std::string(name()) + ": a message " + wrong);
    post(m, cycle(), sc_core::sc_time_stamp());
}

void cycle_engine::send_for_bridge(const message& m, const sc_core::sc_time& when) {
    if (m_bridge == nullptr || !m_fabric->port().takes(m))
        return report_error(report_id::send,
                            std::string(name()) + ": a message from outside, " + wrong_with(m, true));
    message of_bridge = m;
    of_bridge.tag |= bridge_tag;
    of_bridge.generated = when > m_now ? m_clock.cycle_at(when) : cycle();
    post(of_bridge, of_bridge.generated, when);
}

void cycle_engine::post(const message& m, cycle_t at, const sc_core::sc_time& when) {
    if (m_finished || m_failure)
        return report_error(
            report_id::finished,
            fmt::format("{}: a message from node {} after cycle {}, in which {}; the engine runs no further",
                        name(), m.source, m_next_cycle - 1,
                        m_finished ? "its traffic had finished (stop_when_finished)" : "it failed"));
    posted& p = m_posted.add({at, posted::kind::message, 0, m, when.value()});
    if (!m_stepping && !may_wait(p)) work_at(at + 1);
}

/// Computes anew the cycles of posted messages that are generated at a later time, after a change of period.
void cycle_engine::renumber_later() {
    std::vector<posted> all = m_posted.list();
    for (posted& p : all) {
        if (p.when <= sc_core::sc_time_stamp().value()) continue;
        p.at = p.what.generated = m_clock.cycle_at(sc_core::sc_time::from_value(p.when));
        p.arrives = 0;
        m_due = std::min(m_due, p.at + 1);
    }
    std::stable_sort(all.begin(), all.end());
    m_posted.assign(all);
}

/// True if the workload has finished and no message is on its way in this process.
bool cycle_engine::is_over() const {
    return m_posted.empty() && m_workload->finished() && m_fabric->view().empty() &&
           (m_bridge == nullptr || m_bridge->finished());
}

/// Carries out messages and orders posted in earlier cycles. An observer that is told of a loss may post
/// more.
void cycle_engine::hand_in(cycle_t now) {
    m_posted.take_before(now, [&](const posted& p) { carry_out(p, now); });
}

void cycle_engine::reset() {
    post_reset(posted::kind::network_reset, 0, m_fabric->reset().obstacle());
}

void cycle_engine::reset(const router& r) {
    if (!m_wiring->has(r)) return refuse_foreign(r);
    post_reset(posted::kind::router_reset, r.id(), m_fabric->reset().obstacle_to_blocks());
}

void cycle_engine::reset(const nic& n) {
    if (!m_wiring->has(n)) return refuse_foreign(n);
    post_reset(posted::kind::nic_reset, n.node(), m_fabric->reset().obstacle_to_blocks());
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

void cycle_engine::set_power(std::uint32_t id, bool up) {
    if (id >= m_fabric->sleepers())
        return report_error(report_id::power,
                            fmt::format("{}: of the links that can sleep there is no {}; there are {}",
                                        name(), id, m_fabric->sleepers()));
    post_order(up ? posted::kind::link_up : posted::kind::link_down, id);
}

void cycle_engine::post_order(posted::kind what, std::uint32_t id) {
    if (m_finished || m_failure)
        return report_error(
            report_id::finished,
            fmt::format(
                "{}: a reset, or a link that is to sleep or wake, after cycle {}; the engine runs no further",
                name(), m_next_cycle - 1));
    m_posted.add({cycle(), what, id, {}, sc_core::sc_time_stamp().value()});
    work_at(cycle() + 1);
}

void cycle_engine::carry_out(const posted& p, cycle_t now) {
    if (p.what_kind <= posted::kind::nic_reset) m_fabric->arrivals().forget();
    switch (p.what_kind) {
        case posted::kind::network_reset:
            return m_fabric->reset().all(now);
        case posted::kind::router_reset:
            return m_fabric->reset().router(p.id, now);
        case posted::kind::nic_reset:
            return m_fabric->reset().nic(p.id, now);
        case posted::kind::link_up:
            return m_fabric->sleeper(p.id).power_up(now);
        case posted::kind::link_down:
            return m_fabric->sleeper(p.id).power_down(now);
        case posted::kind::message:
            m_fabric->arrivals().add(p.arrives != 0 ? p.arrives : m_fabric->arrivals().earliest(p.what, now));
            return m_fabric->port().send(p.what);
    }
}

/// Returns the last cycle that begins before SystemC's time ends.
cycle_t cycle_engine::last_cycle() const {
    return m_clock.cycle_at(sc_core::sc_max_time());
}

void cycle_engine::work_at(cycle_t at) {
    at = std::max(at, m_next_cycle);
    m_due = std::min(m_due, at);
    if (m_ahead || at >= m_next.at) return;
    m_next.at = at;
    notify_at(m_next.event, at);
}

void cycle_engine::cancel_work() {
    m_next.event.cancel();
    m_next.at = workload::never;
}

void cycle_engine::notify_at(sc_core::sc_event& event, cycle_t at) {
    if (!m_clock.has(at)) return;
    const sc_core::sc_time due = m_clock.begin_of(at);
    event.notify(due > m_now ? due - m_now : sc_core::SC_ZERO_TIME);
}

void cycle_engine::run() {
    m_next.at = workload::never;
    if (m_failure || m_finished || m_restores) return;
    const cycle_t t = cycle();
    m_fabric->set_behind(nullptr);
    if (m_lag.behind) run_late(t);
    stop_lagging();
    if (m_failure) return;
    // A process of the same cycle may have woken us once more: a cycle is run once.
    if (t >= m_next_cycle) run_cycle(t);
    if (m_failure || m_finished) return;
    // An event holds its earliest notification only, so what woke us may have displaced the one for the next
    // cycle.
    const cycle_t next = next_after(t);
    if (m_bridge != nullptr) m_fabric->set_behind(this);
    if (may_lag(t, next)) return;
    if (const cycle_t due = run_unseen(next); due != workload::never) work_at(due);
}

/// Runs cycles from `next` on while nothing outside of the network can see them. Returns the next cycle with
/// work.
cycle_t cycle_engine::run_unseen(cycle_t next) {
    const sc_core::sc_time horizon = m_running ? m_until : m_horizon;
    const cycle_t handed_in = m_posted.empty() ? workload::never : m_posted.first() + 1;
    if (horizon <= m_now || handed_in <= next) return next;
    const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext());
    const sc_core::sc_time until = std::min(m_now + pending, horizon);
    const cycle_t end =
        std::min(handed_in, m_clock.cycle_at(until) + (m_clock.begin_of(m_clock.cycle_at(until)) < until));
    if (next >= end) return next;
    m_ahead = next;
    guarded([&] { next = m_fabric->stepper().run_unobserved(next, end); });
    m_ahead.reset();
    m_next_cycle = m_fabric->port().now() + 1;
    return std::min(next, handed_in);
}

cycle_t cycle_engine::next_after(cycle_t t) {
    const cycle_t handed_in = m_posted.empty() ? workload::never : std::max(t + 1, m_posted.first() + 1);
    if (handed_in == t + 1) return handed_in;
    const cycle_t next = std::min(handed_in, m_fabric->stepper().next_work(t));
    if (next == workload::never && m_of_all != nullptr) finish_together();
    return next;
}

/// True if no process but the engine's can tell SystemC's time, so that it may stand still.
bool cycle_engine::is_alone() {
    if (sc_core::sc_get_status() != sc_core::SC_PAUSED) return false;  // there may be more to come
    const auto& objects = sc_core::sc_get_top_level_objects();
    if (objects.size() != m_objects) {  // sc_main may spawn more
        m_objects = objects.size();
        m_alone = count_processes(objects) == own_processes;
    }
    if (!m_alone) return false;
    cancel_work();
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

/// Stops the engine by the exception being handled: throws a report on, and makes a report of any other.
void cycle_engine::fail() {
    m_failure = std::current_exception();
    m_ahead.reset();
    try {
        throw;
    } catch (const sc_core::sc_report&) {
        throw;
    } catch (const std::exception& problem) {
        report_error(report_id::engine,
                     fmt::format("{}, cycle {}: {}", name(), m_fabric->port().now(), problem.what()));
    }
}

void cycle_engine::run_cycle(cycle_t t) {
    m_next_cycle = t + 1;
    m_due = workload::never;
    guarded([&] {
        m_stepping = true;
        hand_in(t);
        m_fabric->stepper().step(t);
    });
    m_stepping = false;
    if (m_failure) return;
    if (m_stop_when_finished) note_end(t);
}

/// Notes whether workload and network are at their end after cycle `t`. If several processes run the network,
/// a message from another one may bring more work, so that finish_together() decides.
void cycle_engine::note_end(cycle_t t) {
    const bool was_over = m_over;
    m_over = is_over();
    if (!m_over || was_over) return;
    m_finished_at = t;
    m_finished = m_of_all == nullptr;
}

/// Finds out whether all processes are at their end; all of them call it.
void cycle_engine::finish_together() {
    world& all = *m_of_all->processes();
    m_finished = all.least(std::uint64_t{m_over}) != 0;
    m_finished_at = all.most(m_finished_at);
}

std::string cycle_engine::describe_standstill() const {
    const std::string here = describe_wait_for_cycle(m_fabric->view(), m_workload);
    if (m_of_all == nullptr) return here.empty() ? "no cycle of waiting packets was found" : here;
    const std::string found = m_of_all->processes()->first_said(here);
    return found.empty() ? "packets wait for each other across processes; one process would tell which"
                         : found;
}

void cycle_engine::rethrow_failure() const {
    if (m_failure) std::rethrow_exception(m_failure);
}

/// Lets SystemC's time go on to cycle `end`. set_period() may change the period meanwhile, and pauses
/// SystemC.
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
        return report_error(
            report_id::engine,
            fmt::format("{}: cycle {} is beyond the end of SystemC's time, which with this clock is cycle {}",
                        name(), end, last_cycle()));
    try {
        end_lag();
        m_fabric->set_behind(nullptr);
        const bool alone = is_alone();
        if (alone) run_ahead(end);
        if (m_bridge != nullptr) m_fabric->set_behind(this);
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
    if (end != 0 && !has_stopped()) net().stepper().pass(m_finished ? m_finished_at : end - 1);
}

}  // namespace sare
