// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

#include "tlm/state/archive.h"

#include <fmt/format.h>

namespace sare::traffic {

const config::schema<kernel_parameters>& kernel_fields() {
    using p = kernel_parameters;
    static const auto fields =
        config::schema<p>()
            .number("tasks", &p::tasks, 0, 16777216, "", "tasks; 0: tasks_per_node on every node")
            .number("bytes", &p::bytes, 0, 4e9, "bytes", "of a message")
            .number("compute", &p::compute, 0, 1e6, "s", "computation of a task in every stage")
            .number("repetitions", &p::repetitions, 1, 1e9, "",
                    "how often a task runs it, without a barrier in between");
    return fields;
}

const config::schema<staged_parameters>& staged_fields() {
    using p = staged_parameters;
    static const auto fields = config::schema<p>()
                                   .include(kernel_fields())
                                   .choice("growth", &p::by,
                                           {{"constant", growth::constant},
                                            {"doubling", growth::doubling},
                                            {"halving", growth::halving}},
                                           "of the messages from stage to stage")
                                   .integers("sizes", &p::sizes, 0, 4e9, "bytes",
                                             "of a message by stage, instead of 'bytes' and 'growth'; the "
                                             "last one stands for all that follow");
    return fields;
}

std::uint64_t staged_parameters::size(std::uint32_t stage) const {
    if (!sizes.empty()) return sizes[std::min<std::size_t>(stage, sizes.size() - 1)];
    if (by == growth::doubling) return bytes << stage;
    if (by == growth::halving && bytes != 0) return std::max<std::uint64_t>(bytes >> stage, 1);
    return bytes;
}

/// Returns the share of whole repetitions: it is not known how long one is.
double kernel::progress() const {
    if (m_repetitions == 1) return -1;
    std::uint64_t begun = 0;
    for (const position& p : m_at) begun += p.repetition;
    return static_cast<double>(begun) / (static_cast<double>(m_at.size()) * m_repetitions);
}

void kernel::serialize(archive& a) {
    a(m_at);
}

bool kernel::next(std::uint32_t task, operation& o) {
    position& p = m_at[task];
    bool began = false;  // a repetition: one that has nothing to do is the last
    while (p.repetition < m_repetitions) {
        if (at(task, p.k, o)) {
            ++p.k;
            return true;
        }
        if (began) return false;
        began = true;
        p.k = 0;
        ++p.repetition;
    }
    return false;
}

std::uint64_t message_bytes(std::initializer_list<std::uint64_t> factors, const config::location& where) {
    std::uint64_t product = 1;
    for (const std::uint64_t f : factors) {
        if (f != 0 && product > most_message_bytes / f)
            throw config::error(where, fmt::format("a message would have more than {} bytes, the most that "
                                                   "is possible; a task must have less data",
                                                   most_message_bytes));
        product *= f;
    }
    return product;
}

std::uint32_t task_count(const kernel_parameters& p, const workload_context& c) {
    return task_count(p.tasks, p, c);
}

}  // namespace sare::traffic
