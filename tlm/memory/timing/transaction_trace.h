// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/access.h"

#include <cmath>
#include <iosfwd>
#include <string>
#include <vector>

namespace sare {

class memory_map;

/// Returns a time in picoseconds, the unit of the FTR and FST files of a transaction_trace, rounded.
inline std::uint64_t picoseconds_of(const sc_core::sc_time& t) {
    return static_cast<std::uint64_t>(std::llround(t / sc_core::sc_time(1, sc_core::SC_PS)));
}

/// A trace of the accesses of all initiators of a map that are answered from start() on, with their packets.
/// It can be written as CSV, for Perfetto, as FTR or as FST. It keeps all accesses in memory, about 300 bytes
/// each.
///
///     sare::transaction_trace trace(addresses);
///     trace.start();  // before the simulation, or in mid-run
///     sc_core::sc_start();
///     trace.write_csv(file);
class transaction_trace {
  public:
    /// Makes a trace of a map, which must outlive it.
    explicit transaction_trace(memory_map& map) : m_map(map) {}
    ~transaction_trace() { stop(); }
    transaction_trace(const transaction_trace&) = delete;
    transaction_trace& operator=(const transaction_trace&) = delete;

    /// Starts the trace; does nothing if it runs. A map has one running trace at a time: a second one is
    /// reported as an error "/sare/memory", and does not start.
    void start();
    /// Ends the trace, which keeps what it has; does nothing if it does not run.
    void stop();
    /// Number of accesses in the trace.
    std::size_t size() const { return m_all.size(); }
    /// Writes transactions.csv to `out`: a row for each access, in the order in which they were answered.
    void write_csv(std::ostream& out) const;
    /// Writes a Perfetto trace, in whole nanoseconds: a track for each initiator, each memory and each node
    /// that sends packets, on which accesses, work of the memory and packets are slices. Slices at the same
    /// time are side by side. A flow leads from an access to its packets, to the memory and back.
    void write_perfetto(std::ostream& out) const;
    /// Writes FTR, in picoseconds: a stream for each initiator, each memory and each node that sends packets,
    /// with accesses, the memory's work and packets as transactions, and relations from an access to the
    /// others.
    void write_ftr(std::ostream& out) const;
    /// Writes FST, in picoseconds, for GTKWave: for each initiator and memory the number of open accesses,
    /// and the access that began last. Throws std::runtime_error in a build without the fstapi that comes
    /// with Verilator.
    void write_fst(std::ostream& out) const;

    /// Adds the answered access `p` of `initiator`, both named by their ports' text(); called by bridges.
    /// `memory`: memory that it went to, "": none.
    void take(const std::string& initiator, const tlm::tlm_generic_payload& p, const std::string& memory,
              const access_times& times, const std::vector<access_packet>& packets);

  private:
    /// An access.
    struct transaction {
        std::string initiator, memory;    ///< names; memory "": none
        bool write = false;               ///< true: a write; false: a read
        std::uint64_t address = 0;        ///< address of the initiator
        std::uint32_t bytes = 0, id = 0;  ///< data length; ID (access_id)
        std::string status;               ///< name of the response status, "TLM_OK_RESPONSE"
        access_times times;
        std::vector<access_packet> packets;
        std::string name() const;  ///< name for viewers: "write 8 B at 0x100"
        /// True if a memory has been called with the access: its address is in a range, and its request was
        /// not lost.
        bool came_to_memory() const;
        /// Returns the time at which a packet was consumed; for a lost packet, the end of its access.
        sc_core::sc_time end_of(const access_packet& p) const {
            return p.consumed > p.injected ? p.consumed : times.answered;
        }
    };

    memory_map& m_map;
    bool m_runs = false;             ///< true between start() and stop()
    std::vector<transaction> m_all;  ///< accesses in the order in which they were answered
};

}  // namespace sare
