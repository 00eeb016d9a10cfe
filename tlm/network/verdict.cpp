// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sare {
namespace {

constexpr std::uint64_t fewest_packets = 10;
constexpr std::size_t fewest_batches = 6;  ///< of a trend
constexpr std::size_t most_named = 4;      ///< sources

std::string rates_of(const source_backlogs::growth& g) {
    return rounded(g.offered) + " flits/cycle offered, " + rounded(g.sent) + " sent";
}

/// "node 3 (0.7 flits/cycle offered, 0.5 sent), node 5 (...) and 12 others".
std::string names_of(const std::vector<source_backlogs::growth>& some, const place_names& names) {
    std::string text;
    const std::size_t named = some.size() == most_named + 1 ? some.size() : std::min(some.size(), most_named);
    for (std::size_t k = 0; k < named; ++k)
        text += (k == 0 ? "" : ", ") +
                (names.text(place_kind::node, some[k].node) + " (" + rates_of(some[k]) + ")");
    if (named < some.size()) text += " and " + std::to_string(some.size() - named) + " others";
    return text;
}

std::string why_saturated(const evidence& e, const run_result& out) {
    const auto& growing = e.backlogs.growing;
    std::string text = "the sources together are offered more than the network takes";
    if (!growing.empty())
        text = std::to_string(growing.size()) + " of " + std::to_string(e.backlogs.sources) +
               (e.backlogs.sources == 1 ? " source cannot send what it is offered: "
                                        : " sources cannot send what they are offered: ") +
               names_of(growing, out.names);
    text += "; in all " + rounded(out.offered) + " flits/node/cycle are offered and " +
            rounded(out.accepted) + " accepted, so backlogs and latencies grow with the length of the run";
    return e.convergence.empty() ? text : text + "; " + e.convergence;
}

/// A line through the mean latencies of the batches.
struct fitted_line {
    double first = 0, last = 0;   ///< its ends
    bool rises_or_falls = false;  ///< beyond one chance in a thousand
};

/// Student's t that 1 of 1,000 samples exceeds, either way, for 4 degrees of freedom or more: the normal
/// variable's, expanded (Abramowitz and Stegun, 26.7.5).
double students_t(double freedom) {
    constexpr double z = 3.2905;
    const double cube = z * z * z, fifth = cube * z * z;
    return z + (cube + z) / (4 * freedom) + (5 * fifth + 16 * cube + 3 * z) / (96 * freedom * freedom);
}

fitted_line fit(const std::vector<batch_result>& batches) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t k = 0; k < batches.size(); ++k) {
        if (std::isnan(batches[k].latency_mean)) continue;
        const auto at = static_cast<double>(k);
        n += 1;
        x += at;
        y += batches[k].latency_mean;
        xx += at * at;
        xy += at * batches[k].latency_mean;
    }
    if (n < fewest_batches) return {};
    const double spread = xx - x * x / n, slope = (xy - x * y / n) / spread, level = (y - slope * x) / n;
    double rest = 0;
    for (std::size_t k = 0; k < batches.size(); ++k) {
        const double off = batches[k].latency_mean - level - slope * static_cast<double>(k);
        if (!std::isnan(off)) rest += off * off;
    }
    const double error = std::sqrt(rest / (n - 2) / spread);
    return {level, level + slope * static_cast<double>(batches.size() - 1),
            std::fabs(slope) > students_t(n - 2) * error};
}

bool moves(const fitted_line& line, const evidence& e, const run_result& out) {
    const double mean = out.packet_latency.from_generation.mean;
    return line.rises_or_falls && std::fabs(line.last - line.first) > e.tolerance * mean;
}

/// Of what is offered a part has neither come nor been lost, nor does it wait in sources: the network fills.
bool still_fills(const run_result& out) {
    if (out.flits.dropped != 0 || out.messages.dropped != 0) return false;
    const double chance = 3 / std::sqrt(static_cast<double>(out.packet_latency.from_generation.count));
    return out.accepted < out.offered * (1 - std::max(0.05, chance));
}

std::string why_unsettled(const evidence& e, const run_result& out, const fitted_line& line) {
    const std::uint64_t packets = out.packet_latency.from_generation.count;
    if (packets < fewest_packets)
        return std::to_string(packets) + (packets == 1 ? " packet" : " packets") +
               " arrived in the measured window, too few for a mean; measure longer";
    if (!e.backlogs.doubtful.empty())
        return "too short to tell whether these sources can send what they are offered: " +
               names_of(e.backlogs.doubtful, out.names) + "; measure longer";
    if (still_fills(out))
        return "the network was still filling: of " + rounded(out.offered) + " flits/node/cycle offered " +
               rounded(out.accepted) + " came out of it; warm up or measure longer";
    if (moves(line, e, out))
        return "the mean latency has not settled: over the measured window it went from " +
               rounded(line.first) + " to " + rounded(line.last) + " cycles; warm up or measure longer";
    return "";
}

}  // namespace

void judge(const evidence& e, run_result& out) {
    out.reason.clear();
    if (out.offered <= 0 && out.packet_latency.from_generation.count == 0) return;
    const fitted_line line = fit(out.batches);
    if (!e.backlogs.growing.empty() || e.backlogs.all_together) {
        out.status = run_status::saturated;
        out.reason = why_saturated(e, out);
        for (const auto& g : e.backlogs.growing) out.growing.push_back({g.node, g.offered, g.sent, {}});
    } else if (out.reason = why_unsettled(e, out, line); !out.reason.empty()) {
        out.status = run_status::unsettled;
    }
    if (out.status == run_status::saturated || line.rises_or_falls)
        out.packet_latency.from_generation.ci95 = std::nan("");
}

}  // namespace sare
