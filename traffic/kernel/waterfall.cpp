// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/sweep.h"

namespace sare::traffic::variants::waterfall {
namespace {

struct parameters : grid_parameters {
    std::uint32_t messages = 40;
};

/// A run of wave-fronts one behind the other, in which a task sends a neighbour `bytes` in all.
class waterfall final : public sweep {
  public:
    waterfall(const parameters& p, std::uint32_t tasks, const config::location& where)
        : sweep("waterfall", p.messages, p, tasks, where), m(p) {}

  protected:
    std::uint64_t size(std::uint32_t wave, std::uint32_t) const override {
        return m.bytes / m.messages + (wave < m.bytes % m.messages ? 1 : 0);
    }

  private:
    parameters m;
};

const kernel_registration<waterfall, parameters> registered{
    "waterfall", "Kernel WF: wave-fronts behind each other; 'bytes' is cut into their messages.",
    config::schema<parameters>()
        .include(grid_fields())
        .number("messages", &parameters::messages, 1, 1e6, "", "wave-fronts")};

}  // namespace
}  // namespace sare::traffic::variants::waterfall
