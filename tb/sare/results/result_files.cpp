// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/results/result_files.h"

#include "tb/sare/process/files.h"
#include "tb/sare/results/result_json.h"
#include "tlm/stats/figure.h"

#include <map>
#include <numeric>
#include <ostream>

namespace sare::cli {
namespace {

const table_form series_form{"series.csv", R"(
    cycle: count in cycles. End of the interval.
    offered: number in flits/node/cycle. What the workload made in it.
    injected: number in flits/node/cycle. What entered the network.
    accepted: number in flits/node/cycle. What came to nodes.
    latency_mean: number in cycles. Of the packets that came, from generation.
    packets_in_network: count in packets. At its end.
)"};

const table_form latency_form{"latency_histogram.csv", R"(
    low: count in cycles. Packets whose latency was from this
    high: count in cycles. to below this.
    from_generation: count in packets. So many, from generation to consumption.
    from_injection: count in packets. So many, from injection to consumption.
)"};

const table_form links_form{"links.csv", R"(
    from: count. Router that it leaves; of an injection link the node.
    from_port: count. Port of it.
    to: count. Router that it leads to; of an ejection link the node.
    to_port: count. Port of it.
    kind: text. router, injection or ejection.
)"};

const table_form routers_form{"routers.csv", R"(
    router: count. Its number.
)"};

const table_form ports_form{"ports.csv", R"(
    router: count. Router.
    port: count. Input port of it.
)"};

const table_form nodes_form{"nodes.csv", R"(
    node: count. Its number.
    router: count. The router that it is at.
)"};

const table_form classes_form{"classes.csv", R"(
    class: count. Class of messages.
)"};

const table_form matrix_form{"matrix.csv", R"(
    source: count. Node that sends.
    destination: count. Node that receives.
)"};

const table_form queues_form{"queues.csv", R"(
    flits: count in flits. In the buffer of a VC.
    samples: count. How often a sample found so many: at the ends of intervals.
)"};

const table_form distances_form{"distances.csv", R"(
    hops: count in routers. Routers on the way.
    injected: count in packets. With so many on a shortest path.
    consumed: count in packets. That visited so many.
)"};

/// Folder of the tables, and ending of their names: ".zst", or none.
struct table_place {
    std::filesystem::path folder;
    std::string ending;

    std::filesystem::path of(const std::string& file) const { return folder / (file + ending); }
};

/// Writes row by row, since a large network's tables are too large for memory.
template <class Rows>
void write_table(const table_place& where, const table_form& form, const Rows& rows,
                 const std::vector<std::string>& more = {}) {
    const auto write = [&](std::ostream& out) {
        table t(form, out, more);
        rows(t);
    };
    where.ending.empty() ? write_file(where.of(form.file()), write)
                         : replace_file(where.of(form.file()), write);
}

/// Writes a row for each place: its names, then its figures.
template <class Places, class Names>
void write_figures(const table_place& where, const table_form& form, scope of, const Places& places,
                   const run_result& r, const Names& names) {
    const std::vector<figure_view> columns = r.columns_of(of);
    std::vector<std::string> more;
    for (const figure_view& c : columns) more.push_back(c.name());
    const auto rows = [&](table& t) {
        for (std::size_t row = 0; row < places.size(); ++row) {
            names(t, places[row]);
            for (const figure_view& c : columns) c.visit(row, [&t](const auto& x) { t.cell(x); });
            t.end_row();
        }
    };
    write_table(where, form, rows, more);
}

void write_series(const table_place& where, const run_result& r) {
    write_table(where, series_form, [&r](table& t) {
        for (const auto& p : r.series)
            t.row(p.cycle, p.offered, p.injected, p.accepted, p.latency_mean, p.packets_in_network);
    });
}

void write_latencies(const table_place& where, const run_result& r) {
    write_table(where, latency_form, [&r](table& t) {
        for (const auto& b : r.latency_histogram) t.row(b.low, b.high, b.from_generation, b.from_injection);
    });
}

void write_queues(const table_place& where, const run_result& r) {
    write_table(where, queues_form, [&r](table& t) {
        for (const auto& [flits, samples] : r.queue_occupancy) t.row(flits, samples);
    });
}

void write_distances(const table_place& where, const run_result& r) {
    write_table(where, distances_form, [&r](table& t) {
        for (const auto& d : r.distances) t.row(d.hops, d.injected, d.consumed);
    });
}

void write_links(const table_place& where, const run_result& r) {
    write_figures(where, links_form, scope::link, r.link_loads, r, [](table& t, const link_result& l) {
        t.counts({l.from, l.from_port, l.to, l.to_port});
        t.cell(l.kind);
    });
}

void write_routers(const table_place& where, const run_result& r) {
    write_figures(where, routers_form, scope::router, r.router_places, r,
                  [](table& t, const router_result& p) { t.cell(p.router); });
}

void write_ports(const table_place& where, const run_result& r) {
    write_figures(where, ports_form, scope::port, r.port_places, r, [](table& t, const port_result& p) {
        t.counts({p.router, p.port});
    });
}

void write_nodes(const table_place& where, const run_result& r) {
    write_figures(where, nodes_form, scope::node, r.node_loads, r, [](table& t, const node_result& n) {
        t.counts({n.node, n.router});
    });
}

void write_classes(const table_place& where, const run_result& r) {
    std::vector<std::uint32_t> all(r.classes);
    std::iota(all.begin(), all.end(), 0);
    write_figures(where, classes_form, scope::message_class, all, r,
                  [](table& t, std::uint32_t c) { t.cell(c); });
}

void write_matrix(const table_place& where, const run_result& r) {
    write_figures(where, matrix_form, scope::flow, r.matrix, r,
                  [](table& t, const run_result::pair_traffic& p) {
                      t.counts({p.source, p.destination});
                  });
}

json column_json(const column& c) {
    return {{"name", c.name}, {"kind", to_string(c.is)}, {"unit", c.unit}, {"sentence", c.sentence}};
}

/// Returns the name of a table without the ending for its compression.
std::string plain_name(const std::filesystem::path& file) {
    return (file.extension() == ".csv" ? file : file.stem()).filename().string();
}

/// Returns the form of a table. An application's table is called as the application, a dot, and its kind.
const table_form* form_of(const std::string& file) {
    const auto& all = table_form::all();
    for (std::size_t at = 0; at != std::string::npos; at = file.find('.', at + 1)) {
        const auto found = all.find(file.substr(at == 0 ? 0 : at + 1));
        if (found != all.end()) return found->second;
    }
    return nullptr;
}

/// Returns the meaning of the columns of a directory's tables.
json described(const std::filesystem::path& where, const run_result& r) {
    std::map<std::string, json> all;
    for (const auto& entry : std::filesystem::directory_iterator(where)) {
        const std::string file = plain_name(entry.path());
        const table_form* const form = form_of(file);
        if (form == nullptr) continue;
        json columns = json::array(), rest = json::array();
        for (const column& c : form->columns()) columns.push_back(column_json(c));
        for (const column& c : form->rest()) rest.push_back(column_json(c));
        for (const auto& [of, any] : r.figures)
            if (file == file_of(of))
                for (const figure_view& c : r.columns_of(of)) {
                    columns.push_back(column_json(c.header()));
                    columns.back()["summing"] = to_string(c.about().how);
                }
        if (!r.is_steady())
            for (json& c : columns)
                if (c["name"].get<std::string>().find("latency") != std::string::npos) c["steady"] = false;
        all[file] = {{"columns", columns}};
        if (!rest.empty()) all[file]["rest"] = rest;
    }
    json tree = json::object();
    for (const auto& [file, columns] : all) tree[file] = columns;
    return tree;
}

}  // namespace

namespace {

void write_network(const table_place& where, const run_result& r) {
    write_links(where, r);
    write_routers(where, r);
    write_file(where.folder / columns_file, text_of(described(where.folder, r)));
}

}  // namespace

void write_network(const std::filesystem::path& where, const run_result& r) {
    write_network(table_place{where, ""}, r);
}

void write_result(const std::filesystem::path& where, const experiment& e, const run_result& r,
                  const std::string& compressed) {
    const table_place tables{where, compressed.empty() ? "" : "." + compressed};
    write_series(tables, r);
    write_latencies(tables, r);
    write_nodes(tables, r);
    write_queues(tables, r);
    write_distances(tables, r);
    if (!r.port_places.empty()) write_ports(tables, r);
    if (r.figures.count(scope::message_class) != 0) write_classes(tables, r);
    if (e.measurement.matrix) write_matrix(tables, r);
    for (const auto& [name, text] : r.tables) write_file(where / name, text);
    for (const auto& [name, to] : r.files) append_file(where / name, to);
    write_network(tables, r);
    write_file(where / "summary.json", [&](std::ostream& to) { write_summary(e, r, to); });
}

}  // namespace sare::cli
