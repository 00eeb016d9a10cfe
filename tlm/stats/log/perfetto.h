// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sare {

/// The file of a run for Perfetto (https://ui.perfetto.dev); several writers may add to it.
constexpr const char* perfetto_file = "trace.perfetto-trace";

/// Writes TrackEvents, Perfetto's protobuf messages of tracks, slices, flows and counters. A nanosecond there
/// is a cycle here. Slices of a track must nest; a track must be known before what is on it.
class perfetto_writer {
  public:
    using track = std::uint64_t;
    using flow = std::uint64_t;
    static constexpr std::uint64_t none = 0;

    /// `writer`: a number from 1, other than those of the others that write into the same file: flows are of
    /// one writer.
    perfetto_writer(std::ostream& out, std::uint32_t writer) : m_out(out), m_writer(writer) {}

    /// A new track, below another one or none. `unit`: it is of values in this unit, not of
    /// slices.
    track add_track(const std::string& name, track parent = none, const std::string& unit = "");
    void begin(track on, cycle_t time, const std::string& name, flow through = none);
    void end(track on, cycle_t time);
    /// Without duration. `last`: the flow ends here.
    void instant(track on, cycle_t time, const std::string& name, flow through = none, bool last = false);
    void value(track on, cycle_t time, double value);

  private:
    void event(track on, cycle_t time, int type, const std::string& name, flow through, bool last);
    void packet(cycle_t time, bool timed, std::uint32_t field, const std::string& content);

    std::ostream& m_out;
    std::uint32_t m_writer;
    std::uint64_t m_tracks = 0;
};

}  // namespace sare
