// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/clocked.h"
#include "tlm/axi/axi.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <deque>

namespace sare::axi {

/// Turns an AXI4 manager at its pins, RTL or not, into a manager of TLM transactions, beat by beat; AWATOP of
/// AXI5 makes atomic ones. The clock has the network's period; at the edge that ends a cycle, handshakes of
/// that cycle are taken.
class pin_manager_base : public clocked {
  public:
    sc_core::sc_in<forward_pins> in{"in"};
    sc_core::sc_out<backward_pins> out{"out"};

    ~pin_manager_base() override;
    const char* kind() const override { return "sare::axi::pin_manager"; }
    /// Prints name, kind and the transactions under way.
    void dump(std::ostream& to = std::cout) const override;
    std::size_t open() const { return m_open; }  ///< number of transactions under way

  protected:
    pin_manager_base(const sc_core::sc_module_name& name, std::uint32_t bus_bytes)
        : clocked(name), m_bus_bytes(bus_bytes) {}
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    virtual forward_if& bridge() = 0;

  private:
    class pin_burst;
    struct beat {
        std::uint64_t id = 0;
        response resp = response::okay;
        wide data;
        bool last = false;
        pin_burst* unended = nullptr;  ///< burst whose beat the bridge waits to be ended; null: none
    };
    /// Transactions of a direction: reads, or writes.
    struct way {
        std::deque<address> addresses;    ///< addresses of transactions that have not begun
        pin_burst* requesting = nullptr;  ///< transaction that still waits for data or END_REQ; null: none
        std::deque<beat> back;            ///< beats for the pins
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
    std::deque<wide> m_w;
    backward_pins m_shown;
    std::size_t m_open = 0;
};

/// A pin manager on a bus `Width` bits wide: bind `socket` to `managers` of an axi::bridge.
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
