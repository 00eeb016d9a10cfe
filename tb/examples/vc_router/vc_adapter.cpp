// SPDX-License-Identifier: Apache-2.0
#include "Vvc_router_routers.h"
#include "cosim/rtl/verilated_adapter.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace {

using namespace sare::pins;

/// vc_router.v at Sare's links: 4 VCs, credits, look-ahead; ports in Sare's order. A class for each router,
/// for its number is a parameter.
template <class Top>
class vc_adapter final : public verilated_adapter<Top> {
  public:
    static router_facts facts() {
        router_facts f;
        f.name = "vc_router";
        f.flow = flow_control::credit;
        f.ports = 5;
        f.vcs = 4;
        f.max_nodes = 64;
        f.data_bits = 52;
        f.min_latency = f.max_latency = 2;  // its queue, its output register
        f.depth = f.credits = 4;
        f.credit_delay = 1;
        f.encoded_credits = true;  // a VC's number
        return f;
    }

    explicit vc_adapter(const router_info& info) {
        if (info.sizes.size() != 2 || info.sizes[0] != 4)
            throw std::runtime_error("vc_router is made for meshes with four columns");
    }

    void reset() override {
        top.rst_n = 0;
        this->cycles(2);
        top.rst_n = 1;
        for (auto& of_port : m_under_way) std::fill(std::begin(of_port), std::end(of_port), false);
    }

    void drive(std::uint32_t port, const pin_flit* flit) override {
        put(top.i_val, 4 - port, 1, flit != nullptr);
        if (flit == nullptr) return;
        put(top.i_flit, lsb(port, 0), 1, flit->tail);
        put(top.i_flit, lsb(port, 2), 2, flit->vc);
        put(top.i_flit, lsb(port, 63), 52, flit->data);
        if (!flit->head) return;
        put(top.i_flit, lsb(port, 5), 3, flit->port);
        put(top.i_flit, lsb(port, 11), 6, flit->destination);
    }
    void drive_back(std::uint32_t port, std::uint32_t vcs) override {
        put(top.o_crd_val, 4 - port, 1, vcs != 0);
        put(top.o_crd_vc, 8 - 2 * port, 2, vc_number(vcs));
    }

    bool read(std::uint32_t port, pin_flit& flit) override {
        if (get(top.o_val, 4 - port, 1) == 0) return false;
        flit.tail = get(top.o_flit, lsb(port, 0), 1) != 0;
        flit.vc = static_cast<std::uint32_t>(get(top.o_flit, lsb(port, 2), 2));
        flit.data = get(top.o_flit, lsb(port, 63), 52);
        // Only last flits are marked: what follows one is a head.
        bool& under_way = m_under_way[port][flit.vc];
        flit.head = !under_way;
        under_way = !flit.tail;
        if (!flit.head) return true;
        flit.port = static_cast<std::uint32_t>(get(top.o_flit, lsb(port, 5), 3));  // at the next router
        flit.destination = static_cast<std::uint32_t>(get(top.o_flit, lsb(port, 11), 6));
        return true;
    }
    std::uint32_t read_back(std::uint32_t port) override {
        const auto vc = static_cast<std::uint32_t>(get(top.i_crd_vc, 8 - 2 * port, 2));
        return get(top.i_crd_val, 4 - port, 1) != 0 ? 1u << vc : 0;
    }

  protected:
    void clock(bool high) override { top.clk = high; }

  private:
    using verilated_adapter<Top>::top;

    /// Returns the lowest bit of a field that ends at `last`, in [0:319]: bit 0 is the leftmost one.
    static std::uint32_t lsb(std::uint32_t port, std::uint32_t last) { return 319 - (64 * port + last); }

    bool m_under_way[5][4] = {};
};

}  // namespace

SARE_PIN_ADAPTER(Vvc_router_routers<vc_adapter>)
