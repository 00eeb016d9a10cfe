// SPDX-License-Identifier: Apache-2.0
#include "cosim/functional/router_cover.h"

#include "tlm/base/bits.h"

#include <algorithm>

namespace sare::cosim {
namespace {

using place = cover_table::place;

enum turn : std::uint32_t { straight, turns, back, to_node, from_node, node_to_node, by_table };

/// Values of a turn's axes.
enum place_of_vc : std::uint32_t { only_vc, lowest_vc, middle_vc, highest_vc };
enum place_of_class : std::uint32_t { only_class, first_class, later_class };
constexpr std::uint32_t one_way = 3;  ///< value of the trait routing

/// True for a possible turn. The first class begins with the lowest VC, the last one ends with the highest; a
/// one-way ring leads nowhere back.
bool is_turn(const place& at) {
    if (at[1] == only_vc && at[2] != only_class) return false;
    if (at[1] == highest_vc && at[2] == first_class) return false;
    if (at[1] == lowest_vc && at[2] == later_class) return false;
    if (at[0] == back && at[3] == one_way) return false;
    return (at[0] == by_table) == (at[3] == 0);
}

bool comes_to_turn(const router_setting& s, const place& at) {
    const std::uint32_t vcs = s.model.vcs, of_class = vcs / s.classes;
    if ((at[2] == only_class) != (s.classes == 1)) return false;
    if (at[0] == turns && s.dims() < 2) return false;
    if (at[1] != middle_vc) return (at[1] == only_vc) == (vcs == 1);
    return vcs > 2 && (at[2] != first_class || of_class > 1) && (at[2] != later_class || of_class + 2 <= vcs);
}

/// True for a possible loan. Cut-through lets a packet only into a buffer that holds it whole, and the
/// longest one fills a router's buffers of 2 to 64 flits. With atomic reallocation one packet alone fills a
/// buffer.
bool is_loan(const place& at) {
    const bool cut_through = at[2] == 1, atomic = at[3] == 1;
    return !cut_through || (at[1] > 0 && !(atomic && at[1] == 6));
}

bool comes_to_loan(const router_setting& s, const place& at) {
    for (std::uint32_t q = 0; q < s.ports; ++q)
        if (depth_class(s.depth_beyond(q)) == at[1]) return true;
    return false;
}

bool comes_to_pool(const router_setting& s, const place& at) {
    bool any = at[1] == 0 && s.model.pool() != 0;
    for (std::uint32_t q = 0; q < s.ports; ++q) any = any || (at[1] == 1 && s.pool_beyond(q) != 0);
    return any;
}

/// True for a packet that can fork so; of its heads not more leave at once than it has branches.
bool is_fork(const place& at) {
    return at[1] <= at[0];
}

bool comes_to_fork(const router_setting& s, const place& at) {
    return s.forks() && s.ports > at[0] + (at[0] < 3 ? 1u : 0u) && s.ports > at[1];
}

std::uint32_t some(std::uint32_t n, std::uint32_t all) {
    return n == all ? 2 : n > 1 ? 1 : 0;
}

}  // namespace

router_points::router_points() {
    const cover_table::axis vc{"VC", {"only", "lowest", "middle", "highest"}},
        of_class{"class", {"only", "first", "later"}};
    const auto own_depth = [](const place& at) { return at[1] > 0 && at[1] < 6; };
    buffer = add("buffer of an input VC", {{"", {"full", "full, then empty"}}},
                 {t_depth, t_switching, t_reallocation, t_memories}, own_depth);
    credits = add("credits of an output VC",
                  {{"", {"none is left", "none was left, then all are back"}}, {"places", depth_classes()}},
                  {t_switching, t_reallocation, t_credit_delay}, is_loan, comes_to_loan);
    pool = add("places that VCs share",
               {{"", {"some are taken", "none is left", "none was left, then all are back"}},
                {"of", {"an input", "an output"}}},
               {t_memories, t_speculation}, {}, comes_to_pool);
    turn = add("turn",
               {{"", {"straight", "turn", "back", "to a node", "from a node", "node to node", "table"}},
                vc,
                of_class},
               {t_routing}, is_turn, comes_to_turn);
    branches = add(
        "branches of a packet",
        {{"", {"one", "two", "several", "all ports"}}, {"heads leave at once", {"one", "two", "several"}}},
        {t_switching, t_memories}, is_fork, comes_to_fork);
    winner =
        add("winner at an output",
            {{"", {"same input", "next input", "farther input"}}, {"rivals", {"none", "one", "several"}}},
            {t_sa_allocator, t_sa_arbiter, t_va_allocator});
    const auto two = [](const place& at) { return (at[0] & (at[0] - 1)) != 0; };
    std::vector<std::string> masks;
    for (std::uint32_t m = 0; m < 16; ++m) {
        masks.emplace_back();
        static const char* events[] = {"flit in", "credit out", "flit out", "credit in"};
        for (std::uint32_t e = 0; e < 4; ++e)
            if ((m >> e & 1) != 0)
                masks.back() += (masks.back().empty() ? "" : " and ") + std::string(events[e]);
    }
    at_once = add("at once on a VC", {{"", masks}}, {t_speculation, t_switching, t_reallocation}, two);
    length = add("packet", {{"flits", {"1", "2", "up to a buffer", "more"}}},
                 {t_switching, t_reallocation, t_lookahead, t_speculation},
                 [](const place& at) { return at[0] != 3 || at[1] == 0; });
    together = add("at once in the router",
                   {{"in", {"one", "several", "all ports"}}, {"out", {"one", "several", "all ports"}}},
                   {t_sa_allocator, t_va});
    for (std::uint32_t a = 0; a < traits; ++a)
        for (std::uint32_t b = a + 1; b < traits; ++b) {
            const trait first = trait(a), second = trait(b);
            pairs.push_back(add("pair of parameters", {}, {first, second},
                                [=](const place& at) { return go_together(first, at[0], second, at[1]); }));
        }
}

std::uint32_t router_points::add(const char* name, std::vector<cover_table::axis> free,
                                 std::vector<trait> fixed, const std::function<bool(const place&)>& possible,
                                 reaches comes_to) {
    const std::size_t before = free.size();
    for (const trait t : fixed) free.push_back(axis_of(t));
    const std::uint32_t point = table.add(name, std::move(free), possible);
    m_crosses.push_back({point, before, std::move(fixed), comes_to});
    return point;
}

router_points::reach router_points::holes_of(const router_setting& s) const {
    const place its = traits_of(s);
    reach holes;
    for (const fixed_axes& cross : m_crosses) {
        const auto fits = [&](const place& at) {
            for (std::size_t k = 0; k < cross.which.size(); ++k)
                if (at[cross.free + k] != its[cross.which[k]]) return false;
            return cross.comes_to == nullptr || cross.comes_to(s, at);
        };
        for (const cover_table::bin& b : table.bins(cross.point, fits))
            (cross.free == 0 ? holes.certain : holes.possible) += table.is_hole(b) ? 1 : 0;
    }
    return holes;
}

// ---- pins -------------------------------------------------------------------------------------------------

router_cover::router_cover(const router_setting& s, const routing_context& around, router_points& points)
    : m_s(s),
      m_around(around),
      m_points(points),
      m_traits(traits_of(s)),
      m_channels(s.ports * s.model.vcs),
      m_waiting(s.ports * s.ports),
      m_last_winner(s.ports) {
    for (std::uint32_t q = 0; q < s.ports; ++q) {
        m_here.push_back({s.places()});
        m_beyond.push_back({s.places_beyond(q)});
    }
    std::size_t pair = 0;
    for (std::uint32_t a = 0; a < traits; ++a)
        for (std::uint32_t b = a + 1; b < traits; ++b)
            points.table.hit(points.pairs[pair++], {m_traits[a], m_traits[b]});
}

void router_cover::hit(std::uint32_t point, std::initializer_list<std::uint32_t> free,
                       std::initializer_list<trait> fixed) {
    place at(free);
    for (const trait t : fixed) at.push_back(m_traits[t]);
    m_points.table.hit(point, at);
}

std::uint32_t router_cover::vc_class(std::uint32_t vc) const {
    if (m_s.model.vcs == 1) return 0;
    return vc == 0 ? 1 : vc + 1 == m_s.model.vcs ? 3 : 2;
}

std::uint32_t router_cover::turn_of(std::uint32_t from, std::uint32_t to) const {
    if (m_s.table) return by_table;
    const std::uint32_t each = m_s.one_way ? 1 : 2, links = m_s.dims() * each;
    if (from >= links) return to >= links ? node_to_node : from_node;
    if (to >= links) return to_node;
    if (from / each != to / each) return turns;
    // A flit that goes on in + has come in by the port of -.
    return from == to && !m_s.one_way ? back : straight;
}

void router_cover::note_head(std::uint32_t q, const flit& f, const carried_packet& p) {
    const std::uint32_t of_class = m_s.model.vcs / m_s.classes;
    const std::uint32_t its_class = m_s.classes == 1 ? 0 : f.vc < of_class ? 1 : 2;
    hit(m_points.turn, {turn_of(p.in.port, q), vc_class(f.vc), its_class}, {t_routing});
    std::uint32_t rivals = 0;
    for (std::uint32_t in = 0; in < m_s.ports; ++in)
        rivals += in != p.in.port && m_waiting[q * m_s.ports + in] != 0 ? 1 : 0;
    const std::uint32_t step = (p.in.port + m_s.ports - m_last_winner[q]) % m_s.ports;
    hit(m_points.winner, {std::min(step, 2u), std::min(rivals, 2u)},
        {t_sa_allocator, t_sa_arbiter, t_va_allocator});
    m_last_winner[q] = p.in.port;
}

/// Counts what the pool of a side has come to: it is called when a place was taken or given back.
void router_cover::note_pool(side& at, std::uint32_t beyond) {
    const std::uint32_t left = at.places.left(), all = at.places.pool();
    if (all == 0 || (left == all && !at.ran_out)) return;
    hit(m_points.pool, {left == all ? 2U : left == 0 ? 1U : 0U, beyond}, {t_memories, t_speculation});
    at.ran_out = left == 0 || (at.ran_out && left != all);
}

void router_cover::note_input(std::uint32_t q, const port_in& in, const port_out& out,
                              const packet_table& packets) {
    if (in.valid) {
        channel& c = m_channels[q * m_s.model.vcs + in.what.vc];
        const carried_packet& p = packets[in.what.packet];
        m_here[q].places.take(in.what.vc);
        note_pool(m_here[q], 0);
        if (m_here[q].places.free(in.what.vc) == 0) {
            c.was_full = true;
            hit(m_points.buffer, {0}, {t_depth, t_switching, t_reallocation, t_memories});
        }
        if (in.what.is_head()) {
            route_set ways;
            m_around.routes(p.route, p.in, ways);
            for (std::uint32_t k = 0; k < ways.size; ++k)
                ++m_waiting[ways.candidates[k].port * m_s.ports + q];
            const std::uint32_t flits = p.flits <= 2 ? p.flits - 1 : p.flits <= m_s.model.depth ? 2 : 3;
            hit(m_points.length, {flits}, {t_switching, t_reallocation, t_lookahead, t_speculation});
        }
    }
    for (std::uint32_t rest = out.credits; rest != 0; rest &= rest - 1) {
        const std::uint32_t vc = lowest(rest);
        channel& c = m_channels[q * m_s.model.vcs + vc];
        if (!m_here[q].places.give_back(vc)) continue;
        note_pool(m_here[q], 0);
        if (m_here[q].places.held(vc) != 0 || !c.was_full) continue;
        c.was_full = false;
        hit(m_points.buffer, {1}, {t_depth, t_switching, t_reallocation, t_memories});
    }
}

void router_cover::note_output(std::uint32_t q, const port_in& in, const port_out& out,
                               const packet_table& packets) {
    const std::uint32_t beyond = m_s.depth_beyond(q);
    for (std::uint32_t rest = in.credits; rest != 0; rest &= rest - 1) {
        const std::uint32_t vc = lowest(rest);
        channel& c = m_channels[q * m_s.model.vcs + vc];
        if (!m_beyond[q].places.give_back(vc)) continue;
        note_pool(m_beyond[q], 1);
        if (m_beyond[q].places.held(vc) != 0 || !c.was_out) continue;
        c.was_out = false;
        hit(m_points.credits, {1, depth_class(beyond)}, {t_switching, t_reallocation, t_credit_delay});
    }
    if (!out.valid) return;
    channel& c = m_channels[q * m_s.model.vcs + out.what.vc];
    m_beyond[q].places.take(out.what.vc);
    note_pool(m_beyond[q], 1);
    if (m_beyond[q].places.free(out.what.vc) == 0) {
        c.was_out = true;
        hit(m_points.credits, {0, depth_class(beyond)}, {t_switching, t_reallocation, t_credit_delay});
    }
    const carried_packet& p = packets[out.what.packet];
    if (out.what.is_head()) note_head(q, out.what, p);
    std::uint32_t& waiting = m_waiting[q * m_s.ports + p.in.port];
    if (out.what.is_tail() && waiting != 0) --waiting;
}

/// Counts each packet that sends heads in this cycle.
void router_cover::note_branches(const std::vector<port_out>& out, const packet_table& packets) {
    for (std::uint32_t q = 0; q < m_s.ports; ++q) {
        if (!out[q].valid || !out[q].what.is_head()) continue;
        const auto goes = [&](const port_out& p) {
            return p.valid && p.what.is_head() && p.what.packet == out[q].what.packet;
        };
        if (std::any_of(out.begin(), out.begin() + q, goes)) continue;
        const carried_packet& p = packets[out[q].what.packet];
        const auto now = static_cast<std::uint32_t>(std::count_if(out.begin() + q, out.end(), goes));
        route_set ways;
        m_around.routes(p.route, p.in, ways);
        hit(m_points.branches,
            {ways.size == m_s.ports ? 3u : std::min(ways.size, 3u) - 1, std::min(now, 3u) - 1},
            {t_switching, t_memories});
    }
}

void router_cover::note(cycle_t, const std::vector<port_in>& in, const std::vector<port_out>& out,
                        const packet_table& packets) {
    std::uint32_t ins = 0, outs = 0;
    for (std::uint32_t q = 0; q < m_s.ports; ++q) {
        ins += in[q].valid ? 1 : 0;
        outs += out[q].valid ? 1 : 0;
        note_input(q, in[q], out[q], packets);
        note_output(q, in[q], out[q], packets);
        for (std::uint32_t v = 0; v < m_s.model.vcs; ++v) {
            const std::uint32_t mask =
                (in[q].valid && in[q].what.vc == v ? 1 : 0) | (out[q].credits >> v & 1) << 1 |
                (out[q].valid && out[q].what.vc == v ? 4 : 0) | (in[q].credits >> v & 1) << 3;
            if ((mask & (mask - 1)) != 0)
                hit(m_points.at_once, {mask}, {t_speculation, t_switching, t_reallocation});
        }
    }
    if (m_s.forks()) note_branches(out, packets);
    if (ins != 0 && outs != 0)
        hit(m_points.together, {some(ins, m_s.ports), some(outs, m_s.ports)}, {t_sa_allocator, t_va});
}

}  // namespace sare::cosim
