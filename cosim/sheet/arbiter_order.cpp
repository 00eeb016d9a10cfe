// SPDX-License-Identifier: Apache-2.0
#include "cosim/sheet/sheet_probes.h"

#include <fmt/format.h>

namespace sare::cosim {

void order_hypotheses::take(const std::vector<std::uint32_t>& served, bool judged) {
    m_most = std::max(m_most, served.size());
    if (judged && served.size() > 1) {
        const auto agrees = [&](const auto& rank) {
            return std::is_sorted(served.begin(), served.end(),
                                  [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
        };
        const std::uint32_t next = m_last ? *m_last + 1 : 0;
        for (auto first = served.begin(); first != served.end(); ++first)
            for (auto second = first + 1; second != served.end(); ++second) {
                m_before.emplace(*first, *second);
                m_fixed &= m_before.count({*second, *first}) == 0;
            }
        m_other_ring &= follows_ring(served);
        m_round_robin &= agrees([next](std::uint32_t q) { return q >= next ? q : q + 0x10000; });
        m_least_recent &= agrees([this](std::uint32_t q) { return m_times[q]; });
    }
    if (served.size() > m_ring.size()) m_ring = served;
    for (const std::uint32_t q : served) m_times[q] = ++m_clock;
    if (!served.empty()) m_last = served.back();
}

/// True if ports were served round the ring, from the one behind the port served last. A ring that is not
/// known yet agrees with anything, and so does one of two.
bool order_hypotheses::follows_ring(const std::vector<std::uint32_t>& served) {
    const auto size = static_cast<std::ptrdiff_t>(m_ring.size());
    const auto last = std::find(m_ring.begin(), m_ring.end(), m_last.value_or(~0u));
    if (size < static_cast<std::ptrdiff_t>(served.size()) || last == m_ring.end()) return true;
    const auto rank = [&](std::uint32_t port) {
        return (std::find(m_ring.begin(), m_ring.end(), port) - last + size - 1) % size;
    };
    return std::is_sorted(served.begin(), served.end(),
                          [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
}

order order_hypotheses::best() const {
    if (m_most < 2) return order::unknown;
    if (m_fixed) return order::fixed;
    if (m_round_robin && m_least_recent) return order::in_turn;
    if (m_round_robin) return order::round_robin;
    return m_least_recent ? order::least_recent : m_other_ring ? order::other_ring : order::other;
}

/// Returns rounds in which inputs ask alone and then all ask, in several orders; pauses between them
/// differ, so that what goes by the clock shows.
std::vector<sheet_probes::round> sheet_probes::rounds_of(const std::vector<lane>& lanes) {
    std::vector<std::uint32_t> all;
    for (const lane& l : lanes) all.push_back(l.in);
    std::vector<round> rounds;
    const auto n = static_cast<std::uint32_t>(all.size());
    for (std::uint32_t k = 0; k < 3 * n; ++k) {
        const std::uint32_t first = all[k * (k < n ? 1 : n - 1) % n], second = all[(k / n + k) % n];
        for (const auto& asks : {std::vector{first}, std::vector{second}, all})
            rounds.push_back({m_now += m_pause + k % 7, asks});
    }
    m_now += m_pause;
    return rounds;
}

/// Compares the order in which inputs were served in each round.
void sheet_probes::judge(order_hypotheses& seen, std::uint32_t out, const std::vector<round>& rounds) {
    const cycle_t last = m_now;
    end(m_now);
    credits_of_all_flits();
    const pin_record record = run();
    seen.next_arbiter();
    for (std::size_t k = 0; k < rounds.size(); ++k) {
        std::vector<std::uint32_t> served;
        for (const auto& m :
             record.left_by(out, rounds[k].at, k + 1 < rounds.size() ? rounds[k + 1].at : last))
            served.push_back(m.from.port);
        seen.take(served, k >= rounds.size() / 3);
    }
}

/// Lets heads ask for an output, each alone and all at once.
void sheet_probes::packet_order() {
    order_hypotheses seen;
    bool oldest = true, tested = false;
    each_output([&](std::uint32_t out) {
        const std::vector<lane> lanes = first_of_each_input(out);
        begin(fmt::format("heads at once for output {}", out));
        const std::vector<round> rounds = rounds_of(lanes);
        for (const round& r : rounds)
            for (const lane& l : lanes)
                if (std::count(r.inputs.begin(), r.inputs.end(), l.in) != 0)
                    packet(l, 1, static_cast<std::uint32_t>(r.at));
        judge(seen, out, rounds);
        if (m_blocked[out].most.size() != 1 || lanes.size() < 3) return;
        oldest = serves_oldest(lanes, out) && oldest;
        tested = true;
    });
    m_sheet.packets = tested && oldest ? order::oldest : seen.best();
}

/// Lets heads come one after the other, the highest port first, while a packet uses the output.
bool sheet_probes::serves_oldest(const std::vector<lane>& lanes, std::uint32_t out) {
    const auto others = static_cast<std::uint32_t>(lanes.size()) - 1;
    bool in_order = m_longest >= 2;
    for (std::uint32_t first = 0; first <= others && in_order; ++first) {
        begin(fmt::format("heads one by one for output {}", out));
        packet(lanes[first], 2, m_now, 1, m_now + 2 * m_pause);
        std::vector<std::uint32_t> came{lanes[first].in, lanes[first].in};
        for (std::uint32_t k = others; k > 0; --k) {
            const lane& l = lanes[(first + k) % lanes.size()];
            packet(l, 1, m_now + m_pause + 2 * (others - k));
            came.push_back(l.in);
        }
        credits_of_all_flits();
        end(m_now + 4 * m_pause);
        std::vector<std::uint32_t> served;
        for (const auto& m : run().out) served.push_back(m.from.port);
        in_order = served == came;
    }
    return in_order;
}

/// Lets flits of packets that have an output VC each ask for the output.
void sheet_probes::flit_order() {
    order_hypotheses seen;
    each_output([&](std::uint32_t out) {
        std::vector<lane> lanes = first_of_each_input(out);
        lanes.resize(std::min(lanes.size(), m_blocked[out].most.size()), lane{});
        if (lanes.size() < 2) return;
        begin(fmt::format("flits at once for output {}", out));
        std::map<std::uint32_t, std::vector<std::uint32_t>> at;
        for (const lane& l : lanes) at[l.in] = {m_now += m_pause};
        const std::vector<round> rounds = rounds_of(lanes);
        for (const round& r : rounds)
            for (const std::uint32_t in : r.inputs) at[in].push_back(static_cast<std::uint32_t>(r.at));
        for (const lane& l : lanes) {
            if (at[l.in].size() > packet_of(~0u)) return m_all.pop_back();
            m_all.back().events.packets.push_back(
                {l.in, l.vc, l.flow->header.destination, l.flow->header.state, at[l.in]});
        }
        judge(seen, out, rounds);
    });
    m_sheet.flits = seen.best();
}

}  // namespace sare::cosim
