// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/simulation.h"

#include "tlm/analytic/node_link_network.h"
#include "tlm/api/endpoint_waits.h"
#include "tlm/api/message_check.h"
#include "tlm/base/world.h"
#include "tlm/combining/network_collectives.h"
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/parts/remote_links.h"
#include "tlm/inside/wait_samples.h"
#include "tlm/network/classes/class_links.h"
#include "tlm/network/classes/weak_weights.h"
#include "tlm/network/credit_limit.h"
#include "tlm/network/measurement.h"
#include "tlm/network/network.h"
#include "tlm/network/results/loss_table.h"
#include "tlm/network/results/picture.h"
#include "tlm/network/results/router_counts.h"
#include "tlm/network/results/saturation_tree.h"
#include "tlm/network/results/sleep_table.h"
#include "tlm/network/results/verdict.h"
#include "tlm/network/results/waiting_pairs.h"
#include "tlm/network/rounded.h"
#include "tlm/network/routes/rerouting.h"
#include "tlm/network/several_processes.h"
#include "tlm/network/stepped/idle_network.h"
#include "tlm/retransmission/go_back_n.h"
#include "tlm/router_api/router_context.h"
#include "tlm/stats/statistic.h"
#include "tlm/systemc/reports.h"
#include "tlm/topology/properties.h"

#include <fmt/format.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <optional>

namespace sare {
namespace {

std::uint64_t peak_rss_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Reports the kinds and parameters of routers, if there are several.
void report_groups(const router_plan& plan, run_result& out) {
    if (plan.groups().size() == 1) return;
    for (std::uint32_t g = 0; g < plan.groups().size(); ++g)
        out.router_groups.push_back({plan.groups()[g].name, plan.routers_of(g)});
}

std::unique_ptr<workload> make_traffic(const experiment& e, const topology& map) {
    if (e.traffic.type() == config::value::kind::null)
        throw config::error(e.at, "section 'traffic' is missing");
    return workload_registry::instance().make(e.traffic, e.context(map));
}

/// Runs. What cannot be written or read is known before the first cycle.
void run_method(const experiment& e, measurement& method, run_result& out) {
    try {
        method.run(out);
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

struct simulation::parts {
    parts(const experiment& e, const foreign_maker& maker, world* processes)
        : map(e.make_map()),
          traffic(make_traffic(e, *map)),
          traffic_text(flow_style(e.traffic)),
          classes(e.classes.classes(traffic->classes_needed())),
          own_links(any_link_of_classes(e.links)),
          structure(e.structure()),
          at(e.at) {
        if (e.fidelity == fidelity::node_links)
            ideal = std::make_unique<node_link_network>(*map, e.nic, e.clock_seconds(), classes);
        else if (e.fidelity != fidelity::flit)
            ideal = std::make_unique<contention_free>(*map, e.nic, e.clock_seconds(), classes,
                                                      e.fidelity == fidelity::crossbar);
        else
            net = with_config_errors([&] {
                return std::make_unique<network>("net", e, map, classes, network::most_bound, maker,
                                                 processes);
            });
        if (net && !e.failures.empty()) failures = net->failures(e, classes);
        if (net && counts_events(e.sections.with_statistics(e.measurement.statistics)))
            net->engine().net().builder().count_events();
    }

    network& flit_level() const {
        if (!net) throw std::logic_error("the contention-free model has no routers");
        return *net;
    }

    const class_vcs& shares() const { return flit_level().engine().net().context().shares(); }

    std::shared_ptr<const topology> map;
    std::unique_ptr<workload> traffic;  ///< told first for its message classes, then run
    std::string traffic_text;           ///< section of `traffic`
    pid_t made_by = getpid();
    std::uint32_t classes;         ///< number of classes, which divide the VCs
    bool own_links;                ///< true: classes have links of their own
    std::unique_ptr<network> net;  ///< null with the contention-free model, which has:
    std::unique_ptr<contention_free> ideal;
    failure_schedule failures;
    std::string structure;
    config::location at;
    bool elaborated = false;
    double elaboration_s = 0;
    std::optional<deadlock_report> deadlock;           ///< made when it is first asked for
    std::unique_ptr<go_back_n> reliable;               ///< between NICs and traffic; null: none
    std::unique_ptr<network_collectives> collectives;  ///< between network and traffic; null: none
    std::unique_ptr<wait_samples> waits;               ///< null: no links, or routers in RTL
    std::unique_ptr<statistic_set> asked;              ///< chosen by measurement.statistics
    std::unique_ptr<measurement> method;
};

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
        throw config::error(m_parts->at, problem.what());
    }
    m_parts->elaboration_s += seconds_since(start);
}

run_result simulation::run(const experiment& e, const run_control& control) {
    if (e.structure() != m_parts->structure)
        throw std::logic_error("simulation::run: another network than the one elaborated");
    run_result out;
    out.seed = e.seed;
    out.clock_period_s = e.clock_seconds();
    check_before_run(e, out);
    elaborate();
    engine().set_seed(e.seed);
    workload& own_traffic = traffic_of(e);
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
        m_parts->method->count_arrivals_by([&reliable, all = m_parts->net->processes()] {
            const std::uint64_t here = reliable->counted().useful_flits;
            return all == nullptr ? here : all->sum(here);
        });
    }
    const auto observers = observe(e, own_traffic);
    engine().set_workload(traffic, traffic.runs_to_completion());
    if (m_parts->ideal && any_link_sleeps(map()))
        control.warn("links that can sleep (link_wake, wake) are always awake in the contention-free model");
    check_lengths(e, own_traffic);
    report_size(map(), out);
    if (m_parts->net) report_groups(plan(), out);
    const std::string told = warn_of_threads(e, control, "");
    if (const std::string why = m_parts->ideal ? "" : warning_of_weights(e, m_parts->shares()); !why.empty())
        control.warn(why);
    if (std::isinf(e.sections.clock_hertz().first) && traffic.runs_to_completion())
        control.warn("times of the traffic in seconds are of a clock of " + e.clock_period +
                     "; 'power' has them at the fastest clock ('power.frequency')");
    if (m_parts->net)
        if (const std::string why = warning_of_credits(map(), plan(), e.nic); !why.empty()) control.warn(why);
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    run_method(e, *m_parts->method, out);
    out.machine.wall_s = seconds_since(start);
    out.machine.processor_s = static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC;
    warn_of_threads(e, control, told);
    if (m_parts->ideal) warn_of_crowded_links(*m_parts->ideal, map(), e.clock_seconds(), control);
    result_streams seen;
    for (const auto& one : observers) {
        one->close(out.cycles);
        for (const auto& [name, write] : one->files())
            seen.emplace_back(name, [one, write = write](std::ostream& to) { write(to); });
    }
    out.files.insert(out.files.begin(), seen.begin(), seen.end());
    report_losses(out);
    report_positions(map(), out);
    report_remote_links(out);
    if (m_parts->net) report_network(e, m_parts->net->engine().net().view(), out);
    report_figures(out);
    report_full_links(traffic, out);
    report_congestion(e, out);
    if (!control.outlives_result) out.keep_figures();
    out.machine.elaboration_s = m_parts->elaboration_s;
    out.machine.cycles_per_s =
        out.machine.wall_s > 0 ? static_cast<double>(out.cycles) / out.machine.wall_s : 0;
    out.machine.peak_rss_bytes = peak_rss_bytes();
    return out;
}

/// Reports what is known of routers and links alone.
void simulation::report_network(const experiment& e, const network_view& net, run_result& out) const {
    out.threads = net.threads();
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        if (net.has_router(r)) ++out.router_variants[net.bank_of(r).variant()];
    out.router_counts = router_counts(net);
    if (e.measurement.matrix) report_waiting_pairs(net, m_parts->net->processes(), out);
    if (std::string asleep = sleep_table(net, out.cycles, m_parts->net->processes()); !asleep.empty())
        out.tables.emplace_back(sleep_file, std::move(asleep));
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

/// Adds congestion to the reason of a run whose sources had to wait.
void simulation::report_congestion(const experiment& e, run_result& out) const {
    if (!m_parts->waits || plan().deflects()) return;
    const bool asks = plan().terms(0).follows_network() && !m_parts->own_links;
    const config::value* const allocator = e.router.find("sa_allocator");
    const bool best =
        allocator != nullptr && config::flow_style(*allocator).find("wavefront") != std::string::npos;
    find_congestion(*m_parts->waits, asks ? &routing() : nullptr, best, out);
    if (std::string table = congestion_table(out); !table.empty())
        out.tables.emplace_back(congestion_file, std::move(table));
    if (out.status != run_status::saturated) return;
    if (const std::string why = describe_congestion(out); !why.empty()) out.reason += "; " + why;
}

/// Judges the links of open-loop traffic; rank 0 alone knows the figures of all.
void simulation::report_full_links(workload& traffic, run_result& out) const {
    if (!m_parts->net || traffic.runs_to_completion() || traffic.loop() != traffic_loop::open) return;
    const run_status before = out.status;
    judge_links(map(), out);
    if (world* const all = m_parts->net->processes())
        out.status = static_cast<run_status>(all->of_first(static_cast<std::uint64_t>(out.status)));
    if (out.status == before) return;
    traffic.judged({{}, {}, false});
    out.workload = traffic.results();
    for (const auto& [name, text] : traffic.tables())
        for (auto& table : out.tables)
            if (table.first == name) table.second = text;
}

/// Reports figures made of others, when these are known.
void simulation::report_figures(run_result& out) const {
    out.classes = m_parts->classes;
    if (m_parts->waits) report_waits(*m_parts->waits, out);
    const reading from{out, map(), m_parts->net ? &m_parts->net->engine().net().view() : nullptr,
                       static_cast<double>(out.measured_to - out.measured_from)};
    read_figures(from, out);
    m_parts->asked->read(from, out);
}

void simulation::report_remote_links(run_result& out) const {
    if (!m_parts->net || m_parts->net->processes() == nullptr) return;
    world& all = *m_parts->net->processes();
    const remote_links& b = *m_parts->net->engine().net().view().remote();
    std::uint64_t sums[] = {b.links_in(), b.counted().messages, b.counted().words};
    all.sum(sums, std::size(sums));
    out.border = {all.ranks(), b.window(), b.counted().windows, sums[0], sums[1], 8 * sums[2]};
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
        throw config::error(e.at,
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

/// Reports lost packets and where they were lost, and what the workload waits for.
void simulation::report_losses(run_result& out) const {
    if (m_parts->ideal) return;
    const packet_changes& changes = m_parts->net->engine().counters().changes();
    const go_back_n* const reliable = m_parts->reliable.get();
    const std::string& first = reliable != nullptr ? reliable->first_lost() : changes.first_lost;
    if (out.status == run_status::stuck && !first.empty())
        out.reason = "a message was lost, " + first + ": " + out.reason;
    if (reliable != nullptr) {
        out.messages.injected = reliable->counted().started_messages;
        out.messages.dropped = reliable->counted().lost_messages;
        out.lost_messages.assign(reliable->lost_by_cause().begin(), reliable->lost_by_cause().end());
        out.reliable = reliable->summary();
    }
    if (std::string places = loss_table(changes); !places.empty())
        out.tables.emplace_back(loss_file, std::move(places));
    for (const failure& f : m_parts->failures.events) out.failures.push_back({f.at, f.ports, f.routers});
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

void simulation::check_before_run(const experiment& e, run_result& out) {
    if (e.checks.deadlock) {
        const deadlock_report& report = check_deadlock();
        out.deadlock_check = report.text;
        out.proved_deadlock_free = report.result == deadlock_report::verdict::acyclic;
        if (!report.ok() && !e.checks.force)
            throw config::error(e.at, report.text + "; checks.force runs it all the same");
    }
    if (!e.checks.deadlock) out.deadlock_check = "not made: checks.deadlock is false";
    const std::string endpoints = check_endpoints(e, traffic_of(e));
    if (e.checks.deadlock && !endpoints.empty()) out.deadlock_check += "; endpoints: " + endpoints;
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
        throw config::error(e.at,
                            fmt::format("nic.max_packet_flits is {}; this workload needs {}", packet, most));
    const std::uint32_t largest = nic.pad ? packet : std::min(packet, most);
    for (const router_plan::group& g : plan().groups())
        if (g.terms.whole_packets && largest > g.terms.depth)
            throw config::error(e.at,
                                fmt::format("router.depth is {}, but packets of {} flits must fit in one "
                                            "buffer with this switching",
                                            g.terms.depth, largest));
}

}  // namespace sare
