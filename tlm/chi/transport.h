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
    std::uint32_t bus_bytes = 32;  ///< bytes of data in a DAT flit: 16, 32 or 64
    std::uint32_t credits = 16;    ///< flits of a channel that a node may have under way; 1 to 65,535
    /// Message classes of REQ, RSP, DAT and SNP, four different ones.
    std::array<std::uint32_t, channels> classes = {0, 1, 2, 3};
    /// Message classes of urgent flits (QoS `urgent_from` to 15), for arbiters by class; each for one
    /// channel.
    std::array<std::uint32_t, channels> urgent_classes = {0, 1, 2, 3};
    std::uint32_t urgent_from = 16;  ///< lowest QoS of urgent flits; 16: no flit is urgent
    /// Bytes of a flit beside its data, by channel.
    std::array<std::uint32_t, channels> header_bytes = {16, 8, 12, 12};
};

/// Carries CHI's flits between the nodes of an engine, each as a message of its channel's class, so that no
/// channel ever waits for another. An engine has one transport.
class transport final : private workload {
  public:
    /// Wrong parameters, and a network with fewer than four classes, are reported as "/sare/config".
    explicit transport(cycle_engine& engine, const transport_params& params = {});
    /// Makes a transport for an engine that has a memory map, too.
    explicit transport(memory_map& beside, const transport_params& params = {});
    ~transport() override { m_own_report.over(); }

    const transport_params& params() const { return m_params; }
    cycle_engine& engine() { return m_engine; }
    /// Number of flits between the call that sends them and the node that takes them.
    std::uint64_t in_flight() const { return m_in_flight; }
    /// Number of requests that are not answered: by CompData, Comp or CompDBIDResp.
    std::size_t open() const { return m_requests.size(); }
    std::uint64_t carried(channel c) const { return m_carried[number_of(c)]; }
    /// The report on accesses of caches and at memory nodes: the memory map's, if there is one.
    access_report& accesses() { return m_report; }

    /// @name For interfaces
    /// @{
    void join(interface& i);
    bool has(std::uint32_t node) const { return node < m_interfaces.size() && m_interfaces[node] != nullptr; }
    /// Sends a flit between two nodes with interfaces; else reports "/sare/protocol", and does not send it.
    void send(const flit& f);
    /// Notes that a flit was taken: its source gets the credit back.
    void handed_over(const flit& f);
    bool debug(std::uint32_t target, const debug_access& a);
    /// Makes the engine check whether the traffic is finished.
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
    /// Throws unwritable: the state of caches and homes cannot be written.
    void serialize(archive& a) override;
    void note_times(const flit& f, const delivery& d);

    cycle_engine& m_engine;
    const transport_params m_params;
    access_report m_own_report;
    access_report& m_report;
    const std::uint64_t m_tag;             ///< bits that its messages' tags have beside the slot
    std::vector<interface*> m_interfaces;  ///< by node
    std::deque<flit> m_flits;              ///< flits under way, by slot
    std::vector<std::uint32_t> m_free;
    std::uint64_t m_in_flight = 0;
    /// Packets of CompData that are missing, by node and TxnID.
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> m_requests;
    std::array<std::uint64_t, channels> m_carried{};
};

/// The edge of the network at a node, to which a CHI node is bound. It gives the node credits, takes a flit
/// for each, and hands over arrivals as the node's credits allow.
class interface final : public sc_core::sc_module, public forward_if {
  public:
    interface(const sc_core::sc_module_name& name, nic& n, transport& t);

    interface_socket node;

    const char* kind() const override { return "sare::chi::interface"; }
    /// Prints name, kind and, by channel, flits under way and waiting.
    void dump(std::ostream& out = std::cout) const override;
    std::uint32_t id() const { return m_nic.node(); }  ///< SrcID and TgtID
    transport& network() { return m_transport; }
    /// Highest number of flits of a channel that waited here for the node's credits at a time.
    std::uint32_t most_waiting(channel c) const { return m_most[number_of(c)]; }

    bool debug(std::uint32_t target, const debug_access& a) override { return m_transport.debug(target, a); }
    void arrived(const flit& f);
    void credit(channel c);  ///< gives the node a credit
    void join(std::shared_ptr<access_side> accesses) override;
    tlm::tlm_sync_enum nb_transport_fw(flit& f, phase& p, sc_core::sc_time& delay) override;

  private:
    void start_of_simulation() override;
    void end_of_simulation() override { m_transport.accesses().over(); }
    bool hand_over(std::size_t c);

    nic& m_nic;
    transport& m_transport;
    std::array<std::uint32_t, channels> m_sent{};  ///< flits of the node that are not credited yet
    std::array<std::uint32_t, channels> m_room{};  ///< credits of the node
    std::array<std::deque<flit>, channels> m_waiting;
    std::array<std::uint32_t, channels> m_most{};
};

}  // namespace sare::chi
