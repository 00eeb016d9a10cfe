// SPDX-License-Identifier: Apache-2.0
#include "traffic/moves/params.h"

#include <fmt/format.h>

#include <set>

namespace sare::traffic {
namespace {

constexpr double most_cycles = 1e6, most_rate = 1e6;

struct plane_keys {
    std::string name;
    std::vector<std::string> order{"x", "y"};

    static config::schema<plane_keys> fields() {
        config::schema<plane_keys> s;
        s.text("name", &plane_keys::name, "what the recording calls it")
            .texts("order", &plane_keys::order,
                   "dimension 0 and 1 of the plane as axes of the grid: x or y, with a minus where they run "
                   "the other way");
        return s;
    }
};

struct memory_keys : shared_memory {
    std::vector<std::vector<std::uint32_t>> at;

    static config::schema<memory_keys> fields() {
        config::schema<shared_memory> common;
        common
            .number("rate", &memory_keys::rate, 0, most_rate, "bytes/cycle",
                    "of reads and writes of all its places together; default: memory_rate")
            .number("out", &memory_keys::out, 0, most_rate, "bytes/cycle",
                    "that each of its nodes gives at most; 0: as the other nodes")
            .number("in", &memory_keys::in, 0, most_rate, "bytes/cycle",
                    "that each of its nodes takes at most; 0: as the other nodes")
            .number("latency", &memory_keys::latency, 0, most_cycles, "cycles",
                    "more than read_latency and write_latency say; default: memory_latency");
        config::schema<memory_keys> s;
        s.integer_rows("places", &memory_keys::at, 0, 65535, "", "its places, each [x, y]").include(common);
        return s;
    }
};

plane_order::axis to_axis(const std::string& text, const config::location& at) {
    const bool backward = !text.empty() && text[0] == '-';
    const std::string name = text.substr(backward ? 1 : 0);
    if (name != "x" && name != "y") throw config::error(at, "an axis is x, -x, y or -y, not '" + text + "'");
    return {name == "y", backward};
}

}  // namespace

config::location place_of(const config::value& section, const char* key) {
    const config::value* const given = section.find(key);
    return given != nullptr ? given->where() : section.where();
}

std::uint32_t plane_order::node(const grid_position& p, std::uint32_t width, std::uint32_t height) const {
    const auto along = [&](const axis& a) {
        const std::uint32_t c = a.y ? p.y : p.x, size = a.y ? height : width;
        return a.backward ? size - 1 - c : c;
    };
    return along(first) + (first.y ? height : width) * along(second);
}

config::schema<data_moves_params> data_moves_params::fields() {
    using p = data_moves_params;
    config::schema<p> s;
    s.text("file", &p::file, "the recording: a NoC trace of a Wormhole chip in JSON, plain or compressed")
        .integers("places", &p::places, 1, 1024, "", "width and height of the grid of places")
        .text("chips", &p::chips,
              "of several chips: the topology file, which has the Ethernet links that join them")
        .text("ethernet_plane", &p::ethernet_plane,
              "where data go on that came by such a link; empty: the first plane")
        .number("ethernet_rate", &p::ethernet_rate, 0, most_rate, "bytes/cycle",
                "of each direction of such a link; 0: no limit")
        .number("ethernet_latency", &p::ethernet_latency, 0, most_cycles, "cycles",
                "from the last byte's leaving by such a link until the data go on")
        .list("planes", &p::planes_given, "list of sections", plane_keys::fields().describe(),
              "the networks side by side that the recording names, in the order of the network's planes")
        .number("packet_bytes", &p::packet_bytes, 256, 1e9, "bytes", "larger transfers are several")
        .number("issue", &p::issue, 0, most_cycles, "cycles",
                "from a recorded start to the packet's entering its node")
        .number("read_latency", &p::read_latency, 0, most_cycles, "cycles",
                "from a request's arrival to the first data leaving")
        .number("write_latency", &p::write_latency, 0, most_cycles, "cycles",
                "from the arrival of data to the acknowledgement's leaving")
        .number("barrier", &p::barrier, 0, most_cycles, "cycles", "a barrier takes, with nothing to wait for")
        .number("wake", &p::wake, 0, most_cycles, "cycles",
                "from the last arrival that a barrier waits for to its end")
        .number("hop", &p::hop, 0, most_cycles, "cycles",
                "a head takes from router to router: when branches of a multicast begin")
        .number("out", &p::out, 0, most_rate, "bytes/cycle",
                "that a node of a plane gives at most; 0: no limit")
        .number("in", &p::in, 0, most_rate, "bytes/cycle",
                "that a node of a plane takes at most; 0: no limit")
        .number("memory_rate", &p::memory_rate, 0, most_rate, "bytes/cycle",
                "of memories that do not say theirs; 0: no limit")
        .number("memory_latency", &p::memory_latency, 0, most_cycles, "cycles",
                "of memories that do not say theirs")
        .list("memories", &p::memories_given, "list of sections", memory_keys::fields().describe(),
              "places that share a memory, and what is different about them");
    return s;
}

std::vector<plane_order> data_moves_params::planes(const config::value& section) const {
    const auto at = place_of(section, "planes");
    if (planes_given.type() == config::value::kind::null)
        throw config::error(at,
                            "'planes' is missing; name the networks of the recording: 'planes: [{name: "
                            "NOC_0, order: [x, y]}]'");
    std::vector<plane_order> all;
    for (const config::value& item : config::to_list(planes_given, "planes")) {
        plane_keys keys;
        plane_keys::fields().read(item, keys, "planes");
        if (keys.order.size() != 2)
            throw config::error(item.where(),
                                fmt::format("'order' has {} axes; a grid has two", keys.order.size()));
        plane_order o{keys.name, to_axis(keys.order[0], item.where()), to_axis(keys.order[1], item.where())};
        if (o.first.y == o.second.y)
            throw config::error(item.where(),
                                "'order' names one axis twice; it must be one of x and one of y");
        all.push_back(std::move(o));
    }
    if (all.empty() || all.size() > 255)
        throw config::error(at, fmt::format("'planes' has {} entries; it must have 1 to 255", all.size()));
    return all;
}

std::vector<shared_memory> data_moves_params::memories() const {
    std::vector<shared_memory> all;
    if (memories_given.type() == config::value::kind::null) return all;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const config::value& item : config::to_list(memories_given, "memories")) {
        memory_keys keys;
        keys.rate = memory_rate;
        keys.latency = memory_latency;
        memory_keys::fields().read(item, keys, "memories");
        for (const auto& row : keys.at) {
            if (row.size() != 2 || row[0] >= places[0] || row[1] >= places[1])
                throw config::error(item.where(),
                                    fmt::format("a place of a memory is [x, y] within the grid of {} x {}",
                                                places[0], places[1]));
            keys.places.push_back({row[0], row[1]});
            if (!seen.emplace(keys.places.back().x, keys.places.back().y).second)
                throw config::error(item.where(),
                                    fmt::format("place [{}, {}] is in two memories", row[0], row[1]));
        }
        all.push_back(keys);
    }
    return all;
}

}  // namespace sare::traffic
