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

/// The memories of an engine's nodes, and the messages to and from them. Requests are messages of class 0,
/// responses of the last class, so that with two classes responses never wait behind requests (access_options
/// may ask for others). An engine has one map.
class memory_map final : private workload {
  public:
    /// Bytes that a message has beside the data: command and address, or the response's status.
    static constexpr std::uint64_t command_bytes = 8;

    /// Wrong ranges are reported as "/sare/config", a second map of an engine as "/sare/memory".
    memory_map(cycle_engine& engine, std::vector<address_range> ranges);
    ~memory_map() override;

    /// Adds another protocol on the same engine, which is told of the messages whose tag has `shared_tag`.
    /// Returns false if there is one already.
    bool share_with(workload& other) {
        if (m_other != nullptr) return false;
        m_other = &other;
        return true;
    }
    /// Bit that is set in the tags of the other protocol's messages.
    static constexpr std::uint64_t shared_tag = std::uint64_t{1} << 62;

    /// The counts, latencies and their parts of each initiator's and memory's accesses so far.
    access_report& accesses() { return m_report; }

    /// @name For bridges
    /// @{
    /// Counts the routers that packets pass, for accesses from now on.
    void count_hops() { m_follower.start(); }
    /// Sets the trace that is told of accesses answered from now on; null: none. Returns false, with a
    /// report, if there is another one.
    bool set_trace(transaction_trace* trace);
    transaction_trace* trace() const { return m_trace; }
    cycle_engine& engine() { return m_engine; }
    /// Returns sc_time_stamp() without the call.
    const sc_core::sc_time& now() const { return m_now; }
    /// Adds a bridge, whose initiators are told of DMI that becomes void.
    void join(memory_bridge_base& bridge);
    /// Reserves numbers for `count` more agents, unique in the network. Returns the first.
    std::uint32_t number_agents(std::uint32_t count) { return (m_agents += count) - count; }
    /// Adds the next memory of a node.
    void add(std::uint32_t node, memory_port& memory);
    /// Call when all memories have been added: warns of ranges without one, reports nodes that do not exist.
    void check();
    const std::vector<address_range>& ranges() const { return m_addresses.ranges(); }
    const address_range* find(std::uint64_t address) const { return m_addresses.find(address); }
    /// Returns the memory of a range; null if none is bound.
    memory_port* memory_of(const address_range& range) const;
    /// Takes a new access. over(): its initiator may have the response, and no message of it is under way.
    memory_access& take(access_mode mode);
    void over(memory_access& a);
    void request(memory_access& a);
    void respond(memory_access& a) { respond(a, now()); }
    /// Sends the response at a later time `when`, without waking anybody then.
    void respond(memory_access& a, const sc_core::sc_time& when);
    /// True if a node's responses may be sent before their time: they are the only messages of their class
    /// from it, and come in the order of their times.
    bool may_respond_ahead(std::uint32_t node) const;
    /// Sends messages as an access like `like` would from `from` to `to`, to learn how long they take.
    void probe(initiator_port& from, memory_port& to, const tlm::tlm_generic_payload& like);
    /// Returns the cycles that a message with `bytes` bytes of data is estimated to take.
    cycle_t estimate(std::uint32_t from, std::uint32_t to, std::uint32_t bytes);
    /// Time from now to the arrival of a message that is sent `ahead` of now and takes `cycles`: at the begin
    /// of a cycle, whenever within its cycle it was sent.
    sc_core::sc_time until_arrival(const sc_core::sc_time& ahead, cycle_t cycles) const {
        const engine_clock& clock = m_engine.clock();
        return clock.begin_of(clock.cycle_at(now() + ahead) + cycles) - now();
    }
    /// Makes void what initiators know by DMI of bytes first to last of a memory.
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
    /// Serialises the reservations of the memories; no access may be open.
    void serialize(archive& a) override;

    cycle_engine& m_engine;
    const sc_core::sc_time& m_now = sc_core::sc_time_stamp();  ///< the kernel's own variable
    workload* m_other = nullptr;
    address_map m_addresses;
    std::vector<std::vector<memory_port*>> m_memories;  ///< by node
    std::vector<memory_bridge_base*> m_bridges;
    std::unique_ptr<latency_estimate> m_latency;
    /// Size of the last message without data, and with: most are alike.
    struct sized {
        std::uint64_t bytes = 0;
        std::uint32_t flits = 0;
    };
    sized m_last_sizes[2];
    access_pool m_accesses;
    access_report m_report;
    packet_follower m_follower{m_accesses, m_engine};
    transaction_trace* m_trace = nullptr;
    std::uint64_t m_open = 0;  ///< number of accesses with messages that are not over
    std::uint32_t m_agents = 0;
    std::uint32_t m_messages = 0;  ///< sent so far: part of their tags, since slots are used again
    bool m_own_classes = false;    ///< true: an access has asked for message classes
    bool m_checked = false;
};

}  // namespace sare
