// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

#include <fmt/format.h>

namespace sare::traffic::variants::bad_dragonfly {
namespace {

struct parameters {
    std::uint32_t group = 0;
    std::uint32_t offset = 1;
};

class bad_dragonfly : public pattern {
  public:
    bad_dragonfly(const parameters& p, std::uint32_t nodes) : m(p), m_groups(nodes / p.group) {}
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        return (source / m.group + m.offset) % m_groups * m.group + random.below(m.group);
    }

    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        const std::uint32_t first = (source / m.group + m.offset) % m_groups * m.group;
        for (std::uint32_t d = first; d < first + m.group; ++d) to[d] += 1.0 / m.group;
        return true;
    }

  private:
    parameters m;
    std::uint32_t m_groups;
};

const config::registration<pattern, const pattern_context&> registered{
    "bad_dragonfly",
    "Every node of group i to random nodes of group i + offset: one global link carries it all.",
    config::schema<parameters>()
        .number("group", &parameters::group, 0, 4294967295.0, "nodes", "nodes of a group; must be given")
        .number("offset", &parameters::offset, 1, 1e9, "groups", "distance of the groups"),
    [](const parameters& p, const config::value& section, const pattern_context& c) {
        if (p.group == 0 || c.nodes % p.group != 0)
            throw config::error(
                section.where(),
                fmt::format("pattern 'bad_dragonfly': 'group' is {}; it must be a divisor of the {} nodes",
                            p.group, c.nodes));
        return new bad_dragonfly(p, c.nodes);
    }};

}  // namespace
}  // namespace sare::traffic::variants::bad_dragonfly
