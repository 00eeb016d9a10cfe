// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/access.h"
#include "tlm/memory/address_map.h"
#include "tlm/memory/timing/access_report.h"
#include "tlm/memory/timing/packet_follower.h"
#include "tlm/systemc/cycle_engine.h"

#include <memory>
#include <vector>

namespace sare {

class latency_estimate;
class memory_bridge_base;
class memory_port;
class transaction_trace;

/// Address map of the memories of an engine's nodes; it also sends the messages to and from them. Requests
/// are messages of class 0, responses of the network's last class, so that with two classes responses never
/// wait behind requests; access_options may ask for other classes. An engine has at most one map.
class memory_map final : private workload {
  public:
    /// Bytes of a message besides the data: command and address of a request, status of a response.
    static constexpr std::uint64_t command_bytes = 8;

    /// Makes the map of `engine`, which must outlive it. Errors are SystemC reports: "/sare/config" for
    /// ranges that address_map refuses; "/sare/memory" if the engine has a map or a CHI transport already.
    memory_map(cycle_engine& engine, std::vector<address_range> ranges);
    ~memory_map() override;

    /// Adds another protocol (CHI) on the same engine, which is told of deliveries and drops of messages
    /// whose tag has the bit shared_tag. `other` must outlive this map. Returns false, and adds nothing, if
    /// there is one already.
    bool share_with(workload& other) {
        if (m_other != nullptr) return false;
        m_other = &other;
        return true;
    }
    /// Bit that is set in the tags of the other protocol's messages, and in no other tags.
    static constexpr std::uint64_t shared_tag = std::uint64_t{1} << 62;

    /// Returns the counts, latencies and parts of latencies, by initiator and memory, of all accesses so far
    /// in mode exact; in all modes after access_report::count_all().
    access_report& accesses() { return m_report; }

    /// @name Called by bridges
    /// @{
    /// Counts from now on the routers that packets of accesses pass, in access_times::request_hops and
    /// response_hops. A second call does nothing.
    void count_hops() { m_follower.start(); }
    /// Sets the trace that is told of accesses answered from now on; null: none. Returns false, and reports
    /// "/sare/memory", if there is a trace already and `trace` is not null.
    bool set_trace(transaction_trace* trace);
    transaction_trace* trace() const { return m_trace; }  ///< trace that runs; null: none
    cycle_engine& engine() { return m_engine; }           ///< engine of the network
    /// Returns the present time, as sc_time_stamp() does, without a call.
    const sc_core::sc_time& now() const { return m_now; }
    /// Adds a bridge, which accesses() then counts and whose initiators are told when DMI becomes void.
    void join(memory_bridge_base& bridge);
    /// Reserves `count` numbers of agents that make exclusive accesses (access_options::agent), unique in the
    /// network. Returns the first of these numbers.
    std::uint32_t number_agents(std::uint32_t count) { return (m_agents += count) - count; }
    /// Adds a memory of a node, with the node's next number. An unknown node is reported as an error
    /// "/sare/memory".
    void add(std::uint32_t node, memory_port& memory);
    /// Warns of ranges whose memory is not bound, and reports "/sare/memory" for ranges of unknown nodes.
    /// Call it when all memories have been added; a second call does nothing.
    void check();
    /// See the functions of address_map of these names.
    const std::vector<address_range>& ranges() const { return m_addresses.ranges(); }
    const address_range* find(std::uint64_t address) const { return m_addresses.find(address); }
    /// Returns the memory of a range; null if it is not bound.
    memory_port* memory_of(const address_range& range) const;
    /// Returns an unused access object, acquired once, for an access in `mode`; over() must follow.
    memory_access& take(access_mode mode);
    /// Notes that no message of `a` is under way any more, and that its initiator may have the response.
    void over(memory_access& a);
    /// Sends the request of `a` now; in other modes than exact by initiator_port::carry().
    void request(memory_access& a);
    /// Sends the response of `a` now.
    void respond(memory_access& a) { respond(a, now()); }
    /// Sends the response of `a` at time `when`, now or later, for which no process of the bridge need run
    /// then.
    void respond(memory_access& a, const sc_core::sc_time& when);
    /// True if the responses of `node`, which must have a memory, may be given to the engine before their
    /// time. They are then the only messages of their class from the node, and come in the order of their
    /// times.
    bool may_respond_ahead(std::uint32_t node) const;
    /// Sends a probe: a request as long as the request of `like`, from `from` to `to`, and a response back,
    /// to learn how long they take. The memory is not called.
    void probe(initiator_port& from, memory_port& to, const tlm::tlm_generic_payload& like);
    /// Returns the estimated cycles from sending to arrival of a message with `bytes` bytes of data and
    /// command_bytes, from node `from` to node `to`.
    cycle_t estimate(std::uint32_t from, std::uint32_t to, std::uint32_t bytes);
    /// Returns the time from now to the arrival of a message that is sent a time `ahead` from now and takes
    /// `cycles` cycles. Messages arrive at the beginning of a cycle.
    sc_core::sc_time until_arrival(const sc_core::sc_time& ahead, cycle_t cycles) const {
        const engine_clock& clock = m_engine.clock();
        return clock.begin_of(clock.cycle_at(now() + ahead) + cycles) - now();
    }
    /// Tells all initiators that DMI is void for bytes `first` to `last` of a memory.
    void invalidate(const memory_port& memory, std::uint64_t first, std::uint64_t last);
    /// @}

  private:
    std::uint32_t flits_of(std::uint32_t data_bytes);
    void arrived(memory_access& probe);
    void note_times(memory_access& a, const delivery& d, cycle_t empty);
    void send(memory_access& a, std::uint32_t from, std::uint32_t to, std::uint32_t bytes,
              std::uint32_t class_of, const sc_core::sc_time& when);

    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    void delivered(const delivery& d) override;
    void dropped(const message& m, const std::string& cause) override;
    void lost(const message& m) override {
        if ((m.tag & shared_tag) != 0) m_other->lost(m);
    }
    bool finished() const override { return m_open == 0 && (m_other == nullptr || m_other->finished()); }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    /// Writes the reservations of all memories to a checkpoint, or reads them; no access may be open.
    void serialize(archive& a) override;

    cycle_engine& m_engine;
    const sc_core::sc_time& m_now = sc_core::sc_time_stamp();  ///< the kernel's own variable
    workload* m_other = nullptr;                               ///< see share_with(); null: none
    address_map m_addresses;
    std::vector<std::vector<memory_port*>> m_memories;  ///< memories of each node, in the order of binding
    std::vector<memory_bridge_base*> m_bridges;         ///< bridges in the order of join()
    std::unique_ptr<latency_estimate> m_latency;
    /// Length of a message in bytes and flits.
    struct sized {
        std::uint64_t bytes = 0;
        std::uint32_t flits = 0;
    };
    sized m_last_sizes[2];  ///< last message without data, and last one with data: most others are as long
    access_pool m_accesses;
    access_report m_report;
    packet_follower m_follower{m_accesses, m_engine};
    transaction_trace* m_trace = nullptr;  ///< see trace()
    std::uint64_t m_open = 0;    ///< number of accesses in mode exact, and probes, that are not over
    std::uint32_t m_agents = 0;  ///< number of agents numbered so far
    /// Number of messages sent so far: part of their tags, as memory_access::slot is used again.
    std::uint32_t m_messages = 0;
    bool m_own_classes = false;  ///< true: an access has asked for message classes
    bool m_checked = false;      ///< true: check() was called
};

}  // namespace sare
