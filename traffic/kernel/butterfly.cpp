// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

#include <fmt/format.h>

namespace sare::traffic::variants::butterfly {
namespace {

enum class spare_tasks { refused, idle };
struct butterfly_parameters : staged_parameters {
    spare_tasks spare = spare_tasks::refused;
};

/// All-to-all, all-reduce, all-gather by recursive doubling: in stage t a task exchanges messages with task
/// xor 2^t, then computes. Only a power of two of tasks can take part.
class butterfly final : public kernel {
  public:
    butterfly(const butterfly_parameters& p, std::uint32_t tasks, const config::location& where)
        : kernel("butterfly", tasks, p), m(p) {
        while (m_active <= tasks / 2) m_active *= 2;
        if (m_active != tasks && p.spare == spare_tasks::refused)
            throw config::error(where, fmt::format("workload 'butterfly' takes a power of two of tasks, not "
                                                   "{}; set 'tasks', or 'spare' to idle",
                                                   tasks));
    }

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const std::uint32_t each = computes() ? 2 : 1, stage = k / each;
        if (task >= m_active || std::uint64_t{1} << stage >= m_active) return false;
        if (k % each == 1) return compute(o);
        return exchange(o, task ^ (1u << stage), m.size(stage));
    }

  private:
    staged_parameters m;
    std::uint32_t m_active = 1;  ///< number of tasks that take part, a power of two
};

const kernel_registration<butterfly, butterfly_parameters> registered{
    "butterfly", "Kernel BU: exchanges with task xor 1, 2, 4, ..., as in an all-reduce.",
    config::schema<butterfly_parameters>()
        .include(staged_fields())
        .choice("spare", &butterfly_parameters::spare,
                {{"refused", spare_tasks::refused}, {"idle", spare_tasks::idle}},
                "tasks beyond the largest power of two: a mistake; or they do nothing")};

}  // namespace
}  // namespace sare::traffic::variants::butterfly
