// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/network_engine.h"
#include "tlm/stats/log/observation_params.h"
#include "tlm/stats/log/record_file.h"

#include <iosfwd>
#include <memory>

namespace sare {

/// Log of which packet is on which link when, and of the load of links, for Perfetto. In a network of routers
/// it sees the flits on links; in the contention-free model it sees packets that leave and arrive. A packet
/// takes 64 bytes of a temporary file for each link that it crosses (32 in all in the contention-free model);
/// in memory are 16 bytes for each link and 24 for each packet in the network. If several processes run the
/// network, each sees the links that end in its part; rank 0 writes the file, with the identities of all
/// packets in memory.
class packet_log final : public run_observer, public observer, public flit_observer {
  public:
    /// Makes a log that observes `engine`, which must outlive it, at once. `how`: cycles to show, interval of
    /// loads in cycles.
    packet_log(const observation_params& how, network_engine& engine);

    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet&, cycle_t) override {}
    void message_consumed(const message_record&, cycle_t) override {}
    void single_packet_message_consumed(std::uint32_t node, const packet& p, const message_record& m,
                                        cycle_t now) override;
    void flit_arrives(std::uint32_t link, const flit& f, const packet& p, cycle_t now) override;

    void close(cycle_t end) override;
    result_streams files() const override;
    /// Writes the file for Perfetto to `out`. Call after close(), in rank 0 if there are several processes.
    void write(std::ostream& out) const;

  private:
    /// An entry of the log: a head or tail that has come to the end of a link, the load of a link in an
    /// interval, or a whole packet of the contention-free model.
    struct record {
        enum kind : std::uint8_t { head, tail, load, whole };
        cycle_t time = 0;  ///< cycle of arrival; load: first cycle of the interval; whole: cycle of injection
        /// Number of the packet; load: flits in the interval; whole: cycle of arrival.
        std::uint64_t number = 0;
        std::uint32_t link = 0;         ///< number of the link; whole: source node
        std::uint32_t destination = 0;  ///< destination node of the packet; load: 0
        std::uint16_t vc = 0;           ///< VC of the link; load, whole: 0
        kind is = head;                 ///< kind of the entry
    };
    /// Identity of a packet that is the same in all processes.
    struct identity {
        cycle_t injected = ~cycle_t{0};  ///< cycle of injection; ~0: no packet
        std::uint64_t source = 0;        ///< source node
        bool operator==(const identity& o) const { return injected == o.injected && source == o.source; }
        bool operator<(const identity& o) const {
            return injected != o.injected ? injected < o.injected : source < o.source;
        }
    };
    /// Packet that was last seen with an index flit::packet; later packets use the index again.
    struct seen_packet {
        identity who;
        std::uint64_t number = 0;  ///< number of the packet in the log, from 1
    };
    /// Load of a link.
    struct load {
        /// Numbers of flits in the present interval, and in the interval before.
        std::uint64_t flits = 0, told = 0;
    };
    class writer;

    bool is_shown(cycle_t t) const { return t >= m_how.from && t < m_how.end(); }
    void end_intervals(cycle_t now);  ///< makes records of the loads of intervals that end by cycle `now`
    void merge();                     ///< gathers the records of all processes in rank 0

    const observation_params m_how;
    const std::uint64_t m_interval;    ///< length of an interval in cycles
    std::vector<std::string> m_links;  ///< names of links, by number; empty: the contention-free model
    world* const m_processes;          ///< null: this is the only process
    record_file<record> m_records;     ///< entries in the order in which they were seen
    /// Identities of packets in order of their numbers, from 1; for several processes only.
    record_file<identity> m_identities;
    std::vector<seen_packet> m_packets;       ///< packet seen last, by flit::packet
    std::vector<load> m_loads;                ///< load of each link
    std::uint64_t m_count = 0;                ///< number of packets seen so far
    cycle_t m_interval_began = 0, m_end = 0;  ///< first cycle of the interval; first cycle not shown
};

}  // namespace sare
