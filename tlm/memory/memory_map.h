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

/// The memories of an engine's nodes, and what is on its way to them and back: requests are messages of class
/// 0, responses of the last class, so that with two classes they never wait behind requests (unless
/// access_options say other ones). An engine has
/// one map.
class memory_map final : private workload {
  public:
    /// A message has so many bytes beside the data: command and address, or the response's status.
    static constexpr std::uint64_t command_bytes = 8;

    /// Ranges that are wrong are a report "/sare/config", a second map of an engine one of "/sare/memory".
    memory_map(cycle_engine& engine, std::vector<address_range> ranges);
    ~memory_map() override;

    /// Another protocol on the same engine: is told of its messages, those that have `shared_tag`. False:
    /// there is one already.
    bool share_with(workload& other) {
        if (m_other != nullptr) return false;
        m_other = &other;
        return true;
    }
    static constexpr std::uint64_t shared_tag = std::uint64_t{1} << 62;

    /// What has come of the accesses so far: counts, latencies and their parts, of each initiator and memory.
    access_report& accesses() { return m_report; }

    /// @name For bridges
    /// @{
    /// Of accesses from now on.
    void count_hops() { m_follower.start(); }
    /// Is told of accesses that are answered from now on; null: none is. False, and a report: there is one.
    bool set_trace(transaction_trace* trace);
    transaction_trace* trace() const { return m_trace; }
    cycle_engine& engine() { return m_engine; }
    /// sc_time_stamp(), without the call.
    const sc_core::sc_time& now() const { return m_now; }
    /// Its initiators hear of what is invalidated.
    void join(memory_bridge_base& bridge);
    /// Numbers for so many more agents, unique in the network: the first one.
    std::uint32_t number_agents(std::uint32_t count) { return (m_agents += count) - count; }
    /// The next of the node's memories.
    void add(std::uint32_t node, memory_port& memory);
    /// When all have been added: reports ranges without a memory.
    void check();
    const std::vector<address_range>& ranges() const { return m_addresses.ranges(); }
    const address_range* find(std::uint64_t address) const { return m_addresses.find(address); }
    /// Null if none is bound.
    memory_port* memory_of(const address_range& range) const;
    /// A new access; over(): its initiator may have its response, and nothing is on its way for it any more.
    memory_access& take(access_mode mode);
    void over(memory_access& a);
    void request(memory_access& a);
    void respond(memory_access& a) { respond(a, now()); }
    /// The same at a later time, with nobody to be woken for it.
    void respond(memory_access& a, const sc_core::sc_time& when);
    /// Responses of the node are the only messages of their class from it, and in the order of their times:
    /// they may be sent ahead.
    bool may_respond_ahead(std::uint32_t node) const;
    /// Messages as those of an access of `like` from `from` to `to`, for what is learned from them.
    void probe(initiator_port& from, memory_port& to, const tlm::tlm_generic_payload& like);
    /// Cycles that a message with so many bytes of data is estimated to take.
    cycle_t estimate(std::uint32_t from, std::uint32_t to, std::uint32_t bytes);
    /// Time from now to the arrival of what is sent `ahead` of now: when within a cycle makes no difference.
    sc_core::sc_time until_arrival(const sc_core::sc_time& ahead, cycle_t cycles) const {
        const engine_clock& clock = m_engine.clock();
        return clock.begin_of(clock.cycle_at(now() + ahead) + cycles) - now();
    }
    /// What initiators know of these bytes of a memory by DMI.
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
    /// Of one with nothing open: what memories keep beyond an access.
    void serialize(archive& a) override;

    cycle_engine& m_engine;
    const sc_core::sc_time& m_now = sc_core::sc_time_stamp();  ///< where SystemC's kernel keeps it
    workload* m_other = nullptr;
    address_map m_addresses;
    std::vector<std::vector<memory_port*>> m_memories;  ///< by node
    std::vector<memory_bridge_base*> m_bridges;
    std::unique_ptr<latency_estimate> m_latency;
    /// The size of the last message without and with data: most are alike.
    struct sized {
        std::uint64_t bytes = 0;
        std::uint32_t flits = 0;
    };
    sized m_last_sizes[2];
    access_pool m_accesses;
    access_report m_report;
    packet_follower m_follower{m_accesses, m_engine};
    transaction_trace* m_trace = nullptr;
    std::uint64_t m_open = 0;  ///< accesses with messages that are not over
    std::uint32_t m_agents = 0;
    std::uint32_t m_messages = 0;  ///< sent so far: in their tags, for slots of accesses are used again
    bool m_own_classes = false;    ///< an access has had some
    bool m_checked = false;
};

}  // namespace sare
