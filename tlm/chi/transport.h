// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/pool.h"
#include "tlm/chi/chi.h"
#include "tlm/memory/timing/access_report.h"
#include "tlm/systemc/modules.h"

#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace sare {
class memory_map;
}

namespace sare::chi {

class interface;

struct transport_params {
    std::uint32_t bus_bytes = 32;  ///< of data in a DAT flit: 16, 32 or 64
    std::uint32_t credits = 16;    ///< flits of a channel that a node may have on their way, 1 to 65,535
    /// Message class of REQ, RSP, DAT and SNP: four different ones.
    std::array<std::uint32_t, channels> classes = {0, 1, 2, 3};
    /// The same for urgent flits, of QoS `urgent_from` to 15: for arbiters by class. No class is in two
    /// channels.
    std::array<std::uint32_t, channels> urgent_classes = {0, 1, 2, 3};
    std::uint32_t urgent_from = 16;
    /// Bytes of a flit beside its data, by channel.
    std::array<std::uint32_t, channels> header_bytes = {16, 8, 12, 12};
};

/// Carries CHI's flits between the nodes of an engine, each as a message of its channel's class: no channel
/// ever waits for another one. An engine has one.
class transport final : private workload {
  public:
    /// Parameters that are wrong, and a network without a class for each channel, are a report
    /// "/sare/config".
    explicit transport(cycle_engine& engine, const transport_params& params = {});
    /// On an engine that has a memory map, too.
    explicit transport(memory_map& beside, const transport_params& params = {});
    ~transport() override { m_own_report.over(); }

    const transport_params& params() const { return m_params; }
    cycle_engine& engine() { return m_engine; }
    /// Flits from the node that sends them until the one they are for takes them.
    std::uint64_t in_flight() const { return m_in_flight; }
    /// Requests that have not been answered: by CompData, Comp or CompDBIDResp.
    std::size_t open() const { return m_requests.size(); }
    std::uint64_t carried(channel c) const { return m_carried[number_of(c)]; }
    /// What has come of the accesses of caches and at memory nodes: that of the memory map, if there is one.
    access_report& accesses() { return m_report; }

    /// @name For interfaces
    /// @{
    void join(interface& i);
    bool has(std::uint32_t node) const { return node < m_interfaces.size() && m_interfaces[node] != nullptr; }
    /// From a node with an interface to one: else a report "/sare/protocol", and it is not sent.
    void send(const flit& f);
    /// Its source gets its credit back.
    void handed_over(const flit& f);
    bool debug(std::uint32_t target, const debug_access& a);
    /// The engine looks whether this was all.
    void look();
    /// @}

  private:
    transport(cycle_engine& engine, const transport_params& params, memory_map* beside);

    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    void delivered(const delivery& d) override;
    void dropped(const message& m, const std::string& cause) override;
    bool finished() const override { return m_in_flight == 0 && m_requests.empty(); }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    /// Throws: caches and homes are not written.
    void serialize(archive& a) override;
    void note_times(const flit& f, const delivery& d);

    cycle_engine& m_engine;
    const transport_params m_params;
    access_report m_own_report;
    access_report& m_report;
    const std::uint64_t m_tag;             ///< of its messages, beside the slot
    std::vector<interface*> m_interfaces;  ///< by node
    std::deque<flit> m_flits;              ///< by slot: on their way
    std::vector<std::uint32_t> m_free;
    std::uint64_t m_in_flight = 0;
    /// By node and TxnID: packets of CompData that are missing.
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> m_requests;
    std::array<std::uint64_t, channels> m_carried{};
};

/// The edge of the network at a node: what a CHI node is bound to. It gives the node its credits, takes a
/// flit a credit, and hands over what comes as the node's credits allow.
class interface final : public sc_core::sc_module, public forward_if {
  public:
    interface(const sc_core::sc_module_name& name, nic& n, transport& t);

    interface_socket node;

    const char* kind() const override { return "sare::chi::interface"; }
    /// Name, kind, and what is on its way and waits, by channel.
    void dump(std::ostream& out = std::cout) const override;
    std::uint32_t id() const { return m_nic.node(); }  ///< SrcID and TgtID
    transport& network() { return m_transport; }
    /// Flits of a channel that have waited here for the node's credits, at a time.
    std::uint32_t most_waiting(channel c) const { return m_most[number_of(c)]; }

    bool debug(std::uint32_t target, const debug_access& a) override { return m_transport.debug(target, a); }
    void arrived(const flit& f);
    void credit(channel c);  ///< for the node
    void join(std::shared_ptr<access_side> accesses) override;
    tlm::tlm_sync_enum nb_transport_fw(flit& f, phase& p, sc_core::sc_time& delay) override;

  private:
    void start_of_simulation() override;
    void end_of_simulation() override { m_transport.accesses().over(); }
    bool hand_over(std::size_t c);

    nic& m_nic;
    transport& m_transport;
    std::array<std::uint32_t, channels> m_sent{};  ///< by the node, not credited yet
    std::array<std::uint32_t, channels> m_room{};  ///< the node's credits
    std::array<std::deque<flit>, channels> m_waiting;
    std::array<std::uint32_t, channels> m_most{};
};

}  // namespace sare::chi
