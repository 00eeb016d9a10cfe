// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/random_setting.h"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// Random networks of every kind of router whose packets a trace can follow.
namespace sare::test {

struct drawn_setting {
    fabric_setting setting;
    std::uint32_t pipeline = 0;  ///< cycles of a head
    bool exact = true;           ///< it is pipelined, does not guess, and waits for no tail
    bool adaptive = false;       ///< a packet may leave a router by one of several ports
};

inline drawn_setting draw_vc_setting(rng& random) {
    drawn_setting d;
    fabric_setting& s = d.setting;
    const std::vector<std::pair<std::string, std::string>> networks{
        {"mesh dims=3,3", "dor"},
        {"torus dims=4,3", "duato"},
        {"mesh dims=4,2 link_latency=3", "odd_even"},
        {"crossbar n=6", "table"},
        {"mesh dims=3,2 link_cycles_per_flit=3", "dor"},
        {"hypercube n=3", "dor"},
        {"star n=5", "up_down adaptive=true"}};
    std::tie(s.network, s.routing) = networks[random.below(static_cast<std::uint32_t>(networks.size()))];
    d.adaptive = s.routing != "dor" && s.routing != "table";
    router_params& p = s.router;
    s.classes = 1 + random.below(2);
    p.vcs = s.classes * (3 + random.below(2));
    p.depth = 6 + random.below(4);
    p.switching = static_cast<switching_mode>(random.below(3));
    p.rc_delay = random.below(3);
    p.va_delay = random.below(3);
    p.sa_delay = random.below(3);
    p.st_delay = random.below(2);
    p.va_allocator = any_policy<allocator>(random);
    p.sa_allocator = any_policy<allocator>(random);
    p.reallocation = random.bernoulli(0.3) ? reallocation_rule::atomic : reallocation_rule::tail;
    p.speculative = random.bernoulli(0.15);
    s.nic.max_packet_flits = 1 + random.below(6);
    s.nic.ejection_depth = 1 + random.below(8);
    s.compact_allowed = random.bernoulli(0.5);
    d.pipeline = p.effective_rc_delay() + p.va_delay;
    d.exact = !p.speculative && p.switching != switching_mode::store_and_forward;
    return d;
}

inline drawn_setting draw_setting(rng& random) {
    const std::vector<std::pair<std::string, std::string>> kinds{
        {"torus dims=4,4", "bubble vcs=2 packet=4"},
        {"torus dims=4,4", "bubble vcs=3 request=smart packet=8 consumption=single"},
        {"mesh dims=4,3", "dally vcs=4 packet=1"},
        {"torus dims=3,3", "dally vcs=4 policy=adaptive packet=6"},
        {"kary_ntree k=2 n=3", "multistage vcs=2 packet=4"},
        {"torus dims=4,4", "apenet vcs=2 depth=16 sync=1"},
        {"torus dims=4,3", "apenet vcs=2 depth=16 output_depth=2 sync=0 credit_interval=9"}};
    drawn_setting d;
    if (random.bernoulli(0.6)) {
        d = draw_vc_setting(random);
    } else {
        std::tie(d.setting.network, d.setting.kind) =
            kinds[random.below(static_cast<std::uint32_t>(kinds.size()))];
    }
    d.adaptive = d.adaptive || !d.setting.kind.empty();
    d.setting.seed = random.next();
    return d;
}

}  // namespace sare::test
