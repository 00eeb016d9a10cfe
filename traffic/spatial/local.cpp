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

    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        if (m_nodes == 1) {
            to[0] += 1;
            return true;
        }
        // By dimension: the probability of each coordinate; all but the source itself, drawn again.
        std::vector<std::vector<double>> law;
        map_coordinates(m_dims, source, [&](std::size_t, std::uint32_t x, std::uint32_t n) {
            law.emplace_back(n, 1.0 / 8 / n);
            for (std::uint32_t k = 0; k < 3; ++k) law.back()[(x + n - 1 + k) % n] += 1.0 / 6;
            for (std::uint32_t offset = 2; offset < 8; ++offset) {
                const double each = offset < 4 ? 1.0 / 16 : 1.0 / 64;
                law.back()[(x + offset % n) % n] += each;
                law.back()[(x + n - offset % n) % n] += each;
            }
            return x;
        });
        const auto probability = [&](std::uint32_t node) {
            double p = 1;
            map_coordinates(m_dims, node, [&](std::size_t i, std::uint32_t x, std::uint32_t) {
                p *= law[i][x];
                return x;
            });
            return p;
        };
        const double others = 1 - probability(source);
        for (std::uint32_t d = 0; d < m_nodes; ++d)
            if (d != source) to[d] += probability(d) / others;
        return true;
    }

  private:
    std::vector<std::uint32_t> m_dims;
    std::uint32_t m_nodes;
};

const config::registration<pattern, const pattern_context&> registered{
    "local",
    "In every dimension 50% within 1, 25% at 2 or 3, 12.5% at 4 to 7, the rest anywhere (INSEE's law).",
    [](const config::no_parameters&, const config::value&, const pattern_context& c) {
        return new local(c.dims, c.nodes);
    }};

}  // namespace
}  // namespace sare::traffic::variants::local
