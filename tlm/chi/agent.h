// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/transport.h"

#include <map>
#include <stdexcept>
#include <string>

namespace sare::chi {

/// Home node and memory node of each address of a system: nodes take turns by the line.
struct system_map {
    std::vector<std::uint32_t> homes;     ///< nodes
    std::vector<std::uint32_t> memories;  ///< nodes, by turns, too

    /// @name Node of an address; throw std::out_of_range if the system has none
    /// @{
    std::uint32_t home_of(std::uint64_t address) const { return of(homes, address, "home"); }
    std::uint32_t memory_of(std::uint64_t address) const { return of(memories, address, "memory node"); }
    /// @}

  private:
    static std::uint32_t of(const std::vector<std::uint32_t>& all, std::uint64_t address, const char* what) {
        if (all.empty()) throw std::out_of_range(std::string("the system map has no ") + what);
        return all[address / line_bytes % all.size()];
    }
};

/// A CHI node: its flits wait in it for link credits, and arriving flits are taken at once.
class agent : public sc_core::sc_module, public backward_if {
  public:
    node_socket socket;

    const char* kind() const override { return "sare::chi::agent"; }
    /// Prints name, kind, credits and waiting flits; each kind of node prints more.
    void dump(std::ostream& out = std::cout) const override;
    /// Highest number of flits that waited for credits at a time.
    std::uint32_t most_waiting() const { return m_most; }
    tlm::tlm_sync_enum nb_transport_bw(flit& f, phase& p, sc_core::sc_time& delay) override;

  protected:
    agent(const sc_core::sc_module_name& name, std::uint32_t bus_bytes);

    std::uint32_t bus_bytes() const { return m_bus_bytes; }
    void send(const flit& f);
    /// Sends a line in as many packets as the bus needs: `f` has everything but the data.
    void send_line(flit f, const std::array<unsigned char, line_bytes>& data);
    virtual void received(const flit& f) = 0;
    void start_of_simulation() override;
    /// Counts what comes to it as accesses. Returns the counts.
    std::shared_ptr<access_side> count_accesses(bool as_memory);

  private:
    void send_waiting(std::size_t c);

    const std::uint32_t m_bus_bytes;
    std::array<std::uint32_t, channels> m_credits{};   ///< link credits of each channel
    std::array<std::deque<flit>, channels> m_waiting;  ///< flits of each channel that wait for these
    std::uint32_t m_most = 0;                          ///< see most_waiting()
    std::shared_ptr<access_side> m_accesses;           ///< null: accesses are not counted
};

/// A requester's side of CHI's retries: a request that got RetryAck is sent again with a credit of its home.
/// Credit and RetryAck may come in any order.
class retries {
  public:
    /// Notes the RetryAck of a request. Calls `again` with a request that may be sent again, if its home has
    /// given a credit.
    template <class F>
    void refused(const flit& request, F again) {
        m_homes[request.target].waiting.push_back(request);
        match(request.target, again);
    }
    /// Notes a credit of a home (PCrdGrant). Calls `again` as refused() does, if a request waits for it.
    template <class F>
    void granted(std::uint32_t home, F again) {
        ++m_homes[home].credits;
        match(home, again);
    }

  private:
    struct of_home {
        std::uint32_t credits = 0;  ///< credits that no request has used yet
        std::deque<flit> waiting;   ///< requests that wait for a credit
    };
    template <class F>
    void match(std::uint32_t home, F again) {
        of_home& h = m_homes[home];
        if (h.credits == 0 || h.waiting.empty()) return;
        --h.credits;
        flit f = h.waiting.front();
        h.waiting.pop_front();
        f.allow_retry = false;
        again(f);
    }
    std::map<std::uint32_t, of_home> m_homes;
};

}  // namespace sare::chi
