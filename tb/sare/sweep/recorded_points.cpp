// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/recorded_points.h"

#include "tb/sare/commands.h"
#include "tb/sare/run/plugins.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/sweep/sweep_points.h"
#include "tlm/base/joined.h"

#include <algorithm>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// Returns the record of the sweep. Its axes are its parameters.
run_record record_of(const sweep_plan& plan, const fs::path& directory) {
    run_record r = new_record("sweep", directory);
    r.name = fs::path(plan.file).stem().string();
    r.seed = static_cast<std::int64_t>(plan.points.front().what.seed);
    r.status = "running";
    r.configuration = plan.config.dump();
    std::string axes;
    for (const sweep_axis& axis : plan.axes) {
        const std::string values = joined(axis.values, ", ", config::flow_style);
        r.values.emplace_back("axes." + axis.path, values);
        axes += axis.path + "=" + values + "\n";
    }
    r.values.emplace_back("points", plan.points.size());
    r.identity = sha256(r.configuration + "\n" + axes);
    return r;
}

const char* text_of_status(int status, const sweep_points& points) {
    if (status == exit_status::interrupted) return "interrupted";
    if (points.failed() != 0) return "failed";
    return points.left() != 0 ? "running" : "completed";  // jobs that were submitted and left
}

}  // namespace

recorded_points::recorded_points(const store_options& options, const sweep_directory& directory,
                                 const sweep_plan& plan)
    : m_recorder(options), m_directory(directory) {
    if (!m_recorder.is_on()) return;
    m_sweep = record_of(plan, directory.path());
    m_sweep.id = m_recorder.add(m_sweep);
}

void recorded_points::look_for(const sweep_point& p) {
    const fs::path place = m_directory.point_path(p.number);
    if (!m_recorder.is_on() || !is_vacant(place)) return;
    const fs::path known = m_recorder.known(p.what);
    if (known.empty()) return;
    result_directory whole(place, result_directory::existing::replace);
    copy_results(known, whole.path());
    whole.commit();
}

void recorded_points::add(const sweep_point& p) {
    m_recorder.add(p.what, m_sweep.name, m_directory.point_path(p.number), m_sweep.id);
}

void recorded_points::forget(std::size_t point) {
    m_recorder.forget(m_directory.point_path(point));
}

void recorded_points::end(int status, const sweep_points& points) {
    if (!m_recorder.is_on()) return;
    m_sweep.status = text_of_status(status, points);
    m_sweep.values.emplace_back("points.done", points.finished());
    m_sweep.values.emplace_back("points.failed", points.failed());
    m_recorder.add(m_sweep);
}

}  // namespace sare::cli
