// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/observer.h"
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/inside/stall_finder.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"
#include "tlm/topology/serialisation.h"

#include <array>

/// Stalls by cause: cycles in which the flit at the front of an input VC waited, and what for.
namespace sare {
namespace {

struct stall_parameters {
    std::uint32_t interval = 1;
};

enum stall_cause : std::uint8_t { no_vc, no_credit, lost_switch, no_link, causes };
constexpr std::array<std::pair<const char*, const char*>, causes> cause_texts{
    {{"stalls_vc", "no output VC that it might have was free, or another packet was given it."},
     {"stalls_credit", "there was no room beyond."},
     {"stalls_switch", "another flit had the switch."},
     {"stalls_link", "the link was busy with a flit before, or asleep."}}};

/// The link that an output port leads to.
struct output_link {
    std::uint32_t cycles_per_flit = 1;  ///< of the router
    const link_sleep* sleep = nullptr;  ///< null: it never does
};

/// Looks at the input VCs of one router, in cycles of its clock: in those that are a multiple of the
/// interval, and in the few before, by which it knows who is being worked on.
class router_stalls {
  public:
    router_stalls(const network_view& net, std::uint32_t router, std::uint32_t interval)
        : m_finder(net, router),
          m_interval(interval),
          m_lead(m_finder.pace().rc + m_finder.pace().va + m_finder.pace().flit + 2),
          m_inputs(m_finder.inputs()),
          m_link_used(net.ports(router)) {
        const topology& map = *net.map();
        for (std::uint32_t p = 0; p < net.ports(router); ++p) {
            const port_peer to = map.peer(router_id(router), port_id(p));
            if (to.what == port_peer::kind::none) {
                m_links.emplace_back();
                continue;
            }
            const std::uint32_t own = map.clock(router_id(router)),
                                other = to.what == port_peer::kind::router ? map.clock(router_id(to.id)) : 1;
            m_links.push_back({serialisation(map.link(router_id(router), port_id(p)), own, other),
                               net.sleeper_of({link_end::kind::router, router, p})});
        }
    }

    /// From cycle `now` of the network on.
    void start(cycle_t now) {
        m_next = (now + m_finder.period() - 1) / m_finder.period();
        m_fresh = false;
    }
    /// Cycle `t` of the network is over. `counts`: by port and cause.
    void cycle_over(cycle_t t, std::uint64_t* counts) {
        if (t % m_finder.period() != 0) return;
        const cycle_t now = t / m_finder.period();
        if (now < m_next) return;
        count_as_before(now, counts);
        m_next = now + 1;
        const cycle_t phase = now % m_interval;
        if (phase != 0 && phase + m_lead < m_interval) {
            m_fresh = false;
            return;
        }
        if (!m_fresh) forget();
        look(now);
        m_fresh = true;
        if (phase == 0) count(1, counts);
    }
    /// No cycle from `t` of the network on counts.
    void stop(cycle_t t, std::uint64_t* counts) {
        const cycle_t end = (t + m_finder.period() - 1) / m_finder.period();
        if (m_next < end) count_as_before(end, counts);
    }
    /// Counts what is over before cycle `t` of the network.
    void settle(cycle_t t, std::uint64_t* counts) {
        stop(t, counts);
        m_next = std::max(m_next, (t + m_finder.period() - 1) / m_finder.period());
    }
    void packets_taken_out() { m_fresh = false; }

    void serialize(archive& a) { a(m_finder, m_inputs, m_link_used, m_next, m_fresh); }

  private:
    struct input {
        front_flit front;
        flit seen;                   ///< the front flit as it was seen last
        bool empty = true;           ///< nothing was seen
        stall_cause waits = causes;  ///< for what, in the cycle looked at last; causes: it does not
    };

    /// Nothing has changed in cycles before `now` that nobody was told of.
    void count_as_before(cycle_t now, std::uint64_t* counts) {
        const auto samples_before = [this](cycle_t t) { return (t + m_interval - 1) / m_interval; };
        count(samples_before(now) - samples_before(m_next), counts);
    }
    void count(cycle_t samples, std::uint64_t* counts) {
        if (samples == 0) return;
        const std::uint64_t cycles = samples * m_interval * m_finder.period();
        for (std::uint32_t i = 0; i < m_inputs.size(); ++i)
            if (m_inputs[i].waits != causes)
                counts[i / m_finder.vcs() * causes + m_inputs[i].waits] += cycles;
    }

    /// Looking begins anew: what is here may be worked on as if it had just come.
    void forget() {
        for (input& in : m_inputs) in = {};
        m_link_used.assign(m_link_used.size(), 0);
        m_finder.end_cycle();
    }
    void look(cycle_t now) {
        for (std::uint32_t o = 0; o < m_finder.inputs(); ++o)
            if (m_finder.sent(o) != 0) m_link_used[o / m_finder.vcs()] = now + 1;
        for (std::uint32_t i = 0; i < m_inputs.size(); ++i) look_at(i, now);
        m_finder.end_cycle();
    }
    void look_at(std::uint32_t i, cycle_t now) {
        input& in = m_inputs[i];
        in.waits = causes;
        const in_vc seen = m_finder.in(i);
        if (seen.count == 0) {
            if (!in.empty) in.front.last_sent = now;
            if (!in.empty && in.seen.is_tail()) in.front.out = front_flit::none;
            in.empty = true;
            return;
        }
        const flit f = m_finder.buffered(i, 0);
        const bool stays = !in.empty && is_same(f, in.seen);
        if (!stays) come_to_front(in, f, in.empty ? now : now + 1);
        if (!in.front.whole) find_tail(i, seen, in, now);
        m_finder.find_output(i, seen, in.front, now);
        if (const auto why = m_finder.reason(i, in.front, now)) in.waits = cause_of(*why, in.front, now);
    }
    static bool is_same(const flit& a, const flit& b) {
        return a.packet == b.packet && a.kind == b.kind && (a.is_head() || a.sequence == b.sequence);
    }
    /// Where another was before, that one left in the cycle before `since`.
    void come_to_front(input& in, const flit& f, cycle_t since) {
        if (!in.empty) in.front.last_sent = since - 1;
        in.empty = false;
        in.seen = f;
        in.front.since = since;
        in.front.head = f.is_head();
        if (!f.is_head()) return;
        in.front.out = front_flit::none;
        in.front.whole = false;
    }
    void find_tail(std::uint32_t i, const in_vc& seen, input& in, cycle_t now) {
        if (!m_finder.pace().whole) return;
        for (std::uint32_t n = 0; n < seen.count && !in.front.whole; ++n)
            in.front.whole = m_finder.buffered(i, n).is_tail();
        in.front.tail_came = now;
    }
    stall_cause cause_of(stall_reason why, const front_flit& f, cycle_t now) const {
        if (why == stall_reason::no_credit) return no_credit;
        if (why != stall_reason::lost_sa) return no_vc;
        const std::uint32_t port = f.out / m_finder.vcs();
        const output_link& link = m_links[port];
        const cycle_t used = m_link_used[port];
        const bool busy = used != 0 && used <= now && now + 1 < used + link.cycles_per_flit;
        const bool asleep = link.sleep != nullptr && !link.sleep->is_awake(now);
        return busy || asleep ? no_link : lost_switch;
    }

    stall_finder m_finder;
    std::uint32_t m_interval, m_lead;
    std::vector<input> m_inputs;       ///< by port * VCs + VC
    std::vector<cycle_t> m_link_used;  ///< by output port: the cycle after its last flit; 0: none
    std::vector<output_link> m_links;
    cycle_t m_next = 0;    ///< the first cycle not yet over
    bool m_fresh = false;  ///< the cycle before that was looked at
};

class stalls final : public statistic, public cycle_observer {
  public:
    stalls(const stall_parameters& p, fabric& net) : m_net(net) {
        const network_view& view = net.view();
        for (std::uint32_t r = 0; r < view.routers(); ++r) {
            m_first_port.push_back(m_ports);
            m_ports += view.ports(r);
            if (view.has_router(r)) m_routers.push_back({r, router_stalls(view, r, p.interval)});
        }
        m_first_port.push_back(m_ports);
        m_counts.resize(std::size_t{m_ports} * causes);
    }
    ~stalls() override { look_away(); }

    void start(cycle_t now) override {
        for (auto& [r, watch] : m_routers) watch.start(now);
        look_on();
    }
    void stop(cycle_t now) override {
        if (!m_looks) return;
        if (now != 0) m_net.stepper().pass(now - 1);
        for (auto& [r, watch] : m_routers) watch.stop(now, counts_of(r));
        look_away();
    }
    std::vector<std::uint64_t> waits(cycle_t now) override {
        if (m_looks && now != 0) {
            m_net.stepper().pass(now - 1);
            for (auto& [r, watch] : m_routers) watch.settle(now, counts_of(r));
        }
        std::vector<std::uint64_t> all(m_ports);
        for (std::size_t k = 0; k < m_counts.size(); ++k) all[k / causes] += m_counts[k];
        return all;
    }
    /// What is over and has not been told is told before it is written.
    void serialize(archive& a) override {
        bool looks = m_looks;
        if (!a.reads() && looks) m_net.stepper().pass();
        a(looks, m_counts);
        for (auto& [r, watch] : m_routers) watch.serialize(a);
        if (a.reads() && looks) look_on();
    }
    void add_up(world& all) override { all.sum(m_counts.data(), m_counts.size()); }

    void cycle_over(cycle_t t) override {
        for (auto& [r, watch] : m_routers) watch.cycle_over(t, counts_of(r));
    }
    void packets_taken_out(cycle_t) override {
        for (auto& [r, watch] : m_routers) watch.packets_taken_out();
    }

    /// Of all input ports from one on, in order of routers, to before another.
    std::uint64_t sum(std::size_t begin, std::size_t end, stall_cause why) const {
        std::uint64_t all = 0;
        for (std::size_t port = begin; port < end; ++port) all += m_counts[port * causes + why];
        return all;
    }
    std::uint64_t of_router(std::size_t r, stall_cause why) const {
        return sum(m_first_port[r], m_first_port[r + 1], why);
    }
    std::uint64_t of_all(stall_cause why) const { return sum(0, m_ports, why); }

  private:
    void look_on() {
        if (!m_looks) m_net.stepper().add_observer(*this);
        m_looks = true;
    }
    void look_away() {
        if (m_looks) m_net.stepper().remove_observer(*this);
        m_looks = false;
    }
    std::uint64_t* counts_of(std::uint32_t r) { return &m_counts[std::size_t{m_first_port[r]} * causes]; }

    struct watched {
        std::uint32_t router;
        router_stalls watch;
    };

    fabric& m_net;
    bool m_looks = false;
    std::uint32_t m_ports = 0;
    std::vector<std::uint32_t> m_first_port;  ///< by router, and the number of all
    std::vector<std::uint64_t> m_counts;      ///< by port, then cause
    std::vector<watched> m_routers;           ///< of this process
};

/// Cycles of every cause, for each port, each router and the run.
std::vector<figure> stall_figures() {
    std::vector<figure> all;
    const std::string waits = "Cycles of input VCs in which the flit at the front waited: ";
    const auto add = [&all](scope of, const std::string& name, const std::string& sentence, auto read) {
        all.push_back({of, name, "cycles", sentence, summing::total, read});
    };
    for (std::size_t c = 0; c < causes; ++c) {
        const auto why = static_cast<stall_cause>(c);
        const std::string name = cause_texts[c].first, waited = waits + cause_texts[c].second;
        add(scope::port, name, waited, [why](const reading& r, const figure_place& p) {
            return figure_cell(static_cast<const stalls*>(r.own)->sum(p.row, p.row + 1, why));
        });
        add(scope::router, name, waited, [why](const reading& r, const figure_place& p) {
            return figure_cell(static_cast<const stalls*>(r.own)->of_router(p.row, why));
        });
        add(scope::run, "stalls." + name.substr(7), waited, [why](const reading& r, const figure_place&) {
            return figure_cell(static_cast<const stalls*>(r.own)->of_all(why));
        });
    }
    return all;
}

const statistic_declaration stalls_declared{
    "stalls",
    "Cycles in which the flit at the front of an input VC waited, by cause: ports.csv, routers.csv.",
    config::schema<stall_parameters>().number(
        "interval", &stall_parameters::interval, 1, 1e9, "cycles",
        "from one look at the routers to the next, in their cycles, each for all of them; 1: exact"),
    stall_figures(), [](const stall_parameters& p, const config::value& section, const statistic_context& c) {
        return new stalls(p, c.flit_level("stalls", section.where()));
    }};

}  // namespace
}  // namespace sare
