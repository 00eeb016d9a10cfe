// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/debug_session.h"

#include "tb/sare/debug/web.h"
#include "tb/sare/run/checkpoints.h"
#include "tlm/api/network_engine.h"
#include "tlm/fabric/fabric.h"
#include "tlm/inside/describe.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cli {
namespace {

/// Most routers whose requests are noted before every cycle, while breakpoints are looked for.
constexpr std::uint32_t most_noted = 4096;

/// Returns cycles that a network runs in a moment, after which a wish to stop is looked at.
cycle_t cycles_of_a_moment(const network_view& net) {
    return std::max<cycle_t>(1, 1'000'000 / net.routers());
}

}  // namespace

debug_session::debug_session(const experiment& e, simulation& network, volatile std::sig_atomic_t& stop,
                             dialogue talk)
    : m_experiment(e), m_network(network), m_stop(stop), m_talk(std::move(talk)) {}

running_figures& debug_session::figures() {
    if (!m_figures)
        m_figures.emplace(m_experiment, m_network.engine(), m_network.net(), m_network.running_traffic());
    return *m_figures;
}

void debug_session::run() {
    m_network.elaborate();
    m_log.emplace(m_network.engine(), m_network.net());
    for (std::uint32_t r = 0; r < m_network.map().routers(); ++r)
        if (m_network.foreign_router(r) != nullptr) m_foreign.push_back(r);
    run_control control;
    control.warn = [this](const std::string& text) { m_warnings.push_back(text); };
    control.pause = [this](cycle_t now, const state_function& state) { return pause(now, state); };
    const run_result result = m_network.run(m_experiment, control);
    m_state = nullptr;
    m_now = result.cycles;
    m_status = to_string(result.status);
    m_over =
        fmt::format("the run is over: {}{}{}", m_status, result.reason.empty() ? "" : ": ", result.reason);
    if (m_runs) m_answer = stopped(why_stop());
    for (;;) m_answer = answer(m_talk(m_answer));
}

/// Answers requests until one of them makes the run go on. Returns the next cycle to pause before.
cycle_t debug_session::pause(cycle_t now, const state_function& state) {
    m_now = now;
    m_state = &state;
    if (m_figures) m_figures->look(now);
    if (m_runs) {
        const std::string why = why_stop();
        if (why.empty() && !has_come()) return next_pause();
        m_answer = stopped(why);
    }
    for (;;) {
        m_answer = answer(m_talk(m_answer));
        if (m_runs) return next_pause();
    }
}

state_json debug_session::stopped(const std::string& why) {
    m_runs = false;
    m_log->keep_events(false);
    state_json all = {{"cycle", m_now}};
    if (!why.empty()) all["why"] = why;
    if (m_over) all.update({{"status", m_status}, {"over", *m_over}});
    if (!m_warnings.empty()) all["warnings"] = std::exchange(m_warnings, state_json::array());
    return all;
}

void debug_session::begin_run(const state_json& request) {
    m_breaks.clear();
    for (const auto& text : request.value("breaks", state_json::array()))
        m_breaks.emplace_back(text.get<std::string>(), m_network.net().view(), figures());
    for (breakpoint& b : m_breaks) b.arm(m_network.net().view(), figures(), m_now);
    m_target = request.value("until", workload::never);
    m_runs = !has_come();
    m_stop = 0;
}

/// Runs cycle by cycle where breakpoints must be looked at. Requests are noted before a cycle after which the
/// run may stop.
cycle_t debug_session::next_pause() {
    const network_view& net = m_network.net().view();
    cycle_t next = std::min(m_target, m_now + cycles_of_a_moment(net));
    if (!m_breaks.empty()) {
        const cycle_t work = m_now == 0 ? 0 : m_network.engine().next_work(m_now - 1);
        next = std::min(m_target, std::max(m_now, work) + 1);
        for (const breakpoint& b : m_breaks)
            if (b.looks_at_deadlock())
                next = std::min(next, m_now - m_now % b.between_looks + b.between_looks);
    } else if (next == m_target && m_target > m_now + 1) {
        next = m_target - 1;
    }
    if (m_figures) next = std::min(next, std::max(m_now + 1, m_figures->next_look()));
    m_requests.reset();
    if (next == m_target || (!m_breaks.empty() && net.routers() <= most_noted)) m_requests.emplace(net);
    m_log->keep_events(!m_breaks.empty());
    return next;
}

/// Returns why the run stops before it has come to its target; "" if it goes on.
std::string debug_session::why_stop() {
    if (!m_breaks.empty()) look_at_pins();
    for (breakpoint& b : m_breaks)
        if (std::string why = b.why(m_network.net().view(), *m_log, figures(), m_now); !why.empty())
            return why;
    return m_stop != 0 ? "interrupted" : "";
}

/// Tells the log of heads that came into foreign blocks in the last cycle.
void debug_session::look_at_pins() {
    for (const std::uint32_t r : m_foreign) {
        std::uint32_t port = 0;
        for (const auto& [in, out] : m_network.foreign_router(r)->pins()) {
            if (in.what && in.what->is_head()) m_log->head_came(in.what->packet, r, port, m_now - 1);
            ++port;
        }
    }
}

state_json debug_session::answer(const state_json& request) {
    const auto refuse = [](const std::string& text) { return state_json{{"error", text}}; };
    try {
        const std::string what = request.value("do", "");
        const auto words = request.value("args", std::vector<std::string>());
        if (what == "run") {
            if (m_over) return refuse(*m_over);
            begin_run(request);
            return {{"cycle", m_now}};
        }
        if (what == "show") return show(words);
        if (what == "frame") return frame(request);
        if (what == "map") return map_for_page(m_network.net().view(), m_log->links());
        if (what == "save") return save(words.at(0));
        if (what == "names") return names(words.at(0));
        if (what == "check")
            return {{"break", breakpoint(words.at(0), m_network.net().view(), figures()).text()}};
        if (what == "figure") {
            const running_figures::reference f = figures().find(words.at(0));
            return {{"figure", words.at(0)}, {"value", figures().value(f, m_now)}};
        }
        return refuse(fmt::format("unknown request '{}'", what));
    } catch (const std::exception& problem) {
        return refuse(problem.what());
    }
}

state_json debug_session::show(const std::vector<std::string>& words) {
    const network_view& net = m_network.net().view();
    const topology& map = *net.map();
    const state_reader reader(net, *m_log);
    const std::string what = words.empty() ? "network" : words[0];
    const auto router = [&] {
        return map.names().find(place_kind::router, words.at(1), net.routers(), {"show " + what, 0, 0});
    };
    state_json all = {{"cycle", m_now}};
    if (what == "network" || what == "waits") {
        all.update(what == "waits" ? reader.waits() : reader.network());
    } else if (words.size() < 2) {
        throw config::error(
            fmt::format("show {}: which one? Write show router R, packet N, link R PORT, node N, "
                        "or waits",
                        what));
    } else if (what == "router") {
        all.update(reader.router(router(), m_network.foreign_router(router()), m_requests));
    } else if (what == "packet") {
        all.update(reader.packet(whole_number_of(words[1], "number of a packet")));
    } else if (what == "node") {
        all.update(
            reader.node(map.names().find(place_kind::node, words[1], net.nodes(), {"show node", 0, 0})));
    } else if (what == "link" && words.size() == 3) {
        const std::uint32_t r = router();
        for (std::uint32_t p = 0; p < net.ports(r); ++p)
            if (words[2] == port_name(map, r, p) || words[2] == std::to_string(p)) {
                all.update(reader.link(r, p));
                return all;
            }
        throw config::error(fmt::format("show link: {} has no port '{}'", reader.router_name(r), words[2]));
    } else {
        throw config::error(fmt::format(
            "show {}: not known; write show router R, packet N, link R PORT, node N, or waits", what));
    }
    return all;
}

/// Returns the state for a page: see state_reader::frame().
state_json debug_session::frame(const state_json& request) {
    state_json all = state_reader(m_network.net().view(), *m_log)
                         .frame(m_requests, request.value("from", 0ULL), request.value("since", 0ULL));
    all["injected"] = m_log->packets();
    return all;
}

state_json debug_session::save(const std::string& to) {
    if (m_state == nullptr) throw config::error(*m_over + "; there is nothing to go on with");
    const std::string file = save_checkpoint(m_experiment, to, m_now, *m_state);
    return {{"saved", file}, {"cycle", m_now}, {"to go on", "sare run --resume " + to}};
}

/// Returns what a word after `show` or `break` may be: names of "router" or "node", "figure" names.
state_json debug_session::names(const std::string& kind) {
    const topology& map = m_network.map();
    state_json all = state_json::array();
    if (kind == "figure") return running_figures::names();
    const bool of_routers = kind == "router";
    constexpr std::uint32_t most = 10'000;  // more are no help
    for (std::uint32_t n = 0; n < std::min(most, of_routers ? map.routers() : map.nodes()); ++n) {
        const std::string& name = map.names().name(of_routers ? place_kind::router : place_kind::node, n);
        all.push_back(name.empty() ? std::to_string(n) : name);
    }
    return all;
}

}  // namespace sare::cli
