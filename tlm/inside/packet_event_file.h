// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/inside/packet_event.h"
#include "tlm/stats/log/record_file.h"

#include <iosfwd>
#include <string>

namespace sare {

/// The name of a router's port, for what people read.
using port_namer = function<std::string(std::uint32_t router, std::uint32_t port)>;

/// Keeps events, 56 bytes each in a file without a name, and writes them in order of time, as lines or for
/// Perfetto. Memory: a million of them while they are put in order.
class packet_event_file final : public packet_event_sink {
  public:
    explicit packet_event_file(port_namer names) : m_names(std::move(names)) {}

    void take(const packet_event& e) override { m_events.append(e); }
    std::uint64_t size() const { return m_events.size(); }
    /// A line of names, then one an event; what an event has not is empty.
    void write_csv(std::ostream& out) const;
    /// A track for each VC that packets came in by, below its port and router: packets are slices from when
    /// their heads are at the front to when their tails leave, stalls are slices on these. Nodes have tracks
    /// of packets that were injected and consumed. `end`: of the run.
    void write_perfetto(std::ostream& out, cycle_t end) const;

  private:
    record_file<packet_event> m_events;
    port_namer m_names;
};

}  // namespace sare
