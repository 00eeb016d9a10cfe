// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly_ugal.h"

namespace sare {
namespace {

/// Looks at the queues of the packet's first router: the way's first hop, local or global.
class ugal_l final : public dragonfly_ugal {
  public:
    ugal_l(const ugal_parameters& p, const config::value& section, const routing_context& context)
        : dragonfly_ugal("ugal_l", p, section, context) {}

  protected:
    std::uint32_t queue(std::uint32_t r, const global_port& link,
                        const congestion_view& here) const override {
        const std::uint32_t x = at(r).x;
        return here.queue(x == link.x ? link.port : dragonfly_shape::local_port(x, link.x));
    }
};

routing_function* make(const ugal_parameters& p, const config::value& section,
                       const routing_context& context) {
    return new ugal_l(p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "ugal_l",
    "Dragonflies: minimal, or through a random group where the queues of the packet's first router say so.",
    ugal_parameters::fields(), make};

}  // namespace
}  // namespace sare
