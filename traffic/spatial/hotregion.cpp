// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

#include <algorithm>

namespace sare::traffic::variants::hotregion {
namespace {

struct parameters {
    double fraction = 0.25;
    double region = 0.125;
};

class hotregion : public pattern {
  public:
    hotregion(double fraction, std::uint32_t region, std::uint32_t nodes)
        : m_fraction(fraction), m_region(region), m_nodes(nodes) {}
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        if (!random.bernoulli(m_fraction)) return other_node(source, m_nodes, random);
        if (source >= m_region) return random.below(m_region);
        return m_region == 1 ? other_node(source, m_nodes, random) : other_node(source, m_region, random);
    }

    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        const bool inside = source < m_region;
        add_others(source, 1 - m_fraction + (inside && m_region == 1 ? m_fraction : 0), to);
        if (inside && m_region == 1) return true;
        for (std::uint32_t d = 0; d < m_region; ++d)
            if (d != source) to[d] += m_fraction / (m_region - (inside ? 1 : 0));
        return true;
    }

  private:
    double m_fraction;
    std::uint32_t m_region, m_nodes;
};

const config::registration<pattern, const pattern_context&> registered{
    "hotregion", "A fraction of the messages to the first nodes, the rest uniform (over all other nodes).",
    config::schema<parameters>()
        .number("fraction", &parameters::fraction, 0, 1, "", "part of the messages that goes to the region")
        .number("region", &parameters::region, 0, 1, "", "part of the nodes, from node 0 on, at least one"),
    [](const parameters& p, const config::value&, const pattern_context& c) {
        const auto region = static_cast<std::uint32_t>(p.region * c.nodes);
        return new hotregion(p.fraction, std::max(region, 1u), c.nodes);
    }};

}  // namespace
}  // namespace sare::traffic::variants::hotregion
