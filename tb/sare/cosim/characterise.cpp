// SPDX-License-Identifier: Apache-2.0
#include "cosim/bench/plugin_place.h"
#include "cosim/cosim_params.h"
#include "cosim/router/plugin.h"
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/cosim/cosim_work.h"
#include "tb/sare/cosim/sheet_table.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/result_set.h"
#include "tb/sare/run/input.h"
#include "tb/sare/run/rtl.h"
#include "tb/sare/sweep/job_pool.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

namespace sare::cli {
namespace {

struct characterise_options {
    input_options input;
    std::string baseline;          ///< file of an earlier sheet (--json); "": none
    std::uint64_t cycles = 20000;  ///< cycles of random traffic before the measurements
    std::size_t jobs = 1;
    bool as_json = false, no_network = false, quiet = false;
};

/// A network of the router in RTL and one of its model, under the same load.
class network_pair {
  public:
    network_pair(const cosim_subject& subject, const config::value& model)
        : m_folder(subject.plugin->folder), m_rtl(subject.plugin->experiment), m_model(m_rtl) {
        m_rtl.set_path("cosim.replace", config::value::scalar("all"));
        m_model.remove("cosim");
        m_model.set("router", *model.find("router"));
        if (const config::value* nic = model.find("nic"); nic != nullptr)
            for (const auto& [name, v] : nic->entries()) m_model.set_path("nic." + name, v);
        const config::value measurement = config::parse_document(
            "{warmup: 1000, convergence_count: 0, batch: 1000, batches: 4}", "measurement");
        m_rtl.set("measurement", measurement);
        m_model.set("measurement", measurement);
    }

    /// Runs both under each load; of loads that one does not sustain, latency is that of what arrives.
    json run(std::size_t jobs, progress_line& line) const {
        json rows(std::size(loads), json::object());
        std::string failed;
        job_pool(2 * std::size(loads), jobs)
            .run([&](std::size_t k, const auto&) { return one(k % 2 == 0 ? m_rtl : m_model, loads[k / 2]); },
                 [&](std::size_t k, const json& result, const std::string& problem) {
                     if (!problem.empty()) failed = problem;
                     rows[k / 2]["load"] = loads[k / 2];
                     rows[k / 2][k % 2 == 0 ? "rtl" : "model"] = result;
                 },
                 [&line](double done) { line.show("networks of the router and of its model", done); });
        if (!failed.empty()) return {{"problem", failed}};
        return rows;
    }

  private:
    static constexpr double loads[] = {0.05, 0.15, 0.25, 0.35, 0.5, 1};

    json one(config::value tree, double load) const {
        tree.set_path("traffic.load", config::value::scalar(fmt::format("{}", load)));
        const experiment e = experiment::read(tree, m_folder);
        simulation& network = *new simulation(e, make_rtl_routers(e).maker());  // never deleted: see leave()
        run_control control;
        control.stop = &stop_requested();
        const run_result r = network.run(e, control);
        return {{"accepted", r.accepted}, {"latency", r.packet_latency.from_generation.mean}};
    }

    std::string m_folder;
    config::value m_rtl, m_model;
};

std::string network_text(const json& rows) {
    if (rows.is_object()) return "  cannot tell: " + rows.at("problem").get<std::string>() + "\n";
    std::vector<std::vector<std::string>> table{
        {"load", "accepted: RTL", "model", "", "latency: RTL", "model", ""}};
    for (const json& row : rows) {
        table.push_back({readable(row.at("load"))});
        for (const char* key : {"accepted", "latency"}) {
            const double rtl = row.at("rtl").at(key), model = row.at("model").at(key);
            for (const double x : {rtl, model}) table.back().push_back(readable(x));
            table.back().push_back(fmt::format("{:+.1f}%", 100 * (model / rtl - 1)));
        }
    }
    return aligned(table, 2);
}

/// Measures in a process of its own, which a router of somebody's own may bring down.
json measured_sheet(const characterise_options& options, const cosim_subject& subject) {
    cosim::plugin_case c = *subject.plugin;
    const std::size_t n = subject.routers.size();
    c.router = subject.routers[n / 3];
    return in_process([&]() -> json {
        const auto place = cosim::make_place(c);
        const cosim::data_sheet sheet = cosim::characterise(*place, c, options.cycles);
        std::vector<std::string> why_not;
        const config::value model = cosim::fitted_model(sheet, *place, why_not);
        return {{"library", options.input.file},
                {"router", c.router},
                {"figures", to_json(figures_of(sheet, place->facts()))},
                {"facts", cosim::facts_text(sheet, place->facts())},
                {"model", config::flow_style(model)},
                {"model_lacks", why_not},
                {"clean", sheet.clean},
                {"failed", sheet.void_runs}};
    });
}

std::string sheet_text(const json& sheet) {
    std::string all = fmt::format("{}, router {} of its network\n\n", sheet["library"].get<std::string>(),
                                  sheet["router"].get<int>());
    std::size_t name = 0, value = 0;
    for (const json& row : sheet["figures"]) {
        name = std::max(name, text_width(row["name"]) + 2);
        value = std::max(value, text_width(row["value"]) + 2);
    }
    const std::size_t width = std::max<std::size_t>(terminal_width(), name + value + 40) - name - value;
    for (const json& row : sheet["figures"])
        all += padded(row["name"], name) + padded(row["value"], value) +
               wrapped(row["how"], width, name + value) + "\n";
    all += "\nfacts() of the adapter:\n";
    std::istringstream facts(sheet["facts"].get<std::string>());
    for (std::string line; std::getline(facts, line);) all += "    " + line + "\n";
    all += "\n";
    const config::value model = config::parse_document(sheet["model"], "model");
    for (const auto& [section, its] : model.entries()) all += section + ": " + config::flow_style(its) + "\n";
    for (const json& line : sheet["model_lacks"]) all += "  " + line.get<std::string>() + "\n";
    if (sheet.contains("network"))
        all += "\nA network of such routers, and of this model [flits/node/cycle, cycles]:\n" +
               network_text(sheet["network"]);
    return all;
}

int characterise(const characterise_options& options) {
    catch_stop_signals();
    const json before =
        options.baseline.empty() ? json() : read_json(options.baseline).value("figures", json());
    if (!options.baseline.empty() && !before.is_array())
        throw config::error(options.baseline + ": is no data sheet, as 'sare characterise --json' writes");
    cosim_subject subject;
    read_plugin(options.input, subject);
    progress_line line(options.quiet || options.as_json);
    json sheet = measured_sheet(options, subject);
    const auto unclean = sheet["clean"].get<std::string>();
    if (!options.no_network && unclean.empty())
        sheet["network"] =
            network_pair(subject, config::parse_document(sheet["model"], "model")).run(options.jobs, line);
    line.erase();
    if (stop_requested() != 0) return exit_status::interrupted;
    show(options.as_json ? text_of(sheet) : sheet_text(sheet));
    std::vector<std::string> wrong = losses(before, sheet["figures"]);
    for (const json& failed : sheet["failed"]) wrong.push_back(failed);
    if (!unclean.empty()) wrong.push_back("not clean: " + unclean);
    for (const std::string& what : wrong) complain(what);
    return wrong.empty() ? exit_status::good : exit_status::failure;
}

}  // namespace

void add_characterise(command_parser& app, action& chosen) {
    auto* command =
        app.add_subcommand("characterise", "Measure a router of your own at its pins: its data sheet");
    auto options = std::make_shared<characterise_options>();
    options->input.add_to(*command);
    command->add_option("--baseline", options->baseline, "SHEET.json",
                        "An earlier sheet (--json): a figure that is worse is an error");
    command->add_count("--cycles", options->cycles, 1, 1000000000000,
                       "Cycles of random traffic before it is measured (default: 20000)");
    command->add_jobs(options->jobs);
    command->add_flag("--json", options->as_json, "As JSON");
    command->add_flag("--no-network", options->no_network, "Run no networks of the router and of its model");
    command->add_flag("-q,--quiet", options->quiet, "Show no progress");
    command->footer(
        "Examples:\n"
        "  sare characterise build/libmy_router.so --json > sheet.json\n"
        "  sare characterise build/libmy_router.so --baseline sheet.json\n"
        "FILE is its library, or an experiment whose section cosim names it. The status is 1 if the router\n"
        "is not clean, or worse than the baseline.");
    command->callback([&chosen, options] { chosen = [options] { return characterise(*options); }; });
}

}  // namespace sare::cli
