// SPDX-License-Identifier: Apache-2.0
#include "traffic/cortex/connectivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace sare::traffic {

const config::schema<cortex_parameters>& cortex_fields() {
    using p = cortex_parameters;
    static const auto fields =
        config::schema<p>()
            .integers("columns", &p::columns, 1, 1e6, "columns", "of the sheet, in x and in y")
            .number("neurons", &p::neurons, 1, 1e9, "", "of a column")
            .number("amplitude", &p::amplitude, 0, 1, "",
                    "A: neurons of columns at a distance r are connected with probability A exp(-r / lambda)")
            .number("lambda", &p::lambda, 1e-3, 1e9, "um", "the length of that decay")
            .number("spacing", &p::spacing, 1e-3, 1e9, "um", "from a column to the next one")
            .number("cut", &p::cut, 1e-12, 1, "",
                    "the probability that ends a stencil, at a distance rounded to whole columns")
            .number("local", &p::local, 0, 0.999, "", "share of a neuron's synapses in its own column");
    return fields;
}

connectivity::connectivity(const cortex_parameters& p, std::uint32_t width, std::uint32_t height,
                           const config::location& where)
    : m(p), m_width(width), m_height(height) {
    const double far = p.amplitude > p.cut ? p.lambda * std::log(p.amplitude / p.cut) : 0;
    const double half = std::round(far / p.spacing);
    if (half > most_half)
        throw config::error(
            where,
            fmt::format(
                "a stencil reaches {} columns far, {} at most; raise 'cut' or 'spacing', or lower 'lambda'",
                config::number_text(half), most_half));
    if (std::uint64_t{width} * height > most_columns)
        throw config::error(
            where, fmt::format("a task has {} columns, {} at most; take more tasks or fewer 'columns'",
                               std::uint64_t{width} * height, most_columns));
    m_half = static_cast<std::uint32_t>(half);
    sum_up();
    // No process is further away than the edge of the sheet.
    m_reach_x = std::min((m_half + width - 1) / width, p.columns[0] / width - 1);
    m_reach_y = std::min((m_half + height - 1) / height, p.columns[1] / height - 1);
    for (int y = -static_cast<int>(m_reach_y); y <= static_cast<int>(m_reach_y); ++y)
        for (int x = -static_cast<int>(m_reach_x); x <= static_cast<int>(m_reach_x); ++x)
            m_pairs.push_back(between(x, y));
}

void connectivity::sum_up() {
    const int half = static_cast<int>(m_half);
    for (int y = -half; y <= half; ++y)
        for (int x = -half; x <= half; ++x)
            if (x != 0 || y != 0) m_remote += m.neurons * probability(x, y);
    m_local = m_remote * m.local / (1 - m.local);
}

const connectivity::pair& connectivity::to(int x, int y) const {
    const auto row = static_cast<std::size_t>(y + static_cast<int>(m_reach_y));
    return m_pairs[row * (2 * m_reach_x + 1) + static_cast<std::size_t>(x + static_cast<int>(m_reach_x))];
}

double connectivity::probability(int x, int y) const {
    const int half = static_cast<int>(m_half);
    if (std::abs(x) > half || std::abs(y) > half) return 0;
    const auto square = static_cast<double>(x * x + y * y);
    return m.amplitude * std::exp(-std::sqrt(square) * m.spacing / m.lambda);
}

/// Returns the mean over the columns of one process: a neuron has no synapse in the other if it has none with
/// any of its neurons. A process always reaches itself. Columns that are farther than a stencil from the
/// other are left out: they are not connected to it.
connectivity::pair connectivity::between(int x, int y) const {
    const int w = static_cast<int>(m_width), h = static_cast<int>(m_height), half = static_cast<int>(m_half);
    const int left = x * w, bottom = y * h;  // of the other process
    pair sum;
    for (int b = std::max(0, bottom - half); b <= std::min(h - 1, bottom + h - 1 + half); ++b)
        for (int a = std::max(0, left - half); a <= std::min(w - 1, left + w - 1 + half); ++a) {
            double none = 1;
            for (int dy = std::max(-half, bottom - b); dy <= std::min(half, bottom + h - 1 - b); ++dy)
                for (int dx = std::max(-half, left - a); dx <= std::min(half, left + w - 1 - a); ++dx) {
                    if (dx == 0 && dy == 0) {
                        sum.synapses += m_local;
                        continue;
                    }
                    const double p = probability(dx, dy);
                    none *= std::pow(1 - p, m.neurons);
                    sum.synapses += m.neurons * p;
                }
            sum.reached += 1 - none;
        }
    const double columns = static_cast<double>(w) * h;
    if (x == 0 && y == 0) return {1, sum.synapses / columns};
    return {sum.reached / columns, sum.synapses / columns};
}

}  // namespace sare::traffic
