// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/arbiter.h"
#include "tlm/fabric/fabric.h"

/// One cycle of the pipelined virtual-channel router (docs/router.md has the same, stage by stage). Included by
/// the three files that instantiate it, one for each size of its bit sets.
namespace sare {

template <int W>
class router_step {
  public:
    router_step(fabric& f, router_state<W>& s, cycle_t t)
        : m_f(f), m_s(s), m_k(*s.shape), m_t(t), m_vcs(m_k.vcs), m_in(s.template at<in_vc>(m_k.at_in)),
          m_out(s.template at<out_vc>(m_k.at_out)), m_free(s.template at<std::uint16_t>(m_k.at_free)) {}

    void run() {
        advance_stages();
        read_inbox();
        if (m_k.params.speculative) {
            run_speculative();
        } else {
            if (m_s.va.any()) allocate_vcs(nullptr);
            const bits<W> ready = ready_for_switch();
            if (ready.any()) allocate_switch(ready, 0);
        }
        stay_awake();
    }

  private:
    static constexpr std::uint32_t capacity = 64 * W;

    // ---- time -------------------------------------------------------------------------------------------
    pipe_slot<W>& stage_end(cycle_t at) {
        return m_s.template at<pipe_slot<W>>(m_k.at_pipe)[static_cast<std::uint32_t>(at) & m_k.pipe_mask];
    }

    void advance_stages() {
        pipe_slot<W>& done = stage_end(m_t);
        m_s.va |= done.va;
        m_s.active |= done.active;
        if (m_k.sa > 1)
            for (int k = 0; k < W; ++k) m_s.busy.word[k] &= ~done.idle.word[k];
        done = pipe_slot<W>{};
    }

    void bid_for_vc(std::uint32_t i, std::uint32_t delay) {
        if (delay == 0) return m_s.va.set(i);
        stage_end(m_t + delay).va.set(i);
        m_f.wake(m_s.id, m_t + delay);
    }

    void stay_awake() {
        if (m_again || ready_for_switch().any()) m_f.wake(m_s.id, m_t + 1);
    }

    bits<W> ready_for_switch() const {
        bits<W> ready = m_s.active & m_s.present & m_s.credit;
        if (m_k.sa > 1)
            for (int k = 0; k < W; ++k) ready.word[k] &= ~m_s.busy.word[k];
        return ready;
    }

    // ---- what has arrived ---------------------------------------------------------------------------------
    void read_inbox() {
        std::uint64_t* slot =
            m_s.inbox + (static_cast<std::uint32_t>(m_t) & m_f.m_slot_mask) * m_k.slot_words;
        bits<W> credits;
        for (int k = 0; k < W; ++k) {
            credits.word[k] = slot[1 + k];
            slot[1 + k] = 0;
        }
        std::uint64_t ports = slot[0];
        slot[0] = 0;
        if (credits.any()) take_credits(credits, reinterpret_cast<std::uint16_t*>(slot + 1 + W + m_k.ports));
        for (; ports != 0; ports &= ports - 1) {
            const std::uint32_t port = lowest(ports);
            flit f;
            __builtin_memcpy(static_cast<void*>(&f), slot + 1 + W + port, sizeof f);
            take_flit(port, f);
        }
    }

    void take_credits(const bits<W>& credits, std::uint16_t* counts) {
        credits.for_each([&](std::uint32_t o) {
            out_vc& v = m_out[o];
            if (m_k.batched) {
                v.credits = static_cast<std::uint16_t>(v.credits + counts[o]);
                counts[o] = 0;
            } else {
                ++v.credits;
            }
            if (v.credits > v.depth) throw protocol_error("more credits came back than were spent");
            if (v.owner != out_vc::no_owner) {
                if (v.credits >= v.need) m_s.credit.set(v.owner);
            } else if (m_k.atomic && v.credits == v.depth) {
                set_free(o);
            }
        });
    }

    void set_free(std::uint32_t o) {
        const std::uint32_t port = m_k.port_of[o];
        m_free[port] = static_cast<std::uint16_t>(m_free[port] | (1u << (o - port * m_vcs)));
        m_again = m_again || m_s.va.any();
    }

    void take_flit(std::uint32_t port, const flit& f) {
        const std::uint32_t i = port * m_vcs + f.vc;
        in_vc& c = m_in[i];
        if (c.count >= m_k.params.depth) throw protocol_error("a flit came for a full buffer");
        std::uint32_t place = static_cast<std::uint32_t>(c.head) + c.count;
        if (place >= m_k.params.depth) place -= m_k.params.depth;
        m_s.buffer[place * m_k.in_vcs + i] = f;
        const bool was_empty = c.count++ == 0;
        if (__builtin_expect(m_k.whole_packets, 0)) {
            if (f.is_tail() && c.tails++ == 0) start_packet(i, m_k.rc);
            return;
        }
        if (was_empty) {
            m_s.present.set(i);
            if (f.is_head()) start_packet(i, m_k.rc);
        }
    }

    // ---- RC -------------------------------------------------------------------------------------------------
    /// The head at the front of input VC i begins its route computation; it may bid for a VC `delay` cycles on.
    void start_packet(std::uint32_t i, std::uint32_t delay) {
        in_vc& c = m_in[i];
        const std::uint32_t id = m_s.buffer[c.head * m_k.in_vcs + i].packet;
        packet& p = m_f.m_packets[id];
        ++p.hops;
        c.packet = id;
        if (m_k.whole_packets) m_s.present.set(i);
        if (!m_f.m_route_table.empty()) {
            const route_candidate& way =
                m_f.m_route_table[static_cast<std::size_t>(m_s.id) * m_f.m_nics.size() + p.route.destination];
            c.out_port = way.port;
            c.vcs = static_cast<std::uint16_t>(way.vcs << p.route.vc_base);
        } else {
            ask_routing(i, c, p.route);
        }
        bid_for_vc(i, delay);
    }

    void ask_routing(std::uint32_t i, in_vc& c, route_header& header) {
        route_set ways;
        const std::uint32_t port = m_k.port_of[i];
        m_f.m_routing->route(m_s.id, port, i - port * m_vcs, header, ways);
        c.candidates = static_cast<std::uint8_t>(ways.size);
        c.out_port = ways.candidates[0].port;
        c.vcs = static_cast<std::uint16_t>(ways.candidates[0].vcs << header.vc_base);
        if (m_k.ways == 0) return;
        route_candidate* kept = m_s.template at<route_candidate>(m_k.at_ways) + i * m_k.ways;
        for (std::uint32_t n = 0; n < ways.size; ++n) {
            kept[n] = ways.candidates[n];
            kept[n].vcs = static_cast<std::uint16_t>(kept[n].vcs << header.vc_base);
        }
    }

    /// Adaptive routing: which of the ways that have a free VC to ask for in this cycle; those of the escape only
    /// when no other has one.
    void select_way(std::uint32_t i, in_vc& c) {
        const route_candidate* ways = m_s.template at<route_candidate>(m_k.at_ways) + i * m_k.ways;
        for (const bool escape : {false, true}) {
            std::uint32_t open[route_set::capacity];
            std::uint32_t n = 0;
            for (std::uint32_t k = 0; k < c.candidates; ++k)
                if (ways[k].escape == escape && (ways[k].vcs & m_free[ways[k].port]) != 0) open[n++] = k;
            if (n == 0) continue;
            const route_candidate& way = ways[n == 1 ? open[0] : choose(i, ways, open, n)];
            c.out_port = way.port;
            c.vcs = way.vcs;
            return;
        }
    }

    std::uint32_t choose(std::uint32_t i, const route_candidate* ways, const std::uint32_t* open, std::uint32_t n) {
        if (m_k.params.selection == selection_policy::random) return open[m_f.m_router_random[m_s.id].below(n)];
        if (m_k.params.selection == selection_policy::first) return open[0];
        const std::uint32_t same = 1u << (i - m_k.port_of[i] * m_vcs);
        std::uint32_t best = open[0], most = 0;
        for (std::uint32_t k = 0; k < n; ++k) {
            const route_candidate& way = ways[open[k]];
            const std::uint32_t usable = way.vcs & m_free[way.port];
            if (m_k.params.selection == selection_policy::same_vc) {
                if ((usable & same) != 0) return open[k];
                continue;
            }
            std::uint32_t credits = 0;
            for (std::uint32_t rest = usable; rest != 0; rest &= rest - 1)
                credits += m_out[way.port * m_vcs + lowest(rest)].credits;
            if (credits > most) {
                most = credits;
                best = open[k];
            }
        }
        return best;
    }

    // ---- VA -------------------------------------------------------------------------------------------------
    struct vc_requests {
        bits<W> rows = {};               ///< input VCs with something to ask for
        std::uint16_t vcs[capacity];     ///< what each asks for: VCs of its out_port
    };

    std::uint64_t age_of(std::uint32_t i) const { return m_f.m_packets[m_in[i].packet].generated; }

    arbiter_row va_rows() const {
        return {m_k.params.va_arbiter, m_s.template at<std::uint16_t>(m_k.at_va_row), stamps(0), m_vcs, m_k.in_vcs};
    }
    arbiter_row va_columns() const {
        return {m_k.params.va_arbiter, m_s.template at<std::uint16_t>(m_k.at_va_column), stamps(1), m_k.in_vcs,
                m_k.in_vcs};
    }

    std::uint16_t usable_vcs(std::uint32_t i) {
        in_vc& c = m_in[i];
        if (m_k.ways != 0) select_way(i, c);
        std::uint32_t open = c.vcs & m_free[c.out_port];
        if (m_k.params.selection == selection_policy::same_vc) {
            const std::uint32_t same = 1u << (i - m_k.port_of[i] * m_vcs);
            if ((open & same) != 0) open = same;
        }
        return static_cast<std::uint16_t>(open);
    }

    /// Gives output VCs to heads. `asked` gets those that had anything to ask for (for speculation).
    void allocate_vcs(bits<W>* asked) {
        if (m_k.params.va_allocator == allocator_kind::input_first && m_k.params.iterations == 1 && asked == nullptr)
            return allocate_vcs_once();
        for (std::uint32_t n = 0; n < m_k.params.iterations; ++n) {
            vc_requests r;
            m_s.va.for_each([&](std::uint32_t i) {
                const std::uint16_t open = usable_vcs(i);
                if (open == 0) return;
                r.rows.set(i);
                r.vcs[i] = open;
            });
            if (n == 0 && asked != nullptr) *asked = r.rows;
            if (!r.rows.any()) return;
            m_again = true;
            switch (m_k.params.va_allocator) {
                case allocator_kind::input_first: va_input_first(r); break;
                case allocator_kind::output_first: va_output_first(r); break;
                case allocator_kind::wavefront: return va_wavefront(r);
            }
        }
    }

    /// The usual case, without a table of requests.
    void allocate_vcs_once() {
        bits<W> columns = {};
        bits<W> by_column[capacity];
        const arbiter_row rows = va_rows();
        m_s.va.for_each([&](std::uint32_t i) {
            const std::uint32_t open = usable_vcs(i);
            if (open != 0) ask_column(i, open, rows, columns, by_column);
        });
        if (columns.any()) {
            m_again = true;
            grant_columns(columns, by_column, rows);
        }
    }

    void va_input_first(const vc_requests& r) {
        bits<W> columns = {};
        bits<W> by_column[capacity];
        const arbiter_row rows = va_rows();
        r.rows.for_each([&](std::uint32_t i) { ask_column(i, r.vcs[i], rows, columns, by_column); });
        grant_columns(columns, by_column, rows);
    }

    /// Input VC i asks for one of the output VCs `open` of its port.
    void ask_column(std::uint32_t i, std::uint32_t open, const arbiter_row& rows, bits<W>& columns,
                    bits<W>* by_column) const {
        // Nothing tells one free VC from another but their turn: age and fixed order do not apply here.
        bits<W> choice = {};
        choice.word[0] = open;
        const std::uint32_t o =
            m_in[i].out_port * m_vcs + rows.pick(i, choice, [](std::uint32_t) { return std::uint64_t{0}; });
        if (!columns.test(o)) {
            columns.set(o);
            by_column[o] = {};
        }
        by_column[o].set(i);
    }

    void grant_columns(const bits<W>& columns, const bits<W>* by_column, const arbiter_row& rows) {
        const arbiter_row arbiters = va_columns();
        columns.for_each([&](std::uint32_t o) {
            const std::uint32_t i = arbiters.pick(o, by_column[o], [this](std::uint32_t n) { return age_of(n); });
            arbiters.served(o, i);
            rows.served(i, o - m_in[i].out_port * m_vcs);
            grant_vc(i, o);
        });
    }

    void va_output_first(const vc_requests& r) {
        bits<W> columns = {};
        bits<W> by_column[capacity];
        r.rows.for_each([&](std::uint32_t i) {
            for (std::uint32_t rest = r.vcs[i]; rest != 0; rest &= rest - 1) {
                const std::uint32_t o = m_in[i].out_port * m_vcs + lowest(rest);
                if (!columns.test(o)) {
                    columns.set(o);
                    by_column[o] = {};
                }
                by_column[o].set(i);
            }
        });
        const arbiter_row rows = va_rows();
        const arbiter_row arbiters = va_columns();
        bits<W> offered = {};
        std::uint32_t offers[capacity];
        columns.for_each([&](std::uint32_t o) {
            const std::uint32_t i = arbiters.pick(o, by_column[o], [this](std::uint32_t n) { return age_of(n); });
            if (!offered.test(i)) {
                offered.set(i);
                offers[i] = 0;
            }
            offers[i] |= 1u << (o - m_in[i].out_port * m_vcs);
        });
        offered.for_each([&](std::uint32_t i) {
            bits<W> choice = {};
            choice.word[0] = offers[i];
            const std::uint32_t v = rows.pick(i, choice, [](std::uint32_t) { return std::uint64_t{0}; });
            const std::uint32_t o = m_in[i].out_port * m_vcs + v;
            rows.served(i, v);
            arbiters.served(o, i);
            grant_vc(i, o);
        });
    }

    /// Diagonal by diagonal, the first one moving on every cycle (Dally & Towles, section 19.4).
    void va_wavefront(const vc_requests& r) {
        const std::uint32_t n = m_k.in_vcs;
        bits<W> rest = r.rows;
        bits<W> taken = {};
        const std::uint32_t first = static_cast<std::uint32_t>(m_t % n);
        for (std::uint32_t d = 0; d < n && rest.any(); ++d) {
            const std::uint32_t diagonal = (first + d) % n;
            rest.for_each([&](std::uint32_t i) {
                const std::uint32_t o = (diagonal + n - i % n) % n;
                const std::uint32_t base = m_in[i].out_port * m_vcs;
                if (o < base || o >= base + m_vcs || ((r.vcs[i] >> (o - base)) & 1) == 0 || taken.test(o)) return;
                taken.set(o);
                rest.clear(i);
                grant_vc(i, o);
            });
        }
    }

    void grant_vc(std::uint32_t i, std::uint32_t o) {
        in_vc& c = m_in[i];
        out_vc& v = m_out[o];
        m_free[c.out_port] = static_cast<std::uint16_t>(m_free[c.out_port] & ~(1u << (o - c.out_port * m_vcs)));
        v.owner = static_cast<std::uint16_t>(i);
        v.need = static_cast<std::uint16_t>(m_k.room_for_packet ? m_f.m_packets[c.packet].flits : 1);
        c.out = static_cast<std::uint16_t>(o);
        m_s.va.clear(i);
        if (v.credits >= v.need) m_s.credit.set(i);
        if (m_k.va == 0) return m_s.active.set(i);
        stage_end(m_t + m_k.va).active.set(i);
        m_f.wake(m_s.id, m_t + m_k.va);
    }

    // ---- SA -------------------------------------------------------------------------------------------------
    struct crossbar_use {
        bits<W> inputs = {}, outputs = {};
    };

    std::uint32_t crossbar_output(std::uint32_t in_port, std::uint32_t out_port) const {
        const std::uint32_t s = m_k.params.output_speedup;
        return s == 1 ? out_port : out_port * s + in_port % s;
    }

    arbiter_row sa_vcs(std::uint32_t bank) const {
        return {m_k.params.sa_arbiter,
                m_s.template at<std::uint16_t>(m_k.at_sa_vc) + bank * m_k.crossbar_inputs, stamps(2 + bank), m_vcs,
                m_k.crossbar_inputs};
    }
    arbiter_row sa_columns(std::uint32_t bank) const {
        return {m_k.params.sa_arbiter,
                m_s.template at<std::uint16_t>(m_k.at_sa_column) + bank * m_k.crossbar_outputs, stamps(4 + bank),
                m_k.crossbar_inputs, m_k.crossbar_outputs};
    }
    arbiter_row sa_rows(std::uint32_t bank) const {
        return {m_k.params.sa_arbiter,
                m_s.template at<std::uint16_t>(m_k.at_sa_row) + bank * m_k.crossbar_inputs, stamps(6 + bank),
                m_k.crossbar_outputs, m_k.crossbar_inputs};
    }
    std::uint32_t* stamps(std::uint32_t which) const {
        return m_k.stamps_of[which] == 0 ? nullptr
                                         : m_s.template at<std::uint32_t>(m_k.at_stamps) + m_k.stamps_of[which] - 1;
    }

    /// The port that input VC i sends to: given by VA, or (speculatively) asked for in VA.
    std::uint32_t port_wanted(std::uint32_t i) const { return m_in[i].out_port; }

    bool link_busy(std::uint32_t port) const {
        return m_k.slow_links && m_k.params.output_speedup == 1 &&
               m_s.template at<cycle_t>(m_k.at_next_slot)[port] > m_t;
    }

    /// Calls `f(x, vcs, port)` for every crossbar input x with requests, `vcs` the VCs of its port that ask.
    template <class F>
    void for_each_input(const bits<W>& requests, F&& f) const {
        bits<W> rest = requests;
        const std::uint32_t speedup = m_k.params.input_speedup;
        for (int k = 0; k < W; ++k)
            while (rest.word[k] != 0) {
                const std::uint32_t port = m_k.port_of[static_cast<std::uint32_t>(k) * 64 + lowest(rest.word[k])];
                const std::uint32_t vcs = rest.slice(port * m_vcs, m_vcs);
                rest.clear_slice(port * m_vcs, m_vcs);
                if (speedup == 1) {
                    f(port, vcs, port);
                    continue;
                }
                for (std::uint32_t n = 0; n < speedup; ++n) {
                    const std::uint32_t part = vcs & m_k.vcs_of_input[n];
                    if (part != 0) f(port * speedup + n, part, port);
                }
            }
    }

    /// Of the VCs `vcs` of `port`, those whose way out is open.
    std::uint32_t sendable(std::uint32_t port, std::uint32_t vcs, const crossbar_use& used, bool first) const {
        if (first && !m_k.slow_links) return vcs;
        std::uint32_t open = 0;
        for (std::uint32_t rest = vcs; rest != 0; rest &= rest - 1) {
            const std::uint32_t v = lowest(rest);
            const std::uint32_t to = port_wanted(port * m_vcs + v);
            if (!used.outputs.test(crossbar_output(port, to)) && !link_busy(to)) open |= 1u << v;
        }
        return open;
    }

    std::uint32_t pick_vc(const arbiter_row& arbiters, std::uint32_t x, std::uint32_t vcs, std::uint32_t port) const {
        bits<W> choice = {};
        choice.word[0] = vcs;
        return arbiters.pick(x, choice, [&](std::uint32_t v) { return age_of(port * m_vcs + v); });
    }

    void allocate_switch(const bits<W>& requests, std::uint32_t bank) {
        crossbar_use used;
        if (m_k.params.sa_allocator == allocator_kind::wavefront) return sa_wavefront(requests, bank, used);
        for (std::uint32_t n = 0; n < m_k.params.iterations; ++n) {
            const bool more = m_k.params.sa_allocator == allocator_kind::input_first
                                  ? sa_input_first(requests, bank, used, n == 0)
                                  : sa_output_first(requests, bank, used, n == 0);
            if (!more) return;
        }
    }

    /// One iteration: every input picks a VC, every output picks an input. False if nobody asked.
    bool sa_input_first(const bits<W>& requests, std::uint32_t bank, crossbar_use& used, bool first) {
        bits<W> columns = {};
        bits<W> by_column[capacity];
        std::uint16_t chosen[capacity];
        const arbiter_row vcs_row = sa_vcs(bank);
        for_each_input(requests, [&](std::uint32_t x, std::uint32_t vcs, std::uint32_t port) {
            if (!first && used.inputs.test(x)) return;
            const std::uint32_t open = sendable(port, vcs, used, first);
            if (open == 0) return;
            const std::uint32_t i = port * m_vcs + pick_vc(vcs_row, x, open, port);
            const std::uint32_t y = crossbar_output(port, port_wanted(i));
            chosen[x] = static_cast<std::uint16_t>(i);
            if (!columns.test(y)) {
                columns.set(y);
                by_column[y] = {};
            }
            by_column[y].set(x);
        });
        const arbiter_row column_row = sa_columns(bank);
        columns.for_each([&](std::uint32_t y) {
            const std::uint32_t x =
                column_row.pick(y, by_column[y], [&](std::uint32_t n) { return age_of(chosen[n]); });
            column_row.served(y, x);
            settle(chosen[x], x, y, vcs_row, bank, used);
        });
        return columns.any();
    }

    /// One iteration: every output picks an input, every input picks an output and then a VC for it.
    bool sa_output_first(const bits<W>& requests, std::uint32_t bank, crossbar_use& used, bool first) {
        bits<W> columns = {}, asking = {};
        bits<W> by_column[capacity];
        std::uint32_t asked[capacity];
        for_each_input(requests, [&](std::uint32_t x, std::uint32_t vcs, std::uint32_t port) {
            if (!first && used.inputs.test(x)) return;
            const std::uint32_t open = sendable(port, vcs, used, first);
            asked[x] = open;
            for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
                const std::uint32_t y = crossbar_output(port, port_wanted(port * m_vcs + lowest(rest)));
                if (!columns.test(y)) {
                    columns.set(y);
                    by_column[y] = {};
                }
                by_column[y].set(x);
                asking.set(x);
            }
        });
        const arbiter_row vcs_row = sa_vcs(bank), rows = sa_rows(bank), column_row = sa_columns(bank);
        bits<W> offered = {};
        bits<W> offers[capacity];
        columns.for_each([&](std::uint32_t y) {
            const std::uint32_t x = column_row.pick(
                y, by_column[y], [&](std::uint32_t n) { return oldest(n, asked[n], y); });
            if (!offered.test(x)) {
                offered.set(x);
                offers[x] = {};
            }
            offers[x].set(y);
        });
        offered.for_each([&](std::uint32_t x) {
            const std::uint32_t y = rows.pick(x, offers[x], [&](std::uint32_t n) { return oldest(x, asked[x], n); });
            const std::uint32_t port = x / m_k.params.input_speedup;
            const std::uint32_t i = port * m_vcs + pick_vc(vcs_row, x, vcs_to(port, asked[x], y), port);
            rows.served(x, y);
            column_row.served(y, x);
            settle(i, x, y, vcs_row, bank, used);
        });
        return columns.any();
    }

    /// Of the VCs `vcs` of `port`, those that want crossbar output y.
    std::uint32_t vcs_to(std::uint32_t port, std::uint32_t vcs, std::uint32_t y) const {
        std::uint32_t found = 0;
        for (std::uint32_t rest = vcs; rest != 0; rest &= rest - 1)
            if (crossbar_output(port, port_wanted(port * m_vcs + lowest(rest))) == y) found |= 1u << lowest(rest);
        return found;
    }

    std::uint64_t oldest(std::uint32_t x, std::uint32_t vcs, std::uint32_t y) const {
        const std::uint32_t port = x / m_k.params.input_speedup;
        std::uint64_t age = ~std::uint64_t{0};
        for (std::uint32_t rest = vcs_to(port, vcs, y); rest != 0; rest &= rest - 1)
            age = std::min(age, age_of(port * m_vcs + lowest(rest)));
        return age;
    }

    void sa_wavefront(const bits<W>& requests, std::uint32_t bank, crossbar_use& used) {
        bits<W> rest = {};
        std::uint32_t asked[capacity];
        for_each_input(requests, [&](std::uint32_t x, std::uint32_t vcs, std::uint32_t port) {
            asked[x] = sendable(port, vcs, used, true);
            if (asked[x] != 0) rest.set(x);
        });
        const std::uint32_t n = std::max(m_k.crossbar_inputs, m_k.crossbar_outputs);
        const std::uint32_t first = static_cast<std::uint32_t>(m_t % n);
        const arbiter_row vcs_row = sa_vcs(bank);
        for (std::uint32_t d = 0; d < n && rest.any(); ++d) {
            const std::uint32_t diagonal = (first + d) % n;
            rest.for_each([&](std::uint32_t x) {
                const std::uint32_t y = (diagonal + n - x) % n;
                if (y >= m_k.crossbar_outputs || used.outputs.test(y)) return;
                const std::uint32_t port = x / m_k.params.input_speedup;
                const std::uint32_t vcs = vcs_to(port, asked[x], y);
                if (vcs == 0) return;
                rest.clear(x);
                settle(port * m_vcs + pick_vc(vcs_row, x, vcs, port), x, y, vcs_row, bank, used);
            });
        }
    }

    /// Input VC i has won crossbar input x and output y.
    void settle(std::uint32_t i, std::uint32_t x, std::uint32_t y, const arbiter_row& vcs_row, std::uint32_t bank,
                crossbar_use& used) {
        used.inputs.set(x);
        used.outputs.set(y);
        vcs_row.served(x, i - m_k.port_of[i] * m_vcs);
        if (__builtin_expect(bank == 0, 1)) {
            m_used_inputs.set(x);
            m_used_outputs.set(y);
            return send_flit(i);
        }
        // A speculative grant counts only where no other request got the input or the output, VA has succeeded in this same cycle,
        // and the VC it gave has the credits.
        if (m_used_inputs.test(x) || m_used_outputs.test(y) || m_s.va.test(i) || !m_s.credit.test(i)) return;
        send_flit(i);
    }

    // ---- speculation ------------------------------------------------------------------------------------------
    void run_speculative() {
        bits<W> asked = {};
        if (m_s.va.any()) {
            bits<W> open = {};
            m_s.va.for_each([&](std::uint32_t i) {
                if (may_speculate(i)) open.set(i);
            });
            allocate_vcs(&asked);
            asked &= open & m_s.present;
        }
        // With va_delay 0 a head that has just won VA is a plain request already.
        const bits<W> ready = ready_for_switch();
        for (int k = 0; k < W; ++k) asked.word[k] &= ~ready.word[k];
        if (ready.any()) allocate_switch(ready, 0);
        if (asked.any()) allocate_switch(asked, 1);
    }

    /// Some output VC that the head may get has credits enough: otherwise its bid would be wasted.
    bool may_speculate(std::uint32_t i) {
        const in_vc& c = m_in[i];
        const std::uint32_t open = usable_vcs(i);
        const std::uint32_t need = m_k.room_for_packet ? m_f.m_packets[c.packet].flits : 1;
        for (std::uint32_t rest = open; rest != 0; rest &= rest - 1)
            if (m_out[c.out_port * m_vcs + lowest(rest)].credits >= need) return true;
        return false;
    }

    // ---- ST and the link ----------------------------------------------------------------------------------------
    void send_flit(std::uint32_t i) {
        in_vc& c = m_in[i];
        const std::uint32_t o = c.out;
        out_vc& v = m_out[o];
        const std::uint32_t out_port = c.out_port;
        const std::uint32_t in_port = m_k.port_of[i];
        flit f = m_s.buffer[c.head * m_k.in_vcs + i];
        if (--c.count == 0) {
            c.head = 0;
            m_s.present.clear(i);
        } else {
            c.head = static_cast<std::uint16_t>(c.head + 1u == m_k.params.depth ? 0 : c.head + 1u);
        }
        --v.credits;
        ++v.flits;
        ++m_f.m_flit_hops;
        f.vc = static_cast<std::uint8_t>(o - out_port * m_vcs);
        const port_wires& onward = m_s.wires[out_port];
        if (__builtin_expect(m_k.queued_links, 0)) put_queued(onward.flits, f, out_port);
        else m_f.put_flit(onward.flits, f, m_t);
        m_f.put_credit(m_s.wires[in_port].credits, i - in_port * m_vcs, m_t);
        if (f.is_tail()) return release(i, c, o, v);
        v.need = 1;
        if (v.credits == 0) m_s.credit.clear(i);
        if (m_k.sa > 1) {
            m_s.busy.set(i);
            stage_end(m_t + m_k.sa).idle.set(i);
            m_f.wake(m_s.id, m_t + m_k.sa);
        }
    }

    /// Narrow links and output speed-up: the flit waits in the output queue for the link.
    void put_queued(const wire& w, const flit& f, std::uint32_t port) {
        cycle_t& next = m_s.template at<cycle_t>(m_k.at_next_slot)[port];
        const cycle_t start = next > m_t ? next : m_t;
        next = start + w.cycles_per_flit;
        m_f.put_flit_at(w, f, start + w.delay);
    }

    void release(std::uint32_t i, in_vc& c, std::uint32_t o, out_vc& v) {
        v.owner = out_vc::no_owner;
        m_s.active.clear(i);
        m_s.credit.clear(i);
        if (m_k.va != 0) stage_end(m_t + m_k.va).active.clear(i);  // a speculative single flit
        if (!m_k.atomic) set_free(o);
        if (__builtin_expect(m_k.whole_packets, 0)) {
            m_s.present.clear(i);
            if (--c.tails != 0) start_packet(i, 1 + m_k.rc);
        } else if (c.count != 0) {
            start_packet(i, 1 + m_k.rc);
        }
    }

    fabric& m_f;
    router_state<W>& m_s;
    const router_shape& m_k;
    const cycle_t m_t;
    const std::uint32_t m_vcs;
    in_vc* const m_in;
    out_vc* const m_out;
    std::uint16_t* const m_free;
    bits<W> m_used_inputs = {}, m_used_outputs = {};
    bool m_again = false;  ///< there is something to try in the next cycle
};

template <int W>
void step_router(fabric& f, void* state, cycle_t t) {
    router_step<W>(f, *static_cast<router_state<W>*>(state), t).run();
}

}  // namespace sare
