// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/inside/packet_event.h"
#include "tlm/stats/log/record_file.h"

#include <iosfwd>
#include <string>

namespace sare {

/// Function that returns the name of a router's port, for people, such as port_name().
using port_namer = function<std::string(std::uint32_t router, std::uint32_t port)>;

/// Keeps events, 80 bytes each in a nameless_file, and writes them in order of time, as CSV or for Perfetto.
/// Sorting takes the memory of a million events, 80 MB. Functions throw std::runtime_error as nameless_file.
class packet_event_file final : public packet_event_sink {
  public:
    /// Makes an empty file. `names`: names of ports in what is written.
    explicit packet_event_file(port_namer names) : m_names(std::move(names)) {}

    void take(const packet_event& e) override { m_events.append(e); }  ///< keeps an event
    std::uint64_t size() const { return m_events.size(); }             ///< number of events
    /// Writes a line of column names, then a line for each event by rising cycle; fields that an event lacks
    /// are empty. May be called again, as write_perfetto().
    void write_csv(std::ostream& out) const;
    /// Writes a Perfetto trace: a track for each VC by which packets came, below its port and router. Packets
    /// are slices, from the head at the front to the departure of the tail; stalls are slices on these. Nodes
    /// have tracks of packets injected and consumed. `end`: first cycle after the run, where open slices end.
    void write_perfetto(std::ostream& out, cycle_t end) const;

  private:
    record_file<packet_event> m_events;
    port_namer m_names;
};

}  // namespace sare
