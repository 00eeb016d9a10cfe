// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"
#include "traffic/spatial/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sare::traffic::variants::hotspot {
namespace {

struct parameters {
    std::vector<std::uint32_t> nodes{0};
    std::vector<std::uint32_t> weights;
    double fraction = 0.1;
};

/// A pattern with hot nodes; one that draws itself sends uniformly instead.
class hotspot : public pattern {
  public:
    hotspot(parameters p, std::uint32_t nodes) : m(std::move(p)), m_nodes(nodes) {
        for (std::size_t i = 0; i < m.weights.size(); ++i) m_unlike.add(m.nodes[i], m.weights[i]);
    }
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        if (random.bernoulli(m.fraction)) {
            const std::uint32_t d = m_unlike.empty()
                                        ? m.nodes[random.below(static_cast<std::uint32_t>(m.nodes.size()))]
                                        : m_unlike.draw(random);
            if (d != source) return d;
        }
        return other_node(source, m_nodes, random);
    }

    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        double rest = 1 - m.fraction;
        const auto sum = static_cast<double>(
            m.weights.empty() ? m.nodes.size()
                              : std::accumulate(m.weights.begin(), m.weights.end(), std::uint64_t{0}));
        for (std::size_t i = 0; i < m.nodes.size(); ++i)
            (m.nodes[i] == source ? rest : to[m.nodes[i]]) +=
                m.fraction * (m.weights.empty() ? 1 : m.weights[i]) / sum;
        add_others(source, rest, to);
        return true;
    }

  private:
    parameters m;
    std::uint32_t m_nodes;
    weighted m_unlike;  ///< the hot nodes by their weights; empty if these are equal
};

const config::registration<pattern, const pattern_context&> registered{
    "hotspot", "A fraction of the messages to a few hot nodes, the rest uniform.",
    config::schema<parameters>()
        .integers("nodes", &parameters::nodes, 0, 4294967295.0, "", "the hot nodes")
        .integers("weights", &parameters::weights, 0, 1e6, "",
                  "of the hot nodes, in their order; left out: each is as likely")
        .number("fraction", &parameters::fraction, 0, 1, "", "part of the messages that goes to hot nodes"),
    [](const parameters& p, const config::value& section, const pattern_context& c) {
        if (p.nodes.empty()) throw config::error(section.where(), "pattern 'hotspot': 'nodes' is empty");
        const auto bad =
            std::find_if(p.nodes.begin(), p.nodes.end(), [&c](std::uint32_t n) { return n >= c.nodes; });
        if (bad != p.nodes.end())
            throw config::error(
                section.where(),
                fmt::format("pattern 'hotspot': there is no node {}; nodes are 0 to {}", *bad, c.nodes - 1));
        const bool all_zero = std::all_of(p.weights.begin(), p.weights.end(), [](auto w) { return w == 0; });
        if (!p.weights.empty() && (p.weights.size() != p.nodes.size() || all_zero))
            throw config::error(section.where(), fmt::format("pattern 'hotspot': 'weights' has {} numbers "
                                                             "for {} nodes; it must have as many, not all 0",
                                                             p.weights.size(), p.nodes.size()));
        return new hotspot(p, c.nodes);
    }};

}  // namespace
}  // namespace sare::traffic::variants::hotspot
