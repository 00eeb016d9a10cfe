// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

namespace sare::traffic::variants::n_body {
namespace {

enum class reach { half, full };
struct parameters : kernel_parameters {
    reach ring = reach::half;
    std::uint64_t return_bytes = 0;
};

/// All pairs of bodies by a ring: each task's bodies travel from task to task, and every task that has them
/// computes their forces on its own. Half of the ring is enough if a force is counted for both of its bodies;
/// then what was summed up on the way may go back to the task that the bodies belong to.
class n_body final : public kernel {
  public:
    n_body(const parameters& p, std::uint32_t tasks, const config::location&)
        : kernel("n_body", tasks, p), m(p), m_hops(p.ring == reach::half ? tasks / 2 : tasks - 1) {}

  protected:
    /// Makes the places: a computation with the bodies that are there, an exchange; at the end the way back.
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const std::uint32_t last = 2 * m_hops;
        if (k <= last && k % 2 == 0 && !computes()) ++k;
        if (k <= last) return k % 2 == 0 ? compute(o) : shift(task, 1, m.bytes, o);
        k = std::max(k, last + 1);
        return k == last + 1 && m.return_bytes != 0 && m_hops != 0 &&
               shift(task, tasks() - m_hops, m.return_bytes, o);
    }

  private:
    /// Makes an exchange to the task `by` further on, from the one as far behind.
    bool shift(std::uint32_t task, std::uint32_t by, std::uint64_t bytes, operation& o) const {
        exchange(o, (task + by) % tasks(), bytes);
        o.from = (task + tasks() - by) % tasks();
        return true;
    }
    parameters m;
    std::uint32_t m_hops;
};

const kernel_registration<n_body, parameters> registered{
    "n_body", "Kernel: the bodies of every task travel round half of a ring of tasks, or all of it.",
    config::schema<parameters>()
        .include(kernel_fields())
        .choice("ring", &parameters::ring, {{"half", reach::half}, {"full", reach::full}},
                "how far: to every second task at most, each force counted for both bodies; to all others")
        .number("return_bytes", &parameters::return_bytes, 0, 4e9, "bytes",
                "of the forces that go back in the end; 0: nothing does")};

}  // namespace
}  // namespace sare::traffic::variants::n_body
