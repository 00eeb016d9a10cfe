// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sare::traffic {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_listed = 10;  ///< number of flows in summary.json
constexpr double tolerance = 0.05;       ///< share of the required that may be missing
constexpr double most_under_way = 4;     ///< messages of a flow under way at the end of the window
constexpr double late_share = 0.01;      ///< share of the messages that may take longer than required

const table_form flows_form{"flows.csv", R"(
    flow: count. Its place in the file and the list, from 0; answers have that of what they answer.
    kind: text. flow, or answer to its messages.
    source: text. Node that sends: its name, or its number.
    destination: text. Node that receives.
    class: count. Message class.
    length: count in flits. Of a message.
    met: text. no: less comes than is required, or later, or its source falls behind; rows of those come
        first. cannot tell: the run was too short to know; then those. yes: all others.
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
    rate_unit: text. The unit in which its rate was given: of the next three columns.
    asked_given: number. Like asked.
    delivered_given: number. Like delivered.
    required_given: number. Like required.
    latency_unit: text. The unit in which its latency was required, or cycles: of the next four columns.
    latency_mean_given: number. Like latency_mean.
    latency_p99_given: number. Like latency_p99.
    latency_max_given: number. Like latency_max.
    latency_slack_given: number. Like latency_slack.
)"};

/// Returns Jain's index of shares; 1: all are alike.
double jain(const std::vector<double>& shares) {
    double sum = 0, squares = 0;
    for (const double x : shares) {
        sum += x;
        squares += x * x;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(shares.size()) * squares) : nothing;
}

/// Returns the words for a verdict.
const char* words_of(int verdict) {
    static constexpr const char* words[] = {"no", "cannot tell", "yes"};
    return words[verdict];
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

/// Returns whether a flow's messages get through: more may be missing than are under way, as much as chance
/// explains, or less than a run as short can tell.
flows::verdict flows::source_verdict(const outcome& o) const {
    const leg& l = m_legs[o.leg];
    const counts& c = m_counts[o.leg];
    const std::pair source{source_of(l), l.is_reply ? flow_of(l).reply_class : flow_of(l).message_class};
    const auto is_in = [&source](const judged_sources::list& some) {
        return std::find(some.begin(), some.end(), source) != some.end();
    };
    const auto made = static_cast<double>(c.made), missing = made - static_cast<double>(c.came);
    if (c.made == 0) return o.asked > 0 && !l.is_reply ? verdict::unknown : verdict::met;
    if (is_in(m_judged.growing)) return verdict::unmet;
    if (missing > tolerance * made + 2 * std::sqrt(made) + most_under_way) return verdict::unmet;
    if (is_in(m_judged.doubtful)) return verdict::unknown;
    const double latency = m_latencies[o.leg].count() == 0 ? 0 : m_latencies[o.leg].mean(),
                 under_way = std::min(most_under_way, 1 + made / static_cast<double>(m_window) * latency);
    return missing > (m_judged.settled ? tolerance * made : 0) + under_way ? verdict::unknown : verdict::met;
}

/// Returns whether the rate is met. In the long run as much gets through as is made; else it is measured,
/// with an error as of messages at random.
flows::verdict flows::rate_verdict(const outcome& o) const {
    const flow& f = flow_of(m_legs[o.leg]);
    const verdict all = source_verdict(o);
    if (f.required_rate <= 0 || m_legs[o.leg].is_reply) return all;
    if (o.asked < (1 - tolerance) * o.required) return verdict::unmet;
    if (all == verdict::met && o.asked >= o.required) return verdict::met;
    const double wanted = o.required * static_cast<double>(m_window) / f.length,
                 error = 2 * std::sqrt((1 + 2 * f.burst / f.length) * wanted),
                 missing = wanted - static_cast<double>(m_counts[o.leg].came);
    if (missing > tolerance * wanted + error + most_under_way) return verdict::unmet;
    return missing + error < tolerance * wanted ? verdict::met : verdict::unknown;
}

/// Returns whether more than one message in a hundred is late, beyond chance, or fewer.
flows::verdict flows::latency_verdict(const outcome& o) const {
    const double limit = flow_of(m_legs[o.leg]).required_latency;
    if (limit <= 0 || m_legs[o.leg].is_reply) return verdict::met;
    const latency_bins& came = m_latencies[o.leg];
    const auto all = static_cast<double>(came.count()), late = static_cast<double>(came.above(limit));
    const double expected = late_share * all, error = 2 * std::sqrt(expected);
    if (late > expected + error + 1) return verdict::unmet;
    if (source_verdict(o) != verdict::met) return source_verdict(o);
    if (!m_judged.settled || all == 0) return verdict::unknown;
    const bool far_from_it =
        late == 0 && (all * late_share >= 1 || 2 * static_cast<double>(came.most()) <= limit);
    return far_from_it || late < expected - error ? verdict::met : verdict::unknown;
}

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
    o.required = l.is_reply ? o.made : f.required_rate > 0 ? f.required_rate : o.asked;
    o.latency_slack = nothing;
    if (f.required_latency > 0 && !l.is_reply && m_latencies[number].count() != 0)
        o.latency_slack = f.required_latency - static_cast<double>(m_latencies[number].percentile(0.99));
    o.is = std::min(rate_verdict(o), latency_verdict(o));
    return o;
}

std::vector<flows::outcome> flows::outcomes() const {
    std::vector<outcome> all;
    for (std::size_t l = 0; l < m_legs.size(); ++l) all.push_back(outcome_of(l));
    std::stable_sort(all.begin(), all.end(), [](const outcome& a, const outcome& b) {
        if (a.is != b.is) return a.is < b.is;
        return share_of(a.delivered, a.required) < share_of(b.delivered, b.required);
    });
    return all;
}

config::value flows::text_of(const outcome& o) const {
    const leg& l = m_legs[o.leg];
    const latency_bins& latency = m_latencies[o.leg];
    const bool any = latency.count() != 0;
    const flow& f = flow_of(l);
    config::value out = config::value::map(
        {{"flow", config::value::scalar(name_of(l))},
         {"class", config::number(l.is_reply ? f.reply_class : f.message_class)},
         {"met", config::value::scalar(words_of(static_cast<int>(o.is)))},
         {"asked", config::number(o.asked)},
         {"delivered", config::number(o.delivered)},
         {"required", config::number(o.required)},
         {"latency",
          config::value::map(
              {{"mean", config::number(any ? latency.mean() : nothing)},
               {"p99", config::number(any ? static_cast<double>(latency.percentile(0.99)) : nothing)},
               {"max", config::number(any ? static_cast<double>(latency.most()) : nothing)}})},
         {"latency_slack", config::number(o.latency_slack)}});
    if (f.rate_unit != flow().rate_unit || f.latency_unit != flow().latency_unit)
        out.set("given", in_unit(o));
    return out;
}

/// Returns the figures in the units of the flow.
config::value flows::in_unit(const outcome& o) const {
    const flow& f = flow_of(m_legs[o.leg]);
    const latency_bins& latency = m_latencies[o.leg];
    const auto rate = [&f](double flits) { return config::number(flits / f.flits_per_cycle_of_unit); };
    const auto time = [&](double cycles) {
        return config::number(latency.count() != 0 ? cycles / f.cycles_of_unit : nothing);
    };
    return config::value::map({{"rate_unit", config::value::scalar(f.rate_unit)},
                               {"asked", rate(o.asked)},
                               {"delivered", rate(o.delivered)},
                               {"required", rate(o.required)},
                               {"latency_unit", config::value::scalar(f.latency_unit)},
                               {"latency_mean", time(latency.mean())},
                               {"latency_p99", time(static_cast<double>(latency.percentile(0.99)))}});
}

/// Returns the fairness of the shares that flows got of what they made.
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
    const auto count = [&all](verdict v) {
        return static_cast<std::size_t>(
            std::count_if(all.begin(), all.end(), [v](const outcome& o) { return o.is == v; }));
    };
    std::vector<config::value> listed;
    for (std::size_t k = 0; k < std::min(all.size(), most_listed); ++k) listed.push_back(text_of(all[k]));
    return config::value::map({{"flows", config::number(all.size())},
                               {"unmet_flows", config::number(count(verdict::unmet))},
                               {"undecided_flows", config::number(count(verdict::unknown))},
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
        const double mean = any ? latency.mean() : nothing,
                     p99 = any ? static_cast<double>(latency.percentile(0.99)) : nothing,
                     most = any ? static_cast<double>(latency.most()) : nothing;
        t.row(l.flow, l.is_reply ? "answer" : "flow", name_of(source_of(l)), name_of(destination_of(l)),
              l.is_reply ? f.reply_class : f.message_class, flits_of(l), words_of(static_cast<int>(o.is)),
              o.asked, o.made, o.delivered,
              m_bytes_per_second > 0 ? o.delivered * m_bytes_per_second : nothing, o.required,
              o.delivered - o.required, mean, p99, most,
              f.required_latency > 0 && !l.is_reply ? f.required_latency : nothing, o.latency_slack, c.sent,
              c.received, c.lost, f.rate_unit, o.asked / f.flits_per_cycle_of_unit,
              o.delivered / f.flits_per_cycle_of_unit, o.required / f.flits_per_cycle_of_unit, f.latency_unit,
              mean / f.cycles_of_unit, p99 / f.cycles_of_unit, most / f.cycles_of_unit,
              o.latency_slack / f.cycles_of_unit);
    }
    return {{flows_form.file(), t.text()}};
}

}  // namespace sare::traffic
