// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/source/open_loop.h"

namespace sare::traffic {

/// What the sources share that begin with some messages in their first cycle and make all others when one is
/// consumed: they have no clock, and cost a call a message.
class driven_source : public workload {
  public:
    void start(traffic_port& port) override;
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override;
    std::uint32_t largest_message() const override { return m_length->largest(); }
    generated_counts generated(cycle_t) override { return m_made; }
    config::value results() const override;
    void serialize(archive& a) override;

  protected:
    driven_source(const spatial_parameters& p, const std::string& folder);

    /// Sends the first messages, of so many nodes.
    virtual void begin(std::uint32_t nodes) = 0;

    bool begun() const { return m_port != nullptr && m_next == never; }
    bool silent(std::uint32_t node) const { return m_pattern->silent(node); }
    rng& random(std::uint32_t node) { return m_random[node]; }
    std::uint64_t messages_made() const { return m_made.messages; }
    std::uint64_t under_way() const { return m_made.messages - m_consumed; }

    /// A message of `node` to where the pattern says, or to `destination`.
    void send(std::uint32_t node, std::uint64_t tag) {
        send(node, m_pattern->destination(node, random(node)), tag);
    }
    void send(std::uint32_t node, std::uint32_t destination, std::uint64_t tag);
    /// Counts a message that has been consumed: once for each, first thing.
    void count(const delivery& d);

  private:
    spatial_parameters m_spatial;
    std::string m_folder;
    std::unique_ptr<length_law> m_length;
    std::unique_ptr<pattern> m_pattern;
    traffic_port* m_port = nullptr;
    std::vector<rng> m_random;
    cycle_t m_next = 0;
    generated_counts m_made;
    std::uint64_t m_consumed = 0, m_cycles = 0;
};

}  // namespace sare::traffic
