// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sare {

/// Name of a run's file for Perfetto (https://ui.perfetto.dev), to which several writers may write one after
/// the other.
constexpr const char* perfetto_file = "trace.perfetto-trace";

/// Writer of TrackEvents, the protobuf messages of Perfetto for tracks, slices, flows and counters. A cycle
/// is shown as a nanosecond. Slices of a track must nest, and a track must be added before its events. None
/// of this is checked, nor are errors of the stream.
class perfetto_writer {
  public:
    using track = std::uint64_t;  ///< number of a track in the file
    /// Number of a flow, which arrows between slices show, chosen by the caller: 1 to 2^48 - 1.
    using flow = std::uint64_t;
    static constexpr std::uint64_t none = 0;  ///< no track, or no flow

    /// Makes a writer to `out`, which must outlive it. `writer`: number from 1 to 65,535, different for each
    /// writer of the same file. Flows with the same number in two writers are two flows.
    perfetto_writer(std::ostream& out, std::uint32_t writer) : m_out(out), m_writer(writer) {}

    /// Adds a track below the track `parent` (none: at the top) and returns the new track's number. Several
    /// may have one name. `unit`: unit of a track of values, such as "flits/cycle"; "": the track is one of
    /// slices and instants.
    track add_track(const std::string& name, track parent = none, const std::string& unit = "");
    /// Begins a slice at the start of cycle `time`. `through`: flow of which the slice is a part, shown as an
    /// arrow to the next slice of the flow; none: no flow.
    void begin(track on, cycle_t time, const std::string& name, flow through = none);
    /// Ends, before cycle `time`, the slice of the track that was begun last.
    void end(track on, cycle_t time);
    /// Writes an event without duration in cycle `time`. `through`: as for begin(); `last`: true: the flow
    /// ends with this event.
    void instant(track on, cycle_t time, const std::string& name, flow through = none, bool last = false);
    /// Writes a value of a track of values, which holds from cycle `time` until the next value.
    void value(track on, cycle_t time, double value);

  private:
    /// Writes an event; `type`: number of a type of perfetto's TrackEvent.
    void event(track on, cycle_t time, int type, const std::string& name, flow through, bool last);
    /// Writes a TracePacket whose field number `field` is `content`; `timed`: false: without `time`.
    void packet(cycle_t time, bool timed, std::uint32_t field, const std::string& content);

    std::ostream& m_out;
    std::uint32_t m_writer;      ///< number of this writer, which makes its tracks and flows its own
    std::uint64_t m_tracks = 0;  ///< number of tracks made
};

}  // namespace sare
