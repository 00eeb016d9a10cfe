// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"

#include "tlm/base/bits.h"
#include "tlm/fabric/hazards/hazards.h"

#include <algorithm>

namespace sare {
namespace {

bool is_not_zero(std::uint64_t word) {
    return word != 0;
}

bool is_before(const nics::arrival& a, const nics::arrival& b) {
    return a.node < b.node;
}

}  // namespace

void fabric::set_workload(workload* w, cycle_t first) {
    m_workload = w;
    m_first_cycle = first;
    if (m_remote != nullptr) m_remote->set_workload(w);
    m_nics.for_each([&](nics& its) { its.tell_deliveries(w != nullptr && w->wants_deliveries()); });
    w != nullptr && w->wants_packets() ? add_observer(m_listener) : remove_observer(m_listener);
    if (w != nullptr) w->start(*this);
}

void fabric::set_seed(std::uint64_t seed) {
    m_seed = seed;
    m_nics.for_each([&](nics& its) { its.set_seed(seed); });
    if (m_hazards != nullptr && m_hazards->errors) m_hazards->errors->set_seed(seed);
    for (const auto& bank : m_banks) bank->set_seed(seed);
}

void fabric::shuffle_evaluation(std::uint64_t seed) {
    m_shuffle = true;
    m_shuffle_random = rng(seed, stream::test, 0);
}

/// What a part's NICs tell, where other parts are at work at the same time, is told later.
void fabric::notify_observers() {
    const bool at_once = m_alone;
    for (partition& p : m_parts) {
        if (p.its_nics == nullptr) return;
        observer* const o = m_observers.get();
        p.its_nics->set_observer(at_once || o == nullptr ? o : &p.told);
    }
}

void fabric::notify_of_parts(cycle_t t) {
    if (m_alone) return;
    std::vector<deferred_observer*> all;
    for (partition& p : m_parts) all.push_back(&p.told);
    if (std::any_of(all.begin(), all.end(), [](const deferred_observer* p) { return !p->empty(); }))
        deferred_observer::tell_all(all, *m_observers.get(), t);
}

/// A cycle with few packets in the network is over before other threads have begun.
bool fabric::is_worth_threads() const {
    return !m_alone && m_packets.in_use() >= threads() * m_thread_policy.least_packets && !m_shuffle;
}

/// At the same time, if that is worth it.
template <class F>
void fabric::in_all_parts(const F& f) {
    if (!is_worth_threads()) {
        for (partition& p : m_parts) f(p);
        return;
    }
    m_packets.hold(true);
    m_messages.hold(true);
    team().run([&](std::uint32_t k) { f(m_parts[k]); });
    m_packets.hold(false);
    m_messages.hold(false);
}

/// Made in the process that runs, which may be forked off one that has run.
thread_team& fabric::team() {
    if (m_team != nullptr && !m_team->is_here()) (void)m_team.release();
    if (m_team == nullptr) m_team = std::make_unique<thread_team>(threads());
    return *m_team;
}

void fabric::step(cycle_t t) {
    partition& first = m_parts.front();
    if (m_remote != nullptr) m_remote->fetch(t);
    if (m_hazards != nullptr) m_hazards->fail(t);
    if (!m_alone && (m_watch != nullptr || m_hazards != nullptr))
        for (partition& p : m_parts) fetch(p, t);
    m_watch == nullptr ? advance_to(t) : begin_watched(t);
    if (m_hazards != nullptr) m_hazards->hit(t);
    if (m_alone)
        run_part(first, t);
    else if (std::any_of(m_parts.begin(), m_parts.end(), [t](const auto& p) { return p.has_work(t); }))
        in_all_parts([&](partition& p) { run_part(p, t); });
    if (!m_alone) notify_of_parts(t);
    const std::vector<nics::arrival>& come = first.its_nics->arrivals();
    const auto hand_over_what_is_there = [&] {
        if (!m_alone || !come.empty() || !m_drops.empty() || !m_lost.empty() || !m_listener.come.empty())
            deliver(t);
    };
    hand_over_what_is_there();
    if (!m_alone || !first.its_nics->room().empty()) call_for_room();
    if (m_workload != nullptr && m_workload->next_tick() <= t) m_workload->tick(t);
    const bool begins = m_hazards == nullptr || !m_hazards->empties();
    const auto inject = [&](partition& p) { begins ? p.its_nics->inject(t) : p.its_nics->inject_begun(t); };
    if (m_alone) {
        inject(first);
        if (m_owners) run_owners(first, t);
    } else {
        prepare_injection();
        if (m_nics.any_injecting()) in_all_parts(inject);
        notify_of_parts(t);
        if (m_owners) {
            // Within one step packets come to their end and others begin.
            m_packets.keep(true);
            in_all_parts([&](partition& p) { run_owners(p, t); });
            notify_of_parts(t);
            m_packets.keep(false);
        }
    }
    if (m_owners) hand_over_what_is_there();
    if (m_has_slow) run_crossings(t);
}

void fabric::prepare_injection() {
    if (m_alone) return;
    for (std::uint32_t k = 0; k < m_parts.size(); ++k) {
        m_packets.prepare(k, m_parts[k].most_begun);
        m_messages.prepare(k, 0);
    }
}

/// What other parts have for this one, to be read in cycle `t`.
void fabric::fetch(partition& p, cycle_t t) {
    for (partition& other : m_parts) {
        if (&other == &p) continue;
        for (clock_domain* const from : other.domains)
            for (clock_domain* const to : p.domains)
                if (from->period() == to->period() && t % from->period() == 0)
                    from->hand_over(*to, t / from->period());
    }
}

void fabric::run_part(partition& p, cycle_t t) {
    if (!m_alone) fetch(p, t);
    if (!p.slow.empty()) run_slow_domains(p, t);
    std::uint64_t* const here = p.base.ring().at(t);
    if (here[0] == 0) return;
    p.base.find_awake(here);
    run_awake(p, here, t, true);
}

void fabric::run_awake(partition& p, std::uint64_t* here, cycle_t t, bool others) {
    here[0] = 0;
    if (m_shuffle) return run_shuffled(p, p.base, here + 1, t, false);
    p.base.run_routers(here + 1, t, false);
    if (others) run_others(p, here + 1, t);
}

/// Something that is in the plane `here` of the only part will be told outside.
bool fabric::calls_outside(const std::uint64_t* here) const {
    const partition& p = m_parts[0];
    const std::uint32_t first_nic = p.base.first_nic() / 64, first_foreign = p.base.first_foreign() / 64;
    for (std::uint32_t w = first_nic; w < first_foreign; ++w)
        if (p.its_nics->packet_ends(w - first_nic, here[1 + w], here)) return true;
    return std::any_of(here + 1 + first_foreign, here + 1 + p.base.first_crossing() / 64, is_not_zero);
}

cycle_t fabric::run_unobserved(cycle_t next, cycle_t before) {
    if (!m_conserves_packets || m_owners || m_watch != nullptr || m_hazards != nullptr || !m_alone ||
        m_remote != nullptr)
        return next;
    if (m_workload != nullptr) before = std::min(before, m_workload->next_tick());
    partition& p = m_parts[0];
    nics& its = *p.its_nics;
    const std::uint32_t first_other = 1 + p.base.first_nic() / 64, last = 1 + p.base.first_crossing() / 64;
    while (next < before && its.room().empty() && !(its.any_injecting() && its.is_observed())) {
        std::uint64_t* const here = p.base.ring().at(next);
        bool others = false;
        if (here[0] != 0) {
            p.base.find_awake(here);
            others = std::any_of(here + first_other, here + last, is_not_zero);
            if (others && calls_outside(here)) break;
        }
        advance_to(next);
        if (m_has_slow) run_slow_domains(p, next);
        if (here[0] != 0) run_awake(p, here, next, others);
        its.inject(next);
        if (m_has_slow) run_crossings(next);
        next = next_work(next);
    }
    return next;
}

/// In any order: what they send to each other waits for run_crossings().
void fabric::run_slow_domains(partition& p, cycle_t t) {
    for (const auto& d : p.slow) {
        if (t % d->period() != 0) continue;
        const cycle_t own = t / d->period();
        std::uint64_t* here = d->ring().at(own);
        if (here[0] == 0) continue;
        here[0] = 0;
        d->find_awake(here);
        if (m_shuffle)
            run_shuffled(p, *d, here + 1, own, false);
        else
            d->run_routers(here + 1, own, false);
    }
}

/// At the end of a cycle: so that a writer may hand on in the very cycle that it writes in.
void fabric::run_crossings(cycle_t t) {
    for (clock_domain* d : m_domains)
        if (t % d->period() == 0 && d->has_crossings()) d->run_crossings(t / d->period());
}

/// Routers that own the injection queues of their nodes: after what these send in this cycle.
void fabric::run_owners(partition& p, cycle_t t) {
    std::uint64_t* const active = p.base.ring().at(t) + 1;
    const std::uint64_t* const waiting = p.its_nics->waiting().data();
    const std::uint32_t* const owner_of = p.owner_of.data();
    const std::size_t words = p.its_nics->waiting().size();
    for (std::size_t w = 0; w < words; ++w)
        for (std::uint64_t rest = waiting[w]; rest != 0; rest &= rest - 1) {
            const std::uint32_t e = owner_of[w * 64 + lowest(rest)];
            if (e != partition::no_owner) active[e / 64] |= std::uint64_t{1} << (e & 63);
        }
    if (m_shuffle)
        run_shuffled(p, p.base, active, t, true);
    else
        p.base.run_routers(active, t, true);
}

void fabric::forget_times(cycle_t t) {
    for (const clock_domain* d : m_domains) {
        const cycle_t before = m_now / d->period(), now = t / d->period();
        if (now >> 31 == before >> 31) continue;
        for (const auto& bank : d->banks()) bank->forget_times(std::min(now - 1, before + d->ring().reach()));
    }
}

/// What wakes no endpoint, such as a credit that is on its way, may outlast the last cycle that was run: by
/// less than the planes hold.
void fabric::advance_to(cycle_t t) {
    if (t >> 31 != m_now >> 31) forget_times(t);  // in a domain at most as often as in the network
    if (m_board != nullptr) m_board->go_on(*this, m_now, t);
    m_now = t;
    m_begun = true;
}

void fabric::run_endpoint(partition& p, const clock_domain& d, std::uint32_t e, cycle_t t) {
    if (e < d.first_nic()) {
        const std::uint32_t b = d.bank_of(e), k = e - d.first_of_bank(b);
        m_lone.assign(d.banks()[b]->words(), 0);
        m_lone[k / 64] = std::uint64_t{1} << (k & 63);
        d.banks()[b]->step(m_lone.data(), t);
    } else if (e < d.first_foreign()) {
        const std::uint32_t n = e - d.first_nic();
        p.its_nics->run(n / 64, std::uint64_t{1} << (n & 63), t);
        p.its_nics->run_rest(t);
    } else {
        run_foreign(e - d.first_foreign(), t);
    }
}

/// NICs and foreign blocks.
void fabric::run_others(partition& p, std::uint64_t* active, cycle_t t) {
    const std::uint32_t first_nic = p.base.first_nic() / 64, first_foreign = p.base.first_foreign() / 64;
    for (std::uint32_t w = first_nic; w < first_foreign; ++w) {
        const std::uint64_t bits = active[w];
        if (bits == 0) continue;
        active[w] = 0;
        p.its_nics->run(w - first_nic, bits, t);
    }
    p.its_nics->run_rest(t);
    for (std::uint32_t w = first_foreign; w < p.base.first_crossing() / 64; ++w) {
        std::uint64_t bits = active[w];
        active[w] = 0;
        for (; bits != 0; bits &= bits - 1)
            run_foreign((w - first_foreign) * 64 + static_cast<std::uint32_t>(lowest(bits)), t);
    }
}

void fabric::run_shuffled(partition& p, const clock_domain& d, std::uint64_t* active, cycle_t t,
                          bool owners) {
    m_order.clear();
    for (std::uint32_t w = 0; w < d.first_crossing() / 64; ++w) {
        const bool owns = w < d.first_nic() / 64 && d.banks()[d.bank_of(w * 64)]->terms().owns_nodes;
        if (owns != owners) continue;
        for (std::uint64_t rest = active[w]; rest != 0; rest &= rest - 1)
            m_order.push_back(w * 64 + static_cast<std::uint32_t>(lowest(rest)));
        active[w] = 0;
    }
    for (std::size_t n = m_order.size(); n > 1; --n)
        std::swap(m_order[n - 1], m_order[m_shuffle_random.below(static_cast<std::uint32_t>(n))]);
    for (const std::uint32_t e : m_order) run_endpoint(p, d, e, t);
    std::sort(p.its_nics->arrivals().begin(), p.its_nics->arrivals().end(), is_before);
}

cycle_t fabric::next_work(cycle_t t) const {
    return m_remote == nullptr ? next_work_here(t) : m_remote->next_work(t, next_work_here(t));
}

cycle_t fabric::next_work_of_all(cycle_t t) const {
    return m_remote == nullptr ? next_work_here(t) : m_remote->next_of_all(next_work_here(t));
}

cycle_t fabric::next_work_here(cycle_t t) const {
    if (m_parts.front().its_nics == nullptr) return workload::never;  // before finish()
    const nics& first = *m_parts.front().its_nics;
    if (first.any_injecting() || !first.room().empty()) return t + 1;
    if (!m_alone && (m_nics.any_injecting() || m_nics.any_room())) return t + 1;
    cycle_t next = workload::never;
    for (const clock_domain* d : m_domains)
        if (const cycle_t its = d->next_work(t / d->period()); its != workload::never)
            next = std::min(next, its * d->period());
    if (m_workload != nullptr) next = std::min(next, std::max(m_workload->next_tick(), t + 1));
    if (m_hazards == nullptr) return next;
    return m_drops.empty() ? std::min(next, m_hazards->next(t)) : t + 1;
}

std::uint32_t fabric::copy(std::uint32_t r, std::uint32_t in, std::uint32_t id, const route_header& way) {
    const route_header its_way = way;  // it may be that of a packet
    const std::uint32_t made = m_packets.part(0).take();
    packet& p = m_packets[made];
    p = m_packets[id];
    if (knows_hops()) {
        const std::uint32_t place = m_routes.place(r, in);
        p.hops = static_cast<std::uint16_t>(p.hops + m_hops.at(place, its_way) - m_hops.at(place, p.route));
    }
    p.route = its_way;
    m_messages[p.message].flits_to_consume += p.flits;
    m_changes.copied.add(p.flits);
    return made;
}

void fabric::drop(std::uint32_t r, std::uint32_t id, const std::string& cause, std::uint32_t port) {
    const packet& p = m_packets[id];
    const drop_location at{r, port, p.route.phase, false};
    if (m_alone) {
        m_drops.push_back({at, p.message, p.flits, m_changes.count_drop(cause, at, p.flits)});
        return give_back(id);
    }
    const std::uint16_t part = m_partition_map.of_router[r];
    m_parts[part].drops.push_back({at, p.message, p.flits, cause});
    give_back(id, part);
}

/// A slot that is not in use is not bad.
void fabric::give_back(std::uint32_t packet, std::uint32_t part) {
    m_packets[packet].bad = false;
    m_packets.part(part).give_back(packet);
}

std::uint16_t fabric::head_number(std::uint32_t id) const {
    if (!m_routes.keyed()) return 0;
    const route_header& way = m_packets[id].route;
    return static_cast<std::uint16_t>(m_routes.key(way.vc_base / vcs_per_class(), way));
}

/// In order of routers, in whatever order they were run. Until here a message owes what was dropped, so it
/// cannot have ended.
void fabric::notify_drops(cycle_t t) {
    std::vector<packet_drop> all;
    all.swap(m_drops);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.at.router < b.at.router; });
    for (const packet_drop& d : all) {
        message_record& m = m_messages[d.message];
        const message what = m.what;
        if (!m.lost) {
            ++m_changes.lost_messages;
            ++m_changes.lost_by_cause[*d.cause];
            if (m_changes.first_lost.empty())
                m_changes.first_lost = lost_text(what.source, what.destination, what.generated, t, *d.cause);
        }
        m.lost = true;
        if ((m.flits_to_consume -= d.flits) == 0) m_lost.push_back({what.source, d.message});
        if (workload* const owner = owner_of(what)) owner->dropped_at(what, *d.cause, d.at);
    }
}

/// In order of nodes, in whatever order they were run. Messages of a bridge are not the workload's.
void fabric::notify_packets(cycle_t t) {
    std::vector<packet_listener::arrival> all;
    all.swap(m_listener.come);
    m_listener.come.reserve(all.size());
    const auto by_node = [](const auto& a, const auto& b) { return a.node < b.node; };
    if (!std::is_sorted(all.begin(), all.end(), by_node)) std::stable_sort(all.begin(), all.end(), by_node);
    for (const auto& a : all)
        if ((a.what.tag >> 63) == 0) m_workload->packet_delivered(a.what, a.node, a.injected, t);
}

void fabric::deliver(cycle_t t) {
    for (std::size_t k = 0; !m_alone && k < m_parts.size(); ++k) {
        for (const partition::drop& d : m_parts[k].drops)
            m_drops.push_back({d.at, d.message, d.flits, m_changes.count_drop(d.cause, d.at, d.flits)});
        m_parts[k].drops.clear();
    }
    if (!m_drops.empty()) notify_drops(t);
    if (!m_listener.come.empty()) notify_packets(t);
    std::vector<nics::arrival>& here = m_parts.front().its_nics->arrivals();
    if (!m_alone || !m_lost.empty()) gather_arrivals();
    for (const nics::arrival& a : here) {
        message_record& m = m_messages[a.message];
        delivery d{m.what, m.injected, t};
        if (__builtin_expect(m.is_copy, 0) && m_remote != nullptr) d.what.tag = m_remote->tag_of(a.message);
        const bool lost = m.lost;
        m.lost = false;
        m_messages.part(0).give_back(a.message);
        workload* const owner = owner_of(d.what);
        if (!lost)
            owner->delivered(d);
        else if (owner != nullptr)
            owner->lost(d.what);
    }
    here.clear();
}

/// Puts those of all parts into part 0, in order of nodes, and then messages that are lost.
void fabric::gather_arrivals() {
    std::vector<nics::arrival>& all = m_parts[0].its_nics->arrivals();
    for (std::size_t k = 1; k < m_parts.size(); ++k) {
        std::vector<nics::arrival>& more = m_parts[k].its_nics->arrivals();
        all.insert(all.end(), more.begin(), more.end());
        more.clear();
    }
    if (!m_alone && !std::is_sorted(all.begin(), all.end(), is_before))
        std::stable_sort(all.begin(), all.end(), is_before);
    if (!m_lost.empty()) all.insert(all.end(), m_lost.begin(), m_lost.end());
    m_lost.clear();
}

void fabric::call_for_room() {
    if (!m_nics.any_room()) return;
    std::vector<std::uint32_t> ready;
    for (partition& p : m_parts) {
        ready.insert(ready.end(), p.its_nics->room().begin(), p.its_nics->room().end());
        p.its_nics->room().clear();
    }
    std::sort(ready.begin(), ready.end());
    for (const std::uint32_t node : ready) m_workload->room(node);
}

void fabric::write_flit(std::uint32_t foreign, const flit& f, cycle_t at) {
    if (foreign >= m_foreign.size()) refuse("foreign block", foreign, m_foreign.size());
    if (f.vc >= m_vcs) refuse("VC", f.vc, m_vcs);
    if (f.packet >= m_packets.slots()) refuse("packet", f.packet, m_packets.slots());
    flit sent = f;
    if (m_routes.keyed() && f.is_head()) sent.sequence = head_number(f.packet);
    m_parts[0].base.ring().put_flit(m_foreign[foreign].wires.flits, sent, at);
}

void fabric::write_credit(std::uint32_t foreign, std::uint32_t vc, cycle_t at) {
    if (foreign >= m_foreign.size()) refuse("foreign block", foreign, m_foreign.size());
    if (vc >= m_vcs) refuse("VC", vc, m_vcs);
    m_parts[0].base.ring().put_credit(m_foreign[foreign].wires.credits, m_foreign[foreign].extras.credits, vc,
                                      at);
}

void fabric::run_foreign(std::uint32_t index, cycle_t t) {
    const foreign_state& f = m_foreign[index];
    std::uint64_t* inbox = m_parts[0].base.ring().at(t) + f.inbox;
    auto* counts = reinterpret_cast<std::uint16_t*>(inbox + 3);
    for (std::uint64_t rest = inbox[1]; rest != 0; rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(rest));
        f.block->credit_arrived(vc, m_batched ? counts[vc] : 1);
        if (m_batched) counts[vc] = 0;
    }
    inbox[1] = 0;
    if (inbox[0] == 0) return;
    inbox[0] = 0;
    flit here = flit::from_word(inbox[2]);
    if (here.is_head()) here.sequence = 0;
    f.block->flit_arrived(here);
}

std::string fabric::leftovers_of(std::uint32_t r) const {
    for (std::uint32_t p = 0; p < ports(r); ++p)
        for (std::uint32_t v = 0; v < m_vcs; ++v) {
            const std::string at = "router " + std::to_string(r) + " port " + std::to_string(p) + " vc " +
                                   std::to_string(v) + ": ";
            if (in(r, p, v).count != 0) return at + std::to_string(in(r, p, v).count) + " flits left";
            if (out(r, p, v).owner != out_vc::no_owner) return at + "output VC still owned";
            const std::uint32_t credits =
                out(r, p, v).credits + bank_of(r).credits_coming(place_in_bank(r), p, v);
            const std::uint32_t depth = depth_beyond(r, p);
            if (credits != depth) return at + std::to_string(depth - credits) + " credits not back";
        }
    return "";
}

std::string fabric::leftovers() const {
    for (std::uint32_t r = 0; r < routers(); ++r) {
        if (!has_router(r)) continue;
        if (std::string left = leftovers_of(r); !left.empty()) return left;
    }
    if (std::string left = m_nics.leftovers(); !left.empty()) return left;
    if (m_packets.in_use() != 0) return std::to_string(m_packets.in_use()) + " packets left";
    if (m_messages.in_use() != 0) return std::to_string(m_messages.in_use()) + " messages left";
    return "";
}

std::uint32_t fabric::flits_sent() const {
    std::uint32_t sum = 0;
    for (const router_bank* bank : m_banks)
        for (std::uint32_t k = 0; k < bank->size(); ++k) sum += bank->flits_sent(k);
    return sum;
}

void fabric::count_buffers(std::vector<std::uint64_t>& bins) const {
    for (const router_bank* bank : m_banks)
        for (std::uint32_t k = 0; k < bank->size(); ++k) bank->count_buffers(k, bins);
}

std::uint64_t fabric::slab_bytes() const {
    std::uint64_t sum = 0;
    for (const clock_domain* d : m_domains) sum += d->ring().bytes();
    for (const auto& bank : m_banks) sum += bank->bytes();
    return sum;
}

node_counts fabric::counts_of(std::uint32_t node) const {
    if (!is_here(node)) return {};
    const nic_state& nic = this->nic(node);
    node_counts all{nic.injected_packets, nic.consumed_packets, nic.injected_flits, nic.consumed_flits, {}};
    for (std::uint32_t c = 0; c < m_classes; ++c) {
        const class_queue& queue = nic.queues[c];
        all.waiting.flits += queue.flits_left;
        for (std::uint32_t id = queue.first; id != class_queue::none; id = m_messages[id].next) {
            const message_record& m = m_messages[id];
            all.waiting.flits += m.flits_to_inject;
            if (m.flits_to_inject == m.what.flits) ++all.waiting.messages;
        }
    }
    return all;
}

}  // namespace sare
