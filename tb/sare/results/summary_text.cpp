// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/results/summary_text.h"

#include "tb/sare/process/terminal.h"
#include "tb/sare/results/estimate.h"
#include "tlm/network/routes/own_routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace sare::cli {
namespace {

constexpr std::size_t name_width = 24;

std::size_t summary_columns() {
    return std::clamp<std::size_t>(terminal_width(1, 80), 60, 100);
}

std::string line(const std::string& name, const std::string& text) {
    return "  " + padded(name + " ", name_width) +
           wrapped(text, summary_columns() - 2 - name_width, name_width + 2) + "\n";
}

std::string count(std::uint64_t n) {
    return readable(static_cast<double>(n));
}

std::string name_of(const config::value& section) {
    if (section.type() == config::value::kind::scalar) return section.text();
    for (const char* key : {"workload", "name", "function"})
        if (const auto* v = section.find(key)) return v->text();
    return "";
}

colour colour_of(run_status s) {
    if (s == run_status::completed) return colour::green;
    return s == run_status::deadlock || s == run_status::stuck || s == run_status::failed ? colour::red
                                                                                          : colour::yellow;
}

std::string headline_text(const experiment& e, const run_result& r) {
    std::string network = e.name.empty() ? r.topology : e.name + ": " + r.topology;
    for (std::size_t i = 0; i < r.dims.size(); ++i) network += (i ? "x" : " ") + std::to_string(r.dims[i]);
    const std::string way = e.fidelity == fidelity::flit       ? name_of(e.routing)
                            : e.fidelity == fidelity::analytic ? "contention-free"
                            : e.fidelity == fidelity::crossbar ? "ideal crossbar"
                                                               : "links of nodes alone";
    std::string what = fmt::format("{}, {}, {}", network, way, name_of(e.traffic));
    if (e.traffic.type() == config::value::kind::map)
        if (const auto* pattern = e.traffic.find("pattern")) what += " " + name_of(*pattern);
    const std::string status = to_string(r.status);
    return in_colour(padded(what, summary_columns() - 1 - status.size()), colour::bold) + " " +
           in_colour(status, colour_of(r.status)) + "\n";
}

std::string counts_line(const counts& c) {
    std::string text = fmt::format("{} generated, {} injected, {} consumed", count(c.generated),
                                   count(c.injected), count(c.consumed));
    if (c.copied != 0) text += fmt::format(", {} copied", count(c.copied));
    if (c.dropped != 0) text += fmt::format(", {} dropped", count(c.dropped));
    if (c.refused != 0) text += fmt::format(", {} refused", count(c.refused));
    return text;
}

/// Returns the mark of latencies that depend on the length of the run.
std::string star(const run_result& r) {
    return r.is_steady() ? "" : "*";
}

std::vector<std::string> latency_row(const std::string& name, const latency_summary& l) {
    std::vector<std::string> row{name};
    for (const double x : {l.mean, rounded_up(l.ci95, 2), l.p50, l.p95, l.p99, l.max})
        row.push_back(readable(x, row.size() == 2 ? 2 : 4));  // the confidence of a mean has two digits
    return row;
}

/// "0.1009 ± 0.0024 accepted": a mean with its 95% confidence interval over the batches, where there are
/// some.
std::string load_text(const run_result& r, const char* name, double mean, double batch_result::*load) {
    std::vector<double> samples;
    for (const batch_result& b : r.batches) samples.push_back(b.*load);
    return with_error(mean, estimate_of(samples).half_width()) + " " + name;
}

std::string latencies(const run_result& r) {
    std::vector<std::vector<std::string>> rows{
        {padded("latency, cycles" + star(r), name_width - 2), "mean", "+-95%", "p50", "p95", "p99", "max"}};
    rows.push_back(latency_row("  from generation", r.packet_latency.from_generation));
    rows.push_back(latency_row("  from injection", r.packet_latency.from_injection));
    if (r.message_latency.from_generation.count != 0 && r.messages.generated != r.packets.generated)
        rows.push_back(latency_row("  of messages", r.message_latency.from_generation));
    std::string text = aligned(rows, 2);
    if (!r.is_steady())
        text += line("* not steady", r.status == run_status::saturated
                                         ? "these latencies grow with the length of the run"
                                         : "these latencies may depend on the length of the run");
    return text;
}

bool ends_with(const std::string& text, const std::string& ending) {
    return text.size() > ending.size() &&
           text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

/// Returns the workload's single figures that are not zero; lists and sections are in summary.json.
std::string workload_lines(const run_result& r) {
    if (r.workload.type() != config::value::kind::map) return "";
    std::string out;
    for (const auto& [key, v] : r.workload.entries()) {
        if (v.type() != config::value::kind::scalar || v.text() == "0" || ends_with(key, "_seconds"))
            continue;
        const bool cycles = ends_with(key, "_cycles");
        std::string name = cycles ? key.substr(0, key.size() - 7) : key, text = v.text();
        std::replace(name.begin(), name.end(), '_', ' ');
        char* end = nullptr;
        const double x = std::strtod(text.c_str(), &end);
        if (*end == '\0') text = readable(x, 6);
        if (cycles) text += fmt::format(" cycles, {}", duration(x * r.clock_period_s));
        out += line(name, text);
    }
    return out;
}

/// Returns a figure of a section by a path of keys; NaN if there is none.
double figure(const config::value& section, std::initializer_list<const char*> path) {
    const config::value* at = &section;
    for (const char* key : path)
        if (at == nullptr || (at = at->find(key)) == nullptr) return NAN;
    return at->type() == config::value::kind::scalar ? std::strtod(at->text().c_str(), nullptr) : NAN;
}

/// Returns a row for each application, if several shared the network.
std::string applications(const run_result& r) {
    const config::value* all = r.workload.find("applications");
    if (all == nullptr || all->type() != config::value::kind::list) return "";
    std::vector<std::vector<std::string>> rows{{padded("application", name_width - 2), "tasks", "completed",
                                                "messages", "latency" + star(r), "p99" + star(r)}};
    const config::value* baselines = r.workload.find("baselines");
    if (baselines != nullptr)
        for (const auto& [kind, each] : baselines->entries()) rows[0].push_back("x " + kind);
    for (const config::value& a : all->items()) {
        const std::string& name = a.find("name")->text();
        rows.push_back({"  " + name});
        for (const double count :
             {figure(a, {"tasks"}), figure(a, {"completion_cycles"}), figure(a, {"messages", "consumed"})})
            rows.back().push_back(readable(count, 6));
        for (const char* of : {"mean", "p99"})
            rows.back().push_back(readable(figure(a, {"latency", "from_generation", of})));
        if (baselines == nullptr) continue;
        for (const auto& [kind, each] : baselines->entries())
            rows.back().push_back(readable(figure(each, {name.c_str(), "slowdown"})));
    }
    return aligned(rows, 2);
}

/// Returns a row in a flow's units: required and delivered rate, mean latency and its 99th percentile.
std::vector<std::string> flow_row(const config::value& f) {
    const config::value* given = f.find("given");
    const std::string &met = f.find("met")->text(), said = met == "yes" ? "" : met == "no" ? "unmet" : met;
    std::vector<std::string> row{"  " + f.find("flow")->text()};
    if (given == nullptr) {
        for (const double x : {figure(f, {"required"}), figure(f, {"delivered"}),
                               figure(f, {"latency", "mean"}), figure(f, {"latency", "p99"})})
            row.push_back(readable(x));
    } else {
        const auto in = [given](const char* unit, const char* what) {
            const std::string& its = given->find(unit)->text();
            const bool usual = its == "flits/cycle" || its == "cycles";
            return readable(figure(*given, {what})) + (usual ? "" : " " + its);
        };
        for (const char* rate : {"required", "delivered"}) row.push_back(in("rate_unit", rate));
        for (const char* time : {"latency_mean", "latency_p99"}) row.push_back(in("latency_unit", time));
    }
    row.push_back(said);
    return row;
}

/// Returns rows of the flows that got least of their requirement, unmet ones first.
std::string flow_rows(const run_result& r) {
    const config::value* all = r.workload.find("flows_listed");
    if (all == nullptr || all->type() != config::value::kind::list) return "";
    std::vector<std::vector<std::string>> rows{{padded("flow, flits/cycle", name_width + 6), "required",
                                                "delivered", "latency" + star(r), "p99" + star(r), ""}};
    std::map<std::string, int> alike;
    for (const config::value& f : all->items()) ++alike[f.find("flow")->text()];
    for (const config::value& f : all->items()) {
        rows.push_back(flow_row(f));
        if (alike[f.find("flow")->text()] > 1) rows.back()[0] += ", class " + f.find("class")->text();
    }
    return aligned(rows, 2);
}

/// Returns a row for each message class, if there are several.
std::string class_rows(const run_result& r) {
    if (r.class_loads.empty()) return "";
    std::vector<std::vector<std::string>> rows{{padded("class", name_width - 2), "offered", "injected",
                                                "accepted", "latency" + star(r), "p99" + star(r),
                                                "max" + star(r)}};
    for (std::size_t c = 0; c < r.class_loads.size(); ++c) {
        rows.push_back({fmt::format("  {}", c)});
        for (const char* name :
             {"offered", "injected", "accepted", "latency_mean", "latency_p99", "latency_max"})
            rows.back().push_back(readable(r.column_of(scope::message_class, name).number(c)));
    }
    return aligned(rows, 2);
}

std::string percent(double share) {
    return readable(100 * share, 3) + "%";
}

std::string links_line(const run_result& r) {
    std::string text;
    if (r.channels != 0)
        text = fmt::format("{} used on the average, at most {}; ",
                           percent(r.figure_of("links.mean_utilisation")),
                           percent(r.figure_of("links.max_utilisation")));
    const auto busiest = r.busiest_link();
    if (!busiest) return text + "no link was measured";
    const link_result& l = r.link_loads[*busiest];
    const double use = r.column_of(scope::link, "utilisation").number(*busiest);
    return text + fmt::format("busiest, {}: {}", percent(use), r.text_of(l));
}

/// Returns the route to the worst root: "node 0, router 0, router 1, node 2".
std::string congestion_line(const run_result& r) {
    constexpr std::size_t most = 8;  // places
    const congestion_root& worst = r.congestion.front();
    const auto place = [&r](bool node, std::uint32_t n) {
        return r.names.text(node ? place_kind::node : place_kind::router, n);
    };
    std::vector<std::string> places;
    for (const std::size_t row : worst.chain) {
        const link_result& l = r.link_loads[row];
        if (places.empty()) places.push_back(place(l.kind == "injection", l.from));
        places.push_back(place(l.kind == "ejection", l.to));
    }
    std::string text;
    for (std::size_t k = 0; k < places.size(); ++k) {
        const bool left_out = places.size() > most && k >= most / 2 && k + most / 2 < places.size();
        if (left_out && k != most / 2) continue;
        text += (k == 0 ? "" : " > ") + (left_out ? "..." : places[k]);
    }
    text += fmt::format(": {} used", percent(worst.utilisation));
    if (worst.links == 0) return text;
    return text + fmt::format(", {} {} held up", worst.links, worst.links == 1 ? "link" : "links");
}

std::string power_line(const run_result& r) {
    const auto said = [&r](const char* name) { return readable(r.figure_of(std::string("power.") + name)); };
    std::string text = fmt::format(
        "{} mW, at most {} in an interval; {} pJ a bit delivered, {} a packet; {} mm2", said("mean"),
        said("peak"), said("energy.per_bit"), said("energy.per_packet"), said("area"));
    if (std::isfinite(r.figure_of("power.gating.saved")))
        text += fmt::format("; routers that go off saved {} pJ and cost {}", said("gating.saved"),
                            said("gating.cost"));
    if (const double error = r.figure_of("power.energy.error"); error > 0)
        text += fmt::format("; dynamic energy by samples, +- {}", percent(error));
    return text;
}

std::string speed(const run_result& r) {
    const double hops = r.machine.wall_s > 0 ? static_cast<double>(r.flit_hops) / r.machine.wall_s : NAN;
    return fmt::format("{} cycles in {}: {} cycles/s, {} flit-hops/s, {:.0f} MiB", count(r.cycles),
                       duration(r.machine.wall_s), scaled(r.machine.cycles_per_s), scaled(hops),
                       static_cast<double>(r.machine.peak_rss_bytes) / 1048576);
}

/// Kinds and layouts of the routers; the number of each only where there are several.
std::string router_line(const run_result& r) {
    std::string text;
    for (const auto& [name, routers] : r.router_variants)
        text += (text.empty() ? "" : "; ") +
                (r.router_variants.size() == 1 ? name : fmt::format("{} {}", count(routers), name));
    return text;
}

}  // namespace

std::string summary_text(const experiment& e, const run_result& r) {
    std::string out = headline_text(e, r);
    if (!r.reason.empty()) out += line("reason", r.reason);
    if (const std::string text = default_routing_text(e); !text.empty()) out += line("routing", text);
    if (const std::string text = e.link_times_text(); !text.empty()) out += line("links in cycles", text);
    if (!r.proved_deadlock_free) out += line("deadlock check", r.deadlock_check);
    out += workload_lines(r);
    out += applications(r);
    out += flow_rows(r);
    out += line("packets", counts_line(r.packets));
    const auto resent = [&r](const char* key) {
        const config::value* const n = r.reliable.find(key);
        return n == nullptr ? "0" : count(std::stoull(n->text()));
    };
    if (r.reliable.find("sent_again") != nullptr)
        out += line("sent again",
                    resent("sent_again") + " packets; " + resent("acknowledgements") + " acknowledgements");
    out += line("load, flits/node/cycle", load_text(r, "offered", r.offered, &batch_result::offered) + ", " +
                                              load_text(r, "injected", r.injected, &batch_result::injected) +
                                              ", " +
                                              load_text(r, "accepted", r.accepted, &batch_result::accepted));
    out += latencies(r);
    out += class_rows(r);
    out += line("hops", fmt::format("{} mean, {} at most", readable(r.hops_mean), readable(r.hops_max)));
    if (e.fidelity == fidelity::flit) out += line("links", links_line(r));
    if (!r.congestion.empty()) out += line("congestion", congestion_line(r));
    out += line("fairness", fmt::format("{} (Jain), nodes accept {} to {}", readable(r.fairness_jain, 3),
                                        readable(r.fairness_min, 3), readable(r.fairness_max, 3)));
    if (std::isfinite(r.figure_of("power.mean"))) {
        out += line("power", power_line(r));
        for (const auto& [figure, name] : {std::pair{"power.not_characterised", "  not characterised"},
                                           std::pair{"power.extrapolated", "  extrapolated"}})
            r.column_of(scope::run, figure).visit(0, [&out, name = name](const auto& said) {
                if (const std::string text = fmt::format("{}", said); !text.empty()) out += line(name, text);
            });
    }
    out += line("measured", fmt::format("cycles {} to {}", count(r.measured_from), count(r.measured_to)));
    if (!r.router_variants.empty()) out += line("routers", router_line(r));
    out += line("simulated", speed(r));
    return out;
}

}  // namespace sare::cli
