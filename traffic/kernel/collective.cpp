// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

namespace sare::traffic::variants::collective {
namespace {

struct parameters : kernel_parameters {
    op what = op::alltoall;
};

/// A collective operation of all tasks, then a computation. Its algorithm is that of `collectives`.
class collective_kernel final : public kernel {
  public:
    collective_kernel(const parameters& p, std::uint32_t tasks, const config::location&)
        : kernel("collective", tasks, p), m_what(p.what), m_bytes(p.bytes) {}

  protected:
    bool at(std::uint32_t, std::uint32_t& k, operation& o) const override {
        if (k == 1 && computes()) return compute(o);
        if (k != 0) return false;
        o.what = m_what;
        o.bytes = m_what == op::barrier || m_what == op::reduce_scatter ? 0 : m_bytes;
        if (m_what == op::reduce_scatter)  // as equal parts of the vector as can be
            for (std::uint32_t i = 0; i < tasks(); ++i)
                o.counts.push_back(m_bytes / tasks() + (i < m_bytes % tasks() ? 1 : 0));
        return true;
    }

  private:
    op m_what;
    std::uint64_t m_bytes;
};

std::vector<std::pair<std::string, op>> names() {
    std::vector<std::pair<std::string, op>> all;
    for (const op o : {op::alltoall, op::allreduce, op::allgather, op::bcast, op::reduce, op::gather,
                       op::scatter, op::reduce_scatter, op::scan, op::barrier})
        all.emplace_back(op_name(o), o);
    return all;
}

const kernel_registration<collective_kernel, parameters> registered{
    "collective", "Kernel: one of MPI's collective operations, by an algorithm of 'collectives'.",
    config::schema<parameters>()
        .include(kernel_fields())
        .choice(
            "operation", &parameters::what, names(),
            "'bytes' is what its sizes are in traces; of a reduce_scatter the whole vector, in equal parts")};

}  // namespace
}  // namespace sare::traffic::variants::collective
