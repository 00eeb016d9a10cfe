// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/sets.h"
#include "tlm/routing/dragonfly/dragonfly_ugal.h"

namespace sare::variants::ugal_l {
namespace {

/// Looks at the queues of the packet's first router: those of the paths' first hops. Where both begin with
/// the same local hop, their classes of VCs tell them apart (UGAL-L_VCH of the paper).
class ugal_l final : public dragonfly_ugal {
  public:
    ugal_l(const ugal_parameters& p, const config::value& section, const routing_context& context)
        : dragonfly_ugal("ugal_l", p, section, context) {}

  protected:
    queues look(std::uint32_t r, const global_port& minimal, const global_port& detour, const route_header& h,
                const congestion_view& here) const override {
        const std::uint32_t one = first_port(r, minimal), other = first_port(r, detour);
        if (one != other) return {here.queue(one), here.queue(other)};
        return {used(one, minimal_vcs(), h, here), used(other, detour_vcs(), h, here)};
    }

  private:
    std::uint32_t first_port(std::uint32_t r, const global_port& link) const {
        const std::uint32_t x = at(r).x;
        return x == link.x ? link.port : dragonfly_shape::local_port(x, link.x);
    }
    static std::uint32_t used(std::uint32_t port, vc_mask vcs, const route_header& h,
                              const congestion_view& here) {
        std::uint32_t all = 0;
        for (const std::uint64_t v : members(vcs))
            all += here.used(port, h.vc_base + static_cast<std::uint32_t>(v));
        return all;
    }
};

const routing_registration<ugal_l, ugal_parameters> registered{
    "ugal_l",
    "Dragonflies: minimal, or through a random group where the queues of the packet's first router say so.",
    ugal_parameters::fields()};

}  // namespace
}  // namespace sare::variants::ugal_l
