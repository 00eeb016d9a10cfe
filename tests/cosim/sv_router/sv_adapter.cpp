// SPDX-License-Identifier: Apache-2.0
#include "Vsv_router_pins.h"
#include "cosim/rtl/verilated_adapter.h"

namespace {

using namespace sare::pins;

/// sv_router.sv at Sare's links: a ready that depends on the VC, on both sides, and packets that say their
/// length.
class sv_adapter final : public verilated_adapter<Vsv_router_pins> {
  public:
    static router_facts facts() {
        router_facts f;
        f.name = "sv_router";
        f.flow = flow_control::ready_valid;
        f.ports = 3;
        f.vcs = 2;
        f.keeps_vc = true;
        f.turns_back = false;
        f.max_nodes = 64;
        f.data_bits = 58;
        f.longest_packet = 15;  // its length has 4 bits
        return f;
    }
    explicit sv_adapter(const router_info&) {}

    void reset() override {
        top.reset = 1;
        cycles(2);
        top.reset = 0;
        for (auto& of_port : m_left) of_port[0] = of_port[1] = 0;
    }

    void drive(std::uint32_t port, const pin_flit* flit) override {
        put(top.in_valid, port, 1, flit != nullptr);
        if (flit == nullptr) return;
        m_offered[port] = flit->vc;
        put(top.in_vc, port, 1, flit->vc);
        put(top.in_data, 64 * port, 58, flit->data);
        if (!flit->head) return;
        put(top.in_data, 64 * port + 58, 2, flit->port);
        put(top.in_data, 64 * port + 60, 4, flit->length);
    }
    std::uint32_t read_back(std::uint32_t port) override {
        return static_cast<std::uint32_t>(get(top.in_ready, port, 1)) << m_offered[port];
    }

    void drive_back(std::uint32_t port, std::uint32_t vcs) override { m_ready[port] = vcs; }
    void settle() override {
        verilated_adapter::settle();  // which VC does each output offer?
        for (std::uint32_t port = 0; port < 3; ++port)
            put(top.out_ready, port, 1, m_ready[port] >> get(top.out_vc, port, 1) & 1);
        top.eval();
    }
    bool read(std::uint32_t port, pin_flit& flit) override {
        if (get(top.out_valid, port, 1) == 0) return false;
        flit.vc = static_cast<std::uint32_t>(get(top.out_vc, port, 1));
        flit.data = get(top.out_data, 64 * port, 58);
        std::uint32_t& left = m_left[port][flit.vc];  // of the packet under way
        flit.head = left == 0;
        const auto now = flit.head ? static_cast<std::uint32_t>(get(top.out_data, 64 * port + 60, 4)) : left;
        flit.tail = now == 1;
        if ((m_ready[port] >> flit.vc & 1) != 0) left = now - 1;  // else it is offered again
        return true;
    }

  protected:
    void clock(bool high) override { top.clock = high; }

  private:
    std::uint32_t m_offered[3] = {}, m_ready[3] = {}, m_left[3][2] = {};
};

}  // namespace

SARE_PIN_ADAPTER(sv_adapter)
