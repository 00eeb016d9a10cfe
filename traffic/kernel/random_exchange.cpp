// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

#include "tlm/base/rng.h"

namespace sare::traffic::variants::random_exchange {
namespace {

struct parameters : kernel_parameters {
    std::uint32_t stages = 10;
    std::uint64_t seed = 1;
};

/// In every stage tasks are paired anew, and each exchanges messages with its partner, then computes: none is
/// ahead of its partner. Partners are tasks whose numbers add up, modulo their count, to a sum drawn for the
/// stage; one or two may be their own, and pass the stage over.
class random_exchange final : public kernel {
  public:
    random_exchange(const parameters& p, std::uint32_t tasks, const config::location&)
        : kernel("random_exchange", tasks, p), m(p) {}

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const std::uint32_t each = computes() ? 2 : 1;
        for (; k < m.stages * each; ++k) {
            const std::uint32_t with = partner(task, k / each);
            if (with == task) continue;
            return k % each == 1 ? compute(o) : exchange(o, with, m.bytes);
        }
        return false;
    }

  private:
    std::uint32_t partner(std::uint32_t task, std::uint32_t stage) const {
        rng random(m.seed, stream::workload, stage);
        const std::uint32_t sum = random.below(tasks());
        return sum >= task ? sum - task : sum + tasks() - task;
    }
    parameters m;
};

const config::registration<workload, const workload_context&> registered{
    "random_exchange", "Kernel: stage by stage, tasks paired at random exchange messages.",
    config::schema<parameters>()
        .include(kernel_fields())
        .number("stages", &parameters::stages, 1, 1e6, "", "of a repetition")
        .number("seed", &parameters::seed, 0, 9e15, "", "of the pairs; the same in every repetition")
        .include(executor_fields()),
    run_kernel<random_exchange, parameters>};

}  // namespace
}  // namespace sare::traffic::variants::random_exchange
