// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/packet_event_file.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/inside/params.h"
#include "tlm/inside/record/network_recorder.h"
#include "tlm/inside/told_events.h"
#include "tlm/inside/waves/router_waves.h"
#include "tlm/stats/results.h"

#include <functional>
#include <memory>
#include <optional>

namespace sare {

/// Observer that makes the files of the section `observe.inside` for a run.
class inside_view final : public run_observer {
  public:
    /// Begins at once; make it before the first cycle of the run. `when`: network cycles to be shown; `name`:
    /// router_waves::setting::name; `processes`: processes that run the network together, null: only this
    /// one. `net` must outlive this object. Throws config::error for routers, nodes, classes or kinds of
    /// events that do not exist, and as router_waves if `what.fst`.
    inside_view(const inside_params& what, const observation_params& when, fabric& net,
                const std::function<std::string(std::uint32_t router)>& name, world* processes);
    void close(cycle_t end) override;
    result_streams files() const override;

  private:
    const inside_params m_what;
    const topology& m_map;
    const trace_filter m_filter;
    world* const m_processes;
    packet_event_file m_events;
    told_events m_told;
    packet_trace m_trace;
    std::optional<router_waves> m_waves;
    std::optional<network_recorder> m_record;
    cycle_t m_end = 0;
};

}  // namespace sare
