// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/log/perfetto.h"

#include <ostream>
#include <protozero/pbf_writer.hpp>

namespace sare {
namespace {

// Numbers of fields, of perfetto_trace.proto; all are of messages that Perfetto keeps compatible.
namespace trace {
constexpr std::uint32_t packet = 1;
}
namespace trace_packet {
constexpr std::uint32_t timestamp = 8, trusted_packet_sequence_id = 10, track_event = 11,
                        track_descriptor = 60;
}
namespace track_descriptor {
constexpr std::uint32_t uuid = 1, name = 2, parent_uuid = 5, counter = 8;
}
namespace counter_descriptor {
constexpr std::uint32_t unit_name = 6;
}
namespace track_event {
constexpr std::uint32_t type = 9, track_uuid = 11, name = 23, double_counter_value = 44, flow_ids = 47,
                        terminating_flow_ids = 48;
enum : int { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };
}  // namespace track_event

}  // namespace

void perfetto_writer::packet(cycle_t time, bool timed, std::uint32_t field, const std::string& content) {
    std::string inner, outer;
    protozero::pbf_writer p(inner);
    if (timed) p.add_uint64(trace_packet::timestamp, time);
    p.add_uint32(trace_packet::trusted_packet_sequence_id, m_writer);
    p.add_message(field, content);
    protozero::pbf_writer(outer).add_message(trace::packet, inner);
    m_out << outer;
}

perfetto_writer::track perfetto_writer::add_track(const std::string& name, track parent,
                                                  const std::string& unit) {
    const track uuid = std::uint64_t{m_writer} << 48 | ++m_tracks;
    std::string content;
    protozero::pbf_writer d(content);
    d.add_uint64(track_descriptor::uuid, uuid);
    d.add_string(track_descriptor::name, name);
    if (parent != none) d.add_uint64(track_descriptor::parent_uuid, parent);
    if (!unit.empty())
        protozero::pbf_writer(d, track_descriptor::counter).add_string(counter_descriptor::unit_name, unit);
    packet(0, false, trace_packet::track_descriptor, content);
    return uuid;
}

void perfetto_writer::event(track on, cycle_t time, int type, const std::string& name, flow through,
                            bool last) {
    std::string content;
    protozero::pbf_writer e(content);
    e.add_enum(track_event::type, type);
    e.add_uint64(track_event::track_uuid, on);
    if (!name.empty()) e.add_string(track_event::name, name);
    if (through != none)
        e.add_fixed64(last ? track_event::terminating_flow_ids : track_event::flow_ids,
                      std::uint64_t{m_writer} << 48 | through);
    packet(time, true, trace_packet::track_event, content);
}

void perfetto_writer::begin(track on, cycle_t time, const std::string& name, flow through) {
    event(on, time, track_event::slice_begin, name, through, false);
}
void perfetto_writer::end(track on, cycle_t time) {
    event(on, time, track_event::slice_end, "", none, false);
}
void perfetto_writer::instant(track on, cycle_t time, const std::string& name, flow through, bool last) {
    event(on, time, track_event::instant, name, through, last);
}

void perfetto_writer::value(track on, cycle_t time, double value) {
    std::string content;
    protozero::pbf_writer e(content);
    e.add_enum(track_event::type, track_event::counter);
    e.add_uint64(track_event::track_uuid, on);
    e.add_double(track_event::double_counter_value, value);
    packet(time, true, trace_packet::track_event, content);
}

}  // namespace sare
