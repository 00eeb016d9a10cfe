// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_adapter.h"

#include <array>
#include <deque>
#include <stdexcept>
#include <utility>

namespace sare::cosim::test {

using namespace pins;

/// What may be wrong with a fake_router.
enum class fault {
    none,
    sends_without_credit,
    gives_credit_twice,
    keeps_credits,
    takes_any_vc,
    changes_vcs,  ///< though it says that it does not
    turns_back,   ///< though it says that packets never do
    starves,
    is_slower_than_it_says,
    loses_a_place,
    rests,  ///< every second cycle, in the middle of packets
    is_late_with_credits
};

/// A router in C++ with the pins of any of the flow controls: a FIFO for each input VC, wormhole, any number
/// of VCs, a register before each output. It goes the way that the flit brings.
class fake_router : public pin_adapter {
  public:
    fake_router(const router_info& info, flow_control flow, fault wrong = fault::none,
                bool encoded_credits = false)
        : m_info(info),
          m_flow(flow),
          m_fault(wrong),
          m_encoded_credits(encoded_credits),
          m_in(info.ports * info.vcs),
          m_out(info.ports * info.vcs),
          m_pins(info.ports) {
        for (std::uint32_t k = 0; k < m_out.size(); ++k) m_out[k].credits = info.depth_beyond[k / info.vcs];
    }

    static router_facts facts(const router_info& info, flow_control flow) {
        router_facts f;
        f.name = "fake";
        f.flow = flow;
        f.ports = info.ports;
        f.vcs = info.vcs;
        f.data_bits = 32;
        f.min_latency = 2;
        f.max_latency = flow == flow_control::on_off ? 3 : 2;  // on may be seen a cycle late
        f.depth = flow == flow_control::credit ? info.depth : flow == flow_control::on_off ? 4 : 3;
        f.cycles_per_flit = flow == flow_control::ready_valid ? 2 : 1;
        f.credit_delay = 1;
        return f;
    }

    void reset() override {}
    void settle() override {}
    void drive(std::uint32_t port, const pin_flit* f) override {
        m_pins[port].in_valid = f != nullptr;
        if (f != nullptr) m_pins[port].in = *f;
    }
    void drive_back(std::uint32_t port, std::uint32_t vcs) override {
        if (m_encoded_credits && (vcs & (vcs - 1)) != 0)
            throw std::runtime_error("credits of several VCs in a cycle");
        m_pins[port].back_in = vcs;
    }
    bool read(std::uint32_t port, pin_flit& f) override {
        if (!m_pins[port].out_valid) return false;
        f = m_pins[port].out;
        f.port = unsaid;  // that is the way here; of the next router it says nothing
        f.vcs = 0;
        return true;
    }
    std::uint32_t read_back(std::uint32_t port) override {
        if (m_flow == flow_control::credit) return m_pins[port].credits;
        std::uint32_t vcs = 0;
        for (std::uint32_t v = 0; v < m_info.vcs; ++v)
            vcs |= static_cast<std::uint32_t>(has_room(port, v)) << v;
        return vcs;
    }
    /// What comes in is at the front of its FIFO in the next cycle: give() is before store(). Whether there
    /// is room was said before both.
    void edge() override {
        std::vector<bool> stored(m_info.ports);
        for (std::uint32_t p = 0; p < m_info.ports; ++p)
            stored[p] =
                m_pins[p].in_valid && (m_flow != flow_control::ready_valid || has_room(p, m_pins[p].in.vc));
        for (std::uint32_t p = 0; p < m_info.ports; ++p) {
            m_pins[p].credits = 0;
            std::swap(m_pins[p].credits, m_pins[p].late[m_cycle % late_by]);
            take(p);
        }
        ++m_cycle;
        for (in_vc& i : m_in) i.moved = false;
        for (std::uint32_t p = 0; p < m_info.ports; ++p) give(p);
        for (std::uint32_t p = 0; p < m_info.ports; ++p)
            if (stored[p]) in(p, m_pins[p].in.vc).fifo.push_back(m_pins[p].in);
    }

  private:
    static constexpr std::size_t late_by = 4;
    struct in_vc {
        std::deque<pin_flit> fifo;
        std::uint32_t port = 0;
        int vc = -1;  ///< at the output, once the head has one
        bool moved = false;
    };
    struct out_vc {
        bool owned = false;
        std::uint32_t credits = 0;
    };
    struct port_pins {
        pin_flit in, out;
        bool in_valid = false, out_valid = false;
        std::uint32_t back_in = 0, credits = 0, next = 0;
        std::array<std::uint32_t, late_by> late{};  ///< credits, by cycle
        int left = -1;                              ///< VC of the flit that has just gone
    };

    in_vc& in(std::uint32_t port, std::uint32_t vc) { return m_in[port * m_info.vcs + vc]; }
    out_vc& out(std::uint32_t port, std::uint32_t vc) { return m_out[port * m_info.vcs + vc]; }
    bool has_room(std::uint32_t port, std::uint32_t vc) {
        const std::size_t full = m_flow == flow_control::on_off ? 5 : 4;
        const std::size_t lost = m_fault == fault::loses_a_place ? 1 : 0;
        return in(port, vc).fifo.size() + lost + 2 <= full;
    }

    /// Is the register's flit taken away in this cycle?
    void take(std::uint32_t p) {
        port_pins& here = m_pins[p];
        if (m_flow == flow_control::credit)
            for (std::uint32_t v = 0; v < m_info.vcs; ++v) out(p, v).credits += here.back_in >> v & 1;
        const bool goes = m_flow != flow_control::ready_valid || (here.back_in >> here.out.vc & 1) != 0;
        here.left = goes && here.out_valid ? static_cast<int>(here.out.vc) : -1;
        if (goes) here.out_valid = false;
    }

    bool may_send(std::uint32_t p, std::uint32_t v) {
        if (m_fault == fault::sends_without_credit) return true;
        if (m_flow == flow_control::credit) return out(p, v).credits > 0;
        // A flit that waits in the register is in the way of the other VCs: no ready that is used up already.
        if (m_flow == flow_control::ready_valid && m_pins[p].left == static_cast<int>(v)) return false;
        return (m_pins[p].back_in >> v & 1) != 0;
    }

    void find_vc(in_vc& i, std::uint32_t p) {
        for (std::uint32_t v = 0; v < m_info.vcs; ++v) {
            const bool allowed = m_fault == fault::takes_any_vc || (i.fifo.front().vcs >> v & 1) != 0;
            if (out(p, v).owned || !allowed || !may_send(p, v)) continue;
            i.port = p;
            i.vc = static_cast<int>(v);
            out(p, v).owned = true;
            return;
        }
    }

    /// Fills the register of output `p` with a flit of one input VC, in turn.
    void give(std::uint32_t p) {
        port_pins& here = m_pins[p];
        if (here.out_valid) return;
        for (std::uint32_t n = 0; n < m_in.size(); ++n) {
            const std::uint32_t k = (here.next + n) % static_cast<std::uint32_t>(m_in.size());
            in_vc& i = m_in[k];
            if (i.fifo.empty() || i.moved || (m_fault == fault::starves && k == 0)) continue;
            if (m_fault == fault::rests && m_cycle % 2 == 0 && !i.fifo.front().head) continue;
            if (i.vc < 0 && i.fifo.front().port == p) find_vc(i, p);
            if (i.vc < 0 || i.port != p || !may_send(p, static_cast<std::uint32_t>(i.vc))) continue;
            here.next = k + 1;
            return send(p, k);
        }
    }

    void send(std::uint32_t p, std::uint32_t k) {
        in_vc& i = m_in[k];
        port_pins& here = m_pins[p];
        here.out_valid = true;
        here.out = i.fifo.front();
        here.out.vc = static_cast<std::uint32_t>(i.vc);
        i.fifo.pop_front();
        i.moved = true;
        if (m_flow == flow_control::credit && m_fault != fault::sends_without_credit)
            --out(p, here.out.vc).credits;
        ++m_sent;
        const std::uint32_t from = k / m_info.vcs, vc = k % m_info.vcs;
        if (m_fault == fault::is_late_with_credits)
            m_pins[from].late[(m_cycle + late_by - 1) % late_by] |= 1u << vc;
        else if (m_fault != fault::keeps_credits || m_sent != 500)
            m_pins[from].credits |= 1u << vc;
        if (m_fault == fault::gives_credit_twice && m_sent % 100 == 0)
            m_pins[from].credits = (1u << m_info.vcs) - 1;
        if (!here.out.tail) return;
        out(p, here.out.vc).owned = false;
        i.vc = -1;
    }

    router_info m_info;
    flow_control m_flow;
    fault m_fault;
    bool m_encoded_credits;
    std::vector<in_vc> m_in;
    std::vector<out_vc> m_out;
    std::vector<port_pins> m_pins;
    std::uint64_t m_sent = 0, m_cycle = 0;
};

}  // namespace sare::cosim::test
