// SPDX-License-Identifier: Apache-2.0
#include "tlm/axi/axi_bridge.h"

#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::axi {
namespace {

/// True if bursts that cross no 4 KiB, or are in one stripe, cross none in the memory either.
bool keeps_pages(const address_range& r) {
    if (!r.stripes) return (r.base - r.offset) % page_bytes == 0;
    return r.offset % std::min<std::uint64_t>(r.stripes->granule, page_bytes) == 0 &&
           r.base % std::min<std::uint64_t>(r.stripes->granule, page_bytes) == 0;
}

}  // namespace

bridge_base::bridge_base(const sc_core::sc_module_name& name, nic& interface, memory_map& map,
                         const bridge_params& p, std::uint32_t bus_bytes)
    : memory_bridge_base(name, interface, map, p),
      m_params(
          with_config_reports(this->name(), [&] { return p.resolved(map.engine().counters().classes()); })),
      m_bus_bytes(bus_bytes) {}

void bridge_base::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "node = " << node() << '\n' << "bus = " << m_bus_bytes * 8 << " bits\n";
    for (std::uint32_t k = 0; k < m_ways.size() / 2; ++k)
        out << "manager " << k << ": reads = " << reads_of(k).accesses
            << ", writes = " << writes_of(k).accesses << '\n';
    for (std::uint32_t k = 0; k < m_subordinates.size(); ++k)
        out << "subordinate " << k << ": accesses = " << subordinate_counts_of(k).accesses
            << ", most at once = " << subordinate_counts_of(k).most_at_once << '\n';
}

void bridge_base::make_axi_ports(std::uint32_t managers, std::uint32_t subordinates) {
    m_first_agent = map().number_agents(managers);
    if (m_first_agent + managers > max_managers)
        report_error(
            report_id::config,
            fmt::format(
                "{}: a network has {} managers at the most, whose numbers subordinates see above the ID",
                name(), max_managers));
    for (std::uint32_t k = 0; k < managers; ++k)
        for (const bool writes : {false, true})
            m_ways.push_back(std::make_unique<manager_port>(*this, k, writes));
    for (std::uint32_t k = 0; k < subordinates; ++k)
        m_subordinates.push_back(std::make_unique<subordinate_port>(*this, k));
    make_ports(2 * managers, subordinates);
}

void bridge_base::start_of_simulation() {
    memory_bridge_base::start_of_simulation();
    for (const address_range& r : map().ranges())
        for (std::uint32_t k = 0; k < m_subordinates.size(); ++k)
            if (map().memory_of(r) == &port_of(k) && !keeps_pages(r))
                report_error(report_id::memory, std::string(name()) + ": " + r.text() +
                                                    ", of an AXI4 subordinate: base and offset must be alike "
                                                    "in their last 12 bits, or bursts cross 4 KiB there");
}

}  // namespace sare::axi
