// SPDX-License-Identifier: Apache-2.0
#include "cosim/sheet/sheet_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sare::cosim {
namespace {

constexpr std::uint32_t first_pause = 200;  ///< cycles between flits while the router's latency is unknown
constexpr std::uint32_t contended_cycles = 2000, warm = 200;
constexpr std::array contending{1u, 3u};  ///< flits of packets that contend
constexpr double fair = 0.9;              ///< least share of an input from which on all are served alike

/// Returns the cycles in which the flits of a packet are at output pins, in ascending order. `n`: number of
/// the packet among those that came in, from 1.
std::vector<cycle_t> leaving(const pin_record& seen, std::uint64_t n) {
    std::vector<cycle_t> at;
    for (const pin_record::moved& m : seen.out)
        if (m.packet == n) at.push_back(m.at);
    return at;
}

}  // namespace

void measured::take(double value) {
    least = known() ? std::min(least, value) : value;
    most = std::max(most, value);
}

sheet_probes::sheet_probes(const plugin_place& at, const plugin_case& c, data_sheet& sheet)
    : probe_writer(at), m_case(c), m_sheet(sheet) {
    m_pause = first_pause;
    m_case.start = plugin_start::zeros;
}

void sheet_probes::measure() {
    latency();
    m_pause = 24 + 4 * static_cast<std::uint32_t>(m_sheet.head.known() ? m_sheet.head.most : first_pause);
    if (m_at.facts().encoded_credits) m_pause += m_s.model.vcs * most_beyond();
    if (m_longest >= 2) body_latency();
    if (m_longest >= 2) pace();
    stream();
    each_output([this](std::uint32_t out) {
        withhold(out, 1);
        withhold(out, packet_of(m_s.out_depth[out] + 8));
        for (const auto& [vc, flits] : m_blocked[out].most) m_sheet.credits.take(flits);
    });
    reuse();
    each_output([this](std::uint32_t out) {
        next_head(out);
        credit_use(out);
    });
    // A head that waits for an empty buffer uses its last credit as late as others, but for the VC's
    // allocation.
    if (m_sheet.head_used.known() && m_sheet.credit_used.known())
        m_sheet.vc_allocation.take(std::max(0.0, m_sheet.head_used.most - m_sheet.credit_used.most));
    depth();
    each_output([this](std::uint32_t out) {
        for (const std::uint32_t flits : contending)
            if (flits <= m_longest) contend(out, flits);
    });
    if (m_s.model.vcs > 1) each_output([this](std::uint32_t out) { hold_up(out); });
    packet_order();
    flit_order();
    std::size_t inputs = 0;
    each_output([&](std::uint32_t out) { inputs = std::max(inputs, first_of_each_input(out).size()); });
    const std::uint32_t flits = m_longest < contending.back() ? contending.front() : contending.back();
    for (order* const found : {&m_sheet.packets, &m_sheet.flits})
        if (*found == order::fixed && m_sheet.least_share.least > fair)
            *found = fixed_but_fair(inputs, flits, m_sheet.head.most);
}

order fixed_but_fair(std::size_t inputs, std::uint32_t flits, double latency) {
    const double in_turn = 1 + std::ceil(latency / flits);
    return static_cast<double>(inputs) > in_turn ? order::from_rest : order::unknown;
}

/// Runs the last probe.
pin_record sheet_probes::run(std::uint32_t places) {
    probe& p = m_all.back();
    static_cast<pin_events&>(m_case) = std::move(p.events);
    m_case.cycles = p.cycles;
    pin_record seen;
    plugin_run how;
    how.measures = true;
    how.places = places;
    how.drains = places != 0;
    how.sees = &seen;
    seen.problem = cosim::run(m_at, m_case, how).text;
    if (!seen.problem.empty() && places == 0) m_sheet.void_runs.push_back(p.name + ": " + seen.problem);
    m_all.pop_back();
    return seen;
}

/// Returns a time in which all that can leave by an output has left.
std::uint32_t sheet_probes::quiet(std::uint32_t out) const {
    return 2 * m_pause + (m_s.out_depth[out] + 8) * m_s.model.vcs * 8;
}

std::vector<sheet_probes::lane> sheet_probes::first_of_each_input(std::uint32_t out) const {
    std::vector<lane> found;
    for (const lane& l : inputs_to(out))
        if (found.empty() || found.back().in != l.in) found.push_back(l);
    return found;
}

// ---- latencies --------------------------------------------------------------------------------------------

void sheet_probes::latency() {
    begin("one flit");
    std::set<std::pair<std::uint32_t, std::uint32_t>> wanted, taken;
    each_output([&](std::uint32_t out) {
        for (const lane& l : inputs_to(out)) {
            packet(l, 1, m_now += m_pause);
            wanted.emplace(l.in, out);
        }
    });
    credits_of_all_flits();
    end(m_now + m_pause);
    for (const pin_record::moved& m : run().out) {
        m_sheet.head.take(static_cast<double>(m.at - m.came));
        taken.emplace(m.from.port, m.port);
    }
    m_sheet.turns.taken.assign(taken.begin(), taken.end());
    bool others = false;
    for (const auto& turn : wanted)
        if (taken.count(turn) == 0) {
            m_sheet.turns.missing += fmt::format(" {}->{}", turn.first, turn.second);
            others |= turn.first != turn.second;
        }
    m_sheet.turns.never_back = !m_sheet.turns.missing.empty() && !others;
}

/// Sends heads, and much later their tails.
void sheet_probes::body_latency() {
    begin("a tail long after its head");
    each_output([this](std::uint32_t out) {
        for (const lane& l : inputs_to(out)) {
            packet(l, 2, m_now + m_pause, 1, m_now + 2 * m_pause);
            m_now += 3 * m_pause;
        }
    });
    credits_of_all_flits();
    end(m_now + m_pause);
    const pin_record seen = run();
    for (const pin_record::moved& m : seen.out)
        if (m.sequence == 1)
            m_sheet.body.take(static_cast<double>(m.at - m.came));
        else
            m_sheet.stores |= m.at - m.came >= m_pause;
    for (std::uint32_t q = 0; q < m_s.ports; ++q)
        for (std::uint32_t v = 0; v < m_s.model.vcs; ++v) {
            const std::vector<cycle_t> times = seen.credit_times({q, v});
            for (std::size_t k = 1; k < times.size(); k += 2)
                m_sheet.credit_back.take(static_cast<double>(times[k]));
        }
}

/// Sends packets that are alone: of two flits, and some whose further flits come when the head has left. All
/// are short enough to need no credit.
void sheet_probes::pace() {
    begin("a packet alone");
    const std::uint32_t bodies = std::min({m_longest - 1, m_s.model.depth, least_beyond(), 7u});
    const std::uint32_t step = m_pause + 16 * bodies;
    each_output([&](std::uint32_t out) {
        for (const lane& l : one_of_each_input(out)) {
            packet(l, 2, m_now += step);
            if (bodies < 2) continue;
            packet(l, 1 + bodies, m_now + step, 1, m_now + 2 * step);
            m_now += 2 * step;
        }
    });
    credits_of_all_flits();
    end(m_now + step);
    const pin_record seen = run();
    for (std::uint64_t n = 1; n <= m_case.packets.size(); ++n) {
        const std::vector<cycle_t> at = leaving(seen, n);
        if (at.size() == 2) m_sheet.behind_head.take(static_cast<double>(at[1] - at[0]));
        for (std::size_t k = 2; k < at.size(); ++k) m_sheet.pace.take(static_cast<double>(at[k] - at[k - 1]));
    }
}

/// Sends many flits of one VC, with all credits at once.
void sheet_probes::stream() {
    constexpr std::uint32_t flits = 48;
    const std::uint32_t of_packet = std::min(m_longest, m_s.cut_through() ? m_longest : 16u);
    each_output([&](std::uint32_t out) {
        begin("one VC at full rate");
        for (std::uint32_t sent = 0; sent < flits; sent += of_packet)
            packet(inputs_to(out).front(), of_packet, m_now);
        credits_of_all_flits();
        end(m_now + 20 * flits);
        const pin_record seen = run();
        const std::size_t all = seen.out.size(), first = all / 3;
        if (all > 2)
            m_sheet.rate_alone.take(static_cast<double>(all - 1 - first) /
                                    static_cast<double>(seen.out.back().at - seen.out[first].at));
    });
}

// ---- credits ----------------------------------------------------------------------------------------------

/// Withholds all credits of an output, and notes how many flits leave.
void sheet_probes::withhold(std::uint32_t out, std::uint32_t flits) {
    begin(fmt::format("credits of output {} withheld", out));
    for (const lane& l : inputs_to(out))
        for (std::uint32_t sent = 0; sent < m_s.out_depth[out] + 8; sent += flits) packet(l, flits, m_now);
    end(m_now + quiet(out));
    const pin_record seen = run();
    std::map<std::uint32_t, std::uint32_t> by_vc;
    for (const pin_record::moved& m : seen.left_by(out, 0, m_now + quiet(out))) ++by_vc[m.vc];
    blocked& b = m_blocked[out];
    b.single = flits == 1 ? 0 : b.single;
    for (const auto& [vc, n] : by_vc) {
        b.most[vc] = std::max(b.most[vc], n);
        b.single += flits == 1 ? n : 0;
    }
}

/// Finds out when an output VC is given again, and how many free places a head then waits for.
void sheet_probes::reuse() {
    bool early = true, late = true;
    std::uint32_t out = m_s.ports;
    each_output([&](std::uint32_t q) {
        const blocked& b = m_blocked[q];
        std::uint32_t all = 0;
        for (const auto& [vc, n] : b.most) all += n;
        early = early && b.single == all;
        late = late && b.single == b.most.size();
        if (out == m_s.ports && m_s.out_depth[q] >= 2 && !b.most.empty()) out = q;
    });
    if (out == m_s.ports || early == late) {
        if (!early) m_sheet.reuse = vc_reuse::between;
        return;
    }
    if (early) {
        m_sheet.reuse = vc_reuse::tail;
        if (m_longest >= 2) room(out);
    } else if (m_longest < 2 || waits_for_all_credits(out)) {
        m_sheet.reuse = vc_reuse::atomic;
        m_sheet.room = pins::head_credits::empty_buffer;
    } else {
        m_sheet.reuse = vc_reuse::between;
    }
}

/// Lets packets of two flits take all VCs, and gives back one credit of each.
bool sheet_probes::waits_for_all_credits(std::uint32_t out) {
    begin("one of two credits");
    for (const lane& l : inputs_to(out))
        for (std::uint32_t n = 0; n < 4; ++n) packet(l, 2, m_now);
    const std::uint32_t first = m_now + quiet(out), second = first + quiet(out);
    credits(out, 1, first);
    credits(out, 1, second);
    end(second + quiet(out));
    const pin_record seen = run();
    return seen.left_by(out, first, second).empty() &&
           !seen.left_by(out, second, second + quiet(out)).empty();
}

/// Lets packets take all VCs of an output, and a head wait for that of the first one whose tail comes, or
/// until all credits are back. With no time for allocation, the head would leave in the cycle behind the
/// tail.
void sheet_probes::next_head(std::uint32_t out) {
    const std::vector<lane> lanes = inputs_to(out);
    const auto vcs = static_cast<std::uint32_t>(m_blocked[out].most.size());
    const bool empty = m_sheet.reuse == vc_reuse::atomic;
    if ((!empty && m_sheet.reuse != vc_reuse::tail) || m_longest < 2 || vcs == 0 || lanes.size() <= vcs)
        return;
    begin("a head that waits for an output VC");
    const std::uint32_t tails = m_now + (vcs + 2) * m_pause;
    for (std::uint32_t v = 0; v < vcs; ++v, m_now += m_pause)
        packet(lanes[v], 2, m_now, 1, empty ? m_now : tails + v * m_pause);
    packet(lanes.back(), 1, m_now);
    if (empty) {
        credits(out, 1, tails - m_pause);
        credits(out, 1, tails);
    } else
        credits_of_all_flits();
    end(tails + m_pause);
    cycle_t tail = 0;
    for (const pin_record::moved& m : run().out) {
        if (m.packet == vcs + 1 && empty && m.at >= tails)
            m_sheet.head_used.take(static_cast<double>(m.at - tails));
        else if (m.packet == vcs + 1 && !empty && tail != 0)
            m_sheet.vc_allocation.take(static_cast<double>(m.at - tail - 1));
        if (m.sequence == 1) tail = m.at;
    }
}

/// Lets packets of two flits use all credits of an output, and gives one after the other back. Looks with how
/// many credits of its VC a head leaves.
void sheet_probes::room(std::uint32_t out) {
    begin("a head with one credit");
    for (std::uint32_t n = 0; n < m_blocked[out].single / 2 + 4; ++n)
        packet(inputs_to(out).front(), 2, m_now);
    const std::uint32_t first = m_now + quiet(out), second = first + m_pause;
    credits(out, 1, first);
    credits(out, 1, second);
    end(second + m_pause);
    std::map<std::uint32_t, std::uint32_t> gone;
    std::uint32_t least = ~0u;
    bool waited = false;
    for (const pin_record::moved& m : run().left_by(out, 0, second + m_pause)) {
        const std::uint32_t back = (m.at >= first ? 1u : 0u) + (m.at >= second ? 1u : 0u);
        if (m.sequence == 0) {
            least = std::min(least, m_blocked[out].most[m.vc] + back - gone[m.vc]);
            waited |= m.at >= first;  // before, it had one credit less
        }
        ++gone[m.vc];
    }
    if (least <= 1)
        m_sheet.room = pins::head_credits::one_place;
    else if (waited)
        m_sheet.room = pins::head_credits::whole_packet;
}

/// Lets a flit in mid-packet wait for a credit or, where packets go only as a whole, a head. A head that
/// waits for an empty buffer waits for its VC, too: what that takes is not known.
void sheet_probes::credit_use(std::uint32_t out) {
    const lane l = inputs_to(out).front();
    const std::uint32_t flits = m_s.out_depth[out] + 4;
    const bool whole = packet_of(flits) < flits;
    if (whole && m_sheet.reuse != vc_reuse::tail) return;
    begin("a flit that waits for a credit");
    if (whole)
        for (std::uint32_t n = 0; n < m_blocked[out].single + 4; ++n) packet(l, 1, m_now += m_pause);
    else
        packet(l, flits, m_now);
    const std::uint32_t at = m_now + quiet(out);
    credits(out, 1, at);
    end(at + quiet(out));
    const auto left = run().left_by(out, at, at + quiet(out));
    if (!left.empty()) m_sheet.credit_used.take(static_cast<double>(left.front().at - at));
}

// ---- buffers ----------------------------------------------------------------------------------------------

/// Fills input VCs before outputs that have no credits. Senders that count no credits send until they are
/// stopped: all inputs to one output, whose stages then hold flits of a few. Others send ever more, until a
/// flit is lost.
void sheet_probes::depth() {
    for (measured* const result : {&m_sheet.places, &m_sheet.places_alone}) {
        const bool alone = result == &m_sheet.places_alone;
        if (m_at.facts().flow == pins::flow_control::credit) {
            depth_by_loss(one_of_each_vc(alone), *result);
            continue;
        }
        each_output([&, taken = result](std::uint32_t out) {
            bool intact = true;
            const measured found = places(alone ? first_of_each_input(out) : inputs_to(out), 256, intact);
            taken->take(found.least);
            taken->take(found.most);
        });
    }
}

/// Returns a lane of each input VC or, if `alone`, of one of each input.
std::vector<sheet_probes::lane> sheet_probes::one_of_each_vc(bool alone) const {
    std::vector<lane> all;
    for (std::uint32_t in = 0; in < m_s.ports; ++in)
        for (std::uint32_t v = 0; v < m_s.model.vcs && !(alone && !all.empty() && all.back().in == in); ++v)
            for (std::uint32_t out = 0; out < m_s.ports; ++out) {
                const std::vector<lane> lanes = inputs_to(out);
                const auto mine = [&](const lane& l) { return l.in == in && l.vc == v; };
                const auto l = std::find_if(lanes.begin(), lanes.end(), mine);
                if (l == lanes.end()) continue;
                all.push_back(*l);
                break;
            }
    return all;
}

void sheet_probes::depth_by_loss(const std::vector<lane>& lanes, measured& result) {
    std::uint32_t n = m_s.model.depth;
    const std::uint32_t most = std::max(m_s.model.depth * m_s.model.vcs, 8u) + 4;
    const auto holds = [&](std::uint32_t flits) {
        bool intact = true;
        places(lanes, flits, intact);
        return intact;
    };
    while (n > 0 && !holds(n)) --n;
    while (n >= m_s.model.depth && n < most && holds(n + 1)) ++n;
    if (n < most) result.take(n);
}

measured sheet_probes::places(const std::vector<lane>& lanes, std::uint32_t flits, bool& intact) {
    begin("full buffers");
    each_output([this](std::uint32_t out) {
        const lane l = inputs_to(out).front();
        for (std::uint32_t n = 0; n < m_blocked[out].single; ++n) packet(l, 1, m_now += m_pause);
    });
    m_now += m_pause;
    for (const lane& l : lanes)
        for (std::uint32_t n = 0; n < flits; ++n) packet(l, 1, m_now);
    const std::uint32_t full = m_now + 2 * flits * m_s.model.vcs + 4 * m_pause;
    end(full);
    const pin_record seen = run(std::max(flits, m_s.model.depth));
    intact = seen.problem.empty();
    measured found;
    for (const lane& l : lanes) {
        std::uint32_t inside = 0;
        for (const pin_record::returned& c : seen.back)
            inside += c.at < full && c.port == l.in && c.vc == l.vc;
        for (const pin_record::moved& m : seen.out)
            inside -= m.at < full && m.from.port == l.in && m.from.vc == l.vc;
        found.take(inside);
    }
    return found;
}

// ---- fairness ---------------------------------------------------------------------------------------------

/// Lets all input VCs send packets to one output for ever.
void sheet_probes::contend(std::uint32_t out, std::uint32_t flits) {
    const std::vector<lane> lanes = inputs_to(out);
    std::map<std::uint32_t, std::vector<cycle_t>> served;
    std::set<std::pair<std::uint32_t, std::uint32_t>> starved;
    for (const lane& l : lanes) {
        served[l.in] = {};
        starved.emplace(l.in, l.vc);
    }
    if (served.size() < 2) return;
    begin(fmt::format("all inputs to output {}", out));
    for (const lane& l : lanes)
        for (std::uint32_t n = 0; n < contended_cycles / flits; ++n) packet(l, flits, m_now);
    credits(out, contended_cycles + warm);
    end(contended_cycles);
    std::size_t all = 0;
    for (const pin_record::moved& m : run().left_by(out, warm, contended_cycles)) {
        served[m.from.port].push_back(m.at);
        starved.erase({m.from.port, m.from.vc});
        ++all;
    }
    for (const auto& [in, vc] : starved) m_sheet.waiting.starved.insert({in, vc, out});
    m_sheet.rate_full.take(static_cast<double>(all) / (contended_cycles - warm));
    for (const auto& [in, at] : served) {
        cycle_t last = warm, longest = 0;
        for (const cycle_t t : at) {
            longest = std::max(longest, t - last);
            last = t;
        }
        m_sheet.worst_wait.take(static_cast<double>(std::max(longest, contended_cycles - last)));
        m_sheet.least_share.take(static_cast<double>(at.size() * served.size()) / static_cast<double>(all));
    }
}

/// Lets a VC of each input wait for an output, and looks whether a flit leaves on another VC: one of its
/// input to another output and, where flits keep their VC, one of another input to its output.
void sheet_probes::hold_up(std::uint32_t out) {
    for (const lane& waits : inputs_to(out)) {
        if (waits.vc != 0 && waits.vc + 1 != m_s.model.vcs) continue;
        bool tried = false;
        each_output([&](std::uint32_t by) {
            for (const lane& l : inputs_to(by))
                if (by != out && !tried && l.in == waits.in && l.vc != waits.vc) {
                    tried = true;
                    m_sheet.waiting.holds_input |= !leaves(l, by, waits, out);
                }
        });
        const std::vector<lane> lanes = inputs_to(out);
        const auto other = std::find_if(lanes.begin(), lanes.end(), [&waits](const lane& l) {
            return l.in != waits.in && l.vc != waits.vc;
        });
        if (m_at.facts().keeps_vc && other != lanes.end())
            m_sheet.waiting.holds_output |= !leaves(*other, out, waits, out);
    }
}

/// True if a flit of an idle input VC leaves while another one waits for output `out`.
bool sheet_probes::leaves(const lane& l, std::uint32_t by, const lane& waits, std::uint32_t out) {
    begin(fmt::format("a VC that waits for output {}", out));
    for (std::uint32_t n = 0; n < m_s.out_depth[out] * m_s.model.vcs + 8; ++n) packet(waits, 1, m_now);
    const std::uint32_t sent = m_now + quiet(out);
    packet(l, 1, sent);
    end(sent + m_pause);
    const auto left = run().left_by(by, sent, sent + m_pause);
    return std::any_of(left.begin(), left.end(),
                       [&l](const auto& m) { return m.from.port == l.in && m.from.vc == l.vc; });
}

data_sheet characterise(const plugin_place& at, const plugin_case& c, cycle_t cycles) {
    data_sheet sheet;
    if (cycles != 0) {
        const plugin_outcome tested = plugin_test(c, cycles, true, "", {});
        sheet.clean = (tested.probe.empty() ? "" : tested.probe + ": ") + tested.found.text;
    }
    sheet_probes(at, c, sheet).measure();
    return sheet;
}

}  // namespace sare::cosim
