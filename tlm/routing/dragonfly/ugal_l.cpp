// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_ugal.h"

namespace sare::variants::ugal_l {
namespace {

/// Looks at the queues of the packet's first router.
class ugal_l final : public dragonfly_ugal {
  public:
    ugal_l(const ugal_parameters& p, const config::value& section, const routing_context& context)
        : dragonfly_ugal("ugal_l", p, section, context) {}
};

const routing_registration<ugal_l, ugal_parameters> registered{
    "ugal_l",
    "Dragonflies: minimal, or through a random group where the queues of the packet's first router say so.",
    ugal_parameters::fields()};

}  // namespace
}  // namespace sare::variants::ugal_l
