// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/traffic/fake_port.h"
#include "tlm/api/observation.h"
#include "tlm/stats/log/observation_params.h"
#include "traffic/observe/task_observation.h"

#include <sstream>

/// A workload on a network without contention, looked at.
namespace sare::testing_support {

inline section_parts everything() {
    section_parts all;
    auto& tasks = all.of<traffic::task_observation>();
    tasks.matrix = tasks.timeline = tasks.critical_path = tasks.paje = true;
    all.of<observation_params>().perfetto = true;
    return all;
}

using csv_rows = std::vector<std::vector<std::string>>;

/// Of text without quotes; the header is left out.
inline csv_rows rows_of(const std::string& csv) {
    csv_rows all;
    std::istringstream lines(csv);
    std::string line, cell;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream cells(line);
        all.emplace_back();
        while (std::getline(cells, cell, ',')) all.back().push_back(cell);
    }
    return all;
}

/// A table or a file of a workload; "" if it has none of that name.
inline std::string file_of(const workload& w, const std::string& name) {
    for (const auto& [its, text] : w.tables())
        if (its == name) return text;
    for (const auto& [its, write] : w.files())
        if (its == name) {
            std::ostringstream text;
            write(text);
            return text.str();
        }
    return "";
}

/// The fake network's own rule: so nothing contends but in the source queue.
inline observation observed(cycle_t latency, const section_parts& what) {
    return {what, [latency](const sare::message& m) { return m.flits - 1 + latency; }};
}

inline std::uint64_t path_figure(const workload& w, const std::string& key) {
    return std::stoull(w.results().find("critical_path")->find(key)->text());
}

}  // namespace sare::testing_support
