// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/bridge.h"
#include "traffic/bridge/frames/capture.h"

/// The results of a run over the bridge.
namespace sare::traffic {
namespace {

using config::number;
using config::value;

double us(picoseconds t) {
    return static_cast<double>(t) / 1e6;
}

}  // namespace

config::value bridge::results() const {
    value out = value::map({});
    if (m_port == nullptr) return out;
    picoseconds simulated = 0;
    for (const attached& a : m_peers) simulated = std::max(simulated, a.who->done());
    out.set("simulated_us", number(us(simulated)));
    out.set("slices", number(simulated / m_terms.quantum));
    out.set("quantum_us", number(us(m_terms.quantum)));
    out.set("access_latency_us", number(us(m_terms.access_latency)));
    out.set("computers_and_network", value::scalar(m_slices.run_at_once() ? "at once" : "by turns"));
    out.set("worst_false_delay_us", number(us(worst_false_delay())));
    if (!m_phase.end.empty()) out.set("end", value::scalar(m_phase.end));
    if (m_command) {
        const std::string end = m_command_end.value_or("still running");
        out.set("start", value::scalar(end.empty() ? "status 0" : end));
    }
    std::vector<value> all;
    for (const attached& a : m_peers) {
        std::vector<value> nodes;
        for (const computer& c : a.who->computers()) nodes.push_back(number(c.node));
        value one =
            value::map({{"name", value::scalar(a.who->name())}, {"nodes", value::list(std::move(nodes))}});
        one.set("access_latency_us", number(us(a.who->access_latency())));
        one.set("simulated_us", number(us(a.who->done())));
        one.set("end", value::scalar(a.end));
        all.push_back(std::move(one));
    }
    out.set("peers", value::list(std::move(all)));
    const value counted = m_counts->results();
    for (const auto& [key, v] : counted.entries()) out.set(key, v);
    return out;
}

picoseconds bridge::worst_false_delay() const {
    picoseconds worst = 0;
    for (const attached& a : m_peers)
        worst = std::max(worst, m_slices.worst_false_delay(a.who->access_latency()));
    return worst;
}

std::string bridge::failure() const {
    if (!m_command_end || m_command_end->empty()) return "";
    return "bridge: '" + m_command->text() + "': " + *m_command_end + "; see start.log of the results";
}

config::value bridge::host_results() const {
    value out = value::map(
        {{"joining_s", number(m_host_seconds.joining)}, {"waiting_s", number(m_host_seconds.waiting)}});
    std::vector<value> all;
    for (const attached& a : m_peers)
        all.push_back(value::map({{"name", value::scalar(a.who->name())}, {"waited_s", number(a.waited_s)}}));
    out.set("peers", value::list(std::move(all)));
    return out;
}

std::vector<std::pair<std::string, std::string>> bridge::tables() const {
    if (m_counts == nullptr) return {};
    return {{"frames.csv", m_counts->pairs_csv()}, {"frames_timeline.csv", m_counts->timeline_csv()}};
}

}  // namespace sare::traffic
