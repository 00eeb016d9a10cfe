// SPDX-License-Identifier: Apache-2.0
#include "Vforeign_router.h"
#include "cosim/rtl/verilated_adapter.h"

namespace {

using namespace sare::pins;

/// foreign_router.v at Sare's links: ready-valid, no VCs, a table, words of 48 bits, ports in an order of
/// its own.
class foreign_adapter final : public verilated_adapter<Vforeign_router> {
  public:
    static router_facts facts() {
        router_facts f;
        f.name = "foreign_router";
        f.flow = flow_control::ready_valid;
        f.ports = 5;
        f.vcs = 1;
        f.max_nodes = 64;
        f.by_table = true;
        f.data_bits = 40;
        f.min_latency = f.max_latency = 2;  // its queue, its output register
        f.depth = 4;                        // of its queue
        f.cycles_per_flit = 1;
        return f;
    }

    explicit foreign_adapter(const router_info& info) : m_info(info) {}

    void reset() override {
        top.RESET = 1;
        top.prog_we = 1;
        for (std::uint32_t n = 0; n < m_info.nodes; ++n) {
            top.prog_adr = n;
            top.prog_dat = mine(m_info.port_to[n]);
            cycles(1);
        }
        top.prog_we = 0;
        cycles(4);
        top.RESET = 0;
    }

    void drive(std::uint32_t port, const pin_flit* flit) override {
        const std::uint32_t p = mine(port);
        put(top.rx_vld, p, 1, flit != nullptr);
        if (flit == nullptr) return;
        put(top.rx_dat, p * width + 47, 1, flit->head);
        put(top.rx_dat, p * width + 46, 1, flit->tail);
        put(top.rx_dat, p * width + 40, 6, flit->destination);
        put(top.rx_dat, p * width, 40, flit->data);
    }
    void drive_back(std::uint32_t port, std::uint32_t vcs) override { put(top.tx_rdy, mine(port), 1, vcs); }

    bool read(std::uint32_t port, pin_flit& flit) override {
        const std::uint32_t p = mine(port);
        flit.head = get(top.tx_dat, p * width + 47, 1) != 0;
        flit.tail = get(top.tx_dat, p * width + 46, 1) != 0;
        flit.data = get(top.tx_dat, p * width, 40);
        return get(top.tx_vld, p, 1) != 0;
    }
    std::uint32_t read_back(std::uint32_t port) override {
        return static_cast<std::uint32_t>(get(top.rx_rdy, mine(port), 1));
    }

  protected:
    void clock(bool high) override { top.CK = high; }

  private:
    static constexpr std::uint32_t width = 48;

    /// Returns its port for Sare's (+ and - in x, + and - in y, node): local, north, east, south or west.
    static std::uint32_t mine(std::uint32_t port) {
        static constexpr std::uint32_t order[] = {2, 4, 1, 3, 0};
        return order[port];
    }

    const router_info m_info;
};

}  // namespace

SARE_PIN_ADAPTER(foreign_adapter)
