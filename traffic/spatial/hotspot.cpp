// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

#include <algorithm>

namespace sare::traffic::variants::hotspot {
namespace {

struct parameters {
    std::vector<std::uint32_t> nodes{0};
    double fraction = 0.1;
};

/// A pattern with hot nodes; one that draws itself sends uniformly instead.
class hotspot : public pattern {
  public:
    hotspot(parameters p, std::uint32_t nodes) : m(std::move(p)), m_nodes(nodes) {}
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        if (random.bernoulli(m.fraction)) {
            const std::uint32_t d = m.nodes[random.below(static_cast<std::uint32_t>(m.nodes.size()))];
            if (d != source) return d;
        }
        return other_node(source, m_nodes, random);
    }

    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        double rest = 1 - m.fraction;
        const double each = m.fraction / static_cast<double>(m.nodes.size());
        for (const std::uint32_t hot : m.nodes) (hot == source ? rest : to[hot]) += each;
        add_others(source, rest, to);
        return true;
    }

  private:
    parameters m;
    std::uint32_t m_nodes;
};

const config::registration<pattern, const pattern_context&> registered{
    "hotspot", "A fraction of the messages to a few hot nodes, the rest uniform.",
    config::schema<parameters>()
        .integers("nodes", &parameters::nodes, 0, 4294967295.0, "", "the hot nodes, each as likely")
        .number("fraction", &parameters::fraction, 0, 1, "", "part of the messages that goes to hot nodes"),
    [](const parameters& p, const config::value& section, const pattern_context& c) {
        if (p.nodes.empty()) throw config::error(section.where(), "pattern 'hotspot': 'nodes' is empty");
        const auto bad =
            std::find_if(p.nodes.begin(), p.nodes.end(), [&c](std::uint32_t n) { return n >= c.nodes; });
        if (bad != p.nodes.end())
            throw config::error(section.where(), {"pattern 'hotspot': there is no node ", *bad,
                                                  "; nodes are 0 to ", c.nodes - 1});
        return new hotspot(p, c.nodes);
    }};

}  // namespace
}  // namespace sare::traffic::variants::hotspot
