// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

#include "tlm/base/rng.h"

#include <fmt/format.h>

namespace sare::traffic::variants::random_exchange {
namespace {

struct parameters : kernel_parameters {
    std::uint32_t stages = 10;
    std::uint32_t wave = 0;
    std::uint64_t seed = 1;
};

/// Pairs of tasks, drawn anew in every stage: each exchanges messages with its partner, then computes; none
/// is ahead of its partner. Partners are tasks whose numbers add up, modulo their count, to a sum drawn for
/// the stage; one or two may be their own, and pass the stage over.
class pairs final : public kernel {
  public:
    pairs(const parameters& p, std::uint32_t tasks, const config::location&)
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

/// An exchange by INSEE: every stage has a number of messages between two tasks drawn at random each. A task
/// begins to send all its own of the stage, receives all for it, waits, and computes. The smaller a wave, the
/// more a task depends on others.
class waves final : public kernel {
  public:
    waves(const parameters& p, std::uint32_t tasks, const config::location& where)
        : kernel("random_exchange", tasks, p), m(p), m_steps(tasks) {
        if (std::uint64_t{p.stages} * p.wave > most)
            throw config::error(
                where,
                fmt::format("'stages' times 'wave' is more than {} messages; they are drawn in advance",
                            most));
        if (computes() && std::uint64_t{p.stages} * tasks > most)
            throw config::error(
                where, fmt::format(
                           "'stages' times the tasks is more than {} computations; they are noted in advance",
                           most));
        for (std::uint32_t stage = 0; stage < p.stages && tasks > 1; ++stage) draw(stage);
    }

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        if (k >= m_steps[task].size()) return false;
        const step s = m_steps[task][k];
        switch (s.does) {
            case step::sends:
                return start_send(o, s.peer, m.bytes);
            case step::receives:
                return receive(o, s.peer, m.bytes);
            case step::waits:
                return wait_all(o);
            default:
                return compute(o);
        }
    }

  private:
    static constexpr std::uint64_t most = 100'000'000;
    struct step {
        enum kind : std::uint8_t { sends, receives, waits, computes } does = computes;
        std::uint32_t peer = 0;
    };

    void draw(std::uint32_t stage) {
        rng random(m.seed, stream::workload, stage);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> drawn(m.wave);
        for (auto& [from, to] : drawn) {
            from = random.below(tasks());
            to = random.below(tasks() - 1);
            if (to >= from) ++to;
            m_steps[from].push_back({step::sends, to});
        }
        for (const auto& [from, to] : drawn) m_steps[to].push_back({step::receives, from});
        for (const auto& [from, to] : drawn)
            for (const std::uint32_t task : {from, to})
                if (m_steps[task].back().does < step::waits) m_steps[task].push_back({step::waits, 0});
        for (std::uint32_t task = 0; task < tasks() && computes(); ++task)
            m_steps[task].push_back({step::computes, 0});
    }
    parameters m;
    std::vector<std::vector<step>> m_steps;  ///< steps of each task in a repetition
};

const config::registration<workload, const workload_context&> registered{
    "random_exchange",
    "Kernel: stage by stage, tasks drawn at random exchange messages, in pairs or in waves.",
    config::schema<parameters>()
        .include(kernel_fields())
        .number("stages", &parameters::stages, 1, 1e6, "", "of a repetition")
        .number("wave", &parameters::wave, 0, 1e6, "messages",
                "of a stage, each between two tasks drawn at random; 0: all tasks in pairs")
        .number("seed", &parameters::seed, 0, 9e15, "", "of what is drawn; the same in every repetition")
        .include(executor_fields()),
    [](const parameters& p, const config::value& section, const workload_context& c) {
        return p.wave == 0 ? run_kernel<pairs>(p, section, c) : run_kernel<waves>(p, section, c);
    }};

}  // namespace
}  // namespace sare::traffic::variants::random_exchange
