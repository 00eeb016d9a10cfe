// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/waiting_pairs.h"

#include "tlm/base/world.h"
#include "tlm/fabric/view/network_view.h"

#include <map>
#include <sstream>

namespace sare {
namespace {

using pair_of_nodes = std::pair<std::uint32_t, std::uint32_t>;  ///< source and destination
using flits_by_pair = std::map<pair_of_nodes, std::uint64_t>;

flits_by_pair waiting_here(const network_view& net) {
    flits_by_pair all;
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        if (!net.is_here(n)) continue;
        for (std::uint32_t c = 0; c < net.classes(); ++c) {
            const class_queue& queue = net.nic(n).queues[c];
            std::uint64_t begun = queue.flits_left;  // of the packet that is leaving
            for (std::uint32_t id = queue.first; id != class_queue::none; id = net.messages()[id].next) {
                const message_record& m = net.messages()[id];
                all[{n, m.what.destination}] += m.flits_to_inject + begun;
                begun = 0;
            }
        }
    }
    return all;
}

std::string as_text(const flits_by_pair& all) {
    std::ostringstream out;
    for (const auto& [pair, flits] : all) out << pair.first << ' ' << pair.second << ' ' << flits << '\n';
    return out.str();
}

void read_text(const std::string& text, flits_by_pair& all) {
    std::istringstream in(text);
    pair_of_nodes pair;
    for (std::uint64_t flits = 0; in >> pair.first >> pair.second >> flits;) all[pair] += flits;
}

}  // namespace

void report_waiting_pairs(const network_view& net, world* processes, run_result& out) {
    flits_by_pair waiting = waiting_here(net);
    if (processes != nullptr) {
        const std::vector<std::string> texts = processes->gather(as_text(waiting));
        for (std::size_t rank = 1; rank < texts.size(); ++rank) read_text(texts[rank], waiting);
    }
    std::map<pair_of_nodes, run_result::pair_traffic> rows;
    for (const auto& p : out.matrix) rows[{p.source, p.destination}] = p;
    for (const auto& [pair, flits] : waiting) {
        if (flits == 0) continue;
        run_result::pair_traffic& row = rows[pair];
        row.source = pair.first;
        row.destination = pair.second;
        row.waiting = flits;
    }
    out.matrix.clear();
    for (const auto& [pair, row] : rows) out.matrix.push_back(row);
}

}  // namespace sare
