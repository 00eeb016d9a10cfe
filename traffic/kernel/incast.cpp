// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

namespace sare::traffic::variants::incast {
namespace {

/// An incast: all others send task 0 a message each; it takes them in order of arrival, then computes.
class incast final : public kernel {
  public:
    incast(const kernel_parameters& p, std::uint32_t tasks, const config::location&)
        : kernel("incast", tasks, p), m_bytes(p.bytes) {}

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        if (task != 0) return k == 0 && send(o, 0, m_bytes);
        const std::uint32_t others = tasks() - 1;
        if (k < others) return start_receive(o, k + 1, m_bytes);
        if (others != 0 && k == others) return wait_all(o);
        return others != 0 && k == others + 1 && computes() && compute(o);
    }

  private:
    std::uint64_t m_bytes;
};

const kernel_registration<incast, kernel_parameters> registered{"incast", "Kernel: all tasks send to task 0.",
                                                                kernel_fields()};

}  // namespace
}  // namespace sare::traffic::variants::incast
