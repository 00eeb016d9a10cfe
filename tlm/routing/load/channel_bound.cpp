// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/load/channel_bound.h"

#include "tlm/routing/load/route_graph.h"

#include <algorithm>
#include <cmath>

namespace sare {
namespace {

constexpr double alike = 1e-9;  ///< loads of channels that differ by no more, relatively, are the same

/// Splits the flows of all destinations so that the busiest channel is as idle as can be: descent on a smooth
/// maximum of the utilisations, which gets sharper as it settles.
class balancer {
  public:
    balancer(const channel_list& channels, std::vector<route_graph> graphs, std::vector<double> fixed)
        : m_channels(channels), m_graphs(std::move(graphs)), m_fixed(std::move(fixed)) {
        m_least = most(m_fixed);
        for (const auto& g : m_graphs) m_shares.push_back(g.even_shares());
        m_loads = loads_of(m_shares);
    }

    /// Until the utilisation of the busiest channel is within `accuracy` of the least that can be.
    void run(double accuracy, std::uint64_t most_work) {
        std::uint64_t each = m_channels.size();
        for (const auto& g : m_graphs) each += 2 * (g.edges() + g.states());
        const std::uint64_t steps = std::clamp<std::uint64_t>(most_work / each, 1, 6000);
        const double entropy = std::log(m_channels.size()), sharpest = 8 * entropy / accuracy;
        double sharpness = 4 * entropy, pace = 1;  // relative to the busiest channel
        std::vector<double> best = m_loads;
        for (std::uint64_t n = 0; n < steps && most(best) > m_least * (1 + accuracy); ++n) {
            const double gained = step(sharpness, pace);
            if (busiest() < most(best)) best = m_loads;
            if (gained < 0.02 * entropy / sharpness) sharpness = std::min(sharpness * 1.02, sharpest);
        }
        m_loads = best;
    }

    double busiest() const { return most(m_loads); }
    /// No split can have less.
    double least() const { return m_least; }
    const std::vector<double>& loads() const { return m_loads; }

  private:
    using edge_shares = std::vector<std::vector<double>>;  ///< by graph, of each edge

    double most(const std::vector<double>& loads) const {
        double u = 0;
        for (std::uint32_t c = 0; c < loads.size(); ++c) u = std::max(u, loads[c] / m_channels.capacity(c));
        return u;
    }
    std::vector<double> loads_of(const edge_shares& shares) const {
        std::vector<double> loads = m_fixed;
        for (std::size_t g = 0; g < m_graphs.size(); ++g) m_graphs[g].add_flow(shares[g], loads);
        return loads;
    }
    double smooth_maximum(const std::vector<double>& loads, double beta) const {
        const double top = most(loads);
        double sum = 0;
        for (std::uint32_t c = 0; c < loads.size(); ++c)
            sum += std::exp(beta * (loads[c] / m_channels.capacity(c) - top));
        return top + std::log(sum) / beta;
    }

    /// Moves shares to what is shorter by the slopes of the smooth maximum, as far as `pace` says, which
    /// adapts; answers the relative gain.
    double step(double sharpness, double& pace) {
        const double top = busiest(), beta = sharpness / top;
        std::vector<double> lengths(m_channels.size());
        double volume = 0, distance = 0;
        for (std::uint32_t c = 0; c < lengths.size(); ++c) {
            lengths[c] = std::exp(beta * (m_loads[c] / m_channels.capacity(c) - top));
            volume += lengths[c];
        }
        for (std::uint32_t c = 0; c < lengths.size(); ++c) {
            lengths[c] /= volume * m_channels.capacity(c);
            distance += m_fixed[c] * lengths[c];
        }
        edge_shares moved = m_shares;
        for (std::size_t g = 0; g < m_graphs.size(); ++g)
            distance += m_graphs[g].move_shares(lengths, pace / top, moved[g]);
        m_least = std::max(m_least, distance);
        const std::vector<double> loads = loads_of(moved);
        const double gain = smooth_maximum(m_loads, beta) - smooth_maximum(loads, beta);
        if (gain < 0) {
            pace *= 0.5;
            return top;  // not settled: only too fast
        }
        pace *= 1.1;
        m_shares = std::move(moved);
        m_loads = loads;
        return gain / top;
    }

    const channel_list& m_channels;
    std::vector<route_graph> m_graphs;
    std::vector<double> m_fixed, m_loads;
    edge_shares m_shares;
    double m_least = 0;
};

/// What is for each destination: (source, rate).
using demand_lists = std::vector<std::vector<std::pair<std::uint32_t, double>>>;

/// Number of flows that one from part 0 to a destination stands for; 0 for those that others stand for.
double flows_like(const equal_parts* parts, std::uint32_t destination) {
    if (parts == nullptr) return 1;
    const double count = parts->count;
    const std::uint32_t part = destination / parts->nodes;
    return part == 0 ? count : part == 1 ? count * (count - 1) : 0;
}

demand_lists by_destination(const channel_question& q, const channel_list& channels,
                            std::vector<double>& loads) {
    demand_lists lists(q.network->nodes());
    std::vector<node_demand> some;
    for (std::uint32_t s = 0, sources = q.parts ? q.parts->nodes : q.network->nodes(); s < sources; ++s) {
        some.clear();
        q.demands(s, some);
        for (const node_demand& d : some) {
            const double rate = d.rate * flows_like(q.parts, d.destination);
            if (rate <= 0) continue;
            lists[d.destination].emplace_back(s, rate);
            loads[channels.injection(s)] += rate;
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
            out.busiest += channels.alike(c);
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
        left -= graph.states();
        if (!graph.has_choice()) {
            graph.add_flow(graph.even_shares(), fixed);
            continue;
        }
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
