// SPDX-License-Identifier: Apache-2.0
#include "tb/python/live_network.h"

#include "tlm/combining/combiner_network.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/measurement.h"
#include "tlm/network/results/injection_rules_of.h"
#include "tlm/stats/figure.h"
#include "tlm/systemc/reports.h"
#include "traffic/source/open_loop.h"

#include <memory>
#include <utility>

namespace sare::python {
namespace {

/// The open simulation: SystemC allows one at a time.
const live_network* the_one = nullptr;

/// Makes a kernel for the next simulation. The one before leaves some kilobytes behind.
void begin_kernel() {
    if (the_one != nullptr)
        throw config::error(
            "a Simulation is open in this process, and SystemC holds one at a time; close it first: "
            "s.close(), or 'with'");
    sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext;
}

experiment in_order(experiment e, bool failing) {
    begin_kernel();
    e.threads = 1;  // callbacks come from the thread that steps, and a fork finds no other
    if (failing) {
        e.failures.open = true;
        if (e.failures.events.type() == config::value::kind::null)
            e.failures.events = config::value::list({});
    }
    return e;
}

}  // namespace

/// Workload of messages from outside, whose tags are the sender's.
class live_network::outside final : public workload {
  public:
    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    bool wants_deliveries() const override { return false; }
    bool finished() const override { return true; }
    generated_counts generated(cycle_t) override { return m_sent; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    void count(const message& m) {
        ++m_sent.messages;
        m_sent.flits += m.flits;
    }

  private:
    generated_counts m_sent;
};

live_network::live_network(experiment e, bool failing)
    : m_e(in_order(std::move(e), failing)), m_map(m_e.make_map()), m_outside(std::make_unique<outside>()) {
    if (combiners_of(*m_map) != nullptr)
        throw config::error(
            m_e.written.place_of("'combining'"),
            "there is a section 'combining', which a Simulation makes nothing of; leave it out");
    if (m_e.traffic.type() != config::value::kind::null) make_traffic();
    const std::uint32_t classes = m_e.classes.classes(m_traffic ? m_traffic->classes_needed() : 1);
    with_config_errors([&] {
        m_net = std::make_unique<network>("net", m_e, m_map, classes);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        if (m_traffic) m_net->engine().set_workload(*m_traffic);
        m_net->engine().set_bridge(*m_outside);
    });
    m_board = std::make_shared<state_board>(view());
    the_one = this;
}

void live_network::make_traffic() {
    const workload_context context = m_e.context(*m_map);
    m_traffic = workload_registry::instance().make(m_e.traffic, context);
    if (dynamic_cast<traffic::open_loop_source*>(m_traffic.get()) == nullptr) return;
    const auto make = [this, context](double load) {
        config::value section = m_e.traffic;
        section.set("load", config::number(load));
        return workload_registry::instance().make(section, context);
    };
    auto changing = std::make_unique<changing_load>(std::move(m_traffic), make);
    m_changing = changing.get();
    m_traffic = std::move(changing);
}

live_network::~live_network() {
    if (m_stalls) m_stalls->stop(m_cycle);
    m_stalls.reset();
    m_trace.reset();
    m_board->freeze();
    the_one = nullptr;
}

void live_network::check_open() const {
    if (m_failed)
        throw config::error("a callback or a cycle of this Simulation has failed; make another one");
}

/// Calls `run`, which runs cycles; an exception ends the simulation.
template <class F>
void live_network::guarded(const F& run) {
    check_open();
    m_running = true;
    try {
        run();
    } catch (...) {
        m_running = false;
        m_failed = true;
        m_cycle = view().now() + 1;
        throw;
    }
    m_running = false;
}

void live_network::run_until(cycle_t end) {
    check_open();
    if (end <= m_cycle) return;
    guarded([&] { m_net->engine().run_until(end); });
    m_cycle = end;
}

run_result live_network::measure(const measurement_params& how, const run_control& control) {
    run_result out;
    out.seed = m_e.seed;
    out.clock_period_s = m_e.clock_seconds();
    out.nodes = m_map->nodes();
    out.routers = m_map->routers();
    out.classes = view().classes();
    workload& traffic = m_traffic ? *m_traffic : static_cast<workload&>(*m_outside);
    cycle_engine& engine = m_net->engine();
    guarded([&] {
        measurement method(engine, traffic, how, control);
        const auto forget = std::shared_ptr<void>(nullptr, [&](void*) { engine.set_observer(nullptr); });
        method.run(out);
    });
    m_cycle = out.cycles;
    read_figures({out, *m_map, &view(), static_cast<double>(out.measured_to - out.measured_from)}, out);
    out.keep_figures();
    return out;
}

generated_counts live_network::generated() {
    generated_counts all = m_outside->generated(cycle());
    if (!m_traffic || cycle() == 0) return all;
    const generated_counts its = m_traffic->generated(cycle() - 1);
    return {all.messages + its.messages, all.flits + its.flits};
}

void live_network::send(const message& m) {
    check_open();
    m_net->engine().send_for_bridge(m);
    m_outside->count(m);
    m_sent_until = cycle() + 1;
}

void live_network::set_load(double load) {
    check_open();
    if (m_changing == nullptr || m_e.traffic.find("load") == nullptr)
        throw config::error(
            "the traffic of this experiment has no load that can change; an open-loop workload has, such as "
            "bernoulli");
    m_changing->change(load, cycle());
    m_net->engine().work_at(cycle());
}

void live_network::fail_between(std::uint32_t a, std::uint32_t b) {
    failure_params what;
    const auto number = [](std::uint64_t x) { return config::number(x); };
    what.events = config::value::list({config::value::map(
        {{"between", config::value::list({number(a), number(b)})}, {"at", number(cycle())}})});
    fail(what);
}

void live_network::fail_router(std::uint32_t r) {
    failure_params what;
    what.events = config::value::list({config::value::map(
        {{"router", config::number(std::uint64_t{r})}, {"at", config::number(cycle())}})});
    fail(what);
}

void live_network::fail(const failure_params& what) {
    check_open();
    if (!m_e.failures.open)
        throw config::error("links of this Simulation do not fail; make it with failures=True");
    for (failure& f : plan_failures(what, map())) m_net->engine().net().fail(std::move(f));
    m_net->engine().work_at(cycle());
}

delivery_log& live_network::deliveries() {
    if (!std::exchange(m_listens, true)) m_net->engine().add_observer(m_deliveries);
    return m_deliveries;
}

void live_network::trace() {
    check_open();
    if (m_trace) return;
    trace_filter all;
    all.kinds = (1U << packet_event_kinds) - 1;
    m_journeys = std::make_unique<journey_book>(injection_rules_of(m_e, map(), m_net->plan()));
    m_trace = std::make_unique<packet_trace>(m_net->engine().net(), all);
    m_trace->add(*m_journeys);
    m_trace->start();
}

void live_network::reset() {
    check_open();
    m_net->engine().reset();
}

std::vector<std::uint64_t> live_network::stalls() {
    if (!m_stalls) {
        m_stalls = statistic_registry::instance().make(config::value::scalar("stalls"),
                                                       {view(), &m_net->engine().net()});
        m_stalls->start(m_cycle);
    }
    return m_stalls->waits(m_cycle);
}

}  // namespace sare::python
