// SPDX-License-Identifier: Apache-2.0
#include "Vsare_router.h"
#include "cosim/rtl/verilated_adapter.h"

namespace {

using namespace sare::pins;

/// rtl/sare_router.sv of 5 ports in a mesh of 4x4 as a router of somebody's own. Its facts() say no more than
/// traffic needs: VCS, DEPTH (that senders count), CUT_THROUGH (no packet is longer), LOOKAHEAD, ATOMIC.
class own_adapter final : public verilated_adapter<Vsare_router> {
  public:
    static router_facts facts() {
        router_facts f;
        f.name = "sare_router";
        f.flow = flow_control::credit;
        f.vcs = VCS;
        f.max_nodes = 16;
        f.data_bits = 40;
        f.min_latency = 0;
        f.max_latency = 60;
        f.settling = 30;
        f.depth = DEPTH;
        f.longest_packet = CUT_THROUGH ? DEPTH : 0;
        f.room = ATOMIC ? head_credits::empty_buffer : CUT_THROUGH ? head_credits::whole_packet : f.room;
        return f;
    }
    explicit own_adapter(const router_info& info) : m_info(info) {}

    void reset() override {
        top.rst_ni = 0;
        top.here_i = m_info.here[0] | m_info.here[1] << 2;
        top.last_i = 15;
        top.cfg_valid_i = 0;
        cycles(2);
        top.rst_ni = 1;
    }

    void drive(std::uint32_t q, const pin_flit* f) override {
        put(top.flit_valid_i, q, 1, f != nullptr);
        if (f == nullptr) return;
        put(top.flit_head_i, q, 1, f->head);
        put(top.flit_tail_i, q, 1, f->tail);
        put(top.flit_vc_i, q * vc_bits, vc_bits, f->vc);
        put(top.flit_data_i, q * 40, 40, f->data);
        put(top.flit_dest_i, q * 7, 7, 4 << 4 | f->destination);
        put(top.flit_ways_i, q * 4, 4, 0);
        put(top.flit_vc_base_i, q * vc_bits, vc_bits, 0);
        put(top.flit_length_i, q * count_bits, count_bits, f->length);
        put(top.flit_port_i, q * 3, 3, f->port);
        put(top.flit_vcs_i, q * VCS, VCS, f->vcs);
    }
    void drive_back(std::uint32_t q, std::uint32_t vcs) override { put(top.credit_i, q * VCS, VCS, vcs); }

    bool read(std::uint32_t q, pin_flit& f) override {
        f.head = get(top.flit_head_o, q, 1) != 0;
        f.tail = get(top.flit_tail_o, q, 1) != 0;
        f.vc = static_cast<std::uint32_t>(get(top.flit_vc_o, q * vc_bits, vc_bits));
        f.data = get(top.flit_data_o, q * 40, 40);
        if (LOOKAHEAD && f.head) f.port = static_cast<std::uint32_t>(get(top.flit_port_o, q * 3, 3));
        return get(top.flit_valid_o, q, 1) != 0;
    }
    std::uint32_t read_back(std::uint32_t q) override {
        return static_cast<std::uint32_t>(get(top.credit_o, q * VCS, VCS));
    }

  protected:
    void clock(bool high) override { top.clk_i = high; }

  private:
    static constexpr std::uint32_t vc_bits = VCS > 8 ? 4 : VCS > 4 ? 3 : VCS > 2 ? 2 : 1;
    static constexpr std::uint32_t count_bits = CUT_THROUGH ? 8 : 1;

    const router_info m_info;
};

}  // namespace

SARE_PIN_ADAPTER(own_adapter)
