// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_points.h"

#include "tb/sare/sweep/recorded_points.h"

#include <algorithm>
#include <set>

namespace sare::cli {

sweep_points::sweep_points(const sweep_plan& plan, sweep_directory& directory,
                           const std::vector<std::size_t>* ours, recorded_points* recorded)
    : m_plan(plan),
      m_directory(directory),
      m_states(plan.points.size(), ours == nullptr ? point_state::waiting : point_state::past),
      m_recorded(recorded) {
    std::set<std::size_t> curves;
    if (ours != nullptr)
        for (const std::size_t p : *ours) {
            m_states[p] = point_state::waiting;
            curves.insert(plan.points[p].curve);
        }
    for (const auto& p : plan.points) {
        if (ours != nullptr && curves.count(p.curve) == 0) continue;
        if (m_recorded != nullptr) m_recorded->look_for(p);
        if (!m_directory.take(p.number) || m_states[p.number] != point_state::waiting) continue;
        if (m_recorded != nullptr) m_recorded->add(p);
        m_states[p.number] = point_state::done;
        ++m_kept;
    }
}

bool sweep_points::take(std::size_t point) {
    if (!m_directory.take(point)) return false;
    if (m_recorded != nullptr) m_recorded->add(m_plan.points[point]);
    m_states[point] = point_state::done;
    return true;
}

void sweep_points::cut_curves() {
    for (const auto& curve : m_plan.curves)
        for (std::size_t i = curve_end(curve, m_directory.status()); i < curve.size(); ++i) {
            if (m_states[curve[i]] == point_state::done) {
                m_directory.drop(curve[i]);
                if (m_recorded != nullptr) m_recorded->forget(curve[i]);
            }
            m_states[curve[i]] = point_state::past;
        }
}

bool sweep_points::wanted(std::size_t point) const {
    const auto& curve = m_plan.curves[m_plan.points[point].curve];
    const auto end = curve.begin() + static_cast<std::ptrdiff_t>(curve_end(curve, m_directory.status()));
    return std::find(curve.begin(), end, point) != end;
}

std::size_t sweep_points::first_waiting(const std::vector<std::size_t>& curve) const {
    const std::size_t end = curve_end(curve, m_directory.status());
    for (std::size_t i = 0; i < end; ++i)
        if (m_states[curve[i]] == point_state::waiting) return curve[i];
    return size();
}

std::size_t sweep_points::count(point_state s) const {
    return static_cast<std::size_t>(std::count(m_states.begin(), m_states.end(), s));
}

std::size_t sweep_points::left() const {
    std::size_t n = count(point_state::running);
    for (std::size_t p = 0; p < size(); ++p) n += m_states[p] == point_state::waiting && wanted(p) ? 1 : 0;
    return n;
}

double sweep_points::fraction(double parts) const {
    const double done = static_cast<double>(finished() - m_kept + failed());
    const double all = done + static_cast<double>(left());
    return all > 0 ? (done + parts) / all : 1;
}

}  // namespace sare::cli
