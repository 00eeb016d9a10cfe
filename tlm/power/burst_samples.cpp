// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/burst_samples.h"

#include "tlm/base/world.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/state/archive.h"
#include "tlm/topology/topology.h"

namespace sare {
namespace {

constexpr cycle_t first_gap = 1000;          ///< cycles from a sample to the next one
constexpr std::uint32_t before_longer = 64;  ///< samples, after which gaps double: runs may be of any length

}  // namespace

burst_samples::burst_samples(const network_view& net) : m_net(net) {
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        if (net.has_router(r) && net.map()->clock(router_id(r)) == 1) m_routers.push_back(r);
}

/// By output.
std::vector<std::uint32_t> burst_samples::sent_now() const {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t r : m_routers) {
        const router_bank& bank = m_net.bank_of(r);
        const std::uint32_t k = m_net.in_bank(r);
        for (std::uint32_t p = 0; p < bank.ports(); ++p) {
            std::uint32_t flits = 0;
            for (std::uint32_t v = 0; v < bank.terms().vcs; ++v) flits += bank.flits_sent(k, p, v);
            all.push_back(flits);
        }
    }
    return all;
}

void burst_samples::start(cycle_t now) {
    m_gap = first_gap;
    m_phase = 0;
    m_next = now + m_gap / 2;
}

void burst_samples::look(cycle_t now) {
    if (now < m_next) return;
    std::vector<std::uint32_t> sent = sent_now();
    if (m_phase != 0) {
        std::vector<std::uint32_t> here(sent.size());
        for (std::size_t k = 0; k < sent.size(); ++k) here[k] = sent[k] - m_before[k];
        for (std::size_t k = 0; m_phase == 2 && k < here.size(); ++k) {
            m_flits += here[k];
            m_first += m_last[k] == 0 && here[k] != 0 ? 1 : 0;
        }
        m_last = std::move(here);
    }
    m_before = std::move(sent);
    m_next = now + 1;
    if (++m_phase < 3) return;
    m_phase = 0;
    m_next = now + m_gap - 2;
    if (++m_samples % before_longer == 0) m_gap *= 2;
}

void burst_samples::serialize(archive& a) {
    a(m_before, m_last, m_next, m_gap, m_phase, m_samples, m_flits, m_first);
}

void burst_samples::add_up(world& all) {
    m_flits = all.sum(m_flits);
    m_first = all.sum(m_first);
}

}  // namespace sare
