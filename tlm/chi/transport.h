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

/// Parameters of a transport.
struct transport_params {
    std::uint32_t bus_bytes = 32;  ///< bytes of data in a DAT flit: 16, 32 or 64
    /// Link credits of a node for each channel, 1 to 65,535: most flits that it may have under way.
    std::uint32_t credits = 16;
    /// Message classes of REQ, RSP, DAT and SNP, which must be four different ones.
    std::array<std::uint32_t, channels> classes = {0, 1, 2, 3};
    /// Message classes of urgent flits of REQ, RSP, DAT and SNP, for arbiters that look at the class. A
    /// class, of this list and `classes`, may serve one channel only.
    std::array<std::uint32_t, channels> urgent_classes = {0, 1, 2, 3};
    std::uint32_t urgent_from = 16;  ///< lowest QoS of urgent flits, 0 to 15; 16: no flit is urgent
    /// Bytes of a flit of REQ, RSP, DAT and SNP besides its data.
    std::array<std::uint32_t, channels> header_bytes = {16, 8, 12, 12};
};

/// Carrier of CHI's flits between the nodes of an engine: each flit is a message whose class belongs to the
/// flit's channel, so that no channel ever waits for another. A flit that the network drops is reported as
/// "/sare/protocol", and is lost. An engine has at most one transport.
class transport final : private workload {
  public:
    /// Makes a transport for an engine without a memory map; the engine must outlive it. Parameters out of
    /// range, and a network with fewer than four classes, are reported as "/sare/config", an engine with a
    /// memory map or a transport as "/sare/memory".
    explicit transport(cycle_engine& engine, const transport_params& params = {});
    /// Makes a transport for the engine of a memory map, which must outlive it, besides the map's own
    /// messages. A second transport is reported as "/sare/memory", other errors as above.
    explicit transport(memory_map& beside, const transport_params& params = {});
    ~transport() override { m_own_report.over(); }

    const transport_params& params() const { return m_params; }  ///< parameters it was made with
    /// Engine of the network.
    cycle_engine& engine() { return m_engine; }
    /// Number of flits that were sent and have not been handed to their node yet.
    std::uint64_t in_flight() const { return m_in_flight; }
    /// Number of requests sent that have not been answered by CompData, Comp or CompDBIDResp; refused ones
    /// count.
    std::size_t open() const { return m_requests.size(); }
    /// Number of flits of a channel sent so far. Throws std::out_of_range for an unknown channel.
    std::uint64_t carried(channel c) const { return m_carried[number_of(c)]; }
    /// Returns the report on the accesses of caches and at memory nodes. With a memory map it is the map's
    /// report, in which the map's accesses are, too.
    access_report& accesses() { return m_report; }

    /// @name Called by interfaces
    /// @{
    /// Adds an interface. A second one at a node is reported as "/sare/config".
    void join(interface& i);
    /// True if there is an interface at `node`.
    bool has(std::uint32_t node) const { return node < m_interfaces.size() && m_interfaces[node] != nullptr; }
    /// Sends a flit from f.source to f.target. If one of these nodes has no interface, reports
    /// "/sare/protocol", and does not send the flit.
    void send(const flit& f);
    /// Notes that flit `f` was handed to its node, and gives its source the link credit back.
    void handed_over(const flit& f);
    /// Does a debug access at node `target`. Returns false if that node has no interface, or not the line.
    bool debug(std::uint32_t target, const debug_access& a);
    /// Makes the engine check in the next cycle whether the traffic is finished; does nothing while
    /// finished() is false.
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
    /// Throws unwritable: the state of caches and homes cannot be written to checkpoints.
    void serialize(archive& a) override;
    void note_times(const flit& f, const delivery& d);  ///< notes the times of a delivery in f.times

    cycle_engine& m_engine;
    const transport_params m_params;
    access_report m_own_report;            ///< report without a memory map
    access_report& m_report;               ///< see accesses()
    const std::uint64_t m_tag;             ///< bits of its messages' tags above the index in m_flits
    std::vector<interface*> m_interfaces;  ///< interfaces, by node; null: none
    std::deque<flit> m_flits;              ///< flits under way; a message's tag has the index here
    std::vector<std::uint32_t> m_free;     ///< free indices of m_flits
    std::uint64_t m_in_flight = 0;         ///< see in_flight()
    /// Number of packets of CompData that a request still waits for, by node and TxnID.
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> m_requests;
    std::array<std::uint64_t, channels> m_carried{};  ///< see carried()
};

/// Edge of the network at a node, to which a CHI node is bound. It gives the CHI node link credits and takes
/// a flit for each, and hands arriving flits over as the CHI node's own credits allow.
class interface final : public sc_core::sc_module, public forward_if {
  public:
    /// Makes the interface at NIC `n`; `n` and `t` must outlive it. Reports "/sare/config" if they are of
    /// different engines, or the node has an interface already.
    interface(const sc_core::sc_module_name& name, nic& n, transport& t);

    interface_socket node;  ///< socket to be bound to the CHI node

    const char* kind() const override { return "sare::chi::interface"; }
    /// Prints to `out` name, kind, node and, for each channel, flits sent and not taken yet and flits that
    /// wait for the node's credits.
    void dump(std::ostream& out = std::cout) const override;
    std::uint32_t id() const { return m_nic.node(); }  ///< number of the node: its SrcID and TgtID
    /// Returns the transport that carries its flits.
    transport& network() { return m_transport; }
    /// Most flits of a channel that waited here for the node's credits at a time; errors as for carried().
    std::uint32_t most_waiting(channel c) const { return m_most[number_of(c)]; }

    bool debug(std::uint32_t target, const debug_access& a) override { return m_transport.debug(target, a); }
    /// Takes a flit that has arrived for the node; called by the transport.
    void arrived(const flit& f);
    void credit(channel c);  ///< gives the node back a link credit of a channel
    void join(std::shared_ptr<access_side> accesses) override;
    /// Takes a flit or a credit from the node. A flit without a link credit, for a node without an interface,
    /// with a delay or of no channel, and a wrong DataID are reported as "/sare/protocol" and not sent.
    tlm::tlm_sync_enum nb_transport_fw(flit& f, phase& p, sc_core::sc_time& delay) override;

  private:
    void start_of_simulation() override;
    void end_of_simulation() override { m_transport.accesses().over(); }
    bool hand_over(std::size_t c);  ///< hands waiting flits of channel c over; false: handed over none

    nic& m_nic;
    transport& m_transport;
    /// Flits that the node has sent and whose credit it does not have back, by channel.
    std::array<std::uint32_t, channels> m_sent{};
    /// Credits that the node has given for flits to it, by channel.
    std::array<std::uint32_t, channels> m_room{};
    std::array<std::deque<flit>, channels> m_waiting;  ///< arrived flits that wait for credits, by channel
    std::array<std::uint32_t, channels> m_most{};      ///< see most_waiting()
};

}  // namespace sare::chi
