// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/parts/remote_links.h"
#include "tlm/network/modules/simulation_parts.h"
#include "tlm/network/results/loss_table.h"
#include "tlm/network/results/picture.h"
#include "tlm/network/results/router_counts.h"
#include "tlm/network/results/saturation_tree.h"
#include "tlm/network/results/sleep_table.h"
#include "tlm/network/results/verdict.h"
#include "tlm/network/results/waiting_pairs.h"
#include "tlm/topology/properties.h"

#include <iterator>

namespace sare {
namespace {

/// Reports the kinds and parameters of routers, if there are several.
void report_groups(const router_plan& plan, run_result& out) {
    if (plan.groups().size() == 1) return;
    for (std::uint32_t g = 0; g < plan.groups().size(); ++g)
        out.router_groups.push_back({plan.groups()[g].name, plan.routers_of(g)});
}

}  // namespace

void simulation::report(const experiment& e, run_result& out) {
    result_streams seen;
    for (const auto& one : m_parts->observers) {
        one->close(out.cycles);
        for (const auto& [name, write] : one->files())
            seen.emplace_back(name, [one, write = write](std::ostream& to) { write(to); });
    }
    out.files.insert(out.files.begin(), seen.begin(), seen.end());
    report_size(map(), out);
    if (m_parts->net) report_groups(plan(), out);
    report_losses(out);
    report_positions(map(), out);
    report_remote_links(out);
    if (m_parts->net) report_network(e, m_parts->net->engine().net().view(), out);
    report_figures(out);
    report_full_links(running_traffic(), out);
    report_congestion(e, out);
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

}  // namespace sare
