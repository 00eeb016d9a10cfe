// SPDX-License-Identifier: Apache-2.0
#include "cosim/sheet/pin_record.h"

#include "tlm/base/bits.h"

namespace sare::cosim {

/// Outputs are those of the cycle before, and come first: a number that was free again may have a new packet.
void pin_record::note(cycle_t t, const std::vector<port_in>& in_now, const std::vector<port_out>& out_before,
                      const packet_table& packets) {
    for (std::uint32_t q = 0; q < out_before.size(); ++q) {
        const port_out& o = out_before[q];
        for (std::uint32_t rest = o.credits; rest != 0; rest &= rest - 1)
            back.push_back({t - 1, q, static_cast<std::uint32_t>(lowest(rest))});
        const auto its = o.valid ? m_packets.find(o.what.packet) : m_packets.end();
        if (its == m_packets.end() || o.what.sequence >= its->second.came.size()) continue;
        const known& k = its->second;
        out.push_back({t - 1, q, o.what.vc, k.uid, o.what.sequence, k.from, k.came[o.what.sequence]});
    }
    for (std::uint32_t q = 0; q < in_now.size(); ++q) {
        const port_in& i = in_now[q];
        if (!i.valid) continue;
        const flit& f = i.what;
        if (f.is_head()) m_packets[f.packet] = {packets[f.packet].uid, {q, f.vc}, {}};
        m_packets[f.packet].came.push_back(t);
        in.push_back({t, q, f.vc, m_packets[f.packet].uid, f.sequence, {q, f.vc}, t});
    }
}

std::vector<pin_record::moved> pin_record::left_by(std::uint32_t port, cycle_t from, cycle_t to) const {
    std::vector<moved> some;
    for (const moved& m : out)
        if (m.port == port && m.at >= from && m.at < to) some.push_back(m);
    return some;
}

std::vector<cycle_t> pin_record::credit_times(const input_channel& of) const {
    std::vector<cycle_t> times;
    auto credit = back.begin();
    for (const moved& m : in) {
        if (m.port != of.port || m.vc != of.vc) continue;
        while (credit != back.end() && (credit->port != of.port || credit->vc != of.vc)) ++credit;
        if (credit == back.end()) break;
        times.push_back(credit++->at - m.at);
    }
    return times;
}

}  // namespace sare::cosim
