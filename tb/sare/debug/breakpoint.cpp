// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/breakpoint.h"

#include "tlm/fabric/view/network_view.h"
#include "tlm/inside/describe.h"
#include "tlm/inside/live/wait_graph.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace sare::cli {
namespace {

/// Splits a text at a word between blanks.
std::vector<std::string> split_at(const std::string& text, const std::string& word) {
    std::vector<std::string> all;
    std::size_t from = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, from)) {
        all.push_back(text.substr(from, at - from));
        from = at + word.size();
    }
    all.push_back(text.substr(from));
    return all;
}

std::string event_text(const live_log::event& e, const topology& map) {
    const std::string packet = fmt::format("packet {}", e.packet);
    const bool at_node = e.is == live_log::what::injected || e.is == live_log::what::consumed;
    const std::string place = map.names().text(at_node ? place_kind::node : place_kind::router, e.place);
    switch (e.is) {
        case live_log::what::injected:
            return fmt::format("{} begins to inject {}", place, packet);
        case live_log::what::comes:
            return fmt::format("{} comes into {} by {}", packet, place, port_name(map, e.place, e.port));
        case live_log::what::consumed:
            return fmt::format("{} consumes {}", place, packet);
        case live_log::what::dropped:
            return fmt::format("{} drops {}", place, packet);
    }
    return packet;
}

}  // namespace

std::vector<std::string> split_words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

std::uint64_t whole_number_of(const std::string& text, const std::string& what) {
    std::uint64_t n = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (problem != std::errc() || end != text.data() + text.size())
        throw config::error(fmt::format("'{}' is no {}; write a whole number", text, what));
    return n;
}

figure_condition::figure_condition(const std::string& text, const running_figures& known) {
    for (const std::string& part : split_at(text, " or ")) {
        m_any.emplace_back();
        for (const std::string& one : split_at(part, " and ")) {
            const auto sign = one.find_first_of("<>=!");
            const auto value = one.find_first_not_of("<>=!", sign);
            const std::string how = sign == std::string::npos ? "" : one.substr(sign, value - sign);
            const auto name = split_words(one.substr(0, sign));
            const auto number = value == std::string::npos ? name : split_words(one.substr(value));
            char* end = nullptr;
            const double n = number.size() == 1 ? std::strtod(number[0].c_str(), &end) : 0;
            const char* const signs[] = {"<", "<=", ">", ">=", "=", "==", "!="};
            if (name.size() != 1 || number.size() != 1 || *end != '\0' ||
                std::find(std::begin(signs), std::end(signs), how) == std::end(signs))
                throw config::error(fmt::format(
                    "'{}' is no comparison; write for instance when router[12].stalls.credit > 100", one));
            m_any.back().push_back({known.find(name[0]), how, n});
        }
    }
}

void figure_condition::count(running_figures& all, cycle_t now) const {
    for (const auto& list : m_any)
        for (const comparison& c : list) all.count(c.what, now);
}

bool figure_condition::holds(running_figures& all, cycle_t now) const {
    const auto is_so = [&](const comparison& c) {
        const double x = all.value(c.what, now);
        if (c.sign == "<") return x < c.number;
        if (c.sign == "<=") return x <= c.number;
        if (c.sign == ">") return x > c.number;
        if (c.sign == ">=") return x >= c.number;
        return (x == c.number) == (c.sign != "!=");
    };
    return std::any_of(m_any.begin(), m_any.end(),
                       [&](const auto& list) { return std::all_of(list.begin(), list.end(), is_so); });
}

breakpoint::breakpoint(const std::string& text, const network_view& net, running_figures& figures)
    : m_text(text) {
    const std::vector<std::string> words = split_words(text);
    const std::string what = words.empty() ? "" : words[0];
    const place_names& names = net.map()->names();
    if (what == "router" && words.size() == 2) {
        m_is = kind::router;
        m_number = names.find(place_kind::router, words[1], net.routers(), {"break router", 0, 0});
    } else if (what == "packet" && words.size() == 2) {
        m_is = kind::packet;
        m_number = whole_number_of(words[1], "number of a packet");
    } else if (what == "node" && words.size() == 3 && (words[2] == "consume" || words[2] == "inject")) {
        m_is = words[2] == "consume" ? kind::node_consumes : kind::node_injects;
        m_number = names.find(place_kind::node, words[1], net.nodes(), {"break node", 0, 0});
    } else if (what == "when" && words.size() > 1) {
        m_is = kind::when;
        m_condition.emplace_back(text.substr(text.find("when") + 4), figures);
    } else if (what != "deadlock" || words.size() != 1) {
        throw config::error(
            fmt::format("break {}: not known; write break router R, packet N, node N consume, node N inject, "
                        "deadlock, or when FIGURE > NUMBER",
                        text));
    }
}

void breakpoint::arm(const network_view& net, running_figures& figures, cycle_t now) {
    for (const figure_condition& c : m_condition) c.count(figures, now);
    m_was = state(net, figures, now);
}

bool breakpoint::is_hit(const live_log::event& e) const {
    using what = live_log::what;
    switch (m_is) {
        case kind::router:
            return (e.is == what::comes || e.is == what::dropped) && e.place == m_number;
        case kind::packet:
            return e.packet == m_number;
        case kind::node_consumes:
            return e.is == what::consumed && e.place == m_number;
        case kind::node_injects:
            return e.is == what::injected && e.place == m_number;
        default:
            return false;
    }
}

/// Returns what is so of the whole network, for a breakpoint that looks at that; "" if nothing is.
std::string breakpoint::state(const network_view& net, running_figures& figures, cycle_t now) const {
    if (m_is == kind::when && m_condition[0].holds(figures, now)) return m_text;
    if (m_is != kind::deadlock || net.flits_inside() == 0) return "";
    const wait_graph graph(net);
    const auto dead = std::count_if(graph.waits().begin(), graph.waits().end(),
                                    [](const wait_graph::wait& w) { return w.dead; });
    return dead == 0 ? ""
                     : fmt::format(
                           "deadlock: {} input VCs wait for each other for ever (looked for every {} "
                           "cycles)",
                           dead, between_looks);
}

std::string breakpoint::why(const network_view& net, const live_log& log, running_figures& figures,
                            cycle_t now) {
    if (m_is == kind::when || (m_is == kind::deadlock && now % between_looks == 0)) {
        const std::string before = std::exchange(m_was, state(net, figures, now));
        return before.empty() ? m_was : "";
    }
    for (const live_log::event& e : log.events())
        if (is_hit(e)) return event_text(e, *net.map());
    return "";
}

}  // namespace sare::cli
