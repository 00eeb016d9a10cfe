// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

namespace sare::traffic {
namespace {

/// All-to-all, all-reduce, all-gather by recursive doubling: in stage t a task exchanges messages with task
/// xor 2^t, then computes. The tasks must be a power of two.
class butterfly final : public kernel {
  public:
    butterfly(const staged_parameters& p, std::uint32_t tasks, const config::location& where)
        : kernel("butterfly", tasks, p), m(p) {
        if ((tasks & (tasks - 1)) != 0)
            throw config::error(where, "workload 'butterfly' takes a power of two of tasks, not " +
                                           std::to_string(tasks) + "; set 'tasks'");
    }

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const std::uint32_t each = computes() ? 2 : 1, stage = k / each;
        if (std::uint64_t{1} << stage >= tasks()) return false;
        if (k % each == 1) return compute(o);
        return exchange(o, task ^ (1u << stage), m.size(stage));
    }

  private:
    staged_parameters m;
};

const config::registration<workload, const workload_context&> registered{
    "butterfly", "Kernel BU: exchanges with task xor 1, 2, 4, ..., as in an all-reduce.",
    config::schema<staged_parameters>().include(staged_fields()).include(executor_fields()),
    run_kernel<butterfly, staged_parameters>};

}  // namespace
}  // namespace sare::traffic
