// SPDX-License-Identifier: Apache-2.0
#include "tlm/crossing/crossing.h"

#include "tlm/fabric/fabric.h"
#include "tlm/systemc/kernel_api.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {

crossing::crossing(const sc_core::sc_module_name& name, gateway& a, gateway& b, const crossing_params& params)
    : sc_core::sc_module(name) {
    if (const std::string wrong = wrong_with(a, b, params); !wrong.empty()) {
        report_error(report_id::crossing, std::string(this->name()) + ": " + wrong);
        return;
    }
    const engine_clock &from = a.engine().clock(), &to = b.engine().clock();
    m_to_b = fifos(a.engine().net().view().classes(), {from, to, params.depth, params.stages});
    m_to_a = fifos(a.engine().net().view().classes(), {to, from, params.depth, params.stages});
    m_a = &a;
    m_b = &b;
    a.join(b, m_to_b, m_to_a);
    b.join(a, m_to_a, m_to_b);
    SARE_HAS_PROCESS(crossing);
    SC_METHOD(clock_changed);
    sensitive << a.engine().period_changed() << b.engine().period_changed();
    dont_initialize();
}

/// Recalculates both directions: FIFOs may be read sooner or later than was thought.
void crossing::clock_changed() {
    for (fifos* const way : {&m_to_a, &m_to_b})
        for (auto& fifo : *way) fifo.clock_changed(sc_core::sc_time_stamp());
    m_a->wake_in(0);
    m_b->wake_in(0);
}

std::string crossing::wrong_with(const gateway& a, const gateway& b, const crossing_params& params) const {
    const auto numbers = [](std::uint64_t one, std::uint64_t other) {
        return fmt::format("{} and {}", one, other);
    };
    if (&a.engine() == &b.engine())
        return std::string(a.name()) + " and " + b.name() + " are of one network; a crossing is between two";
    if (a.is_joined() || b.is_joined())
        return std::string((a.is_joined() ? a : b).name()) + " has a crossing already; a gateway has one";
    if (a.engine().net().view().classes() != b.engine().net().view().classes())
        return "its networks have " +
               numbers(a.engine().net().view().classes(), b.engine().net().view().classes()) +
               " message classes; they must have as many";
    if (params.depth == 0 || params.stages == 0)
        return "depth and stages are " + numbers(params.depth, params.stages) + "; both must be at least 1";
    if (params.depth > 65535 || params.stages > 1024)
        return "depth and stages are " + numbers(params.depth, params.stages) +
               "; they must be at most 65535 and 1024";
    return "";
}

void crossing::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    if (m_a == nullptr) return void(out << "joins nothing\n");
    out << "from = " << m_a->name() << '\n' << "to = " << m_b->name() << '\n';
    for (std::uint32_t c = 0; c < m_to_b.size(); ++c)
        out << "class " << c << ": flits on their way = " << m_to_b[c].size()
            << ", on their way back = " << m_to_a[c].size() << '\n';
}

bool crossing::empty() const {
    const auto is_empty = [](const auto& fifo) { return fifo.empty(); };
    return (m_a == nullptr || (m_a->empty() && m_b->empty())) &&
           std::all_of(m_to_a.begin(), m_to_a.end(), is_empty) &&
           std::all_of(m_to_b.begin(), m_to_b.end(), is_empty);
}

}  // namespace sare
