// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/results/result_files.h"

#include "tb/sare/process/files.h"
#include "tb/sare/results/result_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sare::cli {
namespace {

/// CSV in memory: a header, then rows of numbers and names. A number that is none is an empty field.
class table {
  public:
    explicit table(std::string header) : m_text(std::move(header) + "\n") {}

    template <class... Cells>
    void row(const Cells&... cells) {
        (cell(cells), ...);
        end_row();
    }
    void cell(double x) {
        if (std::isfinite(x))
            fmt::format_to(std::back_inserter(m_text), "{},", x);
        else
            m_text += ',';
    }
    void cell(std::uint32_t x) { cell(std::uint64_t{x}); }
    void cell(std::uint64_t x) { fmt::format_to(std::back_inserter(m_text), "{},", x); }
    void cell(const std::string& x) { m_text += x + ","; }
    void end_row() { m_text.back() = '\n'; }
    const std::string& text() const { return m_text; }

  private:
    std::string m_text;
};

table series(const run_result& r) {
    table t("cycle,offered,injected,accepted,latency_mean,packets_in_network");
    for (const auto& p : r.series)
        t.row(p.cycle, p.offered, p.injected, p.accepted, p.latency_mean, p.packets_in_network);
    return t;
}

table latency_histogram(const run_result& r) {
    table t("low,high,from_generation,from_injection");
    for (const auto& b : r.latency_histogram) t.row(b.low, b.high, b.from_generation, b.from_injection);
    return t;
}

/// Of a picture, where the last digits say nothing; no -0.
double tidy(double x) {
    return std::round(x * 1e4) / 1e4 + 0.0;
}

table links(const run_result& r) {
    std::size_t vcs = 0;
    for (const auto& l : r.link_loads) vcs = std::max(vcs, l.vc_loads.size());
    std::string header = "from,from_port,to,to_port,kind,flits,load,utilisation,stub";
    for (std::size_t v = 0; v < vcs; ++v) header += fmt::format(",vc{}", v);
    table t(header);
    for (const auto& l : r.link_loads) {
        for (const std::uint32_t x : {l.from, l.from_port, l.to, l.to_port}) t.cell(x);
        t.cell(l.kind);
        t.cell(l.flits);
        t.cell(l.load);
        t.cell(l.utilisation);
        t.cell(tidy(l.stub));
        for (std::size_t v = 0; v < vcs; ++v) t.cell(v < l.vc_loads.size() ? l.vc_loads[v] : std::nan(""));
        t.end_row();
    }
    return t;
}

table routers(const run_result& r) {
    table t("router,x,y,group");
    const double none = std::nan("");
    for (const auto& [router, at] : r.router_places)
        if (at)
            t.row(router, tidy(at->x), tidy(at->y), r.place_groups[at->group]);
        else
            t.row(router, none, none, "");
    return t;
}

table nodes(const run_result& r) {
    table t("node,router,generated,injected,consumed,offered,accepted");
    for (const auto& n : r.node_loads)
        t.row(n.node, n.router, n.generated, n.injected, n.consumed, n.offered, n.accepted);
    return t;
}

table queues(const run_result& r) {
    table t("flits,samples");
    for (const auto& [flits, samples] : r.queue_occupancy) t.row(flits, samples);
    return t;
}

table distances(const run_result& r) {
    table t("hops,injected,consumed");
    for (const auto& d : r.distances) t.row(d.hops, d.injected, d.consumed);
    return t;
}

table matrix(const run_result& r) {
    table t("source,destination,packets,flits,waiting");
    for (const auto& p : r.matrix) t.row(p.source, p.destination, p.packets, p.flits, p.waiting);
    return t;
}

}  // namespace

void write_network(const std::filesystem::path& where, const run_result& r) {
    write_file(where / "links.csv", links(r).text());
    write_file(where / "routers.csv", routers(r).text());
}

void write_result(const std::filesystem::path& where, const experiment& e, const run_result& r) {
    write_file(where / "series.csv", series(r).text());
    write_file(where / "latency_histogram.csv", latency_histogram(r).text());
    write_network(where, r);
    write_file(where / "nodes.csv", nodes(r).text());
    write_file(where / "queues.csv", queues(r).text());
    write_file(where / "distances.csv", distances(r).text());
    if (e.measurement.matrix) write_file(where / "matrix.csv", matrix(r).text());
    for (const auto& [name, text] : r.tables) write_file(where / name, text);
    for (const auto& [name, write] : r.files) append_file(where / name, write);
    write_file(where / "summary.json", text_of(summary(e, r)));
}

}  // namespace sare::cli
