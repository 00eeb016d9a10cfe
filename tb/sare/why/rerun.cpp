// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/why/rerun.h"

#include "tb/sare/results/result_files.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/run/rtl.h"
#include "tb/sare/sweep/job_pool.h"
#include "tlm/network/simulation.h"

#include <algorithm>

namespace sare::cli {
namespace {

using config::value;

value asked(const std::string& t) {
    return value::scalar(t, {"--rerun", 0, 0});
}
value asked_list(const std::vector<std::string>& words) {
    std::vector<value> all;
    for (const std::string& w : words) all.push_back(asked(w));
    return value::list(std::move(all));
}

/// Runs an experiment in a process of its own.
json run_apart(const value& tree, const std::string& folder,
               const std::function<json(const experiment&, run_control)>& work) {
    return in_process([&] {
        const experiment e = experiment::read(tree, folder);
        run_control control;
        control.stop = &stop_requested();
        return work(e, control);
    });
}

simulation& network_of(const experiment& e) {
    return *new simulation(e, make_rtl_routers(e).maker());  // never deleted: see leave()
}

}  // namespace

std::vector<slow_packet> find_packets(const saved_experiment& e, const wanted_packets& wanted) {
    value statistic = value::map({{"name", asked("slowest")},
                                  {"packets", asked(std::to_string(wanted.slowest))},
                                  {"samples", asked("0")}});
    statistic.set("numbers", asked_list(wanted.numbers));
    statistic.set("messages", asked_list(wanted.messages));
    if (!wanted.flow.empty()) {
        statistic.set("sources", asked(wanted.flow[0]));
        statistic.set("destinations", asked(wanted.flow[1]));
    }
    value tree = e.tree;
    tree.set_path("measurement.statistics", value::list({std::move(statistic)}));
    const json found =
        run_apart(tree, e.folder, [](const experiment& again, const run_control& control) -> json {
            const run_result r = network_of(again).run(again, control);
            for (const auto& [name, table] : r.tables)
                if (name == "slowest.csv") return table;
            throw std::logic_error("slowest.csv is not there");
        });
    return read_slowest(found.get<std::string>(), "slowest.csv");
}

void run_window(const saved_experiment& e, cycle_t from, cycle_t to, const std::filesystem::path& where) {
    value tree = e.tree;
    tree.set_path("observe.inside",
                  value::map({{"csv", asked("true")},
                              {"events", asked_list({"generated", "injected", "in", "out", "left", "stall",
                                                     "consumed", "dropped", "flit_in", "flit_out"})}}));
    tree.set_path("observe.from", asked(std::to_string(from)));
    tree.set_path("observe.to", asked(std::to_string(to)));
    run_apart(tree, e.folder, [&](const experiment& again, run_control control) -> json {
        static volatile std::sig_atomic_t over = 0;  // of this process alone
        control.stop = &over;
        control.on_progress = [to](const progress& p) { over = p.cycle > to || stop_requested() != 0; };
        result_directory directory(where, result_directory::existing::replace);
        write_result(directory.path(), again, network_of(again).run(again, control));
        directory.commit();
        return nullptr;
    });
}

}  // namespace sare::cli
