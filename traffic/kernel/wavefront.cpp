// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/sweep.h"

namespace sare::traffic::variants::wavefront {
namespace {

struct parameters : grid_parameters {
    bool returns = false;
};

class wavefront final : public sweep {
  public:
    wavefront(const parameters& p, std::uint32_t tasks, const config::location& where)
        : sweep("wavefront", p.returns ? 2 : 1, p, tasks, where), m_bytes(p.bytes) {}

  protected:
    std::uint64_t size(std::uint32_t, std::uint32_t) const override { return m_bytes; }
    bool forwards(std::uint32_t wave, std::uint32_t) const override { return wave == 0; }

  private:
    std::uint64_t m_bytes;
};

const kernel_registration<wavefront, parameters> registered{
    "wavefront", "Kernels 2W, 3W: a wave-front through a mesh of tasks from corner to corner.",
    config::schema<parameters>()
        .include(grid_fields())
        .flag("return", &parameters::returns, "then one back")};

}  // namespace
}  // namespace sare::traffic::variants::wavefront
