// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/checker.h"

#include "cosim/axi/model/atomic.h"

#include <algorithm>

namespace sare::axi {

void pin_checker::broken(const std::string& rule) {
    if (m_violation.empty()) m_violation = "cycle " + std::to_string(m_cycle) + ": " + rule;
}

/// Checks that what was valid in the cycle before, and not taken, has not changed.
void pin_checker::stays(const forward_pins& f, const backward_pins& b) {
    const forward_pins& was = m_forward;
    const backward_pins& back = m_backward;
    if (was.ar_valid && !back.ar_ready && !(f.ar_valid && f.ar == was.ar))
        broken("AR changes before it is taken");
    if (was.aw_valid && !back.aw_ready && !(f.aw_valid && f.aw == was.aw))
        broken("AW changes before it is taken");
    if (was.w_valid && !back.w_ready && !(f.w_valid && f.w == was.w && f.w_last == was.w_last))
        broken("W changes before it is taken");
    if (back.b_valid && !was.b_ready && !(b.b_valid && b.b_id == back.b_id && b.b_resp == back.b_resp))
        broken("B changes before it is taken");
    if (back.r_valid && !was.r_ready &&
        !(b.r_valid && b.r_id == back.r_id && b.r == back.r && b.r_last == back.r_last))
        broken("R changes before it is taken");
}

void pin_checker::is_legal(const char* channel, const address& a) {
    const std::string wrong = wrong_with({a.burst, a.beats(), a.size, a.addr}, m_bus);
    if (!wrong.empty()) broken(std::string(channel) + ": " + wrong);
}

/// Matches data with addresses, in the order of both, whichever comes first.
void pin_checker::match_writes() {
    while (!m_aw.empty() && !m_beats.empty()) {
        const address& a = m_aw.front();
        const write_beat beat = m_beats.front();
        m_beats.pop_front();
        std::uint64_t lanes = 0;
        for_bytes(operand_of(a), m_place, m_bus,
                  [&](std::uint64_t, std::uint32_t lane) { lanes |= std::uint64_t{1} << lane; });
        if ((beat.strobes & ~lanes) != 0) broken("WSTRB of bytes that are not of the beat");
        if (a.atop != 0 && (lanes & ~beat.strobes) != 0) broken("WSTRB of an atomic transaction lacks bytes");
        ++m_place;
        const bool last = m_place == a.beats();
        if (beat.last != last) broken(last ? "no WLAST at the last beat" : "WLAST before the last beat");
        if (!last) continue;
        ++m_answers[a.id];
        m_place = 0;
        m_aw.pop_front();
    }
}

/// Notes a write; data that an atomic one fetches come as those of a read.
void pin_checker::begin_write(const address& a) {
    must_be_alone(a, true);
    m_aw.push_back(a);
    if (a.atop == 0) return is_legal("AW", a);
    if (const std::string wrong = wrong_with_atomic(a, m_bus); !wrong.empty()) return broken("AW: " + wrong);
    m_atomics[a.id] = fetches(a) ? 2 : 1;
    if (fetches(a)) m_reads[a.id].push_back({value_of(a)});
}

void pin_checker::must_be_alone(const address& a, bool write) {
    if (m_atomics.count(a.id) != 0) broken("the ID of an atomic transaction that is open is used again");
    if (!write || a.atop == 0) return;
    const bool waits = std::any_of(m_aw.begin(), m_aw.end(), [&](const address& w) { return w.id == a.id; });
    if (waits || m_reads.count(a.id) != 0 || m_answers.count(a.id) != 0)
        broken("an atomic transaction has the ID of something that is open");
}

void pin_checker::end_atomic(std::uint64_t id) {
    const auto open = m_atomics.find(id);
    if (open != m_atomics.end() && --open->second == 0) m_atomics.erase(open);
}

void pin_checker::answer(std::uint64_t id) {
    end_atomic(id);
    const auto waits = m_answers.find(id);
    if (waits == m_answers.end()) return broken("B of an ID that waits for none");
    ++m_writes_done;
    if (--waits->second == 0) m_answers.erase(waits);
}

void pin_checker::data(std::uint64_t id, bool last) {
    const auto waits = m_reads.find(id);
    if (waits == m_reads.end()) return broken("R of an ID that waits for none");
    read& r = waits->second.front();
    const bool is_last = ++r.beats == r.what.beats();
    if (last != is_last) broken(is_last ? "no RLAST at the last beat" : "RLAST before the last beat");
    if (!last && !is_last) return;
    end_atomic(id);
    ++m_reads_done;
    waits->second.pop_front();
    if (waits->second.empty()) m_reads.erase(waits);
}

void pin_checker::cycle(const forward_pins& f, const backward_pins& b) {
    ++m_cycle;
    stays(f, b);
    // Answers first: they are for what was there before this cycle.
    if (b.b_valid && f.b_ready) answer(b.b_id);
    if (b.r_valid && f.r_ready) data(b.r_id, b.r_last);
    if (f.ar_valid && b.ar_ready) {
        is_legal("AR", f.ar);
        must_be_alone(f.ar, false);
        m_reads[f.ar.id].push_back({f.ar});
    }
    if (f.aw_valid && b.aw_ready) begin_write(f.aw);
    if (f.w_valid && b.w_ready) m_beats.push_back({f.w.get(m_bus * 8, m_bus), f.w_last});
    match_writes();
    m_forward = f;
    m_backward = b;
}

}  // namespace sare::axi
