// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/checker.h"

#include "cosim/axi/model/atomic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace sare::axi {
namespace {

/// Returns the name of the first field that differs, in capitals; "" if none does.
std::string changed(const address& was, const address& is) {
    const auto before = values_of(was), now = values_of(is);
    for (std::size_t k = 0; k < now.size(); ++k)
        if (now[k] != before[k]) return capitals(address_fields[k]);
    return "";
}

std::string text(const address& a) {
    char hex[19];
    std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(a.addr));
    return fmt::format("of ID {} at {}", a.id, hex);
}

std::string beat_of(std::uint32_t n, const address& a, const char* what) {
    return fmt::format("at beat {} of {} of the {} {}", n, a.beats(), what, text(a));
}

}  // namespace

void pin_checker::broken(const std::string& rule, const std::string& what) {
    if (!m_rule.empty()) return;
    m_rule = rule + ": " + what;
    m_violation = fmt::format("cycle {}: {}", m_cycle, m_rule);
}

/// Checks that what was valid in the cycle before, and not taken, has not changed.
void pin_checker::stays(const forward_pins& f, const backward_pins& b) {
    const forward_pins& was = m_forward;
    const backward_pins& back = m_backward;
    const auto check = [this](bool waits, bool valid, const std::string& rule, const std::string& channel,
                              const std::string& field) {
        if (!waits) return;
        if (!valid)
            broken(rule + channel + "VALID_STABLE", channel + " is withdrawn before it is taken");
        else if (!field.empty())
            broken(rule + channel + field + "_STABLE", channel + field + " changes before it is taken");
    };
    const std::uint32_t bits = 8 * m_bus;
    check(was.ar_valid && !back.ar_ready, f.ar_valid, "AXI4_ERRM_", "AR", changed(was.ar, f.ar));
    check(was.aw_valid && !back.aw_ready, f.aw_valid, "AXI4_ERRM_", "AW", changed(was.aw, f.aw));
    check(was.w_valid && !back.w_ready, f.w_valid, "AXI4_ERRM_", "W",
          f.w_last != was.w_last                               ? "LAST"
          : f.w == was.w                                       ? ""
          : f.w.slice(bits, m_bus) != was.w.slice(bits, m_bus) ? "STRB"
                                                               : "DATA");
    check(back.b_valid && !was.b_ready, b.b_valid, "AXI4_ERRS_", "B",
          b.b_id != back.b_id       ? "ID"
          : b.b_resp != back.b_resp ? "RESP"
                                    : "");
    check(back.r_valid && !was.r_ready, b.r_valid, "AXI4_ERRS_", "R",
          b.r_id != back.r_id                       ? "ID"
          : b.r_last != back.r_last                 ? "LAST"
          : b.r == back.r                           ? ""
          : b.r.get(bits, 2) != back.r.get(bits, 2) ? "RESP"
                                                    : "DATA");
}

void pin_checker::is_legal(const std::string& channel, const address& a) {
    const burst_rule rule = axi::broken_rule({a.burst, a.beats(), a.size, a.addr}, m_bus);
    if (*rule.name != 0)
        broken("AXI4_ERRM_" + channel + rule.name, channel + ": " + rule.text + " (" + text(a) + ")");
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
        ++m_place;
        if ((beat.strobes & ~lanes) != 0)
            broken("AXI4_ERRM_WSTRB",
                   "WSTRB of bytes that are not of the beat, " + beat_of(m_place, a, "write"));
        if (a.atop != 0 && (lanes & ~beat.strobes) != 0)
            broken("AXI4_ERRM_WSTRB",
                   "WSTRB of an atomic transaction lacks bytes, " + beat_of(m_place, a, "write"));
        const bool last = m_place == a.beats();
        if (beat.last != last)
            broken("AXI4_ERRM_WDATA_NUM",
                   (last ? "no WLAST " : "WLAST early, ") + beat_of(m_place, a, "write"));
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
    if (const std::string wrong = wrong_with_atomic(a, m_bus); !wrong.empty())
        return broken("AXI5 AWATOP", "AW: " + wrong);
    m_atomics[a.id] = fetches(a) ? 2 : 1;
    if (fetches(a)) m_reads[a.id].push_back({value_of(a)});
}

void pin_checker::must_be_alone(const address& a, bool write) {
    if (m_atomics.count(a.id) != 0)
        broken("AXI5 atomic ID", "the ID of an atomic transaction that is open is used again");
    if (!write || a.atop == 0) return;
    const bool waits = std::any_of(m_aw.begin(), m_aw.end(), [&](const address& w) { return w.id == a.id; });
    if (waits || m_reads.count(a.id) != 0 || m_answers.count(a.id) != 0)
        broken("AXI5 atomic ID", "an atomic transaction has the ID of something that is open");
}

void pin_checker::end_atomic(std::uint64_t id) {
    const auto open = m_atomics.find(id);
    if (open != m_atomics.end() && --open->second == 0) m_atomics.erase(open);
}

void pin_checker::answer(std::uint64_t id) {
    end_atomic(id);
    const auto waits = m_answers.find(id);
    if (waits == m_answers.end()) {
        const bool begun =
            std::any_of(m_aw.begin(), m_aw.end(), [id](const address& a) { return a.id == id; });
        return begun ? broken("AXI4_ERRS_BRESP_WLAST",
                              fmt::format("B of ID {} before all data of its write", id))
                     : broken("AXI4_ERRS_BRESP_AW", fmt::format("B of ID {}, of which no write is open", id));
    }
    ++m_writes_done;
    if (--waits->second == 0) m_answers.erase(waits);
}

void pin_checker::data(std::uint64_t id, bool last) {
    const auto waits = m_reads.find(id);
    if (waits == m_reads.end())
        return broken("AXI4_ERRS_RID", fmt::format("R of ID {}, of which no read is open", id));
    read& r = waits->second.front();
    const bool is_last = ++r.beats == r.what.beats();
    if (last != is_last)
        broken("AXI4_ERRS_RDATA_NUM",
               (is_last ? "no RLAST " : "RLAST early, ") + beat_of(r.beats, r.what, "read"));
    if (!last && !is_last) return;
    if (m_atomics.count(id) == 0) ++m_reads_done;  // an atomic one is counted as a write
    end_atomic(id);
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
