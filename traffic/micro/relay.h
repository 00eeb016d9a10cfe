// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <utility>

namespace sare::traffic {

/// Base class of the micro-benchmarks: workloads that send a given number of messages, of which a given
/// number are under way at a time; when one arrives, the next is sent.
class relay : public workload {
  public:
    void start(traffic_port& port) override;
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    bool finished() const override { return m_arrived == m_count; }
    bool runs_to_completion() const override { return true; }
    double progress() const override {
        return m_count == 0 ? 1 : static_cast<double>(m_arrived) / static_cast<double>(m_count);
    }
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    config::value results() const override;
    void serialize(archive& a) override;

  protected:
    /// `bytes`: size of each message; `outstanding`: number of messages under way at a time, at least 1 (not
    /// checked).
    relay(std::uint64_t bytes, std::uint32_t outstanding) : m_bytes(bytes), m_outstanding(outstanding) {}
    /// Returns the network; valid from the begin of start() on (not checked).
    const traffic_port& port() const { return *m_port; }

    /// Returns the number of messages of a run in a network of `nodes` nodes; 0: the run ends at once. Called
    /// once, by start().
    virtual std::uint64_t count(std::uint64_t nodes) const = 0;
    /// Prepares the messages of the run. Called once by start(), after count() and before the first ends();
    /// port() is valid.
    virtual void begin() {}
    /// Returns source and destination node of message `k`, from 0. Called once for each message when it is
    /// sent, in ascending order of `k`.
    virtual std::pair<std::uint32_t, std::uint32_t> ends(std::uint64_t k) = 0;

  private:
    void send();

    std::uint64_t m_bytes;        ///< bytes of each message
    std::uint32_t m_outstanding;  ///< largest number of messages under way
    traffic_port* m_port = nullptr;
    std::uint64_t m_count = 0, m_arrived = 0;  ///< number of messages of the run; number that have arrived
    std::uint64_t m_cycles = 0;      ///< sum of the latencies, in cycles, of the messages that have arrived
    cycle_t m_next = 0, m_last = 0;  ///< result of next_tick(); cycle of the last arrival
    generated_counts m_generated;
};

}  // namespace sare::traffic
