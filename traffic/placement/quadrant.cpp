// SPDX-License-Identifier: Apache-2.0
#include "traffic/placement/placement.h"

#include <algorithm>

namespace sare::traffic::variants::quadrant {
namespace {

struct parameters {
    std::uint32_t parts = 2;
};

class quadrant final : public node_order {
  public:
    quadrant(const parameters& p, config::location at) : node_order(std::move(at)), m_parts(p.parts) {}

  protected:
    void sort(std::vector<std::uint32_t>& nodes, const traffic_port& port) const override {
        std::vector<std::uint64_t> of(nodes.size());
        for (const auto node : nodes) of[node] = part_of(node, port.dims());
        std::stable_sort(nodes.begin(), nodes.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return of[a] < of[b]; });
    }

  private:
    /// Returns the number of a node's part, dimension 0 fastest. A dimension's first parts are the larger.
    std::uint64_t part_of(std::uint32_t node, const std::vector<std::uint32_t>& dims) const {
        const auto at = coordinates_of(node, dims);
        std::uint64_t part = 0;
        for (std::size_t d = dims.size(); d-- > 0;) {
            const std::uint32_t size = (dims[d] + m_parts - 1) / m_parts;
            part = part * m_parts + at[d] / size;
        }
        return part;
    }
    std::uint32_t m_parts;
};

const config::registration<placement, const placement_context&> registered{
    "quadrant",
    "Nodes by square or cube: their grid is cut in every dimension, and a part is filled before the next.",
    config::schema<parameters>().number("parts", &parameters::parts, 1, 65536, "", "of a dimension"),
    [](const parameters& p, const config::value&, const placement_context& c) {
        return new quadrant(p, c.at);
    }};

}  // namespace
}  // namespace sare::traffic::variants::quadrant
