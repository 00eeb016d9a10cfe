// SPDX-License-Identifier: Apache-2.0
#include "cosim/router/model_block.h"

#include "tlm/base/bits.h"
#include "tlm/base/shared_pool.h"
#include "tlm/router/vc/model.h"
#include "tlm/router_api/router_context.h"

#include <fmt/format.h>

namespace sare::cosim {

model_block::model_block(const router_setting& setting, const routing_context& around,
                         const packet_table& packets)
    : m_packets(packets),
      m_routing(around),
      m_net(setting.model.vcs, setting.classes, 1),
      m_ends(setting.ports),
      m_credits(setting.credit_out_delay, std::vector<std::uint32_t>(setting.ports)) {
    using kind = link_end::kind;
    m_net.builder().require_wide_routers();
    m_net.builder().add_router(std::make_shared<vc_model>(setting.model), setting.ports);
    for (std::uint32_t q = 0; q < setting.ports; ++q) {
        const std::uint32_t outside = m_net.builder().add_foreign(m_ends[q]);
        // A router that is not there lends its depth to what is beyond the port.
        router_params beyond = setting.model;
        const std::uint32_t own = setting.own_beyond(q), pool = setting.pool_beyond(q);
        beyond.buffers = pool != 0 ? buffer_policy::shared : buffer_policy::per_vc;
        beyond.reserved = own;
        beyond.depth = own + pool / setting.model.vcs;
        const std::uint32_t substitute = m_net.builder().add_router(std::make_shared<vc_model>(beyond), 1);
        m_net.builder().connect({kind::foreign, outside, 0}, {kind::router, 0, q}, {0, 1});
        m_net.builder().connect({kind::router, 0, q}, {kind::foreign, outside, 0}, {0, 1},
                                link_end{kind::router, substitute, 0});
    }
    m_net.builder().set_routing(around.map(), m_routing);
    m_net.builder().finish();
}

/// Returns a flit that comes in, with the number that its packet has in the fabric. There, packet::generated
/// is the number outside, which copies have, too.
flit model_block::taken(flit f) {
    const std::uint32_t outside = f.packet;
    if (f.is_head()) {
        if (m_own.size() <= outside) m_own.resize(outside + 1);
        m_own[outside] = m_net.foreign().make_packet(m_packets[outside].route, m_packets[outside].flits);
        m_net.context().packets()[m_own[outside]].generated = outside;
    }
    f.packet = m_own[outside];
    return f;
}

/// Returns a flit that goes out, with the number of its packet outside.
flit model_block::given(flit f) {
    shared_pool<packet>& all = m_net.context().packets();
    if (f.is_tail()) all.part(0).give_back(f.packet);
    f.packet = static_cast<std::uint32_t>(all[f.packet].generated);
    return f;
}

void model_block::cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    const cycle_t now = t - 1;  // clocks count from 1, the cycles that a wavefront allocator goes by from 0
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        if (in[q].valid) m_net.foreign().write_flit(q, taken(in[q].what), now);
        for (std::uint32_t rest = in[q].credits; rest != 0; rest &= rest - 1)
            m_net.foreign().write_credit(q, lowest(rest), now);
    }
    m_net.stepper().step(now);
    for (std::uint32_t q = 0; q < out.size(); ++q) {
        out[q] = m_ends[q].here;
        m_ends[q].here = {};
        if (out[q].valid) out[q].what = given(out[q].what);
    }
    delay_credits(out);
}

void model_block::delay_credits(std::vector<port_out>& out) {
    auto& now = m_credits.emplace_back();
    for (const port_out& port : out) now.push_back(port.credits);
    for (std::size_t q = 0; q < out.size(); ++q) out[q].credits = m_credits.front()[q];
    m_credits.pop_front();
}

std::string model_block::leftovers() const {
    for (std::uint32_t q = 0; q < m_net.view().ports(0); ++q)
        for (std::uint32_t v = 0; v < m_net.view().vcs(); ++v)
            if (m_net.view().in(0, q, v).count != 0 || m_net.view().out(0, q, v).owner != out_vc::no_owner)
                return fmt::format("port {} VC {} of the model is not empty", q, v);
    return "";
}

}  // namespace sare::cosim
