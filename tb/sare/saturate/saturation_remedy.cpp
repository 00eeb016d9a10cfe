// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/saturation_remedy.h"

#include "tb/sare/process/files.h"
#include "tb/sare/run/remedy.h"
#include "tb/sare/saturate/combinations.h"
#include "tb/sare/saturate/saturation_files.h"

#include <fmt/format.h>

namespace sare::cli {
namespace {

std::string folder_of(std::size_t point) {
    return fmt::format("points/{:03d}", point);
}

json judge_row(const remedy& r, const json& before, const json& after) {
    const json::json_pointer load("/saturation/load");
    if (after.contains("problem")) return judge_nothing(r, after.at("problem"));
    for (const json* row : {&before, &after})
        if (!row->contains(load) || !row->at(load).is_number())
            return judge_nothing(r, "no saturation was found");
    return judge(r, "flits/node/cycle sustained", before.at(load), after.at(load));
}

}  // namespace

std::string prove_remedies(const sweep_plan& plan, const std::vector<json>& rows,
                           const std::filesystem::path& where, const saturation_options& options,
                           const store_options& store, std::size_t processes) {
    sweep_plan changed_plan = plan;
    std::vector<remedy> remedies(plan.points.size());
    std::vector<json> found(plan.points.size());
    std::vector<std::size_t> tried;
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        sweep_point& point = changed_plan.points[p];
        point.group = p;
        if (rows[p].is_null()) continue;
        remedies[p] = remedy_of(point.what, rows[p].at("limiter"));
        if (remedies[p].why_not.empty()) {
            point.what = changed(point.what, remedies[p]);
            tried.push_back(p);
        } else {
            found[p] = judge_nothing(remedies[p], remedies[p].why_not);
        }
    }
    if (!tried.empty()) {
        claimed_directory directory(where / "remedy", "saturate");
        directory.claim(identity_of(changed_plan, options));
        combinations(changed_plan, tried, directory, options, store)
            .run(
                processes,
                [&](std::size_t p, const json& row) { found[p] = judge_row(remedies[p], rows[p], row); },
                nullptr);
    }
    std::string text;
    for (std::size_t p = 0; p < found.size(); ++p) {
        if (found[p].is_null()) continue;
        write_file(where / folder_of(plan.points[p].number) / "remedy.json", text_of(found[p]));
        text += fmt::format("remedy of {}: {}\n", p, found[p].at("says").get<std::string>());
    }
    return text;
}

}  // namespace sare::cli
