// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/run/input.h"
#include "tb/sare/run/picture.h"
#include "tb/sare/usage.h"
#include "tlm/fabric/parts/partition_map.h"
#include "tlm/stats/table.h"
#include "tlm/topology/export.h"
#include "tlm/topology/properties.h"

#include <fmt/format.h>

#include <sstream>

namespace sare::cli {
namespace {

constexpr std::uint32_t most_parts = 65'535;  // 16 bits

struct topo_options {
    input_options input;
    progress_options progress;
    bool graphviz = false, edges = false, svg = false;
    std::uint32_t parts = 0;  ///< 0: none wanted
    std::string out;
};

void write_parts(const topology& map, std::uint32_t parts, const config::location& at, std::ostream& out) {
    if (parts > map.routers())
        throw config::error(
            at, fmt::format("--parts {}: more than the {} routers of this network", parts, map.routers()));
    const partition_map cut = cut_map(map, parts);
    const std::vector<std::string> columns{"router", "part"};
    table rows(columns, out);
    for (std::size_t r = 0; r < cut.of_router.size(); ++r)
        rows.row(std::uint64_t{r}, std::uint64_t{cut.of_router[r]});
}

int topo(const topo_options& options) {
    check_no_experiment(options.out);
    stage_line stage(options.progress);
    stage.begin("looking at the network");
    const experiment e = options.input.read();
    const auto network = e.make_map();
    std::ostringstream text;
    if (options.graphviz)
        write_graphviz(*network, text);
    else if (options.edges)
        write_edge_list(*network, text);
    else if (options.svg)
        text << network_svg(*network, e.at);
    else if (options.parts != 0)
        write_parts(*network, options.parts, e.at, text);
    else
        write_properties(measure(*network), text);
    stage.begin("");
    if (options.out.empty())
        fmt::print("{}", text.str());
    else
        replace_file(options.out, text.str());
    return exit_status::good;
}

}  // namespace

void add_topo(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("topo", "Print the properties of a network, or the network itself");
    auto options = std::make_shared<topo_options>();
    options->input.add_to(*command, false);
    options->progress.add_to(*command);
    auto* graphviz = command->add_flag("--graphviz", options->graphviz, "Graphviz text");
    auto* edges = command->add_flag("--edges", options->edges, "The edge list that topology 'graph' reads")
                      ->excludes(graphviz);
    auto* svg = command->add_flag("--svg", options->svg, "A picture")->excludes(graphviz)->excludes(edges);
    command
        ->add_count("--parts", options->parts, 1, most_parts,
                    "Which of N parts each router belongs to, where as many threads or processes run it")
        ->excludes(graphviz)
        ->excludes(edges)
        ->excludes(svg);
    command->add_option("--out", options->out, "FILE", "Write to a file");
    command->footer(
        "Examples:\n"
        "  sare topo tb/experiments/torus-duato.yaml\n"
        "  sare topo tb/experiments/torus-duato.yaml --svg --out torus.svg");
    command->callback([&chosen, options] { chosen = [options] { return topo(*options); }; });
}

}  // namespace sare::cli
