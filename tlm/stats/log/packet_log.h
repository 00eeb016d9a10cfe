// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/network_engine.h"
#include "tlm/stats/log/observation_params.h"
#include "tlm/stats/log/record_file.h"

#include <iosfwd>
#include <memory>

namespace sare {

/// Log of where every packet is, and of the load of links, for Perfetto. In a network of routers it sees the
/// flits on links; in the contention-free model, packets that leave and arrive. Records are kept in a file,
/// 32 bytes for each packet and link; 24 bytes for each link and each packet in the network are in memory. If
/// several processes run the network, each sees the links that end in its part, and rank 0 writes all, with
/// the packets of all in memory.
class packet_log final : public run_observer, public observer, public flit_observer {
  public:
    /// Adds itself to the observers of `engine`.
    packet_log(const observation_params& how, network_engine& engine);

    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet&, cycle_t) override {}
    void message_consumed(const message_record&, cycle_t) override {}
    void single_packet_message_consumed(std::uint32_t node, const packet& p, const message_record& m,
                                        cycle_t now) override;
    void flit_arrives(std::uint32_t link, const flit& f, const packet& p, cycle_t now) override;

    void close(cycle_t end) override;
    result_streams files() const override;
    void write(std::ostream& out) const;

  private:
    struct record {
        enum kind : std::uint8_t { head, tail, load, whole };
        cycle_t time = 0;
        std::uint64_t number = 0;  ///< number of the packet; load: flits; whole: last cycle
        std::uint32_t link = 0;    ///< number of the link; whole: source node
        std::uint32_t destination = 0;
        std::uint16_t vc = 0;
        kind is = head;
    };
    /// Name of a packet in all processes.
    struct identity {
        cycle_t injected = ~cycle_t{0};
        std::uint64_t source = 0;
        bool operator==(const identity& o) const { return injected == o.injected && source == o.source; }
        bool operator<(const identity& o) const {
            return injected != o.injected ? injected < o.injected : source < o.source;
        }
    };
    struct seen_packet {
        identity who;
        std::uint64_t number = 0;
    };
    struct load {
        std::uint64_t flits = 0, told = 0;  ///< flits in this interval; flits in the last record
    };
    class writer;

    bool is_shown(cycle_t t) const { return t >= m_how.from && t < m_how.end(); }
    void end_intervals(cycle_t now);
    void merge();

    const observation_params m_how;
    const std::uint64_t m_interval;
    std::vector<std::string> m_links;  ///< names of links; empty: there are no routers
    world* const m_processes;          ///< null: this is the only process
    record_file<record> m_records;
    record_file<identity> m_identities;  ///< indexed by packet number; for several processes
    std::vector<seen_packet> m_packets;  ///< packets seen, by slot
    std::vector<load> m_loads;           ///< load of each link
    std::uint64_t m_count = 0;           ///< number of packets seen so far
    cycle_t m_interval_began = 0, m_end = 0;
};

}  // namespace sare
