// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/lost_pieces.h"

#include "tlm/fabric/parts/words.h"

#include <algorithm>
#include <tuple>

namespace sare {
namespace {

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

bool is_told_before(const packet& a, const packet& b) {
    const auto of = [](const packet& p) {
        return std::make_tuple(p.route.source, p.route.vc_base, p.injected, p.route.destination, p.flits);
    };
    return of(a) < of(b);
}

lost_pieces::lost_pieces(network_state& net) : m_net(net), m_links(*net.remote) {
    const std::uint32_t ranks = m_links.processes().ranks();
    for (std::uint32_t r = 0; r < ranks; ++r)
        if (r != m_links.rank()) m_others.push_back(r);
    m_sent.resize(ranks);
    m_credits.resize(ranks);
}

void lost_pieces::share(lost_packets& lost) {
    std::map<packet_name, known> all;
    const auto add = [&all](const packet& p, const lost_at& at) {
        const auto [place, fresh] = all.try_emplace(name_of(p), known{p, at});
        if (!fresh && at.step < place->second.lost.step) place->second.lost = at;
    };
    words mine;
    for (const auto& [id, at] : lost) {
        add(m_net.packets()[id], at);
        put_words(m_net.packets()[id], mine);
        put_words(at, mine);
    }
    std::vector<words> told(m_others.size(), mine);
    m_links.processes().exchange(m_others, told);
    for (const words& theirs : told)
        for (const std::uint64_t* from = theirs.data(); from != theirs.data() + theirs.size();) {
            known k;
            from = get_words(k.lost, get_words(k.what, from));
            add(k.what, k.lost);
        }
    m_all.clear();
    for (const auto& [its_name, k] : all) m_all.push_back(k);
    std::sort(m_all.begin(), m_all.end(),
              [](const known& a, const known& b) { return is_told_before(a.what, b.what); });
    if (all.empty()) return;
    m_net.packets().for_each([&](std::uint32_t id) {
        if (const auto its = all.find(name_of(m_net.packets()[id])); its != all.end())
            lost.emplace(id, its->second.lost);
    });
}

void lost_pieces::give_credit(const link_end& to, std::uint32_t vc) {
    words& its = m_credits[m_links.rank_of(to)];
    its.insert(its.end(), {to.id, to.port, vc});
}

/// Sends m_sent to each rank, behind the credits for its routers, and takes what the others send.
void lost_pieces::exchange(cycle_t t) {
    std::vector<words> told;
    for (const std::uint32_t r : m_others) {
        words& its = told.emplace_back(1, m_credits[r].size());
        its.insert(its.end(), m_credits[r].begin(), m_credits[r].end());
        its.insert(its.end(), m_sent[r].begin(), m_sent[r].end());
        m_credits[r].clear();
        m_sent[r].clear();
    }
    m_links.processes().exchange(m_others, told);
    for (words& theirs : told) {
        const auto end = theirs.begin() + 1 + static_cast<std::ptrdiff_t>(theirs[0]);
        for (auto c = theirs.begin() + 1; c != end; c += 3) {
            const auto router = static_cast<std::uint32_t>(c[0]);
            m_net.bank_of(router).give_credits(m_net.in_bank(router), static_cast<std::uint32_t>(c[1]),
                                               static_cast<std::uint32_t>(c[2]), 1, t);
        }
        theirs.erase(theirs.begin(), end);
    }
    m_come = std::move(told);
}

std::vector<ended_packet> lost_pieces::bring_together(
    const lost_packets& lost, const std::function<std::uint32_t(std::uint32_t)>& from_nics, cycle_t t) {
    if (m_all.empty()) return {};
    std::vector<ended_packet> ends;  // indexed as m_all
    for (const known& k : m_all) ends.push_back({none, k.what.flits, k.lost.where, m_order++});
    for (const auto& [id, at] : lost) {
        const packet p = m_net.packets()[id];
        const auto place = static_cast<std::size_t>(
            std::lower_bound(m_all.begin(), m_all.end(), p,
                             [](const known& k, const packet& q) { return is_told_before(k.what, q); }) -
            m_all.begin());
        const std::uint32_t absent = from_nics(id);
        const bool has_head = !m_links.has_gone_on(id);
        if (is_mine(p)) {
            ends[place].flits -= absent;
            has_head ? void(ends[place].packet = id) : m_links.leave(id);
            continue;
        }
        words& to = m_sent[home_of(p)];
        to.insert(to.end(), {place, absent, std::uint64_t{has_head}});
        has_head ? m_links.send_off(id, to) : m_links.leave(id);
    }
    exchange(t);
    for (const words& theirs : m_come)
        for (const std::uint64_t* from = theirs.data(); from != theirs.data() + theirs.size();) {
            ended_packet& its = ends[from[0]];
            its.flits -= static_cast<std::uint32_t>(from[1]);
            const bool has_head = from[2] != 0;
            from += 3;
            if (has_head) from = m_links.take_in(its.packet, from);
        }
    m_all.clear();
    ends.erase(
        std::remove_if(ends.begin(), ends.end(), [](const ended_packet& e) { return e.packet == none; }),
        ends.end());
    return ends;
}

void lost_pieces::add_rest(std::uint32_t message, std::uint32_t flits) {
    const std::uint32_t id = m_net.packets().part(0).take();
    packet& p = m_net.packets()[id];
    p = {};
    p.route.source = m_net.messages()[message].what.source;
    p.route.destination = m_net.messages()[message].what.destination;
    p.flits = flits;
    p.message = message;
    m_rests.emplace_back(id, m_order);
}

std::vector<ended_packet> lost_pieces::bring_rests(cycle_t t) {
    for (const auto& [id, order] : m_rests) {
        words& to = m_sent[home_of(m_net.packets()[id])];
        to.push_back(order);
        m_links.send_off(id, to);
    }
    m_rests.clear();
    exchange(t);
    std::vector<ended_packet> ends;
    for (const words& theirs : m_come)
        for (const std::uint64_t* from = theirs.data(); from != theirs.data() + theirs.size();) {
            ended_packet& its = ends.emplace_back(ended_packet{none, 0, {}, *from++});
            from = m_links.take_in(its.packet, from);
        }
    return ends;
}

}  // namespace sare
