// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/two_phase.h"

namespace sare::variants::romm {
namespace {

/// The router between is one on a shortest path (Nesson and Johnsson, 1995): in each dimension any part of
/// the way to the destination, so that both phases together are minimal.
class romm final : public two_phase {
  public:
    romm(const ring_parameters& p, const config::value& section, const routing_context& context)
        : two_phase("romm", p, section, context) {}

    void begin(route_header& h, rng& random) const override {
        h.phase = 0;
        const std::uint32_t from = attachment_of(h.source).router;
        const auto *s = at(from), *t = at(attachment_of(h.destination).router);
        const std::uint32_t ties = rings() ? draw(random) : 0, whole = ways(s, t, ties);
        h.via = from;
        std::uint32_t stride = 1;
        for (std::uint32_t d = 0; d < dimensions(); ++d) {
            const std::uint32_t size = dim(d).last + 1U;
            const bool negative = dim(d).ring ? (whole >> (2 * d) & 1) != 0 : t[d] < s[d];
            const std::uint32_t hops = negative ? (s[d] + size - t[d]) % size : (t[d] + size - s[d]) % size;
            const std::uint32_t some = random.below(hops + 1);
            const std::uint32_t there = (s[d] + (negative ? size - some : some)) % size;
            h.via += (there - s[d]) * stride;  // modulo 2^32
            stride *= size;
        }
        if (!rings()) return;
        // Where the way is half a ring, the phase that goes all of it goes as drawn.
        h.state = static_cast<std::uint16_t>(ways(s, at(h.via), ties) | ways(at(h.via), t, ties) << 8);
    }
    void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const override {
        const std::uint32_t from = attachment_of(plain.source).router;
        const auto *s = at(from), *t = at(attachment_of(plain.destination).router);
        every_draw(s, t, [&](std::uint32_t ties) {
            const std::uint32_t whole = ways(s, t, ties);
            std::vector<std::uint32_t> vias{from};
            std::uint32_t stride = 1;
            for (std::uint32_t d = 0; d < dimensions(); ++d) {
                const std::uint32_t size = dim(d).last + 1U;
                const bool negative = dim(d).ring ? (whole >> (2 * d) & 1) != 0 : t[d] < s[d];
                const std::size_t before = vias.size();
                for (std::uint32_t there = s[d]; there != t[d];) {
                    there = (there + (negative ? size - 1 : 1)) % size;
                    for (std::size_t i = 0; i < before; ++i)
                        vias.push_back(vias[i] + (there - s[d]) * stride);
                }
                stride *= size;
            }
            for (const std::uint32_t via : vias) {
                out.push_back({plain, 0});
                out.back().header.via = via;
                out.back().header.state =
                    static_cast<std::uint16_t>(ways(s, at(via), ties) | ways(at(via), t, ties) << 8);
            }
        });
        for (drawn_header& h : out) h.share = 1.0 / static_cast<double>(out.size());
    }
};

const routing_registration<romm, ring_parameters> registered{
    "romm",
    "Dimension order to a random router on a shortest way and from there to the destination, half of the VCs "
    "for each phase.",
    ring_fields()};

}  // namespace
}  // namespace sare::variants::romm
