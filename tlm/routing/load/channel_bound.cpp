// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/load/channel_bound.h"

#include "tlm/routing/load/route_graph.h"

#include <algorithm>
#include <cmath>

namespace sare {
namespace {

constexpr double alike = 1e-9;  ///< loads of channels that differ by no more, relatively, are the same

/// Splits the flows of all destinations so that the busiest channel is as idle as can be.
class balancer {
  public:
    balancer(const channel_list& channels, std::vector<route_graph> graphs, std::vector<double> fixed)
        : m_channels(channels), m_graphs(std::move(graphs)), m_fixed(std::move(fixed)), m_loads(m_fixed) {
        for (const auto& g : m_graphs) g.add_even(m_loads);
    }

    /// Until the utilisation of the busiest channel is within `accuracy` of the least that can be.
    void run(double accuracy, std::uint64_t most_work) {
        std::uint64_t each = m_channels.size();
        for (const auto& g : m_graphs) each += g.edges() + g.states();
        const std::uint64_t steps = std::clamp<std::uint64_t>(most_work / each, 1, 3000);
        double sharpness = 8;
        for (std::uint64_t n = 0; n < steps; ++n) {
            const double gap = step(sharpness / busiest());
            if (busiest() <= m_least * (1 + accuracy)) return;
            // The penalty is as sharp as the gap is small: an entropy of log(channels) is what it costs.
            sharpness = std::max(sharpness, 2 * std::log(m_channels.size()) / std::max(gap, accuracy / 4));
        }
    }

    double busiest() const { return most(m_loads); }
    /// No split can have less.
    double least() const { return m_least; }
    const std::vector<double>& loads() const { return m_loads; }

  private:
    double most(const std::vector<double>& loads) const {
        double u = 0;
        for (std::uint32_t c = 0; c < loads.size(); ++c) u = std::max(u, loads[c] / m_channels.capacity(c));
        return u;
    }
    double penalty(const std::vector<double>& to, double part, double beta, double top) const {
        double sum = 0;
        for (std::uint32_t c = 0; c < to.size(); ++c) {
            const double load = m_loads[c] + part * (to[c] - m_loads[c]);
            sum += std::exp(beta * (load / m_channels.capacity(c) - top));
        }
        return sum;
    }

    /// Moves flow to the ways that are shortest by the penalty's slopes; answers the relative gap to the
    /// bound.
    double step(double beta) {
        const double top = busiest();
        std::vector<double> lengths(m_channels.size()), to = m_fixed;
        double volume = 0, sum = 0;
        for (std::uint32_t c = 0; c < lengths.size(); ++c) {
            const double w = std::exp(beta * (m_loads[c] / m_channels.capacity(c) - top));
            lengths[c] = w / m_channels.capacity(c);
            volume += w;
            sum += m_fixed[c] * lengths[c];
        }
        for (const auto& g : m_graphs) sum += g.add_shortest(lengths, to);
        m_least = std::max(m_least, sum / volume);
        double low = 0, high = 1;
        for (int i = 0; i < 30; ++i) {  // the penalty is convex along the line
            const double a = low + (high - low) / 3, b = high - (high - low) / 3;
            if (penalty(to, a, beta, top) < penalty(to, b, beta, top))
                high = b;
            else
                low = a;
        }
        const double part = (low + high) / 2;
        for (std::uint32_t c = 0; c < to.size(); ++c) m_loads[c] += part * (to[c] - m_loads[c]);
        return busiest() / m_least - 1;
    }

    const channel_list& m_channels;
    std::vector<route_graph> m_graphs;
    std::vector<double> m_fixed, m_loads;
    double m_least = 0;
};

/// What is for each destination: (source, rate).
using demand_lists = std::vector<std::vector<std::pair<std::uint32_t, double>>>;

demand_lists by_destination(const channel_question& q, const channel_list& channels,
                            std::vector<double>& loads) {
    demand_lists lists(q.network->nodes());
    std::vector<node_demand> some;
    for (std::uint32_t s = 0; s < q.network->nodes(); ++s) {
        some.clear();
        q.demands(s, some);
        for (const node_demand& d : some) {
            if (d.rate <= 0) continue;
            lists[d.destination].emplace_back(s, d.rate);
            loads[channels.injection(s)] += d.rate;
        }
    }
    return lists;
}

void read_off(const channel_list& channels, const std::vector<double>& loads, channel_bound& out) {
    double most = 0;
    for (std::uint32_t c = 0; c < loads.size(); ++c) most = std::max(most, loads[c] / channels.capacity(c));
    for (std::uint32_t c = loads.size(); c-- > 0;)
        if (loads[c] / channels.capacity(c) >= most * (1 - (out.choice ? 1e-4 : alike))) {
            out.first = channels.describe(c);
            ++out.busiest;
        }
    out.attained = 1 / most;
}

void find_bound(const channel_question& q, channel_bound& out) {
    const channel_list channels(q);
    std::vector<double> fixed(channels.size(), 0);
    const demand_lists lists = by_destination(q, channels, fixed);
    std::vector<route_graph> open;
    std::uint64_t left = q.most_states;
    for (std::uint32_t d = 0; d < lists.size(); ++d) {
        if (lists[d].empty()) continue;
        route_graph graph(q, channels, d, lists[d], left);
        if (!graph.has_choice()) {
            graph.add_even(fixed);
            continue;
        }
        left -= graph.states();
        open.push_back(std::move(graph));
    }
    if (*std::max_element(fixed.begin(), fixed.end()) <= 0) throw no_bound{"no node sends anything"};
    out.choice = !open.empty();
    if (!out.choice) {
        read_off(channels, fixed, out);
        out.load = out.attained;
        return;
    }
    balancer split(channels, std::move(open), std::move(fixed));
    split.run(q.accuracy, q.most_work);
    read_off(channels, split.loads(), out);
    out.load = 1 / split.least();
}

}  // namespace

channel_bound find_channel_bound(const channel_question& question) {
    channel_bound out;
    try {
        find_bound(question, out);
    } catch (const no_bound& problem) {
        out = {};
        out.why = problem.why;
    }
    return out;
}

}  // namespace sare
