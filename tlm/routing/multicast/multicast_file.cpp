// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/multicast/multicast_trees.h"
#include "tlm/topology/graph/line_reader.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <istream>
#include <map>

namespace sare {
namespace {

/// Entries as they are read, by source and router, with their lines.
struct line_of_file {
    std::uint64_t ports;
    std::uint32_t line;
};
using entries_by_place = std::map<std::pair<std::uint32_t, std::uint32_t>, line_of_file>;

void read_entry(const line_reader& reader, const topology& net, entries_by_place& all) {
    if (reader.word(0) != "entry")
        reader.fail("unknown line '" + std::string(reader.word(0)) + "'; only 'entry' is known");
    const std::uint32_t router = reader.place(1, place_kind::router, net);
    const std::uint32_t source = reader.place(2, place_kind::node, net);
    std::uint64_t ports = 0;
    for (std::size_t k = 3; k == 3 || k < reader.size(); ++k) {
        const std::uint32_t port = reader.number(k, "a port", 0, net.ports(router_id(router)) - 1);
        if ((ports >> port & 1) != 0) reader.fail(fmt::format("port {} is given twice in one entry", port));
        ports |= std::uint64_t{1} << port;
    }
    const auto [at, is_new] = all.try_emplace({source, router}, line_of_file{ports, reader.line()});
    if (!is_new)
        reader.fail(fmt::format("router {} has two entries for source {}, the first on line {}", router,
                                source, at->second.line));
}

}  // namespace

multicast_table read_multicast(const topology& net, const std::string& file, const config::value& section) {
    std::string path;
    const auto in = open_input(section, "file", file, path);
    line_reader reader(*in, path, "sare-multicast");
    multicast_table table(net, place(section, "file"));
    entries_by_place all;
    while (reader.next()) read_entry(reader, net, all);
    for (const auto& [at, entry] : all) table.add(at.second, at.first, entry.ports);
    const auto line_of = [&](std::uint32_t source, std::uint32_t router) {
        const auto found = all.find({source, router});
        return found != all.end() ? found->second.line : all.lower_bound({source, 0})->second.line;
    };
    table.finish([&](std::uint32_t source, std::uint32_t router) {
        const std::string come = fmt::format("packets of node {} come to router {}", source, router);
        const bool lacks = table.ports(router, source, hexagon::links - 1) == 0;
        reader.fail(line_of(source, router), come + (lacks ? ", which has no entry for them"
                                                           : " a second time; to each they may come once"));
    });
    for (const auto& [at, entry] : all)
        if (!table.is_source(at.first))
            reader.fail(entry.line, fmt::format("node {} is a source and its packets come to no node; router "
                                                "{}, its own, must have an entry that leads to some",
                                                at.first, net.router_of(node_id(at.first)).value));
    return table;
}

}  // namespace sare
