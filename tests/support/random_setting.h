// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/test_fabric.h"
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/arbiter/arbiter.h"

#include <algorithm>

/// Random configurations, of all that may be configured: most of them can be built, and most of those may
/// run.
namespace sare::test {

/// One of all that are registered.
template <class Policy>
config::value any_policy(rng& random) {
    const auto& all = config::registry<Policy>::instance().variants();
    return config::value::scalar(
        std::next(all.begin(), random.below(static_cast<std::uint32_t>(all.size())))->first);
}

class setting_source {
  public:
    explicit setting_source(std::uint64_t seed) : m_random(seed, stream::test, 31) {}

    struct drawn {
        fabric_setting setting;
        std::string graph;  ///< text of an edge list, where the network is one
    };

    drawn next() {
        drawn d;
        fabric_setting& s = d.setting;
        draw_network(s, d.graph);
        draw_traffic(s);
        draw_router(s.router);
        s.router.vcs *= s.classes;
        draw_lengths(s);
        s.nic.delay = below(4);
        s.nic.credit_delay = below(4);
        s.seed = m_random.next();
        s.compact_allowed = chance(0.7);
        return d;
    }

    rng& random() { return m_random; }

  private:
    std::uint32_t below(std::uint32_t n) { return m_random.below(n); }
    bool chance(double p) { return m_random.bernoulli(p); }
    std::string number(std::uint32_t from, std::uint32_t to) {
        return std::to_string(from + below(to - from + 1));
    }
    template <class T>
    T one_of(std::initializer_list<T> all) {
        return all.begin()[below(static_cast<std::uint32_t>(all.size()))];
    }
    std::string word_of(std::initializer_list<const char*> all) { return one_of(all); }

    std::string dateline() {
        return " dateline=" + word_of({"trc", "basic", "improved", "none"}) +
               " ties=" + word_of({"random", "positive", "negative"});
    }

    void draw_network(fabric_setting& s, std::string& graph) {
        const std::uint32_t kind = below(13);
        if (kind >= 10) {
            draw_other_direct_network(s, kind);
        } else if (kind < 3) {
            s.network = "mesh dims=" + word_of({"4,4", "3,5", "5,2", "2,3,2", "3,3,3", "7,1"});
            s.routing =
                word_of({"dor", "duato", "west_first", "negative_first", "north_last", "odd_even", "o1turn",
                         "valiant", "romm", "up_down", "up_down adaptive=true", "table", "shortest_path"});
        } else if (kind < 7) {
            s.network = kind < 6 ? "torus dims=" + word_of({"4,4", "5,3", "2,6", "3,3,3", "4,4,2"})
                                 : "ring n=" + number(2, 12);
            if (chance(0.15))
                s.network += " unidirectional=true";
            else if (kind < 6 && chance(0.2))
                s.network = "torus dims=5,4 wrap=true,false";
            s.routing = word_of({"dor", "dor", "duato", "o1turn", "valiant", "romm", "smart_dor"});
            s.routing += s.routing == "duato" ? "" : dateline();
            if (chance(0.15))
                s.routing = word_of({"up_down", "up_down adaptive=true", "table", "shortest_path"});
        } else {
            s.network = kind == 7 ? "crossbar n=" + number(2, 20) : "star n=" + number(2, 9);
            if (kind == 9) graph = random_edges();
            s.routing = word_of({"up_down", "up_down adaptive=true", "table"});
        }
        if (kind < 7 || kind == 8 || kind >= 10) s.network += " concentration=" + number(1, 3);
        s.network += " link_latency=" + one_of<std::string>({"1", "1", "2", "5", "11"}) +
                     " node_link_latency=" + number(1, 3) +
                     " link_cycles_per_flit=" + one_of<std::string>({"1", "1", "1", "2", "3"});
    }

    void draw_other_direct_network(fabric_setting& s, std::uint32_t kind) {
        if (kind == 10) {
            s.network = "hypercube n=" + number(1, 4);
            s.routing =
                word_of({"dor", "duato", "negative_first", "north_last", "romm", "valiant", "up_down"});
            return;
        }
        s.network = kind == 11 ? word_of({"midimew n=13", "midimew n=20", "circulant n=12 steps=1,6,4"})
                               : "triangular_torus w=" + number(1, 5) + " h=" + number(2, 4);
        if (chance(0.15)) s.network += " unidirectional=true";
        s.routing = chance(0.7)
                        ? (kind == 11 ? "circulant_minimal dateline=" : "triangular_minimal dateline=") +
                              word_of({"trc", "trc", "basic", "improved", "none"})
                        : word_of({"up_down", "up_down adaptive=true", "shortest_path"});
    }

    /// A random tree and some more links, each with a latency and a width of its own.
    std::string random_edges() {
        const std::uint32_t routers = 2 + below(12), more = below(routers);
        std::ostringstream text;
        text << "sare-graph 1\n";
        auto link = [&](std::uint32_t a, std::uint32_t b) {
            text << "link " << a << ' ' << b << ' ' << 1 + below(6) << ' ' << one_of({1, 1, 1, 3}) << '\n';
        };
        for (std::uint32_t r = 1; r < routers; ++r) link(r, below(r));
        for (std::uint32_t i = 0; i < more; ++i) {
            const std::uint32_t a = below(routers), b = below(routers);
            if (a != b) link(a, b);
        }
        for (std::uint32_t r = 0; r < routers; ++r)
            text << "node " << r << ' ' << r << " - " << 1 + below(4) << '\n';
        return text.str();
    }

    void draw_traffic(fabric_setting& s) {
        const std::string pattern = " pattern=" + word_of({"uniform", "uniform", "hotspot", "tornado",
                                                           "neighbour", "random_permutation"});
        const std::uint32_t kind = below(6);
        if (kind == 0) {
            s.classes = 2;
            s.traffic = "request_reply outstanding=" + number(1, 6) + " requests=" + number(2, 12) +
                        " service_cycles=" + number(0, 20) + " reply_length=" + number(1, 9) + pattern;
        } else if (kind == 1) {
            s.traffic = "burst messages=" + number(1, 12) + " bursts=" + number(1, 3) + pattern;
        } else {
            s.traffic = "bernoulli stop_cycle=" + number(200, 700) +
                        " load=" + word_of({"0.01", "0.05", "0.2", "0.4", "0.7", "1"}) +
                        " source_queue=" + word_of({"0", "0", "4"}) + pattern;
            if (chance(0.2)) s.classes = 2;  // the second class stays unused
        }
    }

    void draw_router(router_params& p) {
        p.vcs = one_of({1U, 1U, 2U, 2U, 3U, 4U, 4U, 5U, 8U});
        p.depth = chance(0.5) ? 1 + below(4) : 1 + below(20);
        p.switching = one_of({switching_mode::wormhole, switching_mode::wormhole, switching_mode::cut_through,
                              switching_mode::store_and_forward});
        const bool usual = chance(0.5);
        for (std::uint32_t* delay : {&p.rc_delay, &p.va_delay, &p.sa_delay, &p.st_delay})
            *delay = usual ? below(2) : one_of({0U, 1U, 1U, 2U, 3U, 7U});
        p.lookahead = chance(0.3);
        p.speculative = chance(0.3);
        p.pipelined = chance(0.8);
        p.reallocation = chance(0.3) ? reallocation_rule::atomic : reallocation_rule::tail;
        p.credit_delay = below(5);
        p.credit_batch = one_of({1U, 1U, 1U, 1U, 2U, 5U, 35U});
        p.input_register = chance(0.2);
        if (chance(0.3)) return;  // the rest as it is by default
        p.va_allocator = any_policy<allocator>(m_random);
        p.sa_allocator = any_policy<allocator>(m_random);
        p.va_arbiter = any_policy<arbiter>(m_random);
        p.sa_arbiter = any_policy<arbiter>(m_random);
        p.iterations = one_of({1U, 1U, 2U, 4U});
        p.input_speedup = one_of({1U, 1U, 2U, 4U});
        p.output_speedup = one_of({1U, 1U, 2U, 3U});
        p.selection = static_cast<selection_policy>(below(4));
    }

    void draw_lengths(fabric_setting& s) {
        s.length =
            one_of<std::string>({"fixed flits=" + number(1, 9), "bimodal first=1 second=7 probability=0.5",
                                 "range min=1 max=" + number(2, 30)});
        s.nic.max_packet_flits = one_of({1U, 3U, 5U, 9U, 64U});
        s.nic.ejection_depth = chance(0.7) ? 0 : 1 + below(12);
        if (s.router.switching == switching_mode::wormhole) return;
        // A buffer must hold a packet.
        s.nic.max_packet_flits = std::min(s.nic.max_packet_flits, 9U);
        s.router.depth = std::max(s.router.depth, s.nic.max_packet_flits);
    }

    rng m_random;
};

}  // namespace sare::test
