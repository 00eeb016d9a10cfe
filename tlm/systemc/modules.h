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

/// The blocks of a network as SystemC modules: structure, names, sockets. What they do each cycle is in
/// tlm/fabric.
namespace sare {

class link_sleep;
class router_model;

/// The two sockets of a port: out sends flits and takes credits, in takes flits and sends credits.
struct flit_port {
    flit_initiator_socket& out;
    flit_target_socket& in;
};

/// A router with numbered ports. Port p sends by out(p) and receives by in(p); each is bound to a link.
/// Sockets are made when first asked for (during construction of the hierarchy): at 65,536 routers those that
/// are never bound by hand would cost more than the routers.
class router : public sc_core::sc_module {
  public:
    /// Of 1 to 64 ports. `params`: of a kind of router, which make_router_model() makes a model of, such as
    /// router_params; what is out of range is a report "/sare/config".
    template <class Params>
    router(const sc_core::sc_module_name& name, cycle_engine& engine, const Params& params,
           std::uint32_t ports)
        : router(name, engine, ports, with_config_reports(static_cast<const char*>(name), [&] {
                     return make_router_model(params);
                 })) {}
    /// The same by a section `router` as YAML has it: {} is the usual kind with its defaults.
    router(const sc_core::sc_module_name& name, cycle_engine& engine, const config::value& section,
           std::uint32_t ports);
    /// Of any kind; many may share a model. `clock`: cycles of the network that one of the router's takes.
    router(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t ports,
           std::shared_ptr<const router_model> model, std::uint32_t clock = 1);
    ~router() override;

    const char* kind() const override { return "sare::router"; }
    /// Name, kind and state, as describe_router() has it.
    void dump(std::ostream& out = std::cout) const override;

    /// A port that there is not is a report "/sare/elaboration".
    flit_target_socket& in(std::uint32_t port);
    flit_initiator_socket& out(std::uint32_t port);
    flit_port port(std::uint32_t p) { return {out(p), in(p)}; }
    const cycle_engine& engine() const { return m_engine; }
    std::uint32_t id() const { return m_id; }
    std::uint32_t ports() const { return static_cast<std::uint32_t>(m_ports.size()); }
    /// See cycle_engine::reset().
    void reset() { m_engine.reset(*this); }
    /// @name Null if it was never asked for, or there is no such port
    /// @{
    flit_target_socket* made_in(std::uint32_t port);
    flit_initiator_socket* made_out(std::uint32_t port);
    /// @}

    /// Our end of a socket: it only says to which block it belongs: our own do not talk through sockets.
    class input : public flit_fw_if {
      public:
        input(router& owner, std::uint32_t port) : m_owner(owner), m_port(port) {}
        tlm::tlm_sync_enum nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) override;
        link_end end() const { return {link_end::kind::router, m_owner.id(), m_port}; }

      private:
        router& m_owner;
        std::uint32_t m_port;
    };

  private:
    friend class network;
    struct sockets;
    /// A number that the fabric has already. Nothing converts to it: {} is a section of the public
    /// constructor.
    struct existing {
        std::uint32_t number;
    };
    router(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t ports, existing r);
    sockets& at(std::uint32_t port);

    cycle_engine& m_engine;
    std::uint32_t m_id;
    std::vector<std::unique_ptr<sockets>> m_ports;
};

/// A network interface: out to the router, in from it. Traffic comes from a workload, or from a
/// memory_bridge.
class nic : public sc_core::sc_module, public flit_fw_if, public flit_bw_if {
  public:
    /// Parameters out of range are a report "/sare/config".
    nic(const sc_core::sc_module_name& name, cycle_engine& engine, const nic_params& params = {});

    const char* kind() const override { return "sare::nic"; }
    /// Name, kind and what has been sent, has come and waits.
    void dump(std::ostream& out = std::cout) const override;

    flit_initiator_socket& out();
    flit_target_socket& in();
    flit_port port() { return {out(), in()}; }
    flit_target_socket* made_in() { return m_in.get(); }
    flit_initiator_socket* made_out() { return m_out.get(); }
    std::uint32_t node() const { return m_node; }
    cycle_engine& engine() { return m_engine; }
    const nic_params& params() const { return m_params; }
    /// See cycle_engine::reset().
    void reset() { m_engine.reset(*this); }

    tlm::tlm_sync_enum nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) override;
    tlm::tlm_sync_enum nb_transport_bw(flit_payload&, flit_phase&, sc_core::sc_time&) override;

  private:
    friend class network;
    /// Of a NIC that the fabric has already, at node `node`.
    nic(const sc_core::sc_module_name& name, cycle_engine& engine, const nic_params& params,
        std::uint32_t node);

    cycle_engine& m_engine;
    const nic_params m_params;
    std::uint32_t m_node;
    std::unique_ptr<flit_initiator_socket> m_out;  ///< most networks are wired without
    std::unique_ptr<flit_target_socket> m_in;
};

/// One direction of a channel: a registered pipeline of flits, with credits going back. Between two of our
/// blocks it becomes a wire of the fabric. To a block that is not ours it speaks by its sockets: it hands
/// over each flit (out) or credit (in) in the cycle of its arrival, and takes what that block sends; what
/// breaks the protocol is reported with both names and goes no further.
class link : public sc_core::sc_module, public flit_fw_if, public flit_bw_if, private foreign_endpoint {
  public:
    /// Attributes out of range (as those of a topology) are a report "/sare/config".
    link(const sc_core::sc_module_name& name, cycle_engine& engine, const link_attributes& attributes = {});

    const char* kind() const override { return "sare::link"; }
    /// Name, kind and ends and attributes; of one that can sleep whether it does.
    void dump(std::ostream& to = std::cout) const override;

    flit_target_socket in;
    flit_initiator_socket out;

    const link_attributes& attributes() const { return m_attributes; }
    /// Of a link between two blocks that are not ours: by which output of the map it leaves, so that its
    /// flits are counted there. Elsewhere the engine knows. Before elaboration ends.
    void begins_at(std::uint32_t router, std::uint32_t port) {
        m_begins_at = port_peer{port_peer::kind::router, router, port};
    }
    /// @name Of a link that can sleep (`attributes.wake` is not 0); else a report "/sare/power"
    /// @{
    /// From the next cycle on it sleeps, when it has carried what it was given; a flit that comes wakes it.
    void power_down();
    /// From the next cycle on it wakes up, which takes `attributes.wake` cycles.
    void power_up();
    bool is_asleep() const;
    /// Cycles before the present one in which it slept, and how often it woke.
    std::uint64_t cycles_asleep() const;
    std::uint64_t wakings() const;
    /// @}
    /// Flits that a sender which is not ours has handed in on a VC, modulo 2^32; 0 of any other sender or VC.
    std::uint32_t flits_taken(std::uint32_t vc) const { return vc < m_sent.size() ? m_sent[vc].flits : 0; }

    tlm::tlm_sync_enum nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) override;
    tlm::tlm_sync_enum nb_transport_bw(flit_payload&, flit_phase&, sc_core::sc_time&) override;

  private:
    friend class engine_wiring;

    /// A virtual channel as a foreign sender must use it.
    struct sender_vc {
        std::uint32_t credits;
        std::uint32_t packet = 0;    ///< the one on its way
        std::uint32_t sequence = 0;  ///< its next flit; 0: a head must come
        std::uint32_t flits = 0;     ///< sent so far
    };
    /// A virtual channel as a foreign receiver must use it.
    struct receiver_vc {
        std::uint32_t owed = 0;   ///< flits for which no credit came back yet
        cycle_t next_credit = 0;  ///< a wire carries one a cycle
    };

    void join(const link_end& from, const link_end& to);
    const link_sleep* sleep() const;
    std::string broken_by_flit(const flit_payload& payload, flit_phase phase,
                               const sc_core::sc_time& delay) const;
    std::string broken_by_credit(const flit_payload& payload, flit_phase phase,
                                 const sc_core::sc_time& delay) const;
    void flit_arrived(const flit& f) override;
    void credit_arrived(std::uint32_t vc, std::uint32_t count) override;

    cycle_engine& m_engine;
    link_attributes m_attributes;
    std::optional<link_end> m_from;        ///< our block that sends into it
    std::optional<link_end> m_to;          ///< our block at its end, once it is joined
    std::optional<port_peer> m_begins_at;  ///< see begins_at()
    std::optional<std::uint32_t> m_foreign_sender, m_foreign_receiver;
    std::vector<sender_vc> m_sent;        ///< by a foreign sender
    std::vector<receiver_vc> m_received;  ///< by a foreign receiver
    cycle_t m_next_flit = 0;              ///< of a foreign sender: when the link can take it
};

/// Binds a.out -> link -> b.in.
template <class From, class To>
void bind(From& from_out, link& l, To& to_in) {
    from_out.bind(l.in);
    l.out.bind(to_in);
}

/// Both directions between two ports, as two links with the same attributes.
class channel : public sc_core::sc_module {
  public:
    channel(const sc_core::sc_module_name& name, cycle_engine& engine, const flit_port& a, const flit_port& b,
            const link_attributes& attributes = {});

    const char* kind() const override { return "sare::channel"; }
    /// Name, kind and both links.
    void dump(std::ostream& to = std::cout) const override;

    link forward;   ///< a to b
    link backward;  ///< b to a
};

}  // namespace sare
