// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/clocked.h"
#include "tlm/axi/axi.h"

#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace sare::axi {

/// Turns the TLM transactions that an axi::bridge makes by b_transport into accesses at the pins of an AXI4
/// subordinate, in RTL or not. Bursts appear at the pins beat by beat, as many at a time as the bridge allows
/// (`at_once`), each with an ID of its own. Atomic transactions (AXI5) reach the subordinate with AWATOP if
/// the bridge has `atomics: memory`. The clock must have the period of the network's clock (not checked); at
/// the rising edge that ends a cycle, the handshakes of that cycle are taken. A response of an ID that is not
/// open is an error "/sare/cosim".
class pin_subordinate_base : public clocked {
  public:
    /// AXI pins that this module drives (`out`), and that the subordinate drives (`in`).
    sc_core::sc_out<forward_pins> out{"out"};
    sc_core::sc_in<backward_pins> in{"in"};

    const char* kind() const override { return "sare::axi::pin_subordinate"; }
    /// Prints the module as sc_object::dump() does, and the number of accesses under way.
    void dump(std::ostream& to = std::cout) const override;
    /// Returns the number of accesses whose last response has not come; an atomic one that returns data
    /// counts twice.
    std::size_t open() const { return m_reads.open.size() + m_writes.open.size(); }

  protected:
    /// `bus_bytes`: bytes of data of a beat; `id_width`: bits of the IDs, so that at most 2^id_width reads,
    /// and 2^id_width writes, are open at a time (at most 65536 each).
    pin_subordinate_base(const sc_core::sc_module_name& name, std::uint32_t bus_bytes, std::uint32_t id_width)
        : clocked(name), m_bus_bytes(bus_bytes), m_ids(std::uint64_t{1} << std::min(id_width, 16U)) {}
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);

  private:
    /// An access, with a copy of its data, since the process that waits for it may be killed.
    struct pin_access {
        address where;
        bool write = false;
        /// Burst in which data come back: `where` for a read, that of the old value for an atomic access that
        /// fetches it; unused for other writes.
        address read = {};
        std::vector<unsigned char> data, enables, back;
        std::uint32_t next = 0, next_back = 0;  ///< number of beats of data that have gone out, and that have
                                                ///< come back
        std::size_t filled = 0,
                    filled_back = 0;  ///< bytes of `data` that have gone out, and of `back` that have come
        std::uint32_t due = 1;        ///< number of responses that are still to come
        response resp = response::okay;
        bool done = false;
    };
    /// The accesses of one direction: reads, or writes.
    struct way {
        /// Accesses under way, by their IDs at the pins.
        std::map<std::uint64_t, std::shared_ptr<pin_access>> open;
        std::deque<std::shared_ptr<pin_access>> addresses;  ///< accesses whose address the pins have not
                                                            ///< shown yet
    };

    void start_of_simulation() override { out.write(m_shown); }
    void edge() override;
    std::optional<std::uint64_t> free_id(bool write, bool atomic) const;
    void take(const backward_pins& b);
    void end(way& w, std::uint64_t id, response resp);
    wide write_beat(pin_access& a) const;
    void read_beat(pin_access& a, const wide& beat) const;
    void show();

    const std::uint32_t m_bus_bytes;
    const std::uint64_t m_ids;
    way m_reads, m_writes;
    std::set<std::uint64_t> m_atomics;            ///< IDs of atomic accesses, which no other access may have
    std::deque<std::shared_ptr<pin_access>> m_w;  ///< writes whose data the pins have not shown yet, in order
    forward_pins m_shown;                         ///< values of `out` in this cycle
    sc_core::sc_event m_ended;                    ///< notified when the last response of an access has come
};

/// A pin subordinate for a bus of `Width` bits. `subordinates` of an axi::bridge must be bound to its socket.
template <unsigned Width = 64>
class pin_subordinate final : public pin_subordinate_base {
  public:
    tlm_utils::simple_target_socket<pin_subordinate, Width, protocol> socket{"socket"};

    /// `id_width`: bits of the IDs at the pins, so that at most 2^id_width reads, and writes, are open at
    /// once.
    explicit pin_subordinate(const sc_core::sc_module_name& name, std::uint32_t id_width = 4)
        : pin_subordinate_base(name, Width / 8, id_width) {
        socket.register_b_transport(this, &pin_subordinate::serve);
    }

  private:
    void serve(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) { b_transport(p, delay); }
};

}  // namespace sare::axi
