// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/journey/journey.h"

#include "tests/support/drawn_setting.h"
#include "tests/support/random_script.h"
#include "tests/support/seed.h"
#include "tests/tlm/fabric/domain_runs.h"
#include "tlm/inside/journey/wait_chain.h"
#include "tlm/inside/packet_trace.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

/// Journeys of all packets of random networks: spans add up, and each blocker is found once more from the
/// flits alone.
namespace sare::test::journey_test {
namespace {

using what = packet_event::what;

struct flit_event {
    cycle_t cycle;
    std::uint64_t packet;
    port_number out_port;
    std::uint8_t out_vc;
};
/// A VC of a port of a router.
using place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// Flits in and out by place, in order of time, and all stalls.
struct flit_log final : packet_event_sink {
    std::map<place, std::vector<flit_event>> came, went, sent;  ///< by input VC, and `sent` by output VC
    std::vector<packet_event> stalls;
    std::size_t named = 0, nameless = 0;

    void take(const packet_event& e) override {
        const flit_event f{e.cycle, e.packet.number, e.out_port, e.out_vc};
        if (e.is == what::flit_in) came[{e.place, e.in_port, e.in_vc}].push_back(f);
        if (e.is == what::flit_out) {
            went[{e.place, e.in_port, e.in_vc}].push_back(f);
            sent[{e.place, e.out_port, e.out_vc}].push_back(f);
        }
        if (e.is == what::stall) stalls.push_back(e);
    }
    /// Some events are told only when the flit has arrived.
    void sort() {
        for (auto* all : {&came, &went, &sent})
            for (auto& [at, flits] : *all)
                std::stable_sort(flits.begin(), flits.end(),
                                 [](const flit_event& a, const flit_event& b) { return a.cycle < b.cycle; });
    }
    std::vector<std::uint64_t> sent_by(std::uint32_t router, std::uint32_t port, cycle_t t) const {
        std::vector<std::uint64_t> all;
        for (auto at = sent.lower_bound({router, port, 0});
             at != sent.end() && std::get<0>(at->first) == router && std::get<1>(at->first) == port; ++at)
            for (const flit_event& f : at->second)
                if (f.cycle == t) all.push_back(f.packet);
        return all;
    }
    std::vector<std::uint64_t> gone_from(std::uint32_t router, std::uint32_t port, cycle_t t) const {
        std::vector<std::uint64_t> all;
        for (auto at = went.lower_bound({router, port, 0});
             at != went.end() && std::get<0>(at->first) == router && std::get<1>(at->first) == port; ++at)
            for (const flit_event& f : at->second)
                if (f.cycle == t) all.push_back(f.packet);
        return all;
    }
};

bool has(const std::vector<std::uint64_t>& all, std::uint64_t n) {
    return std::find(all.begin(), all.end(), n) != all.end();
}

struct traced_run {
    /// `domains`: entries of the section; "": none.
    explicit traced_run(const drawn_setting& d, const std::vector<sare::message>& script,
                        const std::string& domains = "")
        : fabric(d.setting, with_domains(d.setting.network, domains)),
          book({fabric.net.view().bank_of(0).terms().owns_nodes, {}}) {
        scripted_traffic traffic(script);
        trace_filter all;
        all.kinds = ~0u;
        packet_trace trace(fabric.net, all);
        trace.add(log);
        trace.add(book);
        trace.start();
        fabric.net.stepper().set_workload(&traffic);
        fabric.run(0, 1'000'000);
        trace.stop();
        log.sort();
        EXPECT_EQ(fabric.net.view().leftovers(), "");
    }
    test_fabric fabric;
    flit_log log;
    journey_book book;
};

/// Finds blockers again.
class second_opinion {
  public:
    second_opinion(const drawn_setting& d, traced_run& r) : m_d(d), m_r(r) {}

    /// Returns what is wrong with the blocker of a stall in its cycle t; "" if nothing is.
    std::string check(const packet_event& e, cycle_t t) {
        const std::uint64_t b = e.behind.number;
        switch (e.reason) {
            case stall_reason::behind:
                return check_behind(e);
            case stall_reason::consumer:
                return b == e.packet.destination && e.behind.is == blocker::kind::node ? "" : "not its node";
            case stall_reason::no_vc:
                return owns_vc(e, t) ? "" : "owns no VC that it could have";
            case stall_reason::no_credit:
                return check_credit(e, t);
            case stall_reason::lost_va:
                return got_vc(e, t) ? "" : "got no VC";
            case stall_reason::lost_sa:
                return has(m_r.log.sent_by(e.place, e.out_port, t), b) ||
                               has(m_r.log.gone_from(e.place, e.in_port, t), b)
                           ? ""
                           : "did not leave";
            default:
                return last_on(e, t) == b ? "" : "is not on the link";
        }
    }

  private:
    const router_visit* visit(std::uint64_t packet, std::uint32_t router, cycle_t t) {
        for (const router_visit& v : m_r.book.visits_of(packet).visits)
            if (v.router == router && v.in <= t && t <= v.left) return &v;
        return nullptr;
    }
    std::string check_behind(const packet_event& e) const {
        const auto& gone = m_r.log.went.at({e.place, e.in_port, e.in_vc});
        const cycle_t last = e.cycle + e.cycles - 1;
        const auto f =
            std::find_if(gone.rbegin(), gone.rend(), [=](const flit_event& g) { return g.cycle <= last; });
        return f != gone.rend() && f->packet == e.behind.number && f->cycle == last ? ""
                                                                                    : "was not before it";
    }
    /// The packet is there, has an output VC since before the cycle, and the waiting one leaves by that port
    /// in the end.
    bool owns_vc(const packet_event& e, cycle_t t) {
        const router_visit* const v = visit(e.behind.number, e.place, t);
        if (v == nullptr)
            return m_r.fabric.net.view().bank_of(e.place).terms().owns_nodes;  // in an injection queue
        const router_visit* const own = visit(e.packet.number, e.place, t);
        return v->granted < t && t <= v->left && (m_d.adaptive || own->out_port == v->out_port);
    }
    bool got_vc(const packet_event& e, cycle_t t) {
        const router_visit* const v = visit(e.behind.number, e.place, t);
        if (v == nullptr) return m_r.fabric.net.view().bank_of(e.place).terms().owns_nodes;
        return v->granted == t && e.behind.number != e.packet.number;
    }
    std::uint64_t last_on(const packet_event& e, cycle_t t) const {
        std::pair<cycle_t, std::uint64_t> last{0, ~std::uint64_t{0}};
        for (std::uint32_t v = 0; v < 64; ++v) {
            const auto at = m_r.log.sent.find({e.place, e.out_port, v});
            if (at == m_r.log.sent.end()) continue;
            for (const flit_event& f : at->second)
                if (f.cycle <= t && f.cycle >= last.first) last = {f.cycle, f.packet};
        }
        return last.second;
    }
    /// Of the flits sent by an output VC, the packet of the first whose place is not free again for the
    /// sender.
    std::string check_credit(const packet_event& e, cycle_t t) const {
        if (e.out_port != packet_event::no_port) return check_credit(e, t, e.out_port, e.out_vc);
        std::string wrong = "nowhere";
        for (const auto& [at, flits] : m_r.log.sent)
            if (std::get<0>(at) == e.place && check_credit(e, t, std::get<1>(at), std::get<2>(at)).empty())
                return "";
        return wrong;
    }
    std::string check_credit(const packet_event& e, cycle_t t, std::uint32_t port, std::uint32_t vc) const {
        const topology& map = m_r.fabric.map();
        const port_peer to = map.peer(router_id(e.place), port_id(port));
        if (to.what != port_peer::kind::router) return "no router";
        const router_params& p = m_d.setting.router;
        const cycle_t back = map.link(router_id(e.place), port_id(port)).latency + p.credit_delay;
        const auto sent = m_r.log.sent.find({e.place, port, vc});
        if (sent == m_r.log.sent.end()) return "sent nothing";
        const auto gone = m_r.log.went.find({to.id, to.port, vc});
        for (std::size_t n = 0; n < sent->second.size() && sent->second[n].cycle <= t; ++n) {
            if (gone != m_r.log.went.end() && n < gone->second.size()) {
                const cycle_t left = gone->second[n].cycle;
                const bool exact = m_d.setting.kind.empty();
                if (exact ? left + back <= t : left + back + 40 < t) continue;
                if (!exact && sent->second[n].packet != e.behind.number) continue;
            }
            return sent->second[n].packet == e.behind.number ? "" : "does not hold the place";
        }
        return "all places are free";
    }

    const drawn_setting& m_d;
    traced_run& m_r;
};

void check_blockers(const drawn_setting& d, traced_run& r, const std::string& about) {
    second_opinion second(d, r);
    std::map<stall_reason, std::pair<std::size_t, std::size_t>> named;  // cycles with a blocker, and without
    for (const packet_event& e : r.log.stalls) {
        auto& [with, without] = named[e.reason];
        (e.behind.is == blocker::kind::none ? without : with) += e.cycles;
        if (e.behind.is == blocker::kind::none || e.behind.is == blocker::kind::sleep) continue;
        for (cycle_t t = e.cycle; t < e.cycle + e.cycles; ++t)
            ASSERT_EQ(second.check(e, t), "")
                << about << ": " << name_of(e.reason) << " of packet " << e.packet.number << " in router "
                << e.place << ", cycle " << t << ", by " << name_of(e.behind.is) << ' ' << e.behind.number;
    }
    for (const auto& [why, n] : named)
        if (why != stall_reason::lost_va && why != stall_reason::lost_sa && d.setting.kind.empty()) {
            EXPECT_GE(n.first * 20, n.second)
                << about << ' ' << name_of(why) << ": " << n.first << " named, " << n.second << " not";
        }
}

std::string text_of(const journey& j) {
    std::string all;
    for (const journey_span& s : j.spans)
        all += std::string("\n") + name_of(s.is) + ' ' + std::to_string(s.from) + " to " +
               std::to_string(s.to) + " flit " + std::to_string(s.flit) + " visit " +
               std::to_string(s.visit) + ' ' + name_of(s.reason);
    for (const router_visit& v : j.visits)
        for (std::size_t f = 0; f < v.flits.size(); ++f)
            all += "\nrouter " + std::to_string(v.router) + " flit " + std::to_string(f) + ' ' +
                   std::to_string(v.flits[f].in) + " to " + std::to_string(v.flits[f].out);
    return all;
}

/// Cycles of work that packets of VC routers need if they are alone on the path that this one took.
std::pair<cycle_t, cycle_t> work_of(const drawn_setting& d, const traced_run& r, const journey& j) {
    const router_params& p = d.setting.router;
    const topology& map = r.fabric.map();
    cycle_t sum = d.setting.nic.delay + map.injection_link(node_id(j.packet.source)).latency;
    for (const router_visit& v : j.visits) {
        const link_attributes link = map.link(router_id(v.router), port_id(v.out_port));
        sum += p.effective_rc_delay() + p.va_delay + p.sa_delay + p.st_delay + link.latency +
               link.cycles_per_flit - 1;
    }
    const cycle_t after_head = j.packet.flits - 1;
    return {sum + after_head, sum + std::max(1U, p.sa_delay) * after_head};
}

std::size_t by_heads = 0;  ///< journeys whose work is known

void check_journey(const drawn_setting& d, traced_run& r, std::uint64_t packet, const std::string& about) {
    const journey& j = r.book.of(packet);
    if (j.generated == j.consumed) return;  // to itself, in a router that has the node's queues
    ASSERT_FALSE(j.spans.empty()) << about;
    ASSERT_EQ(j.spans.front().from, j.generated) << about;
    ASSERT_EQ(j.spans.back().to, j.consumed) << about;
    for (std::size_t n = 1; n < j.spans.size(); ++n) ASSERT_EQ(j.spans[n].from, j.spans[n - 1].to) << about;
    const cycle_t work = j.latency() - j.waited();
    if (d.setting.kind.empty() && d.exact) {
        const auto [least, most] = work_of(d, r, j);
        ASSERT_LE(work, most) << about << text_of(j);
        // Where a later flit came last, work on the head is not on the way.
        const bool by_head = std::any_of(j.spans.begin(), j.spans.end(), [&](const journey_span& s) {
            return s.flit == 0 && s.visit + 1 == j.visits.size() && s.is == journey_span::kind::router;
        });
        if (by_head) {
            ASSERT_GE(work, least) << about << text_of(j);
            ++by_heads;
        }
    }
    cycle_t explained = 0;
    for (const journey_span& s : j.spans) {
        cycle_t sum = 0;
        for (const wait_chain& c : explain_wait(r.book, j, s)) {
            sum += c.cycles;
            const std::uint64_t last = c.links.empty() ? packet : c.links.back().packet;
            if (c.root.is == wait_root::kind::consumer) {
                ASSERT_EQ(c.root.place, r.book.visits_of(last).packet.destination) << about;
            }
            ASSERT_NE(c.root.is, wait_root::kind::circle) << about;
        }
        ASSERT_EQ(sum, s.waits() ? s.cycles() : 0) << about;
        explained += sum;
    }
    ASSERT_EQ(explained, j.waited()) << about;
    cycle_t by_root = 0;
    for (const auto& [root, cycles] : roots_of(r.book, j)) by_root += cycles;
    ASSERT_EQ(by_root, explained) << about;
}

/// SARE_STALL_SETTINGS=100 draws so many.
int settings() {
    const char* const given = std::getenv("SARE_STALL_SETTINGS");
    return given == nullptr ? 12 : std::atoi(given);
}

TEST(Journey, AddsUpAndNamesBlockersInRandomNetworks) {
    rng random(test_seed(8), stream::test, 24);
    for (int n = 0; n < settings(); ++n) {
        const drawn_setting d = draw_setting(random);
        const auto script = random_script(random, network(d.setting.network)->nodes(), 9, 200,
                                          d.setting.kind.empty() ? 0.1 : 0.06, d.setting.classes);
        const std::string about = "case " + std::to_string(n) + ", " + d.setting.network + ' ' +
                                  d.setting.routing + ' ' + d.setting.kind;
        traced_run r(d, script);
        check_blockers(d, r, about);
        if (HasFatalFailure()) return;
        for (const std::uint64_t packet : r.book.packets()) {
            check_journey(d, r, packet, about + ", packet " + std::to_string(packet));
            if (HasFatalFailure()) return;
        }
    }
    EXPECT_GT(by_heads, 100U);
}

/// Sums of the spans of a lone packet from end to end of a mesh of 6 x 1 routers.
struct lone_packet {
    cycle_t injection = 0, clock = 0, rest = 0, latency = 0;
};
lone_packet lone(drawn_setting d, const std::string& domains, std::uint32_t flits) {
    d.setting.network = "mesh dims=6,1";
    sare::message m;
    m.source = 0;
    m.destination = 5;
    m.flits = d.setting.nic.max_packet_flits = flits;
    traced_run r(d, {m}, domains);
    lone_packet all;
    const journey& j = r.book.of(0);
    all.latency = j.latency();
    for (const journey_span& s : j.spans) {
        const bool waits = s.is == journey_span::kind::stall;
        EXPECT_EQ(waits, s.reason == stall_reason::clock) << domains;
        (s.is == journey_span::kind::injection ? all.injection : waits ? all.clock : all.rest) += s.cycles();
    }
    for (const auto& [root, cycles] : roots_of(r.book, j)) EXPECT_EQ(root.is, wait_root::kind::clock);
    return all;
}

/// Where all clocks are c times slower, or some stop for s cycles, just that is the clock's.
TEST(Journey, GivesTheClockItsOwnCycles) {
    for (const bool fast : {false, true}) {
        drawn_setting d;
        d.setting.compact_allowed = fast;
        const lone_packet one = lone(d, "", 5);
        EXPECT_EQ(one.clock, 0U);
        for (const cycle_t c : {2U, 3U, 7U}) {
            const lone_packet slow = lone(d, "a: {routers: all, clock: " + std::to_string(c) + "}", 5);
            EXPECT_EQ(slow.latency, c * one.latency);
            EXPECT_EQ(slow.rest, one.rest);
            EXPECT_EQ(slow.clock, (c - 1) * one.rest);
        }
        // Router 2 stops while it has the packet: in its buffer, its pipeline, or on the link that it writes.
        const std::string stops = "a: {routers: 2, switching: 40, schedule: [{at: ";
        const lone_packet before = lone(d, stops + "900, voltage: 0.5}]}", 1);
        for (cycle_t at = before.injection + 10; at < before.injection + 15; ++at) {
            const lone_packet stopped = lone(d, stops + std::to_string(at) + ", voltage: 0.5}]}", 1);
            EXPECT_EQ(stopped.latency, before.latency + 40) << at;
            EXPECT_EQ(stopped.clock, 40U) << at;
        }
    }
}

}  // namespace
}  // namespace sare::test::journey_test
