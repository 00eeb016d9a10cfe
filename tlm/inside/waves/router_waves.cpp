// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/waves/router_waves.h"

#include "tlm/fabric/fabric.h"
#include "tlm/inside/router_watch.h"
#include "tlm/inside/waves/router_signals.h"

#include <cmath>
#include <deque>

namespace sare {

struct router_waves::parts {
    parts(fabric& n, packet_trace& packets, const setting& h) : net(n), how(h) {
        of_router.assign(net.view().routers(), nullptr);
        for (std::uint32_t r = 0; r < net.view().routers(); ++r)
            if (how.routers.contains(r))
                of_router[r] = &all.emplace_back(to, net.view(), packets, r, how.name(r));
        packets.each_cycle([this](const router_watch& w, const std::vector<packet_event>& found) {
            if (of_router[w.router()] != nullptr) of_router[w.router()]->note(w, found);
        });
    }

    /// Returns the time of a cycle in ps, plus a part of a cycle; the period may have changed since the cycle
    /// before.
    std::uint64_t time_of(cycle_t t, double part) {
        const double period = net.port().cycle_seconds();
        seconds += static_cast<double>(t - timed_cycle) * period;
        timed_cycle = t;
        return static_cast<std::uint64_t>(std::llround((seconds + part * period) * 1e12));
    }
    /// As in waves of the RTL, what a cycle asks for and grants stands from its middle on, and what it leaves
    /// in registers from its end on.
    void look(cycle_t t) {
        if (begun && t != next && t < how.to) {
            to.set_time(time_of(next, 0.5));
            for (router_signals& s : all) s.write_cycle(true);
        }
        const std::uint64_t middle = time_of(t, 0.5), end = time_of(t, 1);
        const bool shows = t >= how.from && t < how.to;
        const bool looks = shows || t + 1 == how.from;
        for (router_signals& s : all)
            if (looks) s.end_cycle(t, follows);
        follows = looks;
        if (!shows) return;
        next = t + 1;
        begun = true;
        last = time_of(t, 2);
        to.set_time(middle);
        for (router_signals& s : all) s.write_cycle(false);
        to.set_time(end);
        for (router_signals& s : all) s.write_state();
    }
    void close() {
        if (begun) to.set_time(last);
        to.close();
    }

    fabric& net;
    const setting how;
    fst_writer to;
    std::deque<router_signals> all;
    std::vector<router_signals*> of_router;  ///< null: not shown
    double seconds = 0;                      ///< time at which `timed_cycle` begins
    cycle_t timed_cycle = 0;
    std::uint64_t last = 0;  ///< time at which the file ends
    cycle_t next = 0;        ///< the cycle after the last one that was written
    bool begun = false;      ///< true: the first cycle was written
    bool follows = true;     ///< true: the state before this cycle is known
};

bool router_waves::available() {
    return true;
}

router_waves::router_waves(fabric& net, packet_trace& packets, const setting& how)
    : m_parts(std::make_unique<parts>(net, packets, how)) {
    net.stepper().add_observer(*this);
}
router_waves::~router_waves() {
    stop();
}

void router_waves::cycle_over(cycle_t t) {
    m_parts->look(t);
}

void router_waves::stop() {
    if (!m_parts->to.is_open()) return;
    m_parts->net.stepper().pass();
    m_parts->net.stepper().remove_observer(*static_cast<cycle_observer*>(this));
    m_parts->close();
}

void router_waves::write(std::ostream& out) const {
    m_parts->to.write(out);
}

}  // namespace sare
