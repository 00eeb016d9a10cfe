// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/npb/size.h"

namespace sare::traffic::variants::npb_ep {
namespace {

/// A kernel in which each task makes its part of 2^(m + 1) random numbers. Then three sums over all tasks, of
/// one number, one and ten, and the maximum of their times. Its operations are random numbers.
class npb_ep final : public kernel {
  public:
    npb_ep(const npb_parameters& p, std::uint32_t tasks, const config::location&)
        : kernel("npb_ep", tasks, p),
          m_numbers(static_cast<double>(2ULL << exponent(p.size)) / static_cast<double>(tasks)) {}

  protected:
    bool at(std::uint32_t, std::uint32_t& k, operation& o) const override {
        constexpr std::uint64_t sums[] = {8, 8, 80, 8};  // bytes
        if (k > 4) return false;
        if (k == 0) {
            o.what = op::compute;
            o.flops = m_numbers;
        } else {
            o.what = op::allreduce;
            o.bytes = sums[k - 1];
        }
        return true;
    }

  private:
    static std::uint32_t exponent(npb_class size) {
        constexpr std::uint32_t m[] = {24, 25, 28, 30, 32, 36, 40};
        return m[static_cast<std::size_t>(size)];
    }

    double m_numbers;  ///< random numbers of a task
};

const config::registration<workload, const workload_context&> registered{
    "npb_ep",
    "Kernel: EP of the NAS Parallel Benchmarks: each task makes its part of 2^(m+1) random numbers (S: m is "
    "24, W 25, A 28, B 30, C 32, D 36, E 40), then four reductions. 'bytes' and 'compute' mean nothing.",
    npb_fields(), run_kernel<npb_ep, npb_parameters>};

}  // namespace
}  // namespace sare::traffic::variants::npb_ep
