// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::local {
namespace {

/// INSEE's law, in every dimension of the node grid taken as a ring: with 1/2 an offset of -1, 0 or 1, with
/// 1/4 one of 2 or 3 either way, with 1/8 one of 4 to 7 either way, else any place; drawn again if it gives
/// the source.
class local : public pattern {
  public:
    local(const std::vector<std::uint32_t>& dims, std::uint32_t nodes) : m_dims(dims), m_nodes(nodes) {}
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        if (m_nodes == 1) return 0;
        for (;;) {
            const std::uint32_t d =
                map_coordinates(m_dims, source, [&random](std::size_t, std::uint32_t x, std::uint32_t n) {
                    const std::uint32_t u = random.next();
                    if (u >= 0xe0000000u) return random.below(n);
                    if (u < 0x80000000u) return (x + n - 1 + random.below(3)) % n;
                    const std::uint32_t from = u < 0xc0000000u ? 2 : 4;
                    const std::uint32_t way = random.below(2 * from);  // the lowest bit: which way
                    const std::uint32_t offset = (from + way / 2) % n;
                    return (x + (way % 2 == 0 ? offset : n - offset)) % n;
                });
            if (d != source) return d;
        }
    }

  private:
    std::vector<std::uint32_t> m_dims;
    std::uint32_t m_nodes;
};

const config::registration<pattern, const pattern_context&> registered{
    "local",
    "In every dimension 50% within 1, 25% at 2 or 3, 12.5% at 4 to 7, the rest anywhere (INSEE's law).",
    config::schema<config::no_parameters>(),
    [](const config::no_parameters&, const config::value&, const pattern_context& c) {
        return new local(c.dims, c.nodes);
    }};

}  // namespace
}  // namespace sare::traffic::variants::local
