// SPDX-License-Identifier: Apache-2.0
#include "traffic/moves/chips.h"

#include "tlm/config/schema.h"
#include "tlm/config/yaml.h"

#include <fmt/format.h>

namespace sare::traffic {
namespace {

constexpr double most_devices = 1e6, most_channels = 1e4;

/// An Ethernet link between two chips.
struct link_keys {
    std::uint64_t local = 0, remote = 0;
    std::uint32_t local_channel = 0, remote_channel = 0;

    static config::schema<link_keys> fields() {
        config::schema<link_keys> s;
        s.number("local_device_id", &link_keys::local, 0, most_devices, "", "chip")
            .number("local_eth_channel", &link_keys::local_channel, 0, most_channels, "", "its channel")
            .number("remote_device_id", &link_keys::remote, 0, most_devices, "", "chip at the other end")
            .number("remote_eth_channel", &link_keys::remote_channel, 0, most_channels, "", "its channel");
        return s;
    }
};

/// Two channels of a chip, each of which sends on what the other receives.
struct forwarding_keys {
    std::uint64_t device = 0;
    std::vector<std::uint32_t> channels;

    static config::schema<forwarding_keys> fields() {
        config::schema<forwarding_keys> s;
        s.number("device_id", &forwarding_keys::device, 0, most_devices, "", "chip")
            .integers("channels", &forwarding_keys::channels, 0, most_channels, "", "two channels");
        return s;
    }
};

/// The whole file.
struct file_keys {
    config::value links, forwarding, places;

    static config::schema<file_keys> fields() {
        config::schema<file_keys> s;
        s.list("inter_device_channel_pairs", &file_keys::links, "list of sections",
               link_keys::fields().describe(), "Ethernet links")
            .list("forwarding_channel_pairs", &file_keys::forwarding, "list of sections",
                  forwarding_keys::fields().describe(), "channels that send on")
            .raw("eth_chan_to_coord", &file_keys::places, "section", "place [x, y] of each channel");
        return s;
    }
};

/// Returns the sections of a list, each read by the fields of T; none if the list is missing.
template <class T>
std::vector<std::pair<T, config::location>> sections_of(const config::value& list, const char* name) {
    std::vector<std::pair<T, config::location>> all;
    if (list.type() == config::value::kind::null) return all;
    for (const config::value& item : config::to_list(list, name)) {
        all.emplace_back(T(), item.where());
        T::fields().read(item, all.back().first, name);
    }
    return all;
}

/// Returns the place of a channel, which is given as [x, y]; none if it is not that, or not in the grid.
std::optional<grid_position> to_place(const config::value& given, const recording_grid& grid) {
    const std::vector<config::value>& at = given.items();
    if (at.size() != 2) return {};
    const auto x = config::to_integer(at[0], "x", 0, 65535), y = config::to_integer(at[1], "y", 0, 65535);
    if (x >= grid.width || y >= grid.height) return {};
    return grid_position{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)};
}

}  // namespace

chip_links::chip_links(const std::string& path, const recording_grid& grid) {
    const config::value file = config::load_yaml(path);
    file_keys keys;
    file_keys::fields().read(file, keys, "chips");
    for (const auto& [channel, given] : keys.places.entries()) {
        const auto place = to_place(given, grid);
        if (!place || channel.empty() || channel.size() > 4 ||
            channel.find_first_not_of("0123456789") != std::string::npos)
            throw config::error(given.where(),
                                fmt::format("an entry is the number of a channel and its place [x, y] in the "
                                            "grid of {} x {}: '\"{}\": [9, 0]'",
                                            grid.width, grid.height, channel));
        m_places[static_cast<std::uint32_t>(std::stoul(channel))] = *place;
    }
    for (const auto& [l, at] : sections_of<link_keys>(keys.links, "inter_device_channel_pairs"))
        join(m_links, {l.local, l.local_channel}, {l.remote, l.remote_channel}, at);
    for (const auto& [f, at] : sections_of<forwarding_keys>(keys.forwarding, "forwarding_channel_pairs")) {
        if (f.channels.size() != 2)
            throw config::error(
                at, fmt::format("'channels' has {} numbers; it must have two", f.channels.size()));
        join(m_forwarding, {f.device, f.channels[0]}, {f.device, f.channels[1]}, at);
    }
    if (m_links.empty())
        throw config::error(file.where(),
                            "'inter_device_channel_pairs' has no link; a topology has at least one");
    for (const auto& [from, to] : m_links) m_chips.emplace(from.first, 0);
    std::uint32_t number = 0;
    for (auto& [device, chip] : m_chips) chip = number++;
}

/// Joins two channels both ways.
void chip_links::join(std::map<channel_of_chip, channel_of_chip>& joined, const channel_of_chip& a,
                      const channel_of_chip& b, const config::location& at) const {
    for (const channel_of_chip& each : {a, b})
        if (m_places.count(each.second) == 0)
            throw config::error(at,
                                fmt::format("channel {} has no place in 'eth_chan_to_coord'", each.second));
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
        if (const auto [found, is_new] = joined.emplace(from, to); !is_new && found->second != to)
            throw config::error(
                at, fmt::format("channel {} of chip {} is joined to two others", from.second, from.first));
}

std::optional<std::uint32_t> chip_links::chip(std::uint64_t device) const {
    const auto found = m_chips.find(device);
    return found == m_chips.end() ? std::nullopt : std::optional(found->second);
}

std::vector<grid_position> chip_links::way(std::uint64_t device, std::uint32_t first,
                                           std::uint32_t hops) const {
    const auto place = [&](const channel_of_chip& c) {
        grid_position at = m_places.at(c.second);
        at.chip = m_chips.at(c.first);
        return at;
    };
    std::vector<grid_position> all;
    channel_of_chip from{device, first};
    for (std::uint32_t hop = 0; hop < hops; ++hop) {
        const auto link = m_links.find(from);
        if (link == m_links.end()) return {};
        all.push_back(place(from));
        all.push_back(place(link->second));
        if (hop + 1 == hops) break;
        const auto next = m_forwarding.find(link->second);
        if (next == m_forwarding.end()) return {};
        from = next->second;
    }
    return all;
}

}  // namespace sare::traffic
