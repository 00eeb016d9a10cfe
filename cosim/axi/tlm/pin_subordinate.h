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

/// Turns an AXI4 subordinate at its pins, RTL or not, into a target of TLM transactions, which its bridge
/// calls by b_transport. Bursts are on the pins beat by beat, as many at once as the bridge allows
/// (`at_once`), each with an ID of its own. A memory that knows AXI5's atomic transactions gets them with
/// AWATOP, if its bridge passes them (`atomics: memory`). Handshakes of a cycle are taken at the clock edge
/// that ends it.
class pin_subordinate_base : public clocked {
  public:
    sc_core::sc_out<forward_pins> out{"out"};
    sc_core::sc_in<backward_pins> in{"in"};

    const char* kind() const override { return "sare::axi::pin_subordinate"; }
    /// Prints name, kind and the transactions under way.
    void dump(std::ostream& to = std::cout) const override;
    std::size_t open() const { return m_reads.open.size() + m_writes.open.size(); }  ///< accesses under way

  protected:
    /// `id_width`: bits of the IDs.
    pin_subordinate_base(const sc_core::sc_module_name& name, std::uint32_t bus_bytes, std::uint32_t id_width)
        : clocked(name), m_bus_bytes(bus_bytes), m_ids(std::uint64_t{1} << std::min(id_width, 16U)) {}
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);

  private:
    /// An access, with a copy of its data, since the process that waits for it may be killed.
    struct pin_access {
        address where;
        bool write = false;
        address read = {};  ///< burst of the data that come back
        std::vector<unsigned char> data, enables, back;
        std::uint32_t next = 0, next_back = 0;  ///< beats of data that have gone out, and come back
        std::size_t filled = 0,
                    filled_back = 0;  ///< bytes of `data` that have gone, of `back` that have come
        std::uint32_t due = 1;        ///< number of responses that must still come
        response resp = response::okay;
        bool done = false;
    };
    struct way {
        std::map<std::uint64_t, std::shared_ptr<pin_access>> open;  ///< by ID on the pins
        std::deque<std::shared_ptr<pin_access>> addresses;  ///< accesses whose addresses wait for the pins
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
    std::set<std::uint64_t> m_atomics;            ///< IDs that nothing else may use
    std::deque<std::shared_ptr<pin_access>> m_w;  ///< writes whose data wait for the pins
    forward_pins m_shown;
    sc_core::sc_event m_ended;
};

/// A pin subordinate on a bus `Width` bits wide: bind `subordinates` of an axi::bridge to `socket`.
template <unsigned Width = 64>
class pin_subordinate final : public pin_subordinate_base {
  public:
    tlm_utils::simple_target_socket<pin_subordinate, Width, protocol> socket{"socket"};

    explicit pin_subordinate(const sc_core::sc_module_name& name, std::uint32_t id_width = 4)
        : pin_subordinate_base(name, Width / 8, id_width) {
        socket.register_b_transport(this, &pin_subordinate::serve);
    }

  private:
    void serve(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) { b_transport(p, delay); }
};

}  // namespace sare::axi
