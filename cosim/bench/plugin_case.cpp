// SPDX-License-Identifier: Apache-2.0
#include "cosim/bench/plugin_case.h"

#include "cosim/bench/plugin_bench.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"

#include <fmt/format.h>

#include <filesystem>

namespace sare::cosim {
namespace {

using row = std::vector<std::uint32_t>;

/// The section as it is written.
struct written_case {
    std::string folder;
    std::uint32_t router = 0, cycles = 0;
    std::uint64_t seed = 1;
    plugin_start start = plugin_start::two_states;
    std::vector<row> packets, credits;

    static config::schema<written_case> fields() {
        using p = written_case;
        constexpr double most = 4294967295.0;
        config::schema<p> s;
        s.text("folder", &p::folder, "Folder of the files that the experiment names.")
            .number("router", &p::router, 0, most, "", "Number of the router.")
            .number("seed", &p::seed, 0, 9e15, "", "Seed of the initial state.")
            .choice("start", &p::start,
                    {{"two_states", plugin_start::two_states},
                     {"zeros", plugin_start::zeros},
                     {"mid_traffic", plugin_start::mid_traffic}},
                    "How the router begins.")
            .number("cycles", &p::cycles, 0, most, "cycles",
                    "Length; then it drains. 0: up to the last event.")
            .integer_rows("packets", &p::packets, 0, most, "",
                          "Input port, VC, destination, ways round the rings, and the cycle of each flit.")
            .integer_rows("credits", &p::credits, 0, most, "", "Output port, VC, and cycles.");
        return s;
    }
};

}  // namespace

std::string text(const plugin_case& c) {
    std::string all;
    for (const auto& [name, section] : c.experiment.entries())
        all += name + ": " + config::flow_style(section) + "\n";
    static const char* const starts[] = {"two_states", "zeros", "mid_traffic"};
    return fmt::format(
        "{}plugin_case:\n  folder: '{}'\n  router: {}\n  seed: {}\n  start: {}\n  cycles: {}\n{}", all,
        c.folder, c.router, c.seed, starts[static_cast<int>(c.start)], c.cycles,
        text(static_cast<const pin_events&>(c)));
}

plugin_case read_plugin_case(const config::value& document) {
    const config::value& section = *document.find("plugin_case");
    written_case w;
    written_case::fields().read(section, w, "plugin_case");
    plugin_case c;
    c.experiment = document;
    c.experiment.remove("plugin_case");
    c.folder = w.folder;
    c.router = w.router;
    c.seed = w.seed;
    c.start = w.start;
    c.cycles = w.cycles;
    const auto place = make_place(c);
    const router_setting& s = place->setting();
    static_cast<pin_events&>(c) =
        read_events(w.packets, w.credits, s.ports, s.model.vcs, "plugin_case", section.where());
    for (const pin_events::packet& p : c.packets)
        if (p.destination >= s.nodes)
            throw config::error(
                section.where(),
                fmt::format("plugin_case.packets: destination {} of {} nodes", p.destination, s.nodes));
    return c;
}

plugin_case case_of_file(const std::string& file, const std::function<config::value()>& read) {
    const std::filesystem::path path = std::filesystem::absolute(file);
    plugin_case c;
    c.experiment =
        path.extension() == ".so" ? config::parse_document(experiment_of_library(path), file) : read();
    c.folder = path.parent_path();
    return c;
}

std::unique_ptr<plugin_place> make_place(const plugin_case& c) {
    auto place = std::make_unique<plugin_place>(experiment::read(c.experiment, c.folder), c.router);
    place->set_seed(c.seed);
    return place;
}

std::string plugin_difference(const std::string& yaml) {
    const plugin_case c = read_plugin_case(config::parse_document(yaml, "case"));
    return run(*make_place(c), c).text;
}

}  // namespace sare::cosim
