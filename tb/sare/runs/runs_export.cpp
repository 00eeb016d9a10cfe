// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/runs/runs_export.h"

#include "tb/sare/process/process.h"
#include "tlm/stats/table.h"

#include <map>

namespace sare::cli {
namespace {

void write_json(run_store& store, const std::vector<std::int64_t>& ids) {
    const char* before = "[";
    for (const std::int64_t id : ids) {
        const run_record r = store.read(id);
        json one = json::object();
        for (const auto& [name, v] : columns_of(r)) one[name] = v;
        for (const auto& [path, v] : r.values) one["values"][path] = v;
        show(before + std::string("\n") + one.dump(-1, ' ', false, json::error_handler_t::replace));
        before = ",";
        if (stop_requested() != 0) break;
    }
    show(ids.empty() ? "[]\n" : "\n]\n");
}

void write_csv(run_store& store, const std::vector<std::int64_t>& ids) {
    std::vector<std::string> header;
    for (const auto& [name, v] : columns_of({})) header.push_back(name);
    std::map<std::string, bool> has;
    for (const std::int64_t id : ids)
        for (const auto& [path, v] : store.read(id).values) has[path] = true;
    std::vector<std::string> paths;
    for (const auto& [path, ignored] : has) paths.push_back(path);
    header.insert(header.end(), paths.begin(), paths.end());
    table head(header);
    show(head.text());
    for (const std::int64_t id : ids) {
        const run_record r = store.read(id, &paths);
        table row(header);
        const auto add = [&row](const json& v) {
            if (v.is_null())
                row.no_cell();
            else
                row.cell(v.is_string() ? v.get<std::string>() : v.dump());
        };
        for (const auto& [name, v] : columns_of(r)) add(v);
        for (const auto& [path, v] : r.values) add(v);
        row.end_row();
        show(row.text().substr(head.text().size()));
        if (stop_requested() != 0) return;
    }
}

}  // namespace

std::vector<std::pair<std::string, json>> columns_of(const run_record& r) {
    return {{"id", r.id},
            {"kind", r.kind},
            {"name", r.name},
            {"status", r.status},
            {"version", r.version},
            {"seed", r.seed},
            {"recorded", r.recorded},
            {"host", r.host},
            {"machine", r.machine},
            {"directory", r.directory},
            {"sweep", r.sweep == 0 ? json() : json(r.sweep)}};
}

void write_records(run_store& store, const std::vector<std::int64_t>& ids, const std::string& format) {
    return format == "json" ? write_json(store, ids) : write_csv(store, ids);
}

}  // namespace sare::cli
