// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/log/packet_log.h"

#include "tlm/api/counted_network.h"
#include "tlm/stats/log/merged_records.h"
#include "tlm/stats/log/perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace sare {
packet_log::packet_log(const observation_params& how, network_engine& engine)
    : m_how(how),
      m_interval(how.interval),
      m_links(engine.observe_flits(*this)),
      m_processes(engine.counters().processes()),
      m_loads(m_links.size()) {
    engine.add_observer(*this);
}

void packet_log::single_packet_message_consumed(std::uint32_t, const packet& p, const message_record&,
                                                cycle_t now) {
    if (m_links.empty() && is_shown(p.injected))
        m_records.append({p.injected, now, p.route.source, p.route.destination, 0, record::whole});
}

/// A slot of the pool is another packet when it was injected at another time.
void packet_log::flit_arrives(std::uint32_t link, const flit& f, const packet& p, cycle_t now) {
    if (!is_shown(now)) return;
    if (now >= m_interval_began + m_interval) end_intervals(now);
    ++m_loads[link].flits;
    if (!f.is_head() && !f.is_tail()) return;
    if (f.packet >= m_packets.size()) m_packets.resize(f.packet + 1);
    seen_packet& seen = m_packets[f.packet];
    const identity who{p.injected, p.route.source};
    if (!(seen.who == who)) {
        seen = {who, ++m_count};
        if (m_processes != nullptr) m_identities.append(who);
    }
    const auto destination = p.route.destination;
    if (f.is_head()) m_records.append({now, seen.number, link, destination, f.vc, record::head});
    if (f.is_tail()) m_records.append({now, seen.number, link, destination, f.vc, record::tail});
}

/// The load of each link in the interval that is over, where it is another than before; and in idle ones.
void packet_log::end_intervals(cycle_t now) {
    const auto tell = [&] {
        for (std::uint32_t link = 0; link < m_loads.size(); ++link) {
            load& l = m_loads[link];
            if (l.flits != l.told) m_records.append({m_interval_began, l.flits, link, 0, 0, record::load});
            l.told = l.flits;
            l.flits = 0;
        }
        m_interval_began += m_interval;
    };
    tell();
    if (now < m_interval_began + m_interval) return;
    tell();
    m_interval_began = now / m_interval * m_interval;
}

void packet_log::close(cycle_t end) {
    m_end = std::min(end, m_how.end());
    if (!m_links.empty()) end_intervals(m_end + 2 * m_interval);
    if (m_processes != nullptr) merge();
}

/// In the order in which one process would have seen them: by cycle, loads of an interval behind its last
/// cycle, then by link, which belongs to one of them. Packets are numbered as they are seen first; the
/// records of a process count its own, and its identities say who these are.
void packet_log::merge() {
    const auto records = gather_records(*m_processes, m_records);
    const auto who = gather_records(*m_processes, m_identities);
    std::map<identity, std::uint64_t> numbers;
    m_records = {};
    const auto place = [&](std::uint32_t, const record& r) {
        const bool is_load = r.is == record::load;
        return std::make_tuple(is_load ? r.time + m_interval : r.time, !is_load, r.link);
    };
    merge_records(records, place, [&](std::uint32_t rank, record r) {
        if (r.is != record::load)
            r.number = numbers.try_emplace(who[rank].at(r.number - 1), numbers.size() + 1).first->second;
        m_records.append(r);
    });
}

result_streams packet_log::files() const {
    return {{perfetto_file, [this](std::ostream& to) { write(to); }}};
}

/// Puts records into tracks: of a link one for its load, and one for each VC; a VC carries a packet at a
/// time.
class packet_log::writer {
  public:
    writer(const packet_log& log, std::ostream& to)
        : m(log), m_out(to, 1), m_parent(m_out.add_track(log.m_links.empty() ? "nodes" : "links")) {}

    void add(const record& r) {
        if (r.is == record::load) return add_load(r);
        if (r.is == record::whole) return add_whole(r);
        if (r.time != m_now) end_slices();
        m_now = r.time;
        const auto place = std::pair{r.link, r.vc};
        if (r.is == record::head) {
            auto& on = m_vcs[place];
            if (on == perfetto_writer::none)
                on = m_out.add_track(fmt::format("vc {}", r.vc), link_track(r.link));
            m_out.begin(on, r.time, name(r.number, r.destination), r.number);
            m_open.insert(place);
        } else if (m_open.erase(place) != 0) {
            m_ending.push_back(m_vcs[place]);
        }
    }
    void close() {
        end_slices();
        for (const auto& place : m_open) m_out.end(m_vcs[place], m.m_end);
    }

  private:
    static std::string name(std::uint64_t packet, std::uint32_t destination) {
        return fmt::format("packet {} to {}", packet, destination);
    }
    perfetto_writer::track link_track(std::uint32_t link) {
        auto& on = m_tracks[link];
        if (on == perfetto_writer::none) on = m_out.add_track(m.m_links[link], m_parent);
        return on;
    }
    /// A tail takes its cycle.
    void end_slices() {
        for (const auto on : m_ending) m_out.end(on, m_now + 1);
        m_ending.clear();
    }
    void add_load(const record& r) {
        auto& on = m_loads[r.link];
        if (on == perfetto_writer::none) on = m_out.add_track("load", link_track(r.link), "flits/cycle");
        m_out.value(on, r.time, static_cast<double>(r.number) / static_cast<double>(m.m_interval));
    }
    /// Packets of a node may be under way side by side: each takes the first track that is free by then.
    void add_whole(const record& r) {
        auto& lanes = m_lanes[r.link];
        auto free = std::find_if(lanes.begin(), lanes.end(), [&](const lane& l) { return l.end <= r.time; });
        if (free == lanes.end()) {
            auto& node = m_tracks[r.link];
            if (node == perfetto_writer::none)
                node = m_out.add_track(fmt::format("node {}", r.link), m_parent);
            free = lanes.insert(lanes.end(), {m_out.add_track("packets", node), 0});
        }
        ++m_number;
        m_out.begin(free->on, r.time, name(m_number, r.destination), m_number);
        m_out.end(free->on, free->end = r.number);
    }

    struct lane {
        perfetto_writer::track on;
        cycle_t end;
    };
    const packet_log& m;
    perfetto_writer m_out;
    perfetto_writer::track m_parent;
    std::map<std::uint32_t, perfetto_writer::track> m_tracks, m_loads;  ///< by link
    std::map<std::pair<std::uint32_t, std::uint16_t>, perfetto_writer::track> m_vcs;
    std::set<std::pair<std::uint32_t, std::uint16_t>> m_open;  ///< a packet is on that VC
    std::vector<perfetto_writer::track> m_ending;              ///< of packets whose tails came in m_now
    std::map<std::uint32_t, std::vector<lane>> m_lanes;        ///< by node
    std::uint64_t m_number = 0;
    cycle_t m_now = 0;
};

void packet_log::write(std::ostream& out) const {
    writer to(*this, out);
    m_records.for_each([&](const record& r) { to.add(r); });
    to.close();
}

}  // namespace sare
