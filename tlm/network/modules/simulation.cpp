// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/endpoint_waits.h"
#include "tlm/api/message_check.h"
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/classes/class_links.h"
#include "tlm/network/classes/weak_weights.h"
#include "tlm/network/credit_limit.h"
#include "tlm/network/modules/simulation_parts.h"
#include "tlm/network/rounded.h"
#include "tlm/network/routes/rerouting.h"
#include "tlm/network/several_processes.h"
#include "tlm/network/stepped/idle_network.h"
#include "tlm/router_api/router_context.h"
#include "tlm/systemc/reports.h"
#include "tlm/topology/properties.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

namespace sare {
namespace {

std::uint64_t peak_rss_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::unique_ptr<workload> make_traffic(const experiment& e, const topology& map) {
    if (e.traffic.type() == config::value::kind::null)
        throw config::error(e.at, "section 'traffic' is missing");
    return workload_registry::instance().make(e.traffic, e.context(map));
}

/// Returns f(); a mistake without a place is reported at `at`.
template <class F>
auto at_place(const config::location& at, F f) {
    try {
        return f();
    } catch (const config::error& problem) {
        throw problem.at(at);
    }
}

/// Runs. What cannot be written or read is known before the first cycle.
void run_method(const experiment& e, measurement& method, run_result& out) {
    try {
        at_place(e.traffic.where(), [&] { method.run(out); });
    } catch (const state_error& problem) {
        throw config::error(e.at, std::string("checkpoints: ") + problem.what());
    }
}

/// Warns of times that no network with these links can have.
void warn_of_crowded_links(const contention_free& net, const topology& map, double clock_seconds,
                           const run_control& control) {
    const auto worst = net.overlap().most_crowded(static_cast<double>(net.cycle()) * clock_seconds * 1e12);
    if (!worst) return;
    control.warn("the contention-free model is faster here than any network with such links: the link " +
                 std::string(worst->to_node ? "to" : "from") + " " +
                 map.names().text(place_kind::node, worst->node) + " would take " + rounded(worst->needs) +
                 " s for what it carried in " + rounded(worst->had) +
                 " s, several messages at once; 'fidelity: node_links' has them wait there");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

simulation::parts::parts(const experiment& e, const foreign_maker& maker, world* processes)
    : map(e.make_map()),
      traffic(make_traffic(e, *map)),
      traffic_text(flow_style(e.traffic)),
      classes(e.classes.classes(traffic->classes_needed())),
      own_links(any_link_of_classes(e.links)),
      structure(e.structure()),
      written(e.written) {
    if (e.fidelity == fidelity::node_links)
        ideal = std::make_unique<node_link_network>(*map, e.nic, e.clock_seconds(), classes);
    else if (e.fidelity != fidelity::flit)
        ideal = std::make_unique<contention_free>(*map, e.nic, e.clock_seconds(), classes,
                                                  e.fidelity == fidelity::crossbar);
    else
        net = with_config_errors([&] {
            return std::make_unique<network>("net", e, map, classes, network::most_bound, maker, processes);
        });
    if (net && !e.failures.empty()) failures = net->failures(e, classes);
    if (net && counts_events(e.sections.with_statistics(e.measurement.statistics)))
        net->engine().net().builder().count_events();
}

simulation::simulation(const experiment& e, const foreign_maker& maker, world* processes) {
    const auto start = std::chrono::steady_clock::now();
    m_parts = std::make_unique<parts>(e, maker, processes);
    if (processes != nullptr) check_processes(e, *m_parts->map, *m_parts->traffic, m_parts->failures);
    m_parts->elaboration_s = seconds_since(start);
}
simulation::~simulation() = default;

const topology& simulation::map() const {
    return *m_parts->map;
}
const routing_function& simulation::routing() const {
    return m_parts->flit_level().routing();
}

const router_plan& simulation::plan() const {
    return m_parts->flit_level().plan();
}

network_engine& simulation::engine() {
    if (m_parts->ideal) return *m_parts->ideal;
    return m_parts->net->engine();
}

fabric& simulation::net() {
    return m_parts->flit_level().engine().net();
}

const foreign_block* simulation::foreign_router(std::uint32_t router) const {
    return m_parts->flit_level().foreign_router(router);
}

workload& simulation::running_traffic() {
    if (m_parts->reliable) return *m_parts->reliable;
    return m_parts->collectives ? *m_parts->collectives : *m_parts->traffic;
}

const deadlock_report& simulation::check_deadlock(std::uint64_t most_calls) {
    if (m_parts->deadlock) return *m_parts->deadlock;
    if (m_parts->ideal) {
        m_parts->deadlock.emplace().result = deadlock_report::verdict::by_design;
        m_parts->deadlock->text = "not needed: " + m_parts->ideal->describe_standstill();
        return *m_parts->deadlock;
    }
    const auto start = std::chrono::steady_clock::now();
    m_parts->deadlock = m_parts->net->blueprint().check_deadlock(m_parts->failures, most_calls);
    m_parts->elaboration_s += seconds_since(start);
    return *m_parts->deadlock;
}

workload& simulation::traffic() {
    return *m_parts->traffic;
}

/// Returns the workload of the constructor, if `e` wants the same. The child of a fork makes another one,
/// since files share their offsets with those of its siblings.
workload& simulation::traffic_of(const experiment& e) {
    if (m_parts->made_by != getpid() || m_parts->traffic_text != flow_style(e.traffic))
        m_parts->traffic = make_traffic(e, map());
    return *m_parts->traffic;
}

void simulation::elaborate() {
    if (m_parts->elaborated) return;
    m_parts->elaborated = true;
    if (m_parts->ideal) return;
    const auto start = std::chrono::steady_clock::now();
    m_parts->net->engine().net().builder().expect_load(m_parts->traffic->expected_load());
    try {
        with_config_errors([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); });
    } catch (const config::error& problem) {
        throw problem.at(m_parts->written.place_of(problem.what()));
    }
    m_parts->elaboration_s += seconds_since(start);
}

void simulation::prepare(const experiment& e, const run_control& control) {
    if (e.structure() != m_parts->structure)
        throw std::logic_error("simulation: another network than the one elaborated");
    elaborate();
    engine().set_seed(e.seed);
    workload& own_traffic = traffic_of(e);
    m_parts->endpoints = check_endpoints(e, own_traffic);
    const std::unique_ptr<go_back_n>& reliable = m_parts->reliable = make_reliable(e, own_traffic);
    m_parts->collectives = reliable ? nullptr : make_collectives(e, own_traffic);
    workload& traffic = running_traffic();
    if (control.keep || control.resume != nullptr) check_writable(e, own_traffic);
    own_traffic.use({control.stop, control.folder, control.warn, control.show});
    m_parts->method = std::make_unique<measurement>(engine(), traffic, e.measurement, control);
    take_statistics(e);
    if (reliable) {
        reliable->tell(m_parts->method->statistics());
        engine().set_observer(reliable.get());
    }
    m_parts->observers = observe(e, own_traffic);
    if (const std::uint32_t needed = traffic.nodes_needed(); needed > map().nodes())
        throw config::error(e.traffic.where(),
                            fmt::format("the traffic needs {} nodes, and the network has {}; take a larger "
                                        "network, or put several tasks on a node ('tasks_per_node')",
                                        needed, map().nodes()));
    at_place(e.traffic.where(), [&] { engine().set_workload(traffic, traffic.runs_to_completion()); });
    check_lengths(e, own_traffic);
    if (m_parts->ideal && (any_link_sleeps(map()) || e.router_of_all()->gate().wake != 0))
        control.warn("what can sleep (link_wake, wake) is always awake in the contention-free model");
    if (m_parts->ideal && has_bit_errors(map()))
        control.warn("links have bit errors, and the contention-free model loses nothing");
    if (m_parts->ideal && e.nic.pad)
        control.warn("'nic.pad' is true, and the contention-free model pads no packet");
    if (m_parts->ideal) return;
    if (std::isinf(e.sections.clock_hertz()) && traffic.runs_to_completion())
        control.warn("times of the traffic in seconds are of a clock of " + e.clock_period +
                     "; 'power' has them at the fastest clock ('power.frequency')");
    for (const std::string& why :
         {warning_of_weights(e, m_parts->shares()), warning_of_credits(map(), plan(), e.nic)})
        if (!why.empty()) control.warn(why);
}

run_result simulation::run(const experiment& e, const run_control& control) {
    run_result out;
    out.seed = e.seed;
    out.clock_period_s = e.clock_seconds();
    prepare(e, control);
    report_deadlock(e, out);
    const std::string told = warn_of_threads(e, control, "");
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    run_method(e, *m_parts->method, out);
    out.machine.wall_s = seconds_since(start);
    out.machine.processor_s = static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC;
    warn_of_threads(e, control, told);
    if (m_parts->ideal) warn_of_crowded_links(*m_parts->ideal, map(), e.clock_seconds(), control);
    report(e, out);
    if (!control.outlives_result) out.keep_figures();
    out.machine.elaboration_s = m_parts->elaboration_s;
    out.machine.cycles_per_s =
        out.machine.wall_s > 0 ? static_cast<double>(out.cycles) / out.machine.wall_s : 0;
    out.machine.peak_rss_bytes = peak_rss_bytes();
    return out;
}

void simulation::take_statistics(const experiment& e) {
    const config::value asked = e.sections.with_statistics(e.measurement.statistics);
    if (asked.type() == config::value::kind::list && !asked.items().empty() &&
        !e.sections.foreign_routers().empty())
        throw config::error(asked.items().front().where(),
                            "statistics, of 'power' too, look into routers, and some are RTL, of which the "
                            "model sees its links only; leave out one or the other");
    fabric* const net = m_parts->net ? &m_parts->net->engine().net() : nullptr;
    m_parts->asked = std::make_unique<statistic_set>(
        asked, statistic_context{engine().counters(), net, 8 * e.nic.flit_bytes, &e.sections, nullptr,
                                 idle_latencies(e, map(), m_parts->classes)});
    constexpr std::uint32_t most_sampled = 65536;  // beyond, samples would take too much memory
    if (net != nullptr && e.sections.foreign_routers().empty() && net->view().routers() <= most_sampled) {
        m_parts->waits = std::make_unique<wait_samples>(net->view(), m_parts->net->processes());
        m_parts->asked->take(*m_parts->waits);
    }
    m_parts->method->ask(*m_parts->asked);
}

/// Warns if fewer threads than wanted run the network, unless `told` has said so. Returns the warning.
std::string simulation::warn_of_threads(const experiment& e, const run_control& control,
                                        const std::string& told) const {
    if (e.threads == 1) return "";
    std::string why = fmt::format("'threads' is {}, and ", e.threads);
    if (m_parts->ideal) {
        why += "the contention-free model is run by one";
    } else {
        const network_view& net = m_parts->net->engine().net().view();
        if (net.threads_obstacle().empty()) return "";
        why += fmt::format("{} run{} the network: {}", net.threads(), net.threads() == 1 ? "s" : "",
                           net.threads_obstacle());
    }
    if (why != told) control.warn(why);
    return why;
}

std::unique_ptr<go_back_n> simulation::make_reliable(const experiment& e, workload& traffic) const {
    if (e.nic.retransmission == retransmission::none) return nullptr;
    if (m_parts->ideal)
        throw e.written.mistake(
            "'nic.retransmission' is go_back_n, and the contention-free model loses nothing");
    return std::make_unique<go_back_n>(traffic, plan().with_packets(e.nic), m_parts->shares());
}

auto simulation::make_collectives(const experiment& e, workload& traffic) const
    -> std::unique_ptr<network_collectives> {
    const auto& params = e.sections.of<combining_params>();
    const bool forks = m_parts->net && routing().forks() && !traffic.wants_packets();
    if (!params.on() && !forks) return nullptr;
    const nic_params& nic = m_parts->net ? m_parts->net->blueprint().nic() : e.nic;
    return std::make_unique<network_collectives>(traffic, params, map(), forks, nic.max_packet_flits);
}

/// Makes what the sections of the experiment bring for this run. `alone`: latency of a message that meets no
/// other, by the contention-free model.
std::vector<std::shared_ptr<run_observer>> simulation::observe(const experiment& e, workload& traffic) {
    const latency_rule rule(e.clock_seconds(), e.nic.flit_bytes);
    const auto alone = [this, rule](const message& m) {
        const path_cost path = path_between(map(), node_id(m.source), node_id(m.destination));
        return rule.cycles(path, rule.bits(m));
    };
    const run_context run{engine(),
                          m_parts->net ? &m_parts->net->engine().net() : nullptr,
                          traffic,
                          e.sections,
                          alone,
                          [](std::uint32_t r) { return fmt::format("net.r{}", r); },
                          m_parts->net && plan().terms(0).owns_nodes};
    std::vector<std::shared_ptr<run_observer>> all;
    for (const section_parts::part& p : e.sections.all())
        if (auto made = p.values->observe(run)) all.push_back(std::move(made));
    return all;
}

void simulation::report_deadlock(const experiment& e, run_result& out) {
    if (e.checks.deadlock) {
        const deadlock_report& report = check_deadlock();
        out.deadlock_check = report.text;
        out.proved_deadlock_free = report.result == deadlock_report::verdict::acyclic;
        if (!report.ok() && !e.checks.force)
            throw config::error(e.written.place_of("'routing'"),
                                report.text + "; checks.force runs it all the same");
    }
    if (!e.checks.deadlock) out.deadlock_check = "not made: checks.deadlock is false";
    if (e.checks.deadlock && !m_parts->endpoints.empty())
        out.deadlock_check += "; endpoints: " + m_parts->endpoints;
}

std::string simulation::check_endpoints(const experiment& e, workload& traffic) const {
    auto* const its = dynamic_cast<endpoint_workload*>(&traffic);
    if (its == nullptr) return "";
    const std::string cycle =
        its->endpoint_cycle(m_parts->ideal || m_parts->net->blueprint().keeps_classes_apart());
    if (cycle.empty()) return "good: messages never wait for each other at the nodes for ever";
    if (e.checks.deadlock && !e.checks.force)
        throw config::error(e.traffic.where(), cycle + "; checks.force runs it all the same");
    its->permit_cycle();
    return e.checks.deadlock ? cycle : "not checked: checks.deadlock is false";
}

/// Throws for workloads that never can be written, before they know machine and network.
void simulation::check_writable(const experiment& e, workload& traffic) {
    for (const section_parts::part& p : e.sections.all()) p.values->check_checkpoints();
    try {
        state_size nothing;
        traffic.serialize(nothing);
    } catch (const unwritable&) {
        throw config::error(e.traffic.where(),
                            fmt::format("checkpoints: the workload '{}' cannot be written",
                                        workload_registry::instance().chosen(e.traffic).name));
    } catch (const state_error& problem) {
        throw config::error(e.traffic.where(), std::string("checkpoints: ") + problem.what());
    }
}

void simulation::check_lengths(const experiment& e, const workload& traffic) const {
    if (m_parts->ideal || traffic.largest_message() == 0) return;
    const nic_params nic = plan().with_packets(e.nic);
    const std::uint32_t packet = nic.max_packet_flits, most = traffic.largest_message();
    if (most > packet && !nic.pad && dynamic_cast<const single_packet_workload*>(&traffic) != nullptr)
        throw e.written.mistake(
            fmt::format("nic.max_packet_flits is {}; this workload needs {}", packet, most));
    const std::uint32_t largest = nic.pad ? packet : std::min(packet, most);
    for (const router_plan::group& g : plan().groups())
        if (g.terms.whole_packets && largest > g.terms.depth)
            throw e.written.mistake(
                fmt::format("router.depth is {}, but packets of {} flits must fit in one "
                            "buffer with this switching",
                            g.terms.depth, largest));
}

}  // namespace sare
