// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/view/congestion.h"

#include "tlm/fabric/network_state.h"

#include <stdexcept>

namespace sare {

cycle_t router_congestion::now() const {
    return m_net.now();
}

std::uint32_t router_congestion::free(std::uint32_t port, std::uint32_t vc) const {
    return m_net.out(m_router, port, vc).credits;
}

std::uint32_t router_congestion::used(std::uint32_t port, std::uint32_t vc) const {
    return m_net.depth_beyond(m_router, port) - free(port, vc);
}

std::uint32_t router_congestion::waiting(std::uint32_t port) const {
    return m_net.bank_of(m_router).waiting(m_net.in_bank(m_router), port);
}

std::uint32_t router_congestion::held(std::uint32_t port, std::uint32_t vc) const {
    return m_net.in(m_router, port, vc).count;
}

std::uint32_t router_congestion::queue(std::uint32_t port) const {
    std::uint32_t sum = waiting(port);
    for (std::uint32_t v = 0; v < m_net.vcs(); ++v) sum += used(port, v);
    return sum;
}

std::uint32_t router_congestion::told(std::uint32_t router, std::uint32_t port) const {
    if (m_net.board == nullptr)
        throw std::logic_error("routing " + m_net.routing()->name() +
                               " has no board: its board_delay() is 0");
    return m_net.board->told(m_net.port_index(router, port));
}

namespace {

/// Returns the queues of all output ports, by network_state::port_index(). Processes tell each other those of
/// their own routers, two numbers in a word.
std::vector<std::uint32_t> queues_of(const network_state& net, std::size_t places) {
    std::vector<std::uint32_t> queues(places);
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; net.has_router(r) && p < net.ports(r); ++p)
            queues[net.port_index(r, p)] = router_congestion(net, r).queue(p);
    if (net.remote == nullptr) return queues;
    std::vector<std::uint64_t> words((places + 1) / 2);
    for (std::size_t k = 0; k < places; ++k) words[k / 2] |= std::uint64_t{queues[k]} << k % 2 * 32;
    net.remote->processes().sum(words.data(), words.size());
    for (std::size_t k = 0; k < places; ++k)
        queues[k] = static_cast<std::uint32_t>(words[k / 2] >> k % 2 * 32);
    return queues;
}

}  // namespace

void congestion_board::go_on(const network_state& net, cycle_t before, cycle_t now) {
    if (now > before) m_samples.push_back({before, queues_of(net, m_samples.front().queues.size())});
    while (m_samples.size() > 1 && m_samples[1].at + m_delay <= now) m_samples.pop_front();
}

}  // namespace sare
