// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/run/network_stepper.h"

#include "tlm/base/bits.h"
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/fabric/network_state.h"
#include "tlm/fabric/run/arrival_bounds.h"
#include "tlm/fabric/run/deliveries.h"
#include "tlm/fabric/run/lagging_engine.h"
#include "tlm/fabric/view/watch.h"
#include "tlm/router_api/node_rates.h"

#include <algorithm>
#include <chrono>
#include <functional>

namespace sare {
namespace {

bool is_not_zero(std::uint64_t word) {
    return word != 0;
}

/// True if one of several processes has all nodes. All processes get the same answer.
bool one_has_all_nodes(const remote_links& remote) {
    const auto& of_node = remote.ranks().of_node;
    return remote.processes().ranks() > 1 &&
           std::adjacent_find(of_node.begin(), of_node.end(), std::not_equal_to<>()) == of_node.end();
}

/// Flits that a node takes in a cycle, at most, and so messages that end there; with failures no limit.
std::uint32_t most_ejected(const network_state& net) {
    if (net.hazards != nullptr && net.hazards->failures) return ~0U;
    std::uint32_t most = 1;
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        if (const auto* const inside = dynamic_cast<const node_rates*>(net.table.models[r].get()))
            most = std::max(most, inside->most_ejected(*net.map(), router_id(r)));
    return most;
}

}  // namespace

void network_stepper::set_workload(workload* w, cycle_t first) {
    m_net.traffic.main = w;
    m_net.traffic.first_cycle = first;
    if (m_net.remote != nullptr) m_net.remote->set_workload(w);
    m_net.traffic.synchronized = m_net.remote == nullptr ? nullptr : dynamic_cast<synchronized_workload*>(w);
    if (m_net.traffic.synchronized != nullptr) {
        if (m_net.traffic.synchronized->agrees() && one_has_all_nodes(*m_net.remote))
            throw config::error(
                "several processes cannot run this: one of them has all nodes, so that its workload knows "
                "nothing of the others; start fewer, or run it in one, with 'threads'");
        m_net.traffic.most_ejected = most_ejected(m_net);
    }
    m_net.nics.for_each([&](auto& its) { its.tell_deliveries(w != nullptr && w->wants_deliveries()); });
    w != nullptr && w->wants_packets() ? add_observer(m_net.listener) : remove_observer(m_net.listener);
    if (w != nullptr) w->start(m_port);
}

void network_stepper::set_bridge(workload* b) {
    m_net.traffic.bridge = b;
}

void network_stepper::set_cycle_seconds(double s) {
    m_net.traffic.cycle_seconds = s;
}

void network_stepper::set_seed(std::uint64_t seed) {
    m_net.set_seed(seed);
}

void network_stepper::shuffle_evaluation(std::uint64_t seed) {
    m_net.shuffle.on = true;
    m_net.shuffle.random = rng(seed, stream::test, 0);
}

/// Runs all cycles that are over, so that a new observer sees each cycle from the present one on.
void network_stepper::end_lag() {
    if (m_net.behind != nullptr) m_net.behind->end_lag();
}

void network_stepper::set_observer(observer* o) {
    end_lag();
    m_net.observers.set(o);
    m_net.share_observers();
}

void network_stepper::add_observer(observer& o) {
    end_lag();
    m_net.observers.add(o);
    m_net.share_observers();
}

void network_stepper::remove_observer(const observer& o) {
    m_net.observers.remove(o);
    m_net.share_observers();
}

link_watch& network_stepper::watch() {
    end_lag();
    if (m_net.watch == nullptr) m_net.watch = std::make_unique<link_watch>(m_net);
    return *m_net.watch;
}

std::vector<std::string> network_stepper::observe_flits(flit_observer& o) {
    return watch().add(o);
}

void network_stepper::add_observer(cycle_observer& o) {
    watch().add(o);
}

template <class Observer>
void network_stepper::stop_watching(const Observer& o) {
    if (m_net.watch == nullptr) return;
    m_net.watch->remove(o);
    if (m_net.watch->empty()) m_net.watch.reset();
}

void network_stepper::remove_observer(const flit_observer& o) {
    stop_watching(o);
}

void network_stepper::remove_observer(const cycle_observer& o) {
    stop_watching(o);
}

std::vector<std::pair<link_end, link_end>> network_stepper::observed_links() const {
    return m_net.watch == nullptr ? std::vector<std::pair<link_end, link_end>>() : m_net.watch->links();
}

bool network_stepper::is_watched() const {
    return m_net.watch != nullptr;
}

/// True if threads may share this cycle. With few packets it would be over before other threads have begun.
bool network_stepper::may_share() const {
    return !m_net.modes.one_part &&
           m_net.packets().in_use() >= m_net.parts.size() * m_net.threads.policy.least_packets &&
           !m_net.shuffle.on;
}

/// Calls f for all parts, by threads at the same time if that is worth it.
template <class F>
void network_stepper::in_all_parts(const F& f) {
    if (!may_share() || !m_net.threads.trial.all()) {
        for (partition& p : m_net.parts) f(p);
        return;
    }
    m_net.packets().hold(true);
    m_net.messages().hold(true);
    team().run([&](std::uint32_t k) { f(m_net.parts[k]); });
    m_net.packets().hold(false);
    m_net.messages().hold(false);
}

/// Returns the threads, made at the first call, and again in a forked process, which does not inherit them.
thread_team& network_stepper::team() {
    if (m_net.threads.team != nullptr && !m_net.threads.team->is_here()) (void)m_net.threads.team.release();
    if (m_net.threads.team == nullptr)
        m_net.threads.team = std::make_unique<thread_team>(static_cast<std::uint32_t>(m_net.parts.size()));
    return *m_net.threads.team;
}

/// Fetches what other processes have sent, and lets happen what fails before cycle `t`.
inline void network_stepper::begin(cycle_t t) {
    if (m_net.remote != nullptr) m_net.remote->fetch(t);
    if (m_net.hazards != nullptr) m_net.hazards->fail(t);
    if (!m_net.modes.one_part && (m_net.watch != nullptr || m_net.hazards != nullptr))
        for (partition& p : m_net.parts) fetch(p, t);
    m_net.watch == nullptr ? m_net.advance_to(t) : m_net.watch->begin(t);
    if (m_net.hazards != nullptr) m_net.hazards->hit(t);
}

inline void network_stepper::run_blocks(cycle_t t) {
    if (m_net.modes.one_part) return run_part(m_net.parts.front(), t);
    const auto has_work = [t](const partition& p) { return p.has_work(t); };
    if (std::any_of(m_net.parts.begin(), m_net.parts.end(), has_work))
        in_all_parts([&](partition& p) { run_part(p, t); });
}

inline void network_stepper::start_packets(partition& p, cycle_t t) {
    const bool begins = m_net.hazards == nullptr || !m_net.hazards->empties();
    begins ? p.its_nics->inject(t) : p.its_nics->inject_begun(t);
}

inline void network_stepper::inject(partition& p, cycle_t t) {
    start_packets(p, t);
    if (m_net.modes.owners) run_owners(p, t);
}

void network_stepper::inject_parts(cycle_t t) {
    prepare_injection();
    if (m_net.nics.any_injecting()) in_all_parts([&](partition& p) { start_packets(p, t); });
    deliveries(m_net).tell_observers(t);
    if (!m_net.modes.owners) return;
    // Slots of packets that end now are not reused yet, though other packets begin in the same step.
    m_net.packets().keep(true);
    in_all_parts([&](partition& p) { run_owners(p, t); });
    deliveries(m_net).tell_observers_of_owners(t);
    m_net.packets().keep(false);
}

void network_stepper::step(cycle_t t) {
    if (!may_share() || !m_net.threads.trial.times_cycle()) return run_cycle(t);
    const auto start = std::chrono::steady_clock::now();
    run_cycle(t);
    m_net.threads.trial.add(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

inline void network_stepper::run_cycle(cycle_t t) {
    const bool one_part = m_net.modes.one_part;
    deliveries told(m_net);
    begin(t);
    run_blocks(t);
    if (m_net.modes.refusals) m_net.nics.for_each([t](nics& part) { part.take_held(t); });
    if (!one_part) told.tell_observers(t);
    if (told.any()) told.deliver(t);
    if (told.any_room()) told.call_for_room();
    if (workload* const w = m_net.traffic.main; w != nullptr && w->next_tick() <= t) w->tick(t);
    one_part ? inject(m_net.parts.front(), t) : inject_parts(t);
    if (m_net.modes.owners && told.any()) told.deliver(t);
    if (m_net.modes.has_slow) run_crossings(t);
    if (m_net.remote != nullptr) agree(t);
}

/// Lets the workloads of all processes agree at the end of a cycle, if that is due.
void network_stepper::agree(cycle_t t) {
    if (synchronized_workload* const w = m_net.traffic.synchronized; w != nullptr && w->next_agreement() <= t)
        w->agree(m_net.remote->processes(), m_net.traffic.most_ejected);
}

void network_stepper::prepare_injection() {
    for (std::uint32_t k = 0; k < m_net.parts.size(); ++k) {
        m_net.packets().prepare(k, m_net.parts[k].most_begun);
        m_net.messages().prepare(k, 0);
    }
    for (packet_keeper* const bank : m_net.threads.packet_keepers)
        bank->keep_packets(m_net.packets().slots());
}

/// Moves what other parts have written for this one, to be read in cycle `t`, into its planes.
void network_stepper::fetch(partition& p, cycle_t t) {
    for (partition& other : m_net.parts) {
        if (&other == &p) continue;
        for (clock_domain* const from : other.domains)
            for (clock_domain* const to : p.domains)
                if (&from->clock() == &to->clock() && from->clock().has_edge(t))
                    from->hand_over(*to, from->clock().first_edge(t));
    }
}

void network_stepper::run_part(partition& p, cycle_t t) {
    if (!m_net.modes.one_part) fetch(p, t);
    if (!p.slow.empty()) run_slow_domains(p, t);
    std::uint64_t* const here = p.base.ring().at(t);
    if (here[0] == 0) return;
    p.base.find_awake(here);
    run_awake(p, here, t, true);
}

void network_stepper::run_awake(partition& p, std::uint64_t* here, cycle_t t, bool others) {
    here[0] = 0;
    if (m_net.shuffle.on) return run_shuffled(p, p.base, here + 1, t, false);
    p.base.run_routers(here + 1, t, false);
    if (others) run_others(p, here + 1, t);
}

/// True if a cycle whose plane is `here` calls the workload, an observer or a foreign block. Only for a
/// network of one part.
bool network_stepper::calls_outside(const std::uint64_t* here) const {
    const partition& p = m_net.parts[0];
    const std::uint32_t first_nic = p.base.first_nic() / 64, first_foreign = p.base.first_foreign() / 64;
    for (std::uint32_t w = first_nic; w < first_foreign; ++w)
        if (p.its_nics->packet_ends(w - first_nic, here[1 + w], here)) return true;
    return std::any_of(here + 1 + first_foreign, here + 1 + p.base.first_crossing() / 64, is_not_zero);
}

/// Runs the routers of one bank from cycle `next` to before `before`, as long as no other block wakes.
/// Returns the cycle behind the last one run; `next` if there is none.
cycle_t network_stepper::run_routers_alone(partition& p, cycle_t next, cycle_t before) const {
    if (p.its_nics->any_injecting()) return next;
    const std::uint64_t* const awake = p.base.ring().at(next) + 1;
    const std::uint32_t words = p.base.first_nic() / 64;
    std::uint32_t first = 0;
    while (first < words && awake[first] == 0) ++first;
    if (first == words) return next;
    router_acceleration* const faster = p.base.banks()[p.base.bank_of(first * 64)]->acceleration();
    if (faster == nullptr) return next;
    const cycle_t same_half = ((next >> 31) + 1) << 31;  // see router_acceleration::forget_times()
    return faster->run_alone(next, std::min(before, same_half), p.base.first_crossing() / 64);
}

cycle_t network_stepper::run_unobserved(cycle_t next, cycle_t before) {
    if (!runs_unseen(m_net)) return next;
    if (m_net.traffic.main != nullptr) before = std::min(before, m_net.traffic.main->next_tick());
    partition& p = m_net.parts[0];
    nics& its = *p.its_nics;
    const std::uint32_t first_other = 1 + p.base.first_nic() / 64, last = 1 + p.base.first_crossing() / 64;
    const auto after = [&](cycle_t t) {
        if (its.any_injecting() || !its.room().empty()) return t + 1;
        return m_net.modes.has_slow || m_net.table.running.are_governed() ? next_work(t)
                                                                          : p.base.next_work(t);
    };
    const bool may_be_alone = m_net.modes.few_packets && !m_net.modes.has_slow && !m_net.shuffle.on &&
                              !p.base.looks_through() && !m_net.table.running.are_governed();
    const cycle_t first = next;
    while (next < before && its.room().empty() && !(its.any_injecting() && its.is_observed())) {
        if (const cycle_t end = may_be_alone ? run_routers_alone(p, next, before) : next; end != next) {
            m_net.advance_to(end - 1);
            next = p.base.next_work(end - 1);
            continue;
        }
        std::uint64_t* const here = p.base.ring().at(next);
        bool others = false;
        if (here[0] != 0) {
            p.base.find_awake(here);
            others = std::any_of(here + first_other, here + last, is_not_zero);
            if (others && calls_outside(here)) break;
        }
        m_net.advance_to(next);
        if (m_net.modes.has_slow) run_slow_domains(p, next);
        if (here[0] != 0) run_awake(p, here, next, others);
        its.inject(next);
        if (m_net.modes.has_slow) run_crossings(next);
        next = after(next);
    }
    // A tick of the workload may come before the next work of the network.
    return next == first || m_net.traffic.main == nullptr ? next : std::min(next, next_work(m_net.now()));
}

/// Runs slow domains, in any order, as what they send to each other waits for run_crossings().
void network_stepper::run_slow_domains(partition& p, cycle_t t) {
    for (const auto& d : p.slow) {
        if (!d->clock().has_edge(t)) continue;
        const cycle_t own = d->clock().first_edge(t);
        std::uint64_t* here = d->ring().at(own);
        if (here[0] == 0) continue;
        here[0] = 0;
        d->find_awake(here);
        if (m_net.shuffle.on)
            run_shuffled(p, *d, here + 1, own, false);
        else
            d->run_routers(here + 1, own, false);
    }
}

/// Hands on what has come to crossings, at the end of a cycle, so that it moves on in the cycle in which it
/// was written.
void network_stepper::run_crossings(cycle_t t) {
    for (clock_domain* d : m_net.domains)
        if (d->has_crossings() && d->clock().has_edge(t)) d->run_crossings(d->clock().first_edge(t));
}

/// Runs the routers that own the injection queues of their nodes, after the nodes have sent in this cycle.
void network_stepper::run_owners(partition& p, cycle_t t) {
    std::uint64_t* const active = p.base.ring().at(t) + 1;
    const std::uint64_t* const waiting = p.its_nics->waiting().data();
    const std::uint32_t* const owner_of = p.owner_of.data();
    const std::size_t words = p.its_nics->waiting().size();
    for (std::size_t w = 0; w < words; ++w)
        for (std::uint64_t rest = waiting[w]; rest != 0; rest &= rest - 1) {
            const std::uint32_t e = owner_of[w * 64 + lowest(rest)];
            if (e != partition::no_owner) active[e / 64] |= std::uint64_t{1} << (e & 63);
        }
    if (m_net.shuffle.on)
        run_shuffled(p, p.base, active, t, true);
    else
        p.base.run_routers(active, t, true);
}

void network_stepper::run_endpoint(partition& p, const clock_domain& d, std::uint32_t e, cycle_t t) {
    if (e < d.first_nic()) {
        const std::uint32_t b = d.bank_of(e), k = e - d.first_of_bank(b);
        m_lone.assign((d.banks()[b]->size() + 63) / 64, 0);
        m_lone[k / 64] = std::uint64_t{1} << (k & 63);
        d.step(b, m_lone.data(), t);
    } else if (e < d.first_foreign()) {
        const std::uint32_t n = e - d.first_nic();
        p.its_nics->run(n / 64, std::uint64_t{1} << (n & 63), t);
        p.its_nics->run_rest(t);
    } else {
        run_foreign(e - d.first_foreign(), t);
    }
}

/// Runs the NICs and foreign blocks that are awake.
void network_stepper::run_others(partition& p, std::uint64_t* active, cycle_t t) {
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

void network_stepper::run_shuffled(partition& p, const clock_domain& d, std::uint64_t* active, cycle_t t,
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
        std::swap(m_order[n - 1], m_order[m_net.shuffle.random.below(static_cast<std::uint32_t>(n))]);
    for (const std::uint32_t e : m_order) run_endpoint(p, d, e, t);
    std::sort(p.its_nics->arrivals().begin(), p.its_nics->arrivals().end(),
              [](const auto& a, const auto& b) { return a.node < b.node; });
}

void network_stepper::pass(cycle_t t) {
    if (m_net.watch != nullptr) m_net.watch->tell_cycles(t + 1);
    if (m_net.is_new(t)) m_net.advance_to(t);
}

void network_stepper::pass() {
    if (m_net.begun) pass(m_net.now());
}

cycle_t network_stepper::next_work(cycle_t t) const {
    return m_net.remote == nullptr ? next_work_here(t) : m_net.remote->next_work(t, next_work_here(t));
}

cycle_t network_stepper::next_work_of_all(cycle_t t) const {
    return m_net.remote == nullptr ? next_work_here(t) : m_net.remote->next_of_all(next_work_here(t));
}

cycle_t network_stepper::next_work_here(cycle_t t) const {
    if (m_net.parts.front().its_nics == nullptr) return workload::never;  // before finish()
    const nics& first = *m_net.parts.front().its_nics;
    if (first.any_injecting() || !first.room().empty()) return t + 1;
    if (!m_net.modes.one_part && (m_net.nics.any_injecting() || m_net.nics.any_room())) return t + 1;
    if (m_net.modes.refusals && m_net.nics.any_to_take()) return t + 1;
    cycle_t next = workload::never;
    if (m_net.modes.one_part && !m_net.modes.has_slow && m_net.hazards == nullptr &&
        m_net.traffic.main == nullptr && !m_net.table.running.are_governed())
        return m_net.parts.front().base.next_work(t);
    for (const clock_domain* d : m_net.domains)
        if (const cycle_t its = d->next_work(d->clock().last_edge(t)); its != workload::never)
            next = std::min(next, d->clock().cycle_of(its));
    if (m_net.traffic.main != nullptr)
        next = std::min(next, std::max(m_net.traffic.main->next_tick(), t + 1));
    if (next != workload::never) next = std::min(next, m_net.table.running.next_choice(t));
    if (m_net.hazards == nullptr) return next;
    return m_net.events.drops.empty() ? std::min(next, m_net.hazards->next(t)) : t + 1;
}

void network_stepper::run_foreign(std::uint32_t index, cycle_t t) {
    const foreign_block_state& f = m_net.foreign[index];
    std::uint64_t* inbox = m_net.parts[0].base.ring().at(t) + f.inbox;
    auto* counts = reinterpret_cast<std::uint16_t*>(inbox + 3);
    for (std::uint64_t rest = inbox[1]; rest != 0; rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(rest));
        f.block->credit_arrived(vc, m_net.modes.batched ? counts[vc] : 1);
        if (m_net.modes.batched) counts[vc] = 0;
    }
    inbox[1] = 0;
    if (inbox[0] == 0) return;
    inbox[0] = 0;
    flit here = flit::from_word(inbox[2]);
    if (here.is_head()) here.sequence = 0;
    f.block->flit_arrived(here);
}

}  // namespace sare
