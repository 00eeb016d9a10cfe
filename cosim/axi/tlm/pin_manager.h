// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/clocked.h"
#include "tlm/axi/axi.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <deque>

namespace sare::axi {

/// Turns the requests that an AXI4 manager, in RTL or not, makes at its pins into TLM transactions, beat by
/// beat. A write with a code in AWATOP (AXI5) becomes an atomic transaction. The clock must have the period
/// of the network's clock (not checked); at the rising edge that ends a cycle, the handshakes of that cycle
/// are taken.
class pin_manager_base : public clocked {
  public:
    /// AXI pins that the manager drives (`in`), and that this module drives (`out`).
    sc_core::sc_in<forward_pins> in{"in"};
    sc_core::sc_out<backward_pins> out{"out"};

    ~pin_manager_base() override;
    const char* kind() const override { return "sare::axi::pin_manager"; }
    /// Prints the module as sc_object::dump() does, and the number of transactions under way.
    void dump(std::ostream& to = std::cout) const override;
    /// Number of transactions that have begun at the TLM bridge and whose last response has not come from it.
    std::size_t open() const { return m_open; }

  protected:
    pin_manager_base(const sc_core::sc_module_name& name, std::uint32_t bus_bytes)
        : clocked(name), m_bus_bytes(bus_bytes) {}
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    virtual forward_if& bridge() = 0;

  private:
    class pin_burst;
    /// A beat of a response for the pins R, or a response for B.
    struct beat {
        std::uint64_t id = 0;
        response resp = response::okay;
        wide data;
        bool last = false;
        pin_burst* unended = nullptr;  ///< burst whose bridge waits for the end of this beat; null: none does
    };
    /// The transactions of one direction: reads, or writes.
    struct way {
        std::deque<address> addresses;    ///< requests whose transactions have not begun
        pin_burst* requesting = nullptr;  ///< transaction whose request has begun and not ended, as it waits
                                          ///< for data or END_REQ; null: none
        std::deque<beat> back;            ///< beats of responses that the pins have not shown yet
    };

    void start_of_simulation() override { out.write(m_shown); }
    void edge() override;
    void take(const forward_pins& f);
    void pop(way& w);
    void request_read();
    void request_write();
    void call(way& w, const tlm::tlm_phase& phase);
    void fetch(pin_burst& burst);
    void show();

    const std::uint32_t m_bus_bytes;
    way m_reads, m_writes;
    std::deque<wide> m_w;    ///< beats of write data that no transaction has taken yet
    backward_pins m_shown;   ///< values of `out` in this cycle
    std::size_t m_open = 0;  ///< result of open()
};

/// A pin manager for a bus of `Width` bits. Its socket must be bound to `managers` of an axi::bridge.
template <unsigned Width = 64>
class pin_manager final : public pin_manager_base {
  public:
    tlm_utils::simple_initiator_socket<pin_manager, Width, protocol> socket{"socket"};

    explicit pin_manager(const sc_core::sc_module_name& name) : pin_manager_base(name, Width / 8) {
        socket.register_nb_transport_bw(this, &pin_manager::respond);
    }

  private:
    tlm::tlm_sync_enum respond(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return nb_transport_bw(p, phase, delay);
    }
    forward_if& bridge() override { return *socket.operator->(); }
};

}  // namespace sare::axi
