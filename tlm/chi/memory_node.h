// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/agent.h"

#include <tlm_utils/simple_initiator_socket.h>

namespace sare::chi {

/// A subordinate node (SN-F): it turns ReadNoSnp and WriteNoSnp into accesses to a plain TLM-2.0 memory, one
/// after another. A write is answered when it is done. It refuses nothing, as homes have no more requests
/// than trackers.
class memory_node final : public agent {
  public:
    /// Makes a memory node. `bus_bytes`: bytes of data of a DAT flit; reports "/sare/config" unless 16, 32 or
    /// 64.
    memory_node(const sc_core::sc_module_name& name, std::uint32_t bus_bytes);

    const char* kind() const override { return "sare::chi::memory_node"; }
    /// Prints to `out` the lines of agent::dump(), and the numbers of requests held, reads and writes.
    void dump(std::ostream& out = std::cout) const override;

    tlm_utils::simple_initiator_socket<memory_node, 512> memory;  ///< socket to be bound to the memory

    std::uint64_t reads() const { return m_reads; }    ///< number of reads done
    std::uint64_t writes() const { return m_writes; }  ///< number of writes done
    /// Most requests that were here at a time.
    std::uint32_t most_held() const { return m_accesses->most_open; }

  private:
    /// A request, with the data of a write.
    struct request {
        flit f;
        line_buffer data;
        sc_core::sc_time arrived;  ///< time at which `f` arrived
    };

    void received(const flit& f) override;
    bool debug(const debug_access& a) override;
    void run();
    void serve(request& r);
    void access(tlm::tlm_generic_payload& p);

    std::map<std::uint16_t, request> m_open;  ///< writes whose data are incomplete, by DBID
    std::uint16_t m_next_db = 0;              ///< DBID of the next write
    std::deque<request> m_queue;              ///< requests to be done, in order
    sc_core::sc_event m_come;                 ///< notified when a request comes into m_queue
    std::uint64_t m_reads = 0, m_writes = 0;
    const std::shared_ptr<access_side> m_accesses = count_accesses(true);
};

}  // namespace sare::chi
