// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/result_json.h"
#include "tb/sare/run/input.h"
#include "tb/sare/sweep/sweep_plan.h"
#include "tlm/base/joined.h"
#include "tlm/network/router_plan.h"
#include "tlm/power/design.h"
#include "tlm/power/params.h"
#include "tlm/power/zero_load.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

namespace sare::cli {
namespace {

struct cost_options {
    input_options input;
    axis_options axes;
    progress_options progress;
    bool as_json = false;
};

/// Routers with equal costs.
struct router_kind {
    std::string name;
    std::uint32_t ports = 0, count = 0;
    std::uint64_t buffer_bits = 0;  ///< of one router
    const block_costs* costs = nullptr;
};

double sum_of(const std::array<double, power_components.size()>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0);
}

/// A network without a run.
class hardware {
  public:
    explicit hardware(const experiment& e)
        : m_map(e.make_map()),
          m_plan(e, *m_map),
          m_params(params_of(e)),
          m_design(
              m_params, m_params.at, *m_map,
              [this](std::uint32_t r) -> const router_model& { return m_plan.model(r); },
              8 * e.nic.flit_bytes),
          m_latency(mean_head_latency(
              *m_map, [this](std::uint32_t r) -> const router_model& { return m_plan.model(r); },
              e.nic.delay)),
          m_hertz(m_params.hertz(e.clock_seconds(), m_design.period())) {
        find_kinds();
    }

    json to_json() const {
        json all = {{"tables", m_design.tables()},
                    {"not_characterised", m_design.not_characterised()},
                    {"extrapolated", m_design.extrapolated()},
                    {"area_mm2", m_design.area() * 1e-6},
                    {"buffer_bits", buffer_bits()},
                    {"leakage_mw", m_design.leakage() * 1e-3},
                    {"clock_period_ns", m_design.period()},
                    {"frequency_mhz", m_hertz / 1e6},
                    {"head_latency_cycles", m_latency},
                    {"head_latency_ns", m_latency / m_hertz * 1e9},
                    {"head_latency_ns_at_fastest", m_latency * m_design.period()}};
        for (std::size_t k = 0; k < power_components.size(); ++k)
            all["by_component"][power_components[k]] = {{"area_mm2", m_design.area_of()[k] * 1e-6},
                                                        {"leakage_mw", m_design.leakage_of()[k] * 1e-3}};
        for (const router_kind& r : m_kinds)
            all["routers"].push_back({{"name", r.name},
                                      {"ports", r.ports},
                                      {"count", r.count},
                                      {"area_um2", r.costs->whole_area()},
                                      {"buffer_bits", r.buffer_bits},
                                      {"leakage_uw", sum_of(r.costs->leakage)},
                                      {"clock_period_ns", r.costs->period}});
        return all;
    }

    std::string text() const {
        std::vector<std::vector<std::string>> routers{
            {"routers", "ports", "count", "area, mm2", "buffer bits", "leakage, uW", "period, ns"}};
        for (const router_kind& r : m_kinds)
            routers.push_back({r.name, std::to_string(r.ports), std::to_string(r.count),
                               readable(r.costs->whole_area() * 1e-6),
                               readable(static_cast<double>(r.buffer_bits)),
                               readable(sum_of(r.costs->leakage)), readable(r.costs->period)});
        std::vector<std::vector<std::string>> parts{{"component", "area, mm2", "leakage, mW"}};
        for (std::size_t k = 0; k < power_components.size(); ++k)
            if (m_design.area_of()[k] != 0 || m_design.leakage_of()[k] != 0)
                parts.push_back({power_components[k], readable(m_design.area_of()[k] * 1e-6),
                                 readable(m_design.leakage_of()[k] * 1e-3)});
        parts.push_back({"all", readable(m_design.area() * 1e-6), readable(m_design.leakage() * 1e-3)});
        std::string said = aligned(routers) + "\n" + aligned(parts) + "\n";
        said += fmt::format(
            "A head takes {} cycles through the empty network, mean over pairs of nodes: {} ns at {} MHz{}",
            readable(m_latency), readable(m_latency / m_hertz * 1e9), readable(m_hertz * 1e-6),
            m_hertz * m_design.period() > 1.000001e9 ? ", which is too fast for it" : "");
        if (m_design.period() > 0)
            said += fmt::format(",\n{} ns at the {} MHz that the slowest block can reach",
                                readable(m_latency * m_design.period()), readable(1e3 / m_design.period()));
        said += ".\nCosts: " + m_design.tables() + ".";
        if (const std::string all = joined(notes(), "\n"); !all.empty())
            said += (m_design.not_characterised().empty() ? "\n" : " ") + all;
        return said + "\n";
    }

    /// Returns what its costs leave out and what is beyond the ranges of their tables, a sentence each.
    std::vector<std::string> notes() const {
        std::vector<std::string> all;
        if (const std::string& text = m_design.not_characterised(); !text.empty())
            all.push_back("Not characterised: " + text + ".");
        if (const std::string& text = m_design.extrapolated(); !text.empty())
            all.push_back("Extrapolated: " + text + ".");
        return all;
    }

  private:
    static const power_params& params_of(const experiment& e) {
        const auto& p = e.sections.of<power_params>();
        if (p.table.empty())
            throw config::error(e.at,
                                "this experiment has no section 'power', whose table says what things cost; "
                                "write such as --set power.table=asap7");
        return p;
    }

    void find_kinds() {
        std::map<std::pair<const block_costs*, const router_model*>, std::size_t> known;
        for (std::uint32_t r = 0; r < m_map->routers(); ++r) {
            const auto [at, is_new] =
                known.try_emplace({&m_design.router(r), &m_plan.model(r)}, m_kinds.size());
            if (is_new)
                m_kinds.push_back({m_plan.of(r).name, m_map->ports(router_id(r)), 0, m_design.buffer_bits(r),
                                   &m_design.router(r)});
            ++m_kinds[at->second].count;
        }
    }

    std::uint64_t buffer_bits() const {
        std::uint64_t sum = 0;
        for (const router_kind& k : m_kinds) sum += k.count * k.buffer_bits;
        return sum;
    }

    std::unique_ptr<topology> m_map;
    router_plan m_plan;
    const power_params& m_params;
    network_design m_design;
    double m_latency, m_hertz;
    std::vector<router_kind> m_kinds;
};

/// Texts below a table, each once, and their numbers, from 1.
class footnotes {
  public:
    /// Returns the numbers of the texts, "1 3"; "" for none.
    std::string numbers_of(const std::vector<std::string>& texts) {
        return joined(texts, " ", [this](const std::string& t) { return std::to_string(number_of(t)); });
    }
    std::string text() const {
        std::string all;
        for (std::size_t k = 0; k < m_texts.size(); ++k) all += fmt::format("{}: {}\n", k + 1, m_texts[k]);
        return all;
    }

  private:
    std::size_t number_of(const std::string& text) {
        std::size_t k = 0;
        while (k < m_texts.size() && m_texts[k] != text) ++k;
        if (k == m_texts.size()) m_texts.push_back(text);
        return k + 1;
    }
    std::vector<std::string> m_texts;
};

/// Prints a row for each point of the axes.
int cost_of_points(const cost_options& options, stage_line& stage) {
    const sweep_plan plan = make_plan(options.axes.source_over(options.input));
    json all = json::array();
    std::vector<std::vector<std::string>> rows{{}};
    for (const sweep_axis& a : plan.axes) rows[0].push_back(a.path);
    for (const char* name :
         {"area, mm2", "buffer bits", "leakage, mW", "period, ns", "head, cycles", "head, ns", ""})
        rows[0].emplace_back(name);
    footnotes notes;
    for (const sweep_point& p : plan.points) {
        const hardware network(p.what);
        json one = network.to_json();
        std::vector<std::string> row = p.values;
        for (const char* key : {"area_mm2", "buffer_bits", "leakage_mw", "clock_period_ns",
                                "head_latency_cycles", "head_latency_ns_at_fastest"})
            row.push_back(readable(one[key].get<double>()));
        row.push_back(notes.numbers_of(network.notes()));
        rows.push_back(std::move(row));
        for (std::size_t a = 0; a < plan.axes.size(); ++a) one["point"][plan.axes[a].path] = p.values[a];
        all.push_back(std::move(one));
    }
    stage.begin("");
    fmt::print("{}",
               options.as_json
                   ? text_of(all)
                   : aligned(rows) + "\nns: at the clock that the slowest block can reach.\n" + notes.text());
    return exit_status::good;
}

int cost(const cost_options& options) {
    stage_line stage(options.progress);
    stage.begin("looking at the network");
    if (!options.axes.axes.empty()) return cost_of_points(options, stage);
    const experiment e = options.input.read();
    const hardware network(e);
    stage.begin("");
    fmt::print("{}", options.as_json ? text_of(network.to_json()) : network.text());
    return exit_status::good;
}

}  // namespace

void add_cost(command_parser& app, action& chosen) {
    auto* command =
        app.add_subcommand("cost", "Area, buffers, leakage and clock period of a network, without a run");
    auto options = std::make_shared<cost_options>();
    options->input.add_to(*command, false);
    options->progress.add_to(*command);
    options->axes.add_to(*command);
    command->add_flag("--json", options->as_json, "As JSON");
    command->footer(
        "Examples:\n"
        "  sare cost tb/experiments/power/mesh8x8.yaml\n"
        "  sare cost tb/experiments/power/mesh8x8.yaml --axis router.vcs=1,2,4,8");
    command->callback([&chosen, options] { chosen = [options] { return cost(*options); }; });
}

}  // namespace sare::cli
