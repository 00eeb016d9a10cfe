// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/routing/routing_support.h"

#include <memory>
#include <utility>

namespace sare::test {

/// Another function on one VC: what is left of its freedom from deadlock without its classes of VCs.
class on_one_vc final : public routing_function {
  public:
    explicit on_one_vc(std::unique_ptr<routing_function> function) : m_function(std::move(function)) {}
    std::string name() const override { return m_function->name(); }
    std::uint32_t max_candidates() const override { return m_function->max_candidates(); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        m_function->every_header(plain, out);
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t vc, route_header& h,
               route_set& out) const override {
        m_function->route(r, in, vc, h, out);
        for (std::uint32_t i = 0; i < out.size; ++i) out.candidates[i].vcs = 1;
    }

  private:
    std::unique_ptr<routing_function> m_function;
};

inline deadlock_report check(const routing_function& function, const topology& net, std::uint32_t vcs) {
    deadlock_question q;
    q.network = &net;
    q.routing = &function;
    q.vcs = vcs;
    return check_deadlock(q);
}

/// The check of a function, made for `vcs` VCs, with one.
inline deadlock_report check_on_one_vc(const std::string& line, const topology& net, std::uint32_t vcs) {
    return check(on_one_vc(routing(line, net, vcs)), net, 1);
}

/// Calls f(way, header) for a packet with each header that the function may make for a pair, and one by
/// begin(); `way` are the routers that it comes through, candidates drawn.
template <class F>
void every_path(const topology& net, const routing_function& function, F f) {
    rng random(1, stream::test, 0);
    for (std::uint32_t s = 0; s < net.nodes(); ++s)
        for (std::uint32_t d = 0; d < net.nodes(); ++d) {
            route_header plain;
            plain.source = s;
            plain.destination = d;
            std::vector<route_header> all;
            function.every_header(plain, all);
            all.push_back(plain);
            function.begin(all.back(), random);
            for (route_header h : all) {
                std::vector<std::uint32_t> way{net.router_of(node_id(s)).value};
                std::uint32_t in = net.port_of(node_id(s)).value, vc = 0;
                const route_header first = h;
                for (;;) {
                    route_set out;
                    function.route(way.back(), in, vc, h, out);
                    ASSERT_GE(out.size, 1U);
                    const auto& c = out.candidates[random.below(out.size)];
                    const port_peer to = net.peer(router_id(way.back()), port_id(c.port));
                    if (to.what == port_peer::kind::node) {
                        ASSERT_EQ(to.id, d);
                        break;
                    }
                    ASSERT_EQ(to.what, port_peer::kind::router);
                    ASSERT_LT(way.size(), 100U) << s << " to " << d;
                    way.push_back(to.id);
                    in = to.port;
                    vc = static_cast<std::uint32_t>(__builtin_ctz(c.vcs));
                }
                f(way, first);
            }
        }
}

}  // namespace sare::test
