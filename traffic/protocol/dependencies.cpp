// SPDX-License-Identifier: Apache-2.0
#include "traffic/protocol/dependencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace sare::traffic {
namespace {

/// By message class: the classes that it depends on, each with the reason.
using class_graph = std::vector<std::map<std::uint32_t, std::string>>;

constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();

bool triggers(std::uint32_t cause, const protocol_step& s) {
    return std::find(s.on.begin(), s.on.end(), cause) != s.on.end();
}

/// Returns, by step, whether its messages have been handled whenever the requester gives the place of the
/// transaction to another one: a message to the requester has been triggered by them, if not at once.
std::vector<bool> handled_in_time(const transaction_kind& t) {
    std::vector<bool> in_time(t.steps.size());
    for (std::uint32_t s = static_cast<std::uint32_t>(t.steps.size()); s-- > 0;) {
        in_time[s] = t.steps[s].to == role::requester;
        for (std::uint32_t later = s + 1; later < t.steps.size(); ++later)
            in_time[s] = in_time[s] || (in_time[later] && triggers(s, t.steps[later]));
    }
    return in_time;
}

/// Returns the most messages of a class that a transaction holds at a node other than its requester;
/// no_bound if one of them may stay after the requester has given the place of the transaction away.
std::uint64_t most_held(const protocol_machine& p, const transaction_kind& t, std::uint32_t message_class,
                        std::uint64_t sharers) {
    const std::vector<bool> in_time = handled_in_time(t);
    std::uint64_t all = 0;
    for (std::uint32_t s = 0; s < t.steps.size(); ++s) {
        const protocol_step& step = t.steps[s];
        if (step.to == role::requester || p.messages[step.kind].message_class != message_class) continue;
        // A message leaves when all that it triggers have: they are to have been handled in time, too.
        bool leaves = in_time[s];
        for (std::uint32_t later = s + 1; later < t.steps.size(); ++later)
            leaves = leaves && (in_time[later] || !triggers(s, t.steps[later]));
        if (!leaves) return no_bound;
        all += step.from == role::sharers ? sharers : 1;
    }
    return all;
}

/// Returns, by class, whether nodes never refuse its messages.
std::vector<bool> never_refused(const protocol_machine& p, const endpoint_room& room) {
    std::vector<bool> never(p.classes);
    for (std::uint32_t c = 0; c < p.classes; ++c) {
        std::uint64_t most = 0;
        for (const transaction_kind& t : p.transactions)
            most = std::max(most, most_held(p, t, c, room.sharers));
        never[c] = most == 0 || room.transactions <= (room.buffer - 1) / most;
    }
    return never;
}

class_graph graph_of(const protocol_machine& p, const endpoint_room& room, bool apart) {
    class_graph edges(p.classes);
    const std::vector<bool> never = never_refused(p, room);
    const auto kind = [&p](const protocol_step& s) { return p.messages[s.kind]; };
    const auto name = [&](const protocol_step& s) {
        return fmt::format("'{}' (class {})", kind(s).name, kind(s).message_class);
    };
    for (const transaction_kind& t : p.transactions)
        for (const protocol_step& sent : t.steps)
            for (const std::uint32_t cause : sent.on) {
                const protocol_step& waits = t.steps[cause];
                if (waits.to == role::requester || never[kind(waits).message_class]) continue;
                edges[apart ? kind(waits).message_class : 0].emplace(
                    apart ? kind(sent).message_class : 0,
                    name(waits) + " at its " + to_string(waits.to) + " waits to send " + name(sent));
            }
    return edges;
}

/// Searches depth-first from the last class of `path`; returns the cycle that it closes, or "". `seen`: 0 for
/// a class not seen yet, 1 on the path, 2 done.
std::string search(const class_graph& edges, std::vector<std::uint32_t>& path,
                   std::vector<std::uint8_t>& seen) {
    const std::uint32_t last = path.back();
    if (seen[last] == 2) return "";
    if (seen[last] == 1) {
        std::string all;
        for (auto at = std::find(path.begin(), path.end(), last); at + 1 != path.end(); ++at)
            all += (all.empty() ? "" : ", ") + edges[*at].at(at[1]);
        return all;
    }
    seen[last] = 1;
    for (const auto& [next, why] : edges[last]) {
        path.push_back(next);
        if (std::string found = search(edges, path, seen); !found.empty()) return found;
        path.pop_back();
    }
    seen[last] = 2;
    return "";
}

}  // namespace

std::string cycle_of_classes(const protocol_machine& p, const endpoint_room& room, bool apart) {
    const class_graph edges = graph_of(p, room, apart);
    std::vector<std::uint8_t> seen(edges.size(), 0);
    for (std::uint32_t c = 0; c < edges.size(); ++c) {
        std::vector<std::uint32_t> path{c};
        if (std::string found = search(edges, path, seen); !found.empty()) return found;
    }
    return "";
}

}  // namespace sare::traffic
