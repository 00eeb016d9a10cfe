// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observation.h"
#include "tlm/inside/packet_event_file.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/inside/router_waves.h"
#include "tlm/stats/results.h"

#include <functional>
#include <memory>
#include <optional>

namespace sare {

/// What `observe.inside` asks for, of a run.
class inside_view {
  public:
    /// From the first cycle on. `name`: of routers, as router_waves has them. Throws config::error for
    /// routers that there are not.
    inside_view(const observation_params& what, fabric& net,
                const std::function<std::string(std::uint32_t router)>& name);
    /// The run is over, `end` the first cycle that has not been run.
    void close(cycle_t end);
    /// What there is to write then; the view outlives it.
    result_streams files() const;

  private:
    const inside_params m_what;
    const topology& m_map;
    packet_event_file m_events;
    packet_trace m_trace;
    std::optional<router_waves> m_waves;
    cycle_t m_end = 0;
};

}  // namespace sare
