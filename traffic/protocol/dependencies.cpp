// SPDX-License-Identifier: Apache-2.0
#include "traffic/protocol/dependencies.h"

#include <algorithm>
#include <map>

namespace sare::traffic {
namespace {

/// By message class: the classes that it depends on, each with the reason.
using class_graph = std::vector<std::map<std::uint32_t, std::string>>;

class_graph graph_of(const protocol_machine& p, bool apart) {
    class_graph edges(p.classes);
    const auto kind = [&p](const protocol_step& s) { return p.messages[s.kind]; };
    const auto name = [&](const protocol_step& s) {
        return "'" + kind(s).name + "' (class " + std::to_string(kind(s).message_class) + ")";
    };
    for (const transaction_kind& t : p.transactions)
        for (const protocol_step& sent : t.steps)
            for (const std::uint32_t cause : sent.on) {
                const protocol_step& waits = t.steps[cause];
                if (waits.to == role::requester) continue;
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

std::string cycle_of_classes(const protocol_machine& p, bool apart) {
    const class_graph edges = graph_of(p, apart);
    std::vector<std::uint8_t> seen(edges.size(), 0);
    for (std::uint32_t c = 0; c < edges.size(); ++c) {
        std::vector<std::uint32_t> path{c};
        if (std::string found = search(edges, path, seen); !found.empty()) return found;
    }
    return "";
}

}  // namespace sare::traffic
