// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

#include "tlm/base/rng.h"

#include <fmt/format.h>

namespace sare::traffic::variants::master_worker {
namespace {

struct parameters : kernel_parameters {
    std::uint32_t jobs = 10;
    std::uint64_t result_bytes = 40960;
    double spread = 0, master_compute = 0;
    std::uint64_t seed = 1;
};

/// Task 0 gives jobs to all others, one at a time; a worker that has sent its result gets its next job as
/// soon as the master has looked at it. The master serves workers in the order in which their results come:
/// its work for each of them is a chain of its own, beside the chains for the others.
class master_worker final : public kernel {
  public:
    master_worker(const parameters& p, std::uint32_t tasks, const config::location& where)
        : kernel("master_worker", tasks, p), m(p) {
        if (tasks < 2) throw config::error(where, "workload 'master_worker' takes 2 tasks at least");
        if (std::uint64_t{tasks} * p.jobs > most)
            throw config::error(where, fmt::format("'jobs' of all workers are more than {}", most));
    }

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        return task == 0 ? serve(k, o) : work(task, k, o);
    }

  private:
    static constexpr std::uint64_t most = 1u << 30;

    /// Makes the master's places: of every job of all workers in turn its sending, its result, the look at
    /// it; then the wait for the last look at each worker. The name of an operation is its place, from 1.
    bool serve(std::uint32_t k, operation& o) const {
        const std::uint32_t each = m.master_compute > 0 ? 3 : 2, workers = tasks() - 1;
        const std::uint32_t round = each * workers, worker = k / each % workers + 1;
        if (k > m.jobs * round) return false;
        if (k == m.jobs * round) {
            for (std::uint32_t w = 0; w < workers; ++w) o.needs.push_back({k - w * each, false});
            return true;
        }
        o.in_sequence = false;
        o.request = k + 1;
        if (k % each != 0) o.needs.push_back({k, false});
        if (k % each == 0 && k >= round) o.needs.push_back({k - round + each, false});
        if (k % each == 0) return start_send(o, worker, m.bytes);
        if (k % each == 1) return receive(o, worker, m.result_bytes);
        o.seconds = m.master_compute;
        return true;
    }

    /// Makes a worker's places: of every job its message, its computation, its result.
    bool work(std::uint32_t task, std::uint32_t& k, operation& o) const {
        const std::uint32_t job = k / 3;
        if (job == m.jobs) return false;
        if (k % 3 == 0) return receive(o, 0, m.bytes);
        if (k % 3 == 1 && computes()) {
            rng random(m.seed, stream::workload, std::uint64_t{task} << 32 | job);
            o.seconds = m.compute * (1 + m.spread * (2 * random.uniform() - 1));
            return true;
        }
        k += k % 3 == 1 ? 1 : 0;
        return send(o, 0, m.result_bytes);
    }

    parameters m;
};

const kernel_registration<master_worker, parameters> registered{
    "master_worker", "Kernel: task 0 gives the others jobs, one at a time, and takes their results.",
    config::schema<parameters>()
        .include(kernel_fields())
        .number("jobs", &parameters::jobs, 1, 1e6, "", "of every worker; 'bytes' is the message of one")
        .number("result_bytes", &parameters::result_bytes, 0, 4e9, "bytes", "of the message of a result")
        .number("spread", &parameters::spread, 0, 1, "",
                "jobs take 'compute' times a number drawn from 1 - spread to 1 + spread")
        .number("seed", &parameters::seed, 0, 9e15, "", "of that number")
        .number("master_compute", &parameters::master_compute, 0, 1e6, "s",
                "of task 0 for every result, before the next job")};

}  // namespace
}  // namespace sare::traffic::variants::master_worker
