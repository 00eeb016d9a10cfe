// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/run/foreign_endpoint.h"
#include "tlm/nic/params.h"
#include "tlm/router_api/connection.h"
#include "tlm/systemc/cycle_engine.h"
#include "tlm/systemc/protocol.h"
#include "tlm/systemc/reports.h"

#include <iostream>
#include <memory>
#include <optional>
#include <vector>

/// The blocks of a network as SystemC modules: structure, names, sockets. tlm/fabric does their work of each
/// cycle. A *foreign* block is one that is not Sare's own.
namespace sare {

class link_sleep;
class router_model;

/// The two sockets of a port.
struct flit_port {
    flit_initiator_socket& out;  ///< sends flits and receives credits
    flit_target_socket& in;      ///< receives flits and sends credits
};

/// A router with ports numbered from 0. Port p sends by out(p) and receives by in(p); each of these sockets
/// is bound to a link. A socket is made when it is first asked for, while the hierarchy is constructed: in a
/// network of 65,536 routers the sockets that nobody binds would cost more than the routers.
class router : public sc_core::sc_module {
  public:
    /// Makes a router with `ports` ports, from 1. `params`: parameters of a kind of router for which there is
    /// a make_router_model(), such as router_params (tlm/router/vc/params.h). Values out of range are a
    /// report "/sare/config".
    template <class Params>
    router(const sc_core::sc_module_name& name, cycle_engine& engine, const Params& params,
           std::uint32_t ports)
        : router(name, engine, ports, with_config_reports(static_cast<const char*>(name), [&] {
                     return make_router_model(params);
                 })) {}
    /// Makes a router from the section `router` of a configuration; {} is the default kind with its defaults.
    /// Unknown keys and wrong values are a report "/sare/config".
    router(const sc_core::sc_module_name& name, cycle_engine& engine, const config::value& section,
           std::uint32_t ports);
    /// Makes a router of the kind and with the parameters of `model`, which many routers may share. `clock`:
    /// period of the router's clock in network cycles. Errors as for the first constructor.
    router(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t ports,
           std::shared_ptr<const router_model> model, const clock_ratio& clock = {});
    ~router() override;

    const char* kind() const override { return "sare::router"; }
    /// Prints name, kind and the state of ports and VCs (describe_router()).
    void dump(std::ostream& out = std::cout) const override;

    /// Returns the receiving socket of a port, and makes it if need be. A port that does not exist is a
    /// report "/sare/elaboration"; if reports do not throw, std::out_of_range is thrown.
    flit_target_socket& in(std::uint32_t port);
    /// Returns the sending socket of a port, and makes it if need be; errors as for in().
    flit_initiator_socket& out(std::uint32_t port);
    /// Returns both sockets of a port, and makes them if need be; errors as for in().
    flit_port port(std::uint32_t p) { return {out(p), in(p)}; }
    /// Engine of the network of the router.
    const cycle_engine& engine() const { return m_engine; }
    std::uint32_t id() const { return m_id; }  ///< number of the router in its engine, from 0
    /// Number of ports of the router.
    std::uint32_t ports() const { return static_cast<std::uint32_t>(m_ports.size()); }
    /// Resets this router at the beginning of the next cycle: cycle_engine::reset().
    void reset() { m_engine.reset(*this); }
    /// @name The sockets of a port; null if in() or out() was never called for it, or there is no such port
    /// @{
    flit_target_socket* made_in(std::uint32_t port);      ///< socket of in()
    flit_initiator_socket* made_out(std::uint32_t port);  ///< socket of out()
    /// @}

    /// Receiving end of an `in` socket. It only tells to which router and port the socket belongs, as Sare's
    /// own blocks do not call each other through sockets; a call is a report "/sare/protocol".
    class input : public flit_fw_if {
      public:
        input(router& owner, std::uint32_t port) : m_owner(owner), m_port(port) {}
        tlm::tlm_sync_enum nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) override;
        /// Router and port of the socket.
        link_end end() const { return {link_end::kind::router, m_owner.id(), m_port}; }

      private:
        router& m_owner;
        std::uint32_t m_port;
    };

  private:
    friend class network;
    struct sockets;
    /// Number of a router that the fabric has already; a struct of its own, so that {} stays a section for
    /// the public constructor.
    struct existing {
        std::uint32_t number;
    };
    router(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t ports, existing r);
    sockets& at(std::uint32_t port);

    cycle_engine& m_engine;
    std::uint32_t m_id;
    std::vector<std::unique_ptr<sockets>> m_ports;
};

/// The network interface of a node: `out` sends to its router, `in` receives from it. Its messages come from
/// a workload, cycle_engine::send() or a memory_bridge.
class nic : public sc_core::sc_module, public flit_fw_if, public flit_bw_if {
  public:
    /// Makes a NIC for the next node number. Parameters out of range are a report "/sare/config".
    nic(const sc_core::sc_module_name& name, cycle_engine& engine, const nic_params& params = {});

    const char* kind() const override { return "sare::nic"; }
    /// Prints name, kind, node, and the messages queued, packets and flits injected and consumed.
    void dump(std::ostream& out = std::cout) const override;

    flit_initiator_socket& out();  ///< socket to the router, made at the first call
    flit_target_socket& in();      ///< socket from the router, made at the first call
    /// Returns both sockets, and makes them if need be.
    flit_port port() { return {out(), in()}; }
    /// @name The sockets, if they have been made; else null
    /// @{
    flit_target_socket* made_in() { return m_in.get(); }
    flit_initiator_socket* made_out() { return m_out.get(); }
    /// @}
    std::uint32_t node() const { return m_node; }          ///< number of the node, from 0
    cycle_engine& engine() { return m_engine; }            ///< engine of its network
    const nic_params& params() const { return m_params; }  ///< parameters as given
    /// Resets this NIC at the beginning of the next cycle: cycle_engine::reset().
    void reset() { m_engine.reset(*this); }

    tlm::tlm_sync_enum nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) override;
    tlm::tlm_sync_enum nb_transport_bw(flit_payload&, flit_phase&, sc_core::sc_time&) override;

  private:
    friend class network;
    /// Makes the module of a NIC that the fabric has already at node `node`.
    nic(const sc_core::sc_module_name& name, cycle_engine& engine, const nic_params& params,
        std::uint32_t node);

    cycle_engine& m_engine;
    const nic_params m_params;
    std::uint32_t m_node;
    /// Sockets; null until asked for, as most networks are wired without them.
    std::unique_ptr<flit_initiator_socket> m_out;
    std::unique_ptr<flit_target_socket> m_in;
};

/// One direction of a channel: a pipeline of registers for flits, with credits going back. Between two of
/// Sare's own blocks the link becomes a wire of the fabric. With a foreign block it exchanges calls through
/// its sockets. It hands over each flit (by `out`) or credit (by `in`) in the cycle of its arrival, and takes
/// the flits or credits that the block sends. A call that breaks the protocol (protocol.h) is a report
/// "/sare/protocol" with the names of link and block, and has no effect.
class link : public sc_core::sc_module, public flit_fw_if, public flit_bw_if, private foreign_endpoint {
  public:
    /// Makes a link; attributes out of range (link_attributes in tlm/topology/topology.h) are a report
    /// "/sare/config".
    link(const sc_core::sc_module_name& name, cycle_engine& engine, const link_attributes& attributes = {});

    const char* kind() const override { return "sare::link"; }
    /// Prints name, kind, both ends, latency and cycles per flit; for a link that can sleep, also how it
    /// sleeps and whether it is asleep.
    void dump(std::ostream& to = std::cout) const override;

    flit_target_socket in;      ///< takes flits from the sender, and gives it credits
    flit_initiator_socket out;  ///< gives flits to the receiver, and takes credits from it

    const link_attributes& attributes() const { return m_attributes; }  ///< attributes as given
    /// Sets the output port of the topology at which this link begins, so that its flits are counted there.
    /// The numbers are not checked. Needed only for a link between two foreign blocks; call it before
    /// elaboration ends.
    void begins_at(std::uint32_t router, std::uint32_t port) {
        m_begins_at = port_peer{port_peer::kind::router, router, port};
    }
    /// Sets that the foreign block which sends into this link counts the places of shared buffers
    /// (foreign_block::counts_pools()). Call it before elaboration ends.
    void sender_counts_pools() { m_counts_pools = true; }
    /// @name Sleep of a link whose attributes().wake is not 0, after elaboration; else report "/sare/power"
    /// @{
    /// Lets the link sleep, from the next cycle on, as soon as it has delivered the flits on it; the next
    /// flit wakes it.
    void power_down();
    /// Wakes the link up, from the next cycle on, which takes `attributes.wake` cycles.
    void power_up();
    bool is_asleep() const;               ///< true if the link is asleep in the present cycle
    std::uint64_t cycles_asleep() const;  ///< number of past cycles in which the link slept
    std::uint64_t wakings() const;        ///< number of times that the link woke up
    /// @}
    /// Number of flits that a foreign sender has sent into the link on VC `vc`, modulo 2^32; 0 if the sender
    /// is one of Sare's own blocks, or there is no such VC.
    std::uint32_t flits_taken(std::uint32_t vc) const { return vc < m_sent.size() ? m_sent[vc].flits : 0; }

    tlm::tlm_sync_enum nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) override;
    tlm::tlm_sync_enum nb_transport_bw(flit_payload&, flit_phase&, sc_core::sc_time&) override;

  private:
    friend class engine_wiring;

    /// State of a virtual channel by which the calls of a foreign sender are checked.
    struct sender_vc {
        /// Credits that the sender has; ~0: the sender needs none, and none are counted.
        std::uint32_t credits;
        std::uint32_t packet = 0;    ///< flit::packet of the packet whose tail is to come
        std::uint32_t sequence = 0;  ///< place in that packet of the next flit; 0: a head must come next
        std::uint32_t flits = 0;     ///< flits sent so far, modulo 2^32
    };
    /// State of a virtual channel by which the calls of a foreign receiver are checked.
    struct receiver_vc {
        std::uint32_t owed = 0;   ///< flits received for which no credit has come back yet
        cycle_t next_credit = 0;  ///< first cycle in which a credit may come: one a cycle
    };

    void join(const link_end& from, const link_end& to);
    const link_sleep* sleep() const;
    std::string broken_by_flit(const flit_payload& payload, flit_phase phase,
                               const sc_core::sc_time& delay) const;
    std::string broken_by_header(const packet& p, const packet* header) const;
    /// Returns the most routers that a packet may visit in a network of `routers` routers: more count as a
    /// livelock.
    static std::uint32_t most_hops(std::uint32_t routers) { return std::min(4 * routers + 256, 65000U); }
    std::string broken_by_credit(const flit_payload& payload, flit_phase phase,
                                 const sc_core::sc_time& delay) const;
    void flit_arrived(const flit& f) override;
    void credit_arrived(std::uint32_t vc, std::uint32_t count) override;
    bool counts_pools() const override { return m_counts_pools; }

    cycle_engine& m_engine;
    link_attributes m_attributes;
    /// Sare's own block that sends into the link; none: a foreign block does.
    std::optional<link_end> m_from;
    /// Sare's own block that receives from the link; none: a foreign block does, or elaboration is not over.
    std::optional<link_end> m_to;
    std::optional<port_peer> m_begins_at;  ///< argument of begins_at()
    bool m_counts_pools = false;           ///< true after sender_counts_pools()
    bool m_leaves_router = false;          ///< true: the foreign sender is a router of the topology
    /// Number, by network_builder::add_foreign(), of the foreign sender, and of the foreign receiver; none:
    /// that block is Sare's own.
    std::optional<std::uint32_t> m_foreign_sender, m_foreign_receiver;
    std::vector<sender_vc> m_sent;        ///< state of each VC of a foreign sender; else empty
    std::vector<receiver_vc> m_received;  ///< state of each VC of a foreign receiver; else empty
    cycle_t m_next_flit = 0;              ///< first cycle in which a foreign sender may send its next flit
};

/// Binds socket `from_out` to the link's input, and the link's output to socket `to_in`.
template <class From, class To>
void bind(From& from_out, link& l, To& to_in) {
    from_out.bind(l.in);
    l.out.bind(to_in);
}

/// A channel: two links with the same attributes, one in each direction between two ports.
class channel : public sc_core::sc_module {
  public:
    /// Makes and binds the two links. Attributes out of range are a report "/sare/config".
    channel(const sc_core::sc_module_name& name, cycle_engine& engine, const flit_port& a, const flit_port& b,
            const link_attributes& attributes = {});

    const char* kind() const override { return "sare::channel"; }
    /// Prints name, kind and both links.
    void dump(std::ostream& to = std::cout) const override;

    link forward;   ///< link from port a to port b
    link backward;  ///< link from port b to port a
};

}  // namespace sare
