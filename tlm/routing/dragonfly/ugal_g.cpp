// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_ugal.h"

namespace sare::variants::ugal_g {
namespace {

/// Looks at the queues of the global links by which the packet may leave its group, at whichever router they
/// are: those of other routers as they were a cycle ago.
class ugal_g final : public dragonfly_ugal {
  public:
    ugal_g(const ugal_parameters& p, const config::value& section, const routing_context& context)
        : dragonfly_ugal("ugal_g", p, section, context) {}

    std::uint32_t board_delay() const override { return 1; }

  protected:
    queues look(std::uint32_t r, const global_port& minimal, const global_port& detour, const route_header&,
                const congestion_view& here) const override {
        return {queue(r, minimal, here), queue(r, detour, here)};
    }

  private:
    std::uint32_t queue(std::uint32_t r, const global_port& link, const congestion_view& here) const {
        const position& from = at(r);
        return link.x == from.x ? here.queue(link.port)
                                : here.told(from.group * shape().a + link.x, link.port);
    }
};

const routing_registration<ugal_g, ugal_parameters> registered{
    "ugal_g",
    "Dragonflies: minimal, or through a random group where the queues of the group's global links say so.",
    ugal_parameters::fields()};

}  // namespace
}  // namespace sare::variants::ugal_g
