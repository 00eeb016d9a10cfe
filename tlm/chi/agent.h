// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/transport.h"

#include <map>
#include <stdexcept>
#include <string>

namespace sare::chi {

/// Map from addresses to the home nodes and memory nodes of a system: consecutive cache lines go to
/// consecutive nodes of each list, in turn.
struct system_map {
    std::vector<std::uint32_t> homes;     ///< numbers of the home nodes
    std::vector<std::uint32_t> memories;  ///< numbers of the memory nodes

    /// @name Node of an address; each throws std::out_of_range if the system has no such node
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

/// Base class of a CHI node. Flits that it sends wait in it for link credits; flits that arrive are taken at
/// once.
class agent : public sc_core::sc_module, public backward_if {
  public:
    node_socket socket;  ///< socket to be bound to the interface of its network node

    const char* kind() const override { return "sare::chi::agent"; }
    /// Prints to `out` name, kind and, for each channel, link credits and waiting flits; each kind of node
    /// prints more.
    void dump(std::ostream& out = std::cout) const override;
    /// Most flits of one channel that waited for link credits at a time.
    std::uint32_t most_waiting() const { return m_most; }
    /// Takes a flit that arrives, or a link credit that comes back; called by the interface.
    tlm::tlm_sync_enum nb_transport_bw(flit& f, phase& p, sc_core::sc_time& delay) override;

  protected:
    /// Makes a node. `bus_bytes`: bytes of data of a DAT flit; reports "/sare/config" unless 16, 32 or 64.
    agent(const sc_core::sc_module_name& name, std::uint32_t bus_bytes);

    std::uint32_t bus_bytes() const { return m_bus_bytes; }  ///< bytes of data of a DAT flit
    /// Sends a flit to node f.target, now or when there is a link credit of its channel; earlier flits of the
    /// channel go first. The interface sets f.source and reports errors.
    void send(const flit& f);
    /// Sends the data of a cache line in as many DAT flits as the bus needs. `f`: fields of these flits
    /// except data and DataID; f.enables: enables of the whole line.
    void send_line(flit f, const std::array<unsigned char, line_bytes>& data);
    /// Takes a flit that has arrived; called for each one, which it must take at once.
    virtual void received(const flit& f) = 0;
    void start_of_simulation() override;
    /// Makes the counts of this node's accesses, which join the network's report, and returns them; the
    /// derived class keeps them. `as_memory`: true: accesses come to the node as a memory; false: it makes
    /// them as an initiator. Call it once, in the constructor (not checked).
    std::shared_ptr<access_side> count_accesses(bool as_memory);

  private:
    void send_waiting(std::size_t c);  ///< sends waiting flits of channel c as credits allow

    const std::uint32_t m_bus_bytes;
    /// Link credits of each channel: number of flits that the node may send now.
    std::array<std::uint32_t, channels> m_credits{};
    std::array<std::deque<flit>, channels> m_waiting;  ///< flits of each channel that wait for link credits
    std::uint32_t m_most = 0;                          ///< value of most_waiting()
    std::shared_ptr<access_side> m_accesses;           ///< null: accesses are not counted
};

/// The requester's side of CHI's retries: a request that was refused by RetryAck is sent again when its home
/// has granted a protocol credit (PCrdGrant). The credit and the RetryAck may come in any order.
class retries {
  public:
    /// Notes that RetryAck has refused a request. If the home of the request has granted a credit that is not
    /// used, calls again(flit) with the oldest refused request to that home, whose AllowRetry is then false,
    /// to be sent.
    template <class F>
    void refused(const flit& request, F again) {
        m_homes[request.target].waiting.push_back(request);
        match(request.target, again);
    }
    /// Notes that a home has granted a credit. If a refused request waits for one, calls again(flit) as
    /// refused() does.
    template <class F>
    void granted(std::uint32_t home, F again) {
        ++m_homes[home].credits;
        match(home, again);
    }

  private:
    /// State of the retries with a home.
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
    std::map<std::uint32_t, of_home> m_homes;  ///< states by node of the home
};

}  // namespace sare::chi
