// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/twin_routers.h"

#include "cosim/scoreboard/first_problem.h"

namespace sare::cosim {

twin_routers::twin_routers(std::string name, std::unique_ptr<pin_router> old_one,
                           std::unique_ptr<pin_router> new_one, std::uint32_t ports,
                           const packet_table& packets)
    : m_name(std::move(name)),
      m_old(std::move(old_one)),
      m_new(std::move(new_one)),
      m_packets(packets),
      m_out(ports),
      m_history(ports, packets) {}

/// What the old one throws is its own fault, and told as such.
void twin_routers::cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    if (m_first) return m_old->cycle(t, in, out);
    std::string problem;
    try {
        m_new->cycle(t, in, m_out);
    } catch (const std::exception& failed) {
        problem = failed.what();
    }
    m_old->cycle(t, in, out);
    ++m_compared;
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        m_history.note_in(t, q, in[q]);
        m_history.note_out(t, q, out[q]);
    }
    if (!problem.empty()) return diverge(t, 0, "the new RTL alone: " + problem, 0, 0, {});
    for (std::uint32_t q = 0; q < in.size(); ++q) compare(t, q, out[q], m_out[q]);
}

void twin_routers::finish() {
    if (m_first) return m_old->finish();
    first_problem problem;
    problem.of([this] { m_new->finish(); });
    problem.of([this] { m_old->finish(); });
    problem.rethrow();
}

void twin_routers::compare(cycle_t t, std::uint32_t port, const port_out& was, const port_out& is) {
    const auto same = [&](const char* what, std::uint64_t a, std::uint64_t b) {
        if (a != b) diverge(t, port, what, a, b, was.valid ? was : is);
    };
    same("what comes back (credits)", was.credits, is.credits);
    same("valid", was.valid, is.valid);
    if (!was.valid || !is.valid) return;
    same("vc", was.what.vc, is.what.vc);
    same("packet", m_packets[was.what.packet].uid, m_packets[is.what.packet].uid);
    same("flit", was.what.sequence, is.what.sequence);
    same("head", was.what.is_head(), is.what.is_head());
    same("tail", was.what.is_tail(), is.what.is_tail());
    if (!was.what.is_head()) return;
    same("destination", was.header.destination, is.header.destination);
    same("port ahead", was.header.port, is.header.port);
    same("vcs ahead", was.header.vcs, is.header.vcs);
}

void twin_routers::diverge(cycle_t t, std::uint32_t port, const std::string& what, std::uint64_t was,
                           std::uint64_t is, const port_out& out) {
    if (m_first) return;
    m_first = divergence{t,    0,    m_name, 0,  {},
                         port, what, was,    is, out.valid ? text(out.what, m_packets[out.what.packet]) : "",
                         {}};
    m_first->of_old_rtl = true;
    m_first->history = was == is ? m_history.everywhere() : m_history.at(port);
}

}  // namespace sare::cosim
