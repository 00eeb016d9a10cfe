// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sare::traffic {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_listed = 10;  ///< flows in summary.json

const table_form flows_form{"flows.csv", R"(
    flow: count. Its place in the file and the list, from 0; answers have that of what they answer.
    kind: text. flow, or answer to its messages.
    source: text. Node that sends: its name, or its number.
    destination: text. Node that receives.
    class: count. Message class.
    length: count in flits. Of a message.
    met: text. no: less came than was required, or later; rows of those come first.
    asked: number in flits/cycle. Its rate, times 'load'.
    made: number in flits/cycle. What it sent, what waits in its node too, in the measured window.
    delivered: number in flits/cycle. What came, in the measured window.
    delivered_bytes: number in byte/s. The same, by clock and nic.flit_bytes.
    required: number in flits/cycle. What must come: its required rate, or what it was asked for; of
        answers, what was made.
    slack: number in flits/cycle. What came beyond that.
    latency_mean: number in cycles. Of its messages that came, from generation.
    latency_p99: number in cycles. 99% took so long at most, to 1.6%.
    latency_max: number in cycles. The largest.
    latency_required: number in cycles. What 99% may take.
    latency_slack: number in cycles. What is left of that.
    sent: count in messages. Handed to the network, since the start.
    received: count in messages. That came, since the start.
    lost: count in messages. Lost, since the start.
)"};

/// Jain's index of shares; 1: all are alike.
double jain(const std::vector<double>& shares) {
    double sum = 0, squares = 0;
    for (const double x : shares) {
        sum += x;
        squares += x * x;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(shares.size()) * squares) : nothing;
}

double share_of(double part, double all) {
    return all > 0 ? part / all : 1;
}

}  // namespace

std::string flows::name_of(std::uint32_t place) const {
    const std::string& name = m_names.name(place_kind::node, place);
    return name.empty() ? std::to_string(place) : name;
}

std::string flows::name_of(const leg& l) const {
    return name_of(source_of(l)) + " to " + name_of(destination_of(l)) + (l.is_reply ? " (answer)" : "");
}

/// Less has come than must if more is missing than chance explains: a twentieth, and what random messages
/// and bursts, or those under way, make of it.
flows::outcome flows::outcome_of(std::size_t number) const {
    const leg& l = m_legs[number];
    const counts& c = m_counts[number];
    const flow& f = flow_of(l);
    const double window = m_window == 0 ? nothing : static_cast<double>(m_window), flits = flits_of(l);
    outcome o;
    o.leg = number;
    o.asked = f.rate * m_load / f.length * flits;
    o.made = static_cast<double>(c.made) * flits / window;
    o.delivered = static_cast<double>(c.came) * flits / window;
    const bool explicitly = f.required_rate > 0 && !l.is_reply;
    o.required = explicitly ? f.required_rate : l.is_reply ? o.made : o.asked;
    const double wanted = explicitly ? o.required * window / flits : static_cast<double>(c.made);
    const double spread = explicitly ? 1 + 2 * f.burst / flits : 1;
    o.met = !(wanted - static_cast<double>(c.came) > 0.05 * wanted + 2 * std::sqrt(spread * wanted) + 4);
    o.latency_slack = nothing;
    if (f.required_latency > 0 && !l.is_reply && m_latencies[number].count() != 0) {
        o.latency_slack = f.required_latency - static_cast<double>(m_latencies[number].percentile(0.99));
        o.met = o.met && o.latency_slack >= 0;
    }
    return o;
}

std::vector<flows::outcome> flows::outcomes() const {
    std::vector<outcome> all;
    for (std::size_t l = 0; l < m_legs.size(); ++l) all.push_back(outcome_of(l));
    std::stable_sort(all.begin(), all.end(), [](const outcome& a, const outcome& b) {
        if (a.met != b.met) return b.met;
        return share_of(a.delivered, a.required) < share_of(b.delivered, b.required);
    });
    return all;
}

config::value flows::text_of(const outcome& o) const {
    const leg& l = m_legs[o.leg];
    const latency_bins& latency = m_latencies[o.leg];
    const bool any = latency.count() != 0;
    const flow& f = flow_of(l);
    return config::value::map(
        {{"flow", config::value::scalar(name_of(l))},
         {"class", config::number(l.is_reply ? f.reply_class : f.message_class)},
         {"met", config::value::scalar(o.met ? "true" : "false")},
         {"asked", config::number(o.asked)},
         {"delivered", config::number(o.delivered)},
         {"required", config::number(o.required)},
         {"latency",
          config::value::map(
              {{"mean", config::number(any ? latency.mean() : nothing)},
               {"p99", config::number(any ? static_cast<double>(latency.percentile(0.99)) : nothing)},
               {"max", config::number(any ? static_cast<double>(latency.most()) : nothing)}})},
         {"latency_slack", config::number(o.latency_slack)}});
}

/// Of what each got of what it made.
config::value flows::fairness(const std::vector<outcome>& all) const {
    std::vector<double> by_flow, by_source;
    std::map<std::uint32_t, std::pair<double, double>> sources;  // made and delivered
    const outcome* worst = nullptr;
    for (const outcome& o : all) {
        if (o.made <= 0 || m_window == 0) continue;
        by_flow.push_back(o.delivered / o.made);
        if (worst == nullptr || by_flow.back() < worst->delivered / worst->made) worst = &o;
        auto& [made, delivered] = sources[source_of(m_legs[o.leg])];
        made += o.made;
        delivered += o.delivered;
    }
    if (worst == nullptr) return config::value::map({});
    std::uint32_t last = sources.begin()->first;
    for (const auto& [source, its] : sources) {
        by_source.push_back(its.second / its.first);
        if (its.second / its.first < sources[last].second / sources[last].first) last = source;
    }
    return config::value::map(
        {{"jain_of_flows", config::number(jain(by_flow))},
         {"worst_flow", config::value::scalar(name_of(m_legs[worst->leg]))},
         {"worst_flow_share", config::number(worst->delivered / worst->made)},
         {"jain_of_sources", config::number(jain(by_source))},
         {"worst_source", config::value::scalar(name_of(last))},
         {"worst_source_share", config::number(sources[last].second / sources[last].first)}});
}

config::value flows::results() const {
    const std::vector<outcome> all = outcomes();
    const auto unmet = static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const outcome& o) { return !o.met; }));
    std::vector<config::value> listed;
    for (std::size_t k = 0; k < std::min(all.size(), most_listed); ++k) listed.push_back(text_of(all[k]));
    return config::value::map({{"flows", config::number(all.size())},
                               {"unmet_flows", config::number(unmet)},
                               {"fairness", fairness(all)},
                               {"flows_listed", config::value::list(std::move(listed))}});
}

std::vector<std::pair<std::string, std::string>> flows::tables() const {
    table t(flows_form);
    for (const outcome& o : outcomes()) {
        const leg& l = m_legs[o.leg];
        const flow& f = flow_of(l);
        const counts& c = m_counts[o.leg];
        const latency_bins& latency = m_latencies[o.leg];
        const bool any = latency.count() != 0;
        t.row(l.flow, l.is_reply ? "answer" : "flow", name_of(source_of(l)), name_of(destination_of(l)),
              l.is_reply ? f.reply_class : f.message_class, flits_of(l), o.met ? "yes" : "no", o.asked,
              o.made, o.delivered, m_bytes_per_second > 0 ? o.delivered * m_bytes_per_second : nothing,
              o.required, o.delivered - o.required, any ? latency.mean() : nothing,
              any ? static_cast<double>(latency.percentile(0.99)) : nothing,
              any ? static_cast<double>(latency.most()) : nothing,
              f.required_latency > 0 && !l.is_reply ? f.required_latency : nothing, o.latency_slack, c.sent,
              c.received, c.lost);
    }
    return {{flows_form.file(), t.text()}};
}

}  // namespace sare::traffic
