// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/bufferless/bank.h"

#include "tlm/state/archive.h"

#include <fmt/format.h>

namespace sare {

bufferless_bank::bufferless_bank(router_context& net, std::vector<std::uint32_t> routers, std::uint32_t ports,
                                 const router_terms& terms)
    : router_bank(std::move(routers), ports, terms), m_net(net), m_ring(net.domain_of(router(0)).ring()) {}

void bufferless_bank::construct(plane_layout at) {
    for (std::uint32_t k = 0; k < size(); ++k) m_inboxes.emplace_back(at, k);
    m_port_ends.resize(std::size_t{size()} * ports());
    m_sent.resize(m_port_ends.size() * terms().vcs);
    const topology& map = *m_net.map();
    for (std::uint32_t k = 0; k < size(); ++k)
        for (std::uint32_t p = 0; p < ports(); ++p) {
            const port_peer from = map.source(router_id(router(k)), port_id(p)),
                            to = map.peer(router_id(router(k)), port_id(p));
            if (from.what == port_peer::kind::node) m_port_ends[index(k, p)].sender = from.id;
            if (to.what == port_peer::kind::node) m_port_ends[index(k, p)].receiver = to.id;
        }
    set_seed(m_net.seed());
}

void bufferless_bank::set_seed(std::uint64_t seed) {
    m_random.clear();
    for (std::uint32_t k = 0; k < size(); ++k)
        m_random.emplace_back(seed, stream::routing, (std::uint64_t{1} << 32) + router(k));
}

std::pair<wire, wire_extras> bufferless_bank::flits_into(std::uint32_t k, std::uint32_t port) const {
    return {m_inboxes[k].flits(port, credit_sets), {}};
}

std::pair<wire, wire_extras> bufferless_bank::credits_into(std::uint32_t k, std::uint32_t port) const {
    return {m_inboxes[k].credits(port), {}};
}

void bufferless_bank::wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) {
    m_port_ends[index(k, port)].flits = w;
    m_port_ends[index(k, port)].depth = x.depth;
}

void bufferless_bank::wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras&,
                                 const link_end&) {
    m_port_ends[index(k, port)].credits = w;
}

void bufferless_bank::serialize_common(archive& a) {
    a.in_place(m_sent, m_random);
}

in_vc bufferless_bank::in(std::uint32_t, std::uint32_t, std::uint32_t) const {
    return {};
}

out_vc bufferless_bank::out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    return {m_sent[index(k, port) * terms().vcs + vc], m_port_ends[index(k, port)].depth, out_vc::no_owner};
}

std::uint32_t bufferless_bank::flits_sent(std::uint32_t k) const {
    std::uint32_t sum = 0;
    const std::size_t each = std::size_t{ports()} * terms().vcs;
    for (std::size_t o = k * each; o < (k + 1) * each; ++o) sum += m_sent[o];
    return sum;
}

void bufferless_bank::count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const {
    for (std::uint32_t p = 0; p < ports(); ++p)
        for (std::uint32_t v = 0; v < terms().vcs; ++v) count_one(in(k, p, v).count, bins);
}

flit bufferless_bank::buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const {
    const in_vc c = in(k, port, vc);
    const std::uint32_t kind = (n == 0 ? flit::head : 0) | (n + 1U == c.count ? flit::tail : 0);
    return flit::from_word(flit::make_word(c.packet, n, vc, kind));
}

std::uint64_t bufferless_bank::bytes() const {
    return m_port_ends.size() * (sizeof(port_end) + 4 * terms().vcs) + m_random.size() * sizeof(rng) +
           m_inboxes.size() * sizeof(plain_inbox);
}

std::uint32_t check_links_are_alike(const router_context& net, const std::vector<router_instance>& all) {
    const std::string kind = all.front().model->kind();
    const auto fails = [&kind](std::uint32_t r, const std::string& why) {
        throw config::error(fmt::format("router {} of kind {} {}", r, kind, why));
    };
    std::uint32_t here = 0;  // routers in this process
    for (std::uint32_t r = 0; r < net.routers(); ++r) here += net.has_router(r);
    if (all.size() != here)
        fails(all.front().router, "stands among routers of other kinds; all must be of this one");
    std::uint32_t latency = 0;
    for (const router_instance& p : all) {
        if (!p.model->equals(*all.front().model))
            fails(p.router, fmt::format("differs from router {} in its parameters; all must have the same",
                                        all.front().router));
        if (p.clock != &running_clock::of_network())
            fails(p.router, "has clock " + p.clock->text() + "; it must be 1");
        for (std::uint32_t port = 0; port < p.ports; ++port) {
            const connection* c = net.link_from(p.router, port);
            if (c == nullptr || c->receiver().what != link_end::kind::router) continue;
            if (c->link.cycles_per_flit != 1 || c->link.wake != 0)
                fails(
                    p.router,
                    fmt::format("has a link that takes {} cycles a flit and {} to wake; it must be 1, and 0",
                                c->link.cycles_per_flit, c->link.wake));
            if (latency != 0 && c->link.latency != latency)
                fails(p.router, fmt::format("has links of latency {} and {}; all must be as long", latency,
                                            c->link.latency));
            latency = c->link.latency;
        }
    }
    return latency == 0 ? 1 : latency;
}

}  // namespace sare
