// SPDX-License-Identifier: Apache-2.0
#include "traffic/placement/placement.h"

#include <algorithm>

namespace sare::traffic::variants::shift {
namespace {

struct parameters {
    std::uint32_t by = 1;
};

class shift final : public node_order {
  public:
    shift(const parameters& p, config::location at) : node_order(std::move(at)), m_by(p.by) {}

  protected:
    void sort(std::vector<std::uint32_t>& nodes, const traffic_port& port) const override {
        std::rotate(nodes.begin(), nodes.begin() + m_by % port.nodes(), nodes.end());
    }

  private:
    std::uint32_t m_by;
};

const config::registration<placement, const placement_context&> registered{
    "shift", "Nodes in order from another one on, and from node 0 behind the last.",
    config::schema<parameters>().number("by", &parameters::by, 0, 4294967295.0, "nodes",
                                        "the first node used"),
    [](const parameters& p, const config::value&, const placement_context& c) { return new shift(p, c.at); }};

}  // namespace
}  // namespace sare::traffic::variants::shift
