// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/record/network_recorder.h"

#include "tests/support/clocked.h"
#include "tests/support/random_script.h"
#include "tests/support/random_setting.h"
#include "tests/support/seed.h"
#include "tlm/inside/describe.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>

/// A state rebuilt from a record is the state that the network had.
namespace sare::test::network_recorder_test {
namespace {

using rs = record_stream;

/// Reads the streams of a record.
class record_reader {
  public:
    explicit record_reader(const record_streams& from) : m_from(from) {}

    bool code(record_stream s, std::uint32_t index, bool expected) {
        place& at = m_at[static_cast<std::size_t>(s)];
        if (!at.peeked) peek(s);
        if (at.gap == 0 || at.last + at.gap - 1 != index) return expected;
        at.last = index;
        at.peeked = false;
        return !expected;
    }
    std::uint64_t number(record_stream s) {
        return next(m_from.of(s).numbers, m_at[static_cast<std::size_t>(s)].number);
    }
    std::uint32_t small(record_stream s) { return static_cast<std::uint32_t>(number(s)); }
    std::uint64_t difference(record_stream s) {
        const std::uint64_t n = number(s);
        return n % 2 == 0 ? n >> 1 : ~(n >> 1);
    }
    void end_step() {
        for (std::size_t s = 0; s < static_cast<std::size_t>(rs::numbers); ++s) {
            if (!m_at[s].peeked) peek(static_cast<record_stream>(s));
            EXPECT_EQ(m_at[s].gap, 0U) << record_stream_names[s];
            m_at[s].peeked = false;
            m_at[s].last = 0;
        }
    }
    bool is_at_end() const {
        for (std::size_t s = 0; s < m_at.size(); ++s)
            if (m_at[s].index != m_from.of(static_cast<record_stream>(s)).indices.size()) return false;
        return true;
    }

  private:
    struct place {
        std::size_t index = 0, number = 0;
        std::uint32_t last = 0, gap = 0;
        bool peeked = false;
    };
    static std::uint64_t next(const std::string& bytes, std::size_t& at) {
        std::uint64_t n = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes.at(at++));
            n |= std::uint64_t{byte & 127U} << shift;
            if (byte < 128) return n;
        }
    }
    void peek(record_stream s) {
        place& at = m_at[static_cast<std::size_t>(s)];
        at.gap = static_cast<std::uint32_t>(next(m_from.of(s).indices, at.index));
        at.peeked = true;
    }

    const record_streams& m_from;
    std::array<place, record_stream_names.size()> m_at;
};

/// Plays a record: what tb/python/sare/report/player/record.js does, in C++.
class player {
  public:
    using flit = std::pair<std::uint64_t, std::uint32_t>;  ///< row of the packet, place in it
    struct input {
        std::deque<flit> flits;
        std::uint32_t is = 0, what = none, credits = 0, owner = none;  ///< as in network_recorder
        cycle_t left = ~cycle_t{0};
    };

    player(const network_recorder& record, const network_view& net,
           const std::vector<std::pair<link_end, link_end>>& links)
        : m_read(record.streams()), m_vcs(net.vcs()), m_left(record.steps()), m_links(links.size()) {
        for (std::uint32_t r = 0; r < net.routers(); ++r) {
            m_first.push_back(static_cast<std::uint32_t>(vcs.size()));
            vcs.resize(vcs.size() + std::size_t{net.ports(r)} * m_vcs);
            m_first_of.resize(vcs.size(), m_first.back());
            for (const router_arbiter& a : arbiters_of(net, r)) add_arbiter(a, m_first.back());
        }
        m_link_of.resize(vcs.size(), none);
        turns.resize(m_arbiters.size());
        for (std::uint32_t k = 0; k < links.size(); ++k) {
            m_links[k].from = vc_of(links[k].first);
            m_links[k].to = vc_of(links[k].second);
            for (std::uint32_t v = 0; v < m_vcs && m_links[k].from != none; ++v)
                m_link_of[m_links[k].from + v] = k;
        }
        for (std::size_t p = 0; p < record.packets(); ++p) {
            numbers.push_back((p == 0 ? 0 : numbers.back()) + m_read.difference(rs::numbers));
            m_lengths.push_back(m_read.small(rs::lengths));
        }
        read_next();
    }
    void step() {
        const cycle_t passed = next + 1 - m_after;
        m_after = (now = next) + 1;
        for (std::uint32_t k = 0; k < m_links.size(); ++k) arrive(k);
        for (std::uint32_t i = 0; i < vcs.size(); ++i) look_at_input(i);
        for (std::uint32_t o = 0; o < vcs.size(); ++o) {
            if (m_read.code(rs::credits, o, false)) ++vcs[o].credits;
            if (m_read.code(rs::balances, o, false)) vcs[o].credits = m_read.small(rs::balances);
            if (m_read.code(rs::owners, o, false)) vcs[o].owner = m_read.small(rs::owners) - 1;
        }
        for (std::uint32_t k = 0; k < turns.size(); ++k) {
            turns[k] = turn_in(k, passed);
            if (m_read.code(rs::turns, k, false)) turns[k] = m_read.small(rs::turns);
        }
        m_read.end_step();
        read_next();
    }
    bool is_at_end() const { return m_read.is_at_end(); }
    /// Returns the requester that an arbiter served last, some cycles later than now.
    std::uint32_t turn_in(std::size_t arbiter, cycle_t passed) const {
        const router_arbiter& a = m_arbiters[arbiter];
        const bool moves = a.from == router_arbiter::requester::diagonal;
        return moves ? static_cast<std::uint32_t>((turns[arbiter] + passed) % a.requesters) : turns[arbiter];
    }

    static constexpr std::uint32_t none = ~0U;
    cycle_t now = 0, next = 0;  ///< cycle of the latest step, and of the one after it; ~0: it is the last
    std::vector<input> vcs;
    std::vector<std::uint32_t> turns;
    std::vector<std::uint64_t> numbers;  ///< of packets, by row

  private:
    struct way {
        flit what;
        std::uint32_t vc;
        cycle_t left;
    };
    struct link {
        std::uint32_t from, to;
        std::deque<way> on_it;
        cycle_t delay = 1;
    };
    void read_next() {
        next = m_left == 0 ? ~cycle_t{0} : m_after + m_read.number(rs::steps);
        if (m_left != 0) --m_left;
    }
    std::uint32_t vc_of(const link_end& e) const {
        return e.what == link_end::kind::router ? m_first[e.id] + e.port * m_vcs : none;
    }
    void add_arbiter(const router_arbiter& a, std::uint32_t first) {
        using stage = router_arbiter::stage;
        const auto number = static_cast<std::uint32_t>(m_arbiters.size());
        m_arbiters.push_back(a);
        if (a.speculative) return;
        for (std::uint32_t v = 0; v < m_vcs; ++v) {
            const bool va = a.of == stage::va_input || a.of == stage::va_output;
            if (va ? v == a.unit : a.unit == 0) m_serves[{a.of, first + a.port * m_vcs + v}] = number;
        }
    }
    void serve(router_arbiter::stage of, std::uint32_t vc, std::uint32_t requester) {
        if (const auto its = m_serves.find({of, vc}); its != m_serves.end()) turns[its->second] = requester;
    }
    bool is_tail(const flit& f) const { return f.second + 1 >= m_lengths[f.first]; }
    void arrive(std::uint32_t k) {
        link& l = m_links[k];
        if (!m_read.code(rs::arrivals, k, !l.on_it.empty() && l.on_it.front().left + l.delay == now)) return;
        const std::uint64_t place = m_read.code(rs::flits, k, false) ? m_read.number(rs::flits) : 1;
        way w{};
        if (place == 0) {
            w.what.first = m_read.number(rs::flits);
            w.what.second = m_read.small(rs::flits);
            w.vc = m_read.small(rs::flits);
        } else {
            w = l.on_it.at(place - 1);
            l.delay = now - w.left;
            const auto at = l.on_it.begin() + static_cast<std::ptrdiff_t>(place) - 1;
            l.on_it.erase(l.from == none ? at : l.on_it.begin(), at + 1);
        }
        if (l.from == none && !is_tail(w.what))
            l.on_it.push_back({{w.what.first, w.what.second + 1}, w.vc, now});
        if (l.to != none) vcs[l.to + w.vc].flits.push_back(w.what);
    }
    void look_at_input(std::uint32_t i) {
        input& in = vcs[i];
        if (in.is == 0 && !in.flits.empty()) enter(i, 1, none);
        if (in.is != 3 && m_read.code(rs::outputs, i, false)) enter(i, 3, m_read.small(rs::outputs));
        const bool goes_on =
            in.is == 3 && !in.flits.empty() && in.left == now && vcs[m_first_of[i] + in.what].credits != 0;
        if (m_read.code(rs::departures, i, goes_on)) {
            do let_go(i);
            while (m_read.code(rs::more, i, false));
        }
        if (m_read.code(rs::states, i, false)) {
            const std::uint64_t all = m_read.number(rs::states);
            enter(i, all % 4, static_cast<std::uint32_t>(all / 4) - 1);
        }
        if (!m_read.code(rs::contents, i, false)) return;
        in.flits.resize(m_read.number(rs::contents));
        for (flit& f : in.flits) {
            f.first = m_read.number(rs::contents);
            f.second = m_read.small(rs::contents);
        }
    }
    void let_go(std::uint32_t i) {
        using stage = router_arbiter::stage;
        input& in = vcs[i];
        const flit f = in.flits.front();
        in.flits.pop_front();
        in.left = now + 1;
        if (in.is != 3) return;
        const std::uint32_t out = m_first_of[i] + in.what;
        serve(stage::sa_input, i, i % m_vcs);
        serve(stage::sa_output, out, (i - m_first_of[i]) / m_vcs);
        if (vcs[out].credits != 0) --vcs[out].credits;
        if (m_link_of[out] != none) m_links[m_link_of[out]].on_it.push_back({f, in.what % m_vcs, now});
        if (!is_tail(f)) return;
        vcs[out].owner = none;
        enter(i, in.flits.empty() ? 0 : 1, none);
    }
    void enter(std::uint32_t i, std::uint64_t is, std::uint32_t what) {
        using stage = router_arbiter::stage;
        vcs[i].is = static_cast<std::uint32_t>(is);
        vcs[i].what = what;
        if (is != 3) return;
        vcs[m_first_of[i] + what].owner = i - m_first_of[i];
        serve(stage::va_input, i, what % m_vcs);
        serve(stage::va_output, m_first_of[i] + what, i - m_first_of[i]);
    }

    record_reader m_read;
    const std::uint32_t m_vcs;
    cycle_t m_after = 0;   ///< cycle after the latest step
    std::uint64_t m_left;  ///< number of steps whose cycle has not been read
    std::vector<link> m_links;
    std::vector<std::uint32_t> m_first, m_first_of, m_link_of, m_lengths;
    std::vector<router_arbiter> m_arbiters;
    std::map<std::pair<router_arbiter::stage, std::uint32_t>, std::uint32_t> m_serves;
};

std::string line(const std::string& flits, const std::string& state, std::uint32_t credits,
                 std::uint32_t owner) {
    return flits + "| " + state + ", " + std::to_string(credits) + " credits, owner " +
           std::to_string(owner) + '\n';
}

/// Keeps the state of the network, as the network shows it, after some cycles.
class kept_states final : public cycle_observer {
  public:
    kept_states(const network_view& net, packet_trace& packets, rng& random, cycle_t from)
        : m_net(net), m_packets(packets), m_random(random), m_from(from) {}
    void cycle_over(cycle_t t) override {
        if (t < m_from || !m_random.bernoulli(0.2)) return;
        std::string& text = texts[t];
        for (std::uint32_t r = 0; r < m_net.routers(); ++r)
            for (std::uint32_t p = 0; p < m_net.ports(r); ++p)
                for (std::uint32_t v = 0; v < m_net.vcs(); ++v) text += vc(r, p, v);
        std::vector<std::uint16_t>& all = turns[t];
        for (std::uint32_t r = 0; r < m_net.routers(); ++r)
            for (const router_arbiter& a : arbiters_of(m_net, r)) all.push_back(a.last);
    }
    std::map<cycle_t, std::string> texts;                 ///< by cycle
    std::map<cycle_t, std::vector<std::uint16_t>> turns;  ///< requesters that arbiters served last, by cycle

  private:
    std::string vc(std::uint32_t r, std::uint32_t p, std::uint32_t v) {
        const in_vc in = m_net.in(r, p, v);
        const out_vc out = m_net.out(r, p, v);
        std::string flits, state = state_of_front(m_net, r, p, v);
        for (std::uint32_t k = 0; k < in.count; ++k) {
            const flit f = m_net.buffered(r, p, v, k);
            flits += std::to_string(m_packets.packet_in(f.packet).number) + '.' +
                     std::to_string(f.is_head() ? 0 : f.sequence) + ' ';
        }
        if (state == "active") state += ' ' + std::to_string(in.out_port * m_net.vcs() + in.out_vc);
        if (state == "bids")
            for (std::uint32_t o = 0; o < m_net.ports(r) * m_net.vcs(); ++o)
                if (m_net.bank_of(r).asks_for(m_net.in_bank(r), p, v, o / m_net.vcs(), o % m_net.vcs()))
                    state += ' ' + std::to_string(o);
        return line(flits, state, out.credits, out.owner == out_vc::no_owner ? ~0U : out.owner);
    }

    const network_view& m_net;
    packet_trace& m_packets;
    rng& m_random;
    const cycle_t m_from;
};

std::string text_of(const player& all, const network_recorder& record) {
    std::vector<std::string> sets(record.sets().size());
    for (const auto& [outputs, number] : record.sets())
        for (const std::uint32_t o : outputs) sets[number] += ' ' + std::to_string(o);
    std::string text;
    for (const player::input& in : all.vcs) {
        std::string flits;
        for (const auto& [packet, flit] : in.flits)
            flits += std::to_string(all.numbers.at(packet)) + '.' + std::to_string(flit) + ' ';
        constexpr const char* states[] = {"idle", "route", "bids", "active "};
        std::string state = states[in.is];
        if (in.is == 2) state += sets.at(in.what);
        if (in.is == 3) state += std::to_string(in.what);
        text += line(flits, state, in.credits, in.owner);
    }
    return text;
}

/// Plays a record and compares it with what was kept. Returns the number of states compared.
std::size_t compare(const network_recorder& record, fabric& net, const kept_states& kept) {
    player plays(record, net.view(), net.stepper().observed_links());
    std::size_t compared = 0;
    auto its = kept.texts.begin();
    for (std::uint64_t step = 0; step < record.steps() && !::testing::Test::HasFailure(); ++step) {
        plays.step();
        const std::string text = text_of(plays, record);
        for (; its != kept.texts.end() && its->first < plays.next; ++its, ++compared) {
            EXPECT_EQ(text, its->second) << "cycle " << its->first;
            const std::vector<std::uint16_t>& turns = kept.turns.at(its->first);
            for (std::size_t k = 0; k < turns.size(); ++k) {
                const std::uint32_t turn = plays.turn_in(k, its->first - plays.now);
                EXPECT_TRUE(turns[k] == router_arbiter::unknown || turns[k] == turn)
                    << "cycle " << its->first << ", arbiter " << k << ": " << turn << ", not " << turns[k];
            }
        }
    }
    EXPECT_TRUE(plays.is_at_end());
    EXPECT_EQ(compared, kept.texts.size());
    return compared;
}

void check(const fabric_setting& s, rng& random, cycle_t from, const std::string& about,
           std::unique_ptr<topology> map = nullptr) {
    SCOPED_TRACE(about);
    test_fabric f(s, std::move(map));
    scripted_traffic traffic(random_script(random, f.map().nodes(), 7, 150, 0.12, s.classes));
    trace_filter filter;
    filter.routers = {};
    packet_trace packets(f.net, filter);
    packets.start();
    network_recorder record(f.net, packets, from, 300);
    kept_states kept(f.net.view(), packets, random, from);
    f.net.stepper().add_observer(static_cast<cycle_observer&>(kept));
    f.net.stepper().set_workload(&traffic);
    f.run(0, 300);
    record.stop();
    EXPECT_NE(compare(record, f.net, kept), 0U);
}

/// Networks of all that may be configured, also from mid-run on and with routers of several clocks.
TEST(NetworkRecorder, RebuildsTheStatesOfRandomNetworks) {
    setting_source source(test_seed(21));
    for (int n = 0; n < 40; ++n) {
        const setting_source::drawn d = source.next();
        if (!d.graph.empty()) continue;
        const fabric_setting& s = d.setting;
        const std::uint32_t clock = source.random().bernoulli(0.2) ? 1 + source.random().below(3) : 1;
        const cycle_t from = source.random().bernoulli(0.3) ? 40 : 0;
        try {
            check(s, source.random(), from, "case " + std::to_string(n) + ": " + s.network,
                  std::make_unique<clocked>(network(s.network), [=](std::uint32_t) { return clock; }));
        } catch (const config::error&) {
            continue;  // such a network cannot be
        }
        if (HasFailure()) return;
    }
}

TEST(NetworkRecorder, RebuildsTheStatesOfEveryKind) {
    rng random(test_seed(22), stream::test, 22);
    const std::vector<std::pair<std::string, std::string>> kinds{
        {"torus dims=4,4", "bubble vcs=2 packet=4"},
        {"torus dims=4,4", "bubble vcs=3 request=smart packet=8 consumption=single"},
        {"mesh dims=4,3", "dally vcs=4 packet=1"},
        {"torus dims=3,3", "dally vcs=4 policy=adaptive packet=6"},
        {"kary_ntree k=2 n=3", "multistage vcs=2 packet=4"},
        {"torus dims=4,4", "apenet vcs=2 depth=16 sync=1"},
        {"torus dims=4,3", "apenet vcs=2 depth=5 sync=2 switching=wormhole"},
        {"mesh dims=4,4", "deflection"},
        {"butterfly k=2 n=3", "spinet"}};
    for (const auto& [net, kind] : kinds) {
        fabric_setting s;
        s.network = net;
        s.kind = kind;
        if (kind == "spinet") s.routing = "destination_tag";
        check(s, random, 0, kind);
        if (HasFailure()) return;
    }
}

/// A mesh under load: what is expected mostly holds, so that a hop of a flit takes few bytes.
TEST(NetworkRecorder, TakesFewBytes) {
    fabric_setting s;
    s.network = "mesh dims=8,8";
    s.router.vcs = 4;
    s.router.depth = 8;
    test_fabric f(s);
    const std::unique_ptr<workload> traffic = traffic_of("bernoulli load=0.4", 64, "fixed flits=4");
    trace_filter filter;
    filter.routers = {};
    packet_trace packets(f.net, filter);
    packets.start();
    network_recorder record(f.net, packets, 0, 1000);
    f.net.stepper().set_workload(traffic.get());
    f.run(0, 1000);
    record.stop();
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < record_stream_names.size(); ++k) {
        const auto& its = record.streams().of(static_cast<record_stream>(k));
        bytes += its.indices.size() + its.numbers.size();
    }
    EXPECT_LT(bytes, 5 * f.net.view().flits_sent());
}

}  // namespace
}  // namespace sare::test::network_recorder_test
