// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/inside_view.h"

#include "tlm/fabric/fabric.h"
#include "tlm/inside/describe.h"
#include "tlm/stats/log/perfetto.h"

namespace sare {
namespace {

/// Returns what the trace is to tell. With several processes the numbers of packets are known only when all
/// have told of theirs; where no file has events, the trace only numbers packets and looks into no router.
trace_filter traced(trace_filter f, const inside_params& what, const world* processes) {
    if (processes != nullptr) f.packets = trace_filter::everything();
    if (!what.csv && !what.perfetto && !what.fst) f.routers = {};
    return f;
}

}  // namespace

inside_view::inside_view(const inside_params& what, const observation_params& when, fabric& net,
                         const std::function<std::string(std::uint32_t router)>& name, world* processes)
    : m_what(what),
      m_map(*net.view().map()),
      m_filter(filter_of(what, when, net)),
      m_processes(processes),
      m_events([this](std::uint32_t r, std::uint32_t p) { return port_name(m_map, r, p); }),
      m_trace(net, traced(m_filter, what, processes)) {
    if (m_processes != nullptr)
        m_told.listen_to(m_trace);
    else if (m_what.csv || m_what.perfetto)
        m_trace.add(m_events);
    m_trace.start();
    if (m_what.fst)
        m_waves.emplace(net, m_trace, router_waves::setting{m_what.routers, when.from, when.end(), name});
    if (m_what.record) m_record.emplace(net, m_trace, when.from, when.end());
}

void inside_view::close(cycle_t end) {
    m_end = end;
    if (m_waves) m_waves->stop();
    if (m_record) m_record->stop();
    m_trace.stop();
    if (m_processes != nullptr) m_told.tell(*m_processes, m_filter, m_events);
}

result_streams inside_view::files() const {
    result_streams all;
    if (m_what.csv)
        all.push_back({"packet_events.csv", [this](std::ostream& to) { m_events.write_csv(to); }});
    if (m_what.perfetto)
        all.push_back({perfetto_file, [this](std::ostream& to) { m_events.write_perfetto(to, m_end); }});
    if (m_waves) all.push_back({"routers.fst", [this](std::ostream& to) { m_waves->write(to); }});
    if (m_record) all.push_back({"record.json", [this](std::ostream& to) { m_record->write(to); }});
    return all;
}

}  // namespace sare
