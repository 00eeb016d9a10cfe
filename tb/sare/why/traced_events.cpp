// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/why/traced_events.h"

#include "tlm/config/value.h"
#include "tlm/inside/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

namespace sare::cli {
namespace {

/// Reads a CSV file of Sare line by line, cells by the names of their columns. No cell is in quotes.
class csv_reader {
  public:
    csv_reader(std::istream& from, std::string file, const std::vector<const char*>& columns)
        : m_from(from), m_file(std::move(file)) {
        next();
        const std::vector<std::string_view> header = m_cells;
        for (const char* const name : columns) {
            const auto at = std::find(header.begin(), header.end(), name);
            if (at == header.end())
                fail(fmt::format("has no column '{}'; run again with this version of sare, or use --rerun",
                                 name));
            m_places.push_back(static_cast<std::size_t>(at - header.begin()));
        }
        m_width = header.size();
    }
    bool next() {
        if (!std::getline(m_from, m_line)) return false;
        ++m_number;
        m_cells.clear();
        for (std::string_view rest = m_line;;) {
            const std::size_t comma = rest.find(',');
            m_cells.push_back(rest.substr(0, comma));
            if (comma == std::string_view::npos) break;
            rest.remove_prefix(comma + 1);
        }
        if (m_width != 0 && m_cells.size() != m_width)
            fail(fmt::format("has {} cells; there must be {}", m_cells.size(), m_width));
        return true;
    }
    std::string_view text(std::size_t column) const { return m_cells[m_places[column]]; }
    std::uint64_t number(std::size_t column, std::uint64_t otherwise = 0) const {
        const std::string_view t = text(column);
        if (t.empty()) return otherwise;
        std::uint64_t n = 0;
        const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), n);
        if (error != std::errc() || end != t.data() + t.size())
            fail(fmt::format("'{}' is no whole number", t));
        return n;
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw config::error(fmt::format("{}:{}:1: {}", m_file, m_number, what));
    }

  private:
    std::istream& m_from;
    std::string m_file, m_line;
    std::vector<std::string_view> m_cells;
    std::vector<std::size_t> m_places;
    std::size_t m_number = 0, m_width = 0;
};

/// Returns the member of an enumeration with a name; its members are 0 to `count` - 1.
template <class Enumeration>
Enumeration member(const csv_reader& from, std::size_t column, int count) {
    for (int k = 0; k < count; ++k)
        if (from.text(column) == name_of(static_cast<Enumeration>(k))) return static_cast<Enumeration>(k);
    from.fail(fmt::format("'{}' is unknown", from.text(column)));
}

/// Numbers of ports by their names.
class port_numbers {
  public:
    explicit port_numbers(const topology& map) : m_map(map), m_ports(map.routers()) {}
    port_number find(const csv_reader& from, std::size_t column, std::uint32_t router) {
        if (from.text(column).empty()) return packet_event::no_port;
        if (router >= m_ports.size()) from.fail(fmt::format("there is no router {}", router));
        std::map<std::string, port_number, std::less<>>& ports = m_ports[router];
        for (std::uint32_t p = 0; ports.size() < m_map.ports(router_id(router)); ++p)
            ports.emplace(port_name(m_map, router, p), static_cast<port_number>(p));
        const auto at = ports.find(from.text(column));
        if (at == ports.end())
            from.fail(fmt::format("router {} has no port '{}'", router, from.text(column)));
        return at->second;
    }

  private:
    const topology& m_map;
    std::vector<std::map<std::string, port_number, std::less<>>> m_ports;  ///< by router
};

}  // namespace

void read_events(const std::filesystem::path& directory, const topology& map, journey_book& book) {
    enum {
        cycle,
        event,
        packet,
        message,
        of_class,
        source,
        destination,
        node,
        router,
        in_port,
        in_vc,
        out_port,
        out_vc,
        reason,
        flit,
        cycles,
        blocked_by,
        number
    };
    const std::string file = (directory / events_file).string();
    std::ifstream in(file);
    if (!in) throw config::error(file + ": cannot be read");
    csv_reader from(
        in, file,
        {"cycle", "event", "packet", "message", "class", "source", "destination", "node", "router", "in_port",
         "in_vc", "out_port", "out_vc", "reason", "flit", "cycles", "blocker", "blocker_number"});
    port_numbers ports(map);
    const auto small = [&](std::size_t column) { return static_cast<std::uint32_t>(from.number(column)); };
    while (from.next()) {
        packet_event e;
        e.cycle = from.number(cycle);
        e.is = member<packet_event::what>(from, event, packet_event_kinds);
        e.packet = {from.number(packet),
                    from.number(message),
                    small(source),
                    small(destination),
                    1,
                    static_cast<std::uint8_t>(from.number(of_class))};
        e.place = small(e.at_node() ? node : router);
        if (!e.at_node()) {
            e.in_port = ports.find(from, in_port, e.place);
            e.in_vc = static_cast<std::uint8_t>(from.number(in_vc));
            e.out_port = ports.find(from, out_port, e.place);
            e.out_vc = static_cast<std::uint8_t>(from.number(out_vc));
        }
        e.flit = static_cast<std::uint16_t>(from.number(flit));
        e.cycles = small(cycles);
        if (e.is == packet_event::what::stall) {
            e.reason = member<stall_reason>(from, reason, stall_reasons);
            e.behind = {member<blocker::kind>(from, blocked_by, 4), from.number(number)};
        }
        book.take(e);
    }
}

std::vector<slow_packet> read_slowest(const std::string& text, const std::string& file) {
    std::istringstream in(text);
    csv_reader from(in, file,
                    {"chosen", "packet", "source", "destination", "generated", "injected", "consumed"});
    std::vector<slow_packet> all;
    while (from.next())
        all.push_back({std::string(from.text(0)), from.number(1), !from.text(1).empty(),
                       static_cast<std::uint32_t>(from.number(2)), static_cast<std::uint32_t>(from.number(3)),
                       from.number(4), from.number(5), from.number(6)});
    return all;
}

}  // namespace sare::cli
