// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/verdict.h"
#include "tlm/network/rounded.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sare {
namespace {

constexpr std::uint64_t fewest_packets = 10;
constexpr std::size_t fewest_batches = 6;  ///< batches of a trend
constexpr std::size_t most_named = 4;      ///< most sources named

std::string rates_of(const source_backlogs::growth& g) {
    std::string text = rounded(g.offered) + " flits/cycle offered, " + rounded(g.sent) + " sent";
    for (const auto& c : g.classes)
        text += fmt::format("; of class {} {} and {}", c.message_class, rounded(c.offered), rounded(c.sent));
    return text;
}

growing_source to_result(const source_backlogs::growth& g) {
    growing_source out{g.node, {g.offered, g.sent, g.error}, {}};
    for (const auto& c : g.classes) out.classes.push_back({{c.offered, c.sent, c.error}, c.message_class});
    return out;
}

/// "node 3 (0.7 flits/cycle offered, 0.5 sent), node 5 (...) and 12 others".
std::string names_of(const std::vector<source_backlogs::growth>& some, const place_names& names) {
    std::string text;
    const std::size_t named = some.size() == most_named + 1 ? some.size() : std::min(some.size(), most_named);
    for (std::size_t k = 0; k < named; ++k)
        text += (k == 0 ? "" : ", ") +
                (names.text(place_kind::node, some[k].node) + " (" + rates_of(some[k]) + ")");
    if (named < some.size()) text += fmt::format(" and {} others", some.size() - named);
    return text;
}

std::string why_saturated(const evidence& e, const run_result& out) {
    const auto& growing = e.backlogs.growing;
    std::string text = "the sources together are offered more than the network takes";
    if (!growing.empty())
        text = fmt::format("{} of {}{}{}", growing.size(), e.backlogs.sources,
                           e.backlogs.sources == 1 ? " source cannot send what it is offered: "
                                                   : " sources cannot send what they are offered: ",
                           names_of(growing, out.names));
    text += "; in all " + rounded(out.offered) + " flits/node/cycle are offered and " +
            rounded(out.accepted) + " accepted, so backlogs and latencies grow with the length of the run";
    return e.convergence.empty() ? text : text + "; " + e.convergence;
}

/// Line fitted to a figure of the batches.
struct fitted_line {
    double first = 0, last = 0;   ///< values at both ends
    bool rises_or_falls = false;  ///< true: it does, with a chance of error below 1/1000
};

/// Returns Student's t that 1 of 1,000 samples exceeds in either direction, for 4 degrees of freedom or more:
/// expanded from the normal variable's (Abramowitz and Stegun, 26.7.5).
double students_t(double freedom) {
    constexpr double z = 3.2905;
    const double cube = z * z * z, fifth = cube * z * z;
    return z + (cube + z) / (4 * freedom) + (5 * fifth + 16 * cube + 3 * z) / (96 * freedom * freedom);
}

fitted_line fit(const std::vector<batch_result>& batches, double batch_result::*what) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t k = 0; k < batches.size(); ++k) {
        if (std::isnan(batches[k].*what)) continue;
        const auto at = static_cast<double>(k);
        n += 1;
        x += at;
        y += batches[k].*what;
        xx += at * at;
        xy += at * batches[k].*what;
    }
    if (n < fewest_batches) return {};
    const double spread = xx - x * x / n, slope = (xy - x * y / n) / spread, level = (y - slope * x) / n;
    double rest = 0;
    for (std::size_t k = 0; k < batches.size(); ++k) {
        const double off = batches[k].*what - level - slope * static_cast<double>(k);
        if (!std::isnan(off)) rest += off * off;
    }
    const double error = std::sqrt(rest / (n - 2) / spread);
    return {level, level + slope * static_cast<double>(batches.size() - 1),
            std::fabs(slope) > students_t(n - 2) * error};
}

bool moves(const fitted_line& line, const evidence& e, double mean) {
    return line.rises_or_falls && std::fabs(line.last - line.first) > e.tolerance * mean;
}

/// True if a part of what sources have sent neither arrived nor was lost, nor waits there: the network fills.
bool still_fills(const run_result& out) {
    if (out.flits.dropped != 0 || out.messages.dropped != 0) return false;
    const double chance = 3 / std::sqrt(static_cast<double>(out.packet_latency.from_generation.count));
    return out.accepted < (out.offered - out.refused) * (1 - std::max(0.05, chance));
}

std::string why_unsettled(const evidence& e, const run_result& out, const fitted_line& line) {
    const std::uint64_t packets = out.packet_latency.from_generation.count;
    if (packets < fewest_packets)
        return fmt::format("{}{} arrived in the measured window, too few for a mean; measure longer", packets,
                           packets == 1 ? " packet" : " packets");
    if (e.loop != traffic_loop::closed && !e.backlogs.doubtful.empty())
        return "too short to tell whether these sources can send what they are offered: " +
               names_of(e.backlogs.doubtful, out.names) + "; measure longer";
    if (still_fills(out))
        return "the network was still filling: of " + rounded(out.offered) + " flits/node/cycle offered " +
               rounded(out.accepted) + " came out of it; warm up or measure longer";
    if (moves(line, e, out.packet_latency.from_generation.mean))
        return "the mean latency has not settled: over the measured window it went from " +
               rounded(line.first) + " to " + rounded(line.last) + " cycles; warm up or measure longer";
    const fitted_line accepted = fit(out.batches, &batch_result::accepted);
    if (e.loop == traffic_loop::closed && moves(accepted, e, out.accepted))
        return "the accepted load has not settled: over the measured window it went from " +
               rounded(accepted.first) + " to " + rounded(accepted.last) +
               " flits/node/cycle; warm up or measure longer";
    return "";
}

/// True if a link may be offered more than it carries. A queue at a link that can carry s flits a cycle more
/// than come, with variance v, forgets its length in about v / s^2 cycles; if that is longer than the window,
/// nobody can tell.
bool is_as_good_as_full(const run_result& out, std::size_t row, double message_flits) {
    const double use = out.column_of(scope::link, "utilisation").number(row),
                 load = out.column_of(scope::link, "load").number(row);
    if (!(use > 0)) return false;
    const double left = load / use * (1 - use);
    return left * left * static_cast<double>(out.measured_to - out.measured_from) < load * message_flits;
}

void call_unsettled(const link_result& l, std::size_t row, run_result& out) {
    out.status = run_status::unsettled;
    out.reason = "too short to tell whether " + out.name_of(l) +
                 " can carry what is offered to it: it was used for " +
                 rounded(100 * out.column_of(scope::link, "utilisation").number(row)) +
                 "% of the window; measure longer";
}

}  // namespace

/// Judges links. A link that is fed from a source by equally full links takes what the source sends, so that
/// the source's backlog judges it.
void judge_links(const topology& map, run_result& out) {
    if (out.status != run_status::completed || out.messages.generated == 0 || out.link_loads.empty()) return;
    const double message_flits =
        static_cast<double>(out.flits.generated) / static_cast<double>(out.messages.generated);
    std::vector<std::size_t> full;
    std::vector<bool> is_fed(map.routers());
    for (std::size_t row = 0; row < out.link_loads.size(); ++row) {
        if (!is_as_good_as_full(out, row, message_flits)) continue;
        const link_result& l = out.link_loads[row];
        if (l.kind == "injection")
            is_fed[l.to] = true;
        else
            full.push_back(row);
    }
    for (bool more = true; more;) {
        more = false;
        for (const std::size_t row : full) {
            const link_result& l = out.link_loads[row];
            if (l.kind != "router" || !is_fed[l.from] || is_fed[l.to]) continue;
            is_fed[l.to] = more = true;
        }
    }
    for (const std::size_t row : full)
        if (const link_result& l = out.link_loads[row]; !is_fed[l.from]) return call_unsettled(l, row, out);
}

judged_sources seen_by_workload(const source_backlogs::trend& backlogs, std::uint32_t classes,
                                run_status status) {
    judged_sources all;
    all.settled = status != run_status::unsettled;
    for (const auto& [some, to] :
         {std::pair(&backlogs.growing, &all.growing), std::pair(&backlogs.doubtful, &all.doubtful)})
        for (const source_backlogs::growth& g : *some) {
            for (const auto& c : g.classes) to->emplace_back(g.node, c.message_class);
            for (std::uint32_t c = 0; g.classes.empty() && c < classes; ++c) to->emplace_back(g.node, c);
        }
    return all;
}

void judge(const evidence& e, run_result& out) {
    out.reason.clear();
    if (out.offered <= 0 && out.packet_latency.from_generation.count == 0) return;
    const fitted_line line = fit(out.batches, &batch_result::latency_mean);
    const bool grows = !e.backlogs.growing.empty() || e.backlogs.all_together;
    if (grows && e.loop != traffic_loop::closed) {  // what a closed loop has waiting is bounded
        out.status = run_status::saturated;
        out.reason = why_saturated(e, out);
        for (const auto& g : e.backlogs.growing) out.growing.push_back(to_result(g));
    } else if (e.queues_at_nodes && line.rises_or_falls && line.last > line.first && still_fills(out)) {
        out.status = run_status::saturated;
        out.reason = "links to nodes are offered more than they carry: of " + rounded(out.offered) +
                     " flits/node/cycle offered " + rounded(out.accepted) +
                     " come out, so latencies grow with the length of the run";
    } else if (out.reason = why_unsettled(e, out, line); !out.reason.empty()) {
        out.status = run_status::unsettled;
    }
    if (out.status == run_status::saturated || line.rises_or_falls)
        out.packet_latency.from_generation.ci95 = std::nan("");
}

}  // namespace sare
