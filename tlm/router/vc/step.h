// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/base/shared_pool.h"
#include "tlm/router/allocator/input_first.h"
#include "tlm/router/allocator/output_first.h"
#include "tlm/router/allocator/wavefront.h"
#include "tlm/router/arbiter/arbiter_row.h"
#include "tlm/router/vc/block.h"
#include "tlm/router/vc/contenders.h"
#include "tlm/router_api/protocol_error.h"
#include "tlm/router_api/route_table.h"
#include "tlm/router_api/router_context.h"

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>

/// One cycle of the pipelined virtual-channel router, as docs/router.md has it, stage by stage. Included by
/// the files that instantiate it, one for each size of block. What vc_fast does for common settings is held
/// against this.
namespace sare {

/// What a router works with that is not its own.
template <int N>
struct vc_surroundings {
    const vc_shape& shape;
    link_ring& ring;
    shared_pool<packet>& packets;
    router_context& net;
    const route_table& routes;
    const route_candidate* choices;  ///< its ways
    const candidate_table<N>& ways;  ///< its answers, where they may have several
};

/// `CommonCase`: vc_shape::usual holds, and the compiler may know it.
template <int N, bool CommonCase>
class vc_step {
    using B = vc_block<N>;
    using set = typename B::set;

  public:
    vc_step(const vc_surroundings<N>& around, B& b, cycle_t t)
        : m_c(around), m_b(b), m_k(around.shape), m_t(t), m_vcs(m_k.vcs), m_in_vcs(m_k.in_vcs) {}

    void run() {
        advance_stages();
        read_inbox();
        if (!pipelined()) compute_routes();
        const bool speculates = m_k.params.speculative;
        set speculative = {};
        if (speculates) speculative = find_speculative();
        if (m_b.va.any() && (speculates || begin_stage(m_b.va_free, m_k.va))) allocate_vcs();
        run_switch(speculative);
        if (!m_again && !ready_for_switch().any()) return;
        m_c.ring.wake(m_b.wake_word, m_b.wake_bit, m_t + 1);
    }

    // ---- reset of a block, between two cycles: removal.h
    template <class Which, class Freed>
    void take_out(const Which& which, const Freed& freed);
    void give_credits(std::uint32_t o, std::int32_t credits);
    void route_again();

  private:
    template <class Which, class Freed>
    void take_out_of(std::uint32_t i, const Which& which, const Freed& freed);
    bool has_begun(std::uint32_t i) const;
    void give_up(std::uint32_t i);
    void wake_again();

    // ---- what is so in usual ones
    bool pipelined() const { return CommonCase || m_k.params.pipelined; }
    bool batched() const { return !CommonCase && m_k.batched; }
    bool queued_links() const { return !CommonCase && m_k.queued_links; }
    bool slow_links() const { return !CommonCase && m_k.slow_links; }
    std::uint32_t iterations() const { return CommonCase ? 1 : m_k.params.iterations; }
    std::uint32_t output_speedup() const { return CommonCase ? 1 : m_k.params.output_speedup; }

    // ---- time
    typename B::stage_end& end_of_stage(std::uint32_t delay) {
        return m_b.ends[(static_cast<std::uint32_t>(m_t) + delay) % B::stages];
    }

    void wake_self(std::uint32_t delay) {
        if (delay == 1) {
            m_again = true;
            return;
        }
        m_c.ring.wake(m_b.wake_word, m_b.wake_bit, m_t + delay);
    }

    void advance_stages() {
        auto& done = end_of_stage(0);
        m_b.va |= done.va;
        m_b.active |= done.active;
        m_b.rc |= done.rc;
        m_b.busy.remove(done.idle);
        done = {};
    }

    /// The head at the front of input VC i can begin RC in `wait` cycles and bids for a VC when that is done.
    void bid_for_vc(std::uint32_t i, std::uint32_t wait) {
        if (!pipelined()) {
            if (wait == 0) return m_b.rc.set(i);
            end_of_stage(wait).rc.set(i);
            return wake_self(wait);
        }
        const std::uint32_t delay = wait + m_k.rc;
        if (delay == 0) return m_b.va.set(i);
        end_of_stage(delay).va.set(i);
        wake_self(delay);
    }

    /// A stage that is not pipelined and takes several cycles begins with all that wait, if it is free.
    bool begin_stage(cycle_t& free_at, std::uint32_t delay) {
        if (pipelined() || delay <= 1) return true;
        if (m_t < free_at) {
            m_again = true;
            return false;
        }
        free_at = m_t + delay;
        m_again = true;
        return true;
    }

    /// The same for SA, which also works (in vain) for flits without a credit.
    bool begin_switch_stage() {
        if (pipelined() || m_k.sa <= 1) return true;
        return (m_b.active & m_b.present).any() && begin_stage(m_b.sa_free, m_k.sa);
    }

    void compute_routes() {
        if (!m_b.rc.any() || !begin_stage(m_b.rc_free, m_k.rc)) return;
        if (m_k.rc == 0) {
            m_b.va |= m_b.rc;
        } else {
            end_of_stage(m_k.rc).va |= m_b.rc;
            wake_self(m_k.rc);
        }
        m_b.rc = {};
    }

    set ready_for_switch() const {
        set ready = m_b.active & m_b.present & m_b.credit;
        ready.remove(m_b.busy);
        return ready;
    }

    // ---- what has arrived
    void read_inbox() {
        std::uint64_t* inbox = m_c.ring.at(m_t) + m_b.inbox;
        set credits;
        for (int k = 0; k < B::words; ++k) {
            credits.word[k] = inbox[1 + k];
            inbox[1 + k] = 0;
        }
        std::uint64_t ports = inbox[0];
        inbox[0] = 0;
        if (credits.any()) take_credits(credits, inbox);
        for (; ports != 0; ports &= ports - 1) {
            const std::uint32_t port = lowest(ports);
            take_flit(port, flit::from_word(inbox[1 + B::words + port]));
        }
    }

    void take_credits(const set& credits, std::uint64_t* inbox) {
        credits.for_each([&](std::uint32_t o) {
            out_vc& v = m_b.out[o];
            v.credits = static_cast<std::uint16_t>(v.credits + count_credits(o, inbox));
            if (v.credits > depth_beyond(o)) report(o, "more credits came back than were spent");
            if (v.owner != out_vc::no_owner) {
                if (v.credits >= m_b.in[v.owner].need) m_b.credit.set(v.owner);
            } else if (m_k.atomic && v.credits == depth_beyond(o)) {
                set_free(o);
            }
        });
    }

    const port_extras& extras(std::uint32_t port) const { return m_b.extras[port]; }
    std::uint32_t depth_beyond(std::uint32_t o) const { return extras(m_k.port_of[o]).flits.depth; }
    [[noreturn]] __attribute__((noinline, cold)) void report(std::uint32_t i, const char* what) const {
        throw protocol_error("router " + std::to_string(m_b.id) + " port " + std::to_string(m_k.port_of[i]) +
                             " vc " + std::to_string(i - m_k.port_of[i] * m_vcs) + ": " + what);
    }

    std::uint32_t count_credits(std::uint32_t o, std::uint64_t* inbox) {
        if (!batched()) return 1;
        auto& count = reinterpret_cast<std::uint16_t*>(inbox + 1 + B::words + m_k.ports)[o];
        const std::uint32_t came = count;
        count = 0;
        return came;
    }

    void set_free(std::uint32_t o) {
        m_b.free.set(o);
        if (m_b.blocked.any()) unblock(o);
        m_again |= (pipelined() ? bids() : m_b.va).any();
    }

    /// Heads that VA has to look at.
    set bids() const {
        set some = m_b.va;
        some.remove(m_b.blocked);
        return some;
    }
    /// Output VC o is free.
    void unblock(std::uint32_t o) {
        m_b.blocked.for_each([&](std::uint32_t i) {
            if (m_b.ways[i]->wants.test(o)) m_b.blocked.clear(i);
        });
    }

    void take_flit(std::uint32_t port, const flit& f) {
        const std::uint32_t i = port * m_vcs + f.vc;
        in_vc& c = m_b.in[i];
        if (c.count >= m_k.params.depth) report(i, "a flit came for a full buffer");
        const std::uint32_t depth = m_k.params.depth;
        std::uint32_t place = static_cast<std::uint32_t>(c.head) + c.count;
        if (place >= depth) place -= depth;
        m_b.buffer[place * m_in_vcs + i] = f;
        const bool was_empty = c.count++ == 0;
        bool starts = false;
        if (m_k.whole_packets) {
            starts = f.is_tail() && m_b.tails[i]++ == 0;
        } else if (was_empty) {
            m_b.present.set(i);
            note_front(i, m_t);
            starts = f.is_head();
        }
        if (starts) start_packet(i, f.packet, 0);
    }

    /// From cycle t on there is another flit at the front of input VC i.
    void note_front(std::uint32_t i, cycle_t t) {
        if (!CommonCase && m_b.since != nullptr) m_b.since[i] = t;
    }

    // ---- RC
    /// Packet `id` is at the front of input VC i; its head begins its route computation in `wait` cycles.
    void start_packet(std::uint32_t i, std::uint32_t id, std::uint32_t wait) {
        in_vc& c = m_b.in[i];
        packet& p = m_c.packets[id];
        p.hops = static_cast<std::uint16_t>(p.hops + m_k.counts_hops);
        c.packet = id;
        note_front(i, m_t + wait);
        if (m_k.whole_packets) m_b.present.set(i);
        c.need = static_cast<std::uint16_t>(m_k.room_for_packet ? p.flits : 1);
        if (m_b.routes != nullptr)
            look_up_route(i, c, p.route);
        else
            ask_routing(i, c, p.route);
        bid_for_vc(i, wait);
    }

    void look_up_route(std::uint32_t i, in_vc& c, const route_header& header) {
        const std::uint32_t n =
            m_b.routes[m_k.port_of[i] * m_c.routes.by_input() + m_c.routes.column(header)];
        if (m_k.ways != 0) return take_ways(i, c, m_c.ways.get(n, header.vc_base));
        const route_candidate& way = m_c.choices[n];
        c.out_port = way.port;
        c.vcs = static_cast<std::uint16_t>(way.vcs << header.vc_base);
    }

    void ask_routing(std::uint32_t i, in_vc& c, route_header& header) {
        route_set ways;
        const std::uint32_t port = m_k.port_of[i];
        c.out_port = in_vc::no_port;
        m_c.net.find_candidates(m_b.id, port, i - port * m_vcs, header, ways);
        c.out_port = ways.candidates[0].port;
        c.vcs = static_cast<std::uint16_t>(ways.candidates[0].vcs << header.vc_base);
        if (m_k.ways == 0) return;
        m_b.own_ways[i].fill(ways.candidates, ways.size, header.vc_base, m_vcs,
                             m_b.own_candidates + i * m_k.ways);
        take_ways(i, c, &m_b.own_ways[i]);
    }

    /// Which of them is for VA to select; until then the first one stands for all.
    void take_ways(std::uint32_t i, in_vc& c, const vc_candidates<N>* ways) {
        m_b.ways[i] = ways;
        c.out_port = ways->first->port;
        c.vcs = ways->first->vcs;
    }

    // ---- VA: va.h
    struct vc_requests {
        set rows = {};         ///< input VCs with something to ask for
        std::uint16_t vcs[N];  ///< what each asks for: VCs of its out_port
    };

    struct free_candidate {
        const route_candidate* way;
        std::uint32_t vcs;  ///< of it, those that can be asked for
    };
    std::uint32_t select_candidate(std::uint32_t i, in_vc& c);
    std::uint32_t find_open(const in_vc& c, const route_candidate* way, const route_candidate* end,
                            free_candidate* open) const;
    std::uint32_t choose(std::uint32_t i, const free_candidate* open, std::uint32_t n);
    std::uint32_t open_vcs(const in_vc& c, std::uint32_t port, std::uint32_t vcs) const;
    std::uint32_t usable_vcs(std::uint32_t i);
    void allocate_vcs();
    template <bool Given>
    struct va_problem;
    struct va_diagonals;
    struct va_any;
    static bool allocate_vcs_by(const vc_surroundings<N>& around, B& b, cycle_t t, const allocator& policy,
                                const vc_requests& r);
    void grant_vc(std::uint32_t i, std::uint32_t o, std::uint32_t vc);

    // ---- SA: sa.h
    struct crossbar_use {
        set inputs = {}, outputs = {};
    };

    std::uint32_t crossbar_output(std::uint32_t in_port, std::uint32_t out_port) const;
    std::uint32_t crossbar_output_of(std::uint32_t i) const;
    bool link_busy(std::uint32_t port) const;
    template <class F>
    void for_each_input(const set& requests, F&& f) const;
    std::uint32_t sendable(std::uint32_t port, std::uint32_t vcs, const crossbar_use& used, bool first) const;
    std::uint32_t vcs_to(std::uint32_t port, std::uint32_t vcs, std::uint32_t y) const;
    std::uint32_t pick_vc(std::uint32_t x, std::uint32_t vcs, std::uint32_t port, std::uint32_t bank) const;
    void run_switch(set speculative);
    void allocate_switch(const set& requests, std::uint32_t bank);
    struct sa_problem;
    struct sa_diagonals;
    struct sa_any;
    static vc_step allocate_switch_by(const vc_step& before, const allocator& policy, const set& requests,
                                      std::uint32_t bank);
    void settle(std::uint32_t i, std::uint32_t x, std::uint32_t y, std::uint32_t bank, crossbar_use& used);
    set find_speculative();
    bool may_speculate(std::uint32_t i);

    // ---- arbiters, by rows of them
    using row = std::conditional_t<CommonCase, round_robin_row, arbiter_row>;
    row row_of(std::uint16_t* last, [[maybe_unused]] std::uint32_t size,
               [[maybe_unused]] const std::shared_ptr<const arbiter>& policy,
               [[maybe_unused]] std::uint32_t which) const {
        if constexpr (CommonCase) {
            return {last};
        } else {
            const vc_shape::arbiter_words& own = m_k.words_of[which];
            return {last, size, policy.get(), m_b.remembered + own.first, own.each, which * 1024};
        }
    }
    row va_rows() const { return row_of(m_b.va_row, m_vcs, m_k.va_arbiter, 0); }
    row va_columns() const { return row_of(m_b.va_column, m_in_vcs, m_k.va_arbiter, 1); }
    row sa_vcs(std::uint32_t bank) const {
        return row_of(m_b.turns[bank].vc, m_vcs, m_k.sa_arbiter, 2 + bank);
    }
    row sa_columns(std::uint32_t bank) const {
        return row_of(m_b.turns[bank].column, m_k.crossbar_inputs, m_k.sa_arbiter, 4 + bank);
    }
    row sa_rows(std::uint32_t bank) const {
        return row_of(m_b.turns[bank].row, m_k.crossbar_outputs, m_k.sa_arbiter, 6 + bank);
    }
    /// Makes what they may ask: see arbiter_row.
    template <class Find>
    auto contenders(const Find& find) const {
        return [this, find] { return vc_contenders<N, Find>(m_c, m_b, m_t, find); };
    }
    /// Of which nothing is known: a free VC is like another.
    auto unknown() const {
        return contenders([](std::uint32_t) { return vc_group{0, 0}; });
    }
    /// VCs of a port, from VC `first` of the router on.
    auto vcs_from(std::uint32_t first) const {
        return contenders([first](std::uint32_t vc) { return vc_group{first + vc, 1}; });
    }

    // ---- ST and the link
    void send_flit(std::uint32_t i, std::uint32_t in_port) {
        in_vc& c = m_b.in[i];
        out_vc& v = m_b.out[c.out];
        const port_wires& onward = m_b.wires[c.out_port];
        flit f = m_b.buffer[c.head * m_in_vcs + i];
        if (--c.count == 0) {
            c.head = 0;
            m_b.present.clear(i);
        } else if (++c.head == m_k.params.depth) {
            c.head = 0;
        }
        ++v.flits;
        if (--v.credits == 0) m_b.credit.clear(i);
        f.vc = c.out_vc;
        send_onward(onward.flits, f, c.out_port);
        send_credit(in_port, i - in_port * m_vcs);
        if (f.is_tail()) return release(i, c, v);
        c.need = 1;
        if (c.count != 0) note_front(i, m_t + 1);
        if (m_k.sa > 1) {
            m_b.busy.set(i);
            end_of_stage(m_k.sa).idle.set(i);
            wake_self(m_k.sa);
        }
    }

    void send_credit(std::uint32_t in_port, std::uint32_t vc) {
        const wire& w = m_b.wires[in_port].credits;
        if (CommonCase)
            m_c.ring.put_credit(w, vc, m_t);
        else
            m_c.ring.put_credit(w, extras(in_port).credits, vc, m_t);
    }

    void send_onward(const wire& w, const flit& f, std::uint32_t port) {
        if (queued_links())
            put_queued(w, f, port);
        else
            m_c.ring.put_flit(w, f, m_t);
    }

    /// A crossbar that takes several cycles and is not pipelined moves flits in batches: what is granted
    /// while one is under way goes with the next. Cycles that a flit granted now waits for its batch.
    cycle_t wait_for_crossbar() {
        const std::uint32_t length = m_k.params.st_delay;
        if (pipelined() || length <= 1) return 0;
        if (m_t >= m_b.st_start + length)
            m_b.st_start = m_t;
        else if (m_t > m_b.st_start)
            m_b.st_start += length;
        return m_b.st_start - m_t;
    }

    /// Narrow links and output speed-up: the flit waits in the output queue for the link.
    void put_queued(const wire& w, const flit& f, std::uint32_t port) {
        cycle_t& next = m_b.next_slot[port];
        const cycle_t ready = m_t + wait_for_crossbar();
        cycle_t start = next > ready ? next : ready;
        const wire_extras& x = extras(port).flits;
        if (x.sleeps != 0) {
            link_sleep& link = m_c.net.sleeper(x.sleeps - 1U);
            start = link.ready(m_t, start);
            link.carry(start, x.cycles_per_flit);
        }
        next = start + x.cycles_per_flit;
        m_c.ring.put_flit(w, f, start);
    }

    void release(std::uint32_t i, in_vc& c, out_vc& v) {
        v.owner = out_vc::no_owner;
        m_b.active.clear(i);
        m_b.credit.clear(i);
        if (m_k.va != 0) end_of_stage(m_k.va).active.clear(i);  // a speculative single flit
        if (!m_k.atomic) set_free(c.out);
        bool another = c.count != 0;
        if (m_k.whole_packets) {
            m_b.present.clear(i);
            another = --m_b.tails[i] != 0;
        }
        if (another) start_packet(i, m_b.buffer[c.head * m_in_vcs + i].packet, 1);
    }

    const vc_surroundings<N>& m_c;
    B& m_b;
    const vc_shape& m_k;
    const cycle_t m_t;
    const std::uint32_t m_vcs, m_in_vcs;
    set m_used_inputs = {}, m_used_outputs = {};  ///< by requests that are not speculative
    bool m_again = false;                         ///< there is something to try in the next cycle
};

}  // namespace sare

#include "tlm/router/vc/removal.h"
#include "tlm/router/vc/sa.h"
#include "tlm/router/vc/va.h"
