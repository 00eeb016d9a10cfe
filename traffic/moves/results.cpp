// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/table.h"
#include "traffic/moves/data_moves.h"

#include <algorithm>
#include <cmath>
#include <map>

/// The predictions of the run beside what the chip did.
namespace sare::traffic {
namespace {

double deviation(cycle_t predicted, cycle_t recorded) {
    return recorded == 0 ? 0 : static_cast<double>(predicted) / static_cast<double>(recorded) - 1;
}

/// Returns median and worst of absolute values.
config::value summary(std::vector<double> deviations) {
    for (double& d : deviations) d = std::abs(d);
    std::sort(deviations.begin(), deviations.end());
    const std::size_t n = deviations.size();
    const double median = n == 0 ? 0 : (deviations[(n - 1) / 2] + deviations[n / 2]) / 2;
    return config::value::map({{"count", config::number(n)},
                               {"median_deviation", config::number(median)},
                               {"worst_deviation", config::number(n == 0 ? 0 : deviations.back())}});
}

/// The first columns of both tables.
const std::string kernel_columns = R"(
    processor: text. Its name in the recording.
    chip: count. Its chip.
    x: count. Where it is.
    y: count. Likewise.
    kernel: count. Number of the kernel.
)";
const table_form barriers_form{"barriers.csv", kernel_columns + R"(
    recorded_end: count in cycles. When the barrier ended on the chip.
    predicted_end: count in cycles. When it ended here.
)"};
const table_form kernels_form{"kernels.csv", kernel_columns + R"(
    recorded_begin: count in cycles. When the kernel began on the chip.
    predicted_begin: count in cycles. When it began here.
    recorded_cycles: count in cycles. What it took on the chip.
    predicted_cycles: count in cycles. What it took here.
)"};

}  // namespace

/// Returns the last barrier of each kernel that has one.
std::vector<data_moves::barrier_end> data_moves::last_ends() const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, barrier_end> last;
    for (const barrier_end& e : m_ends) last[{e.actor, e.kernel}] = e;
    std::vector<barrier_end> all;
    for (const auto& [kernel, e] : last) all.push_back(e);
    return all;
}

config::value data_moves::results() const {
    cycle_t recorded = 0, predicted = 0;
    std::vector<double> ends, kernels;
    for (const barrier_end& e : m_ends) {
        recorded = std::max(recorded, e.recorded);
        predicted = std::max(predicted, e.predicted);
        ends.push_back(deviation(e.predicted, e.recorded));
    }
    for (const barrier_end& e : last_ends())
        kernels.push_back(deviation(e.predicted - e.begin_predicted, e.recorded - e.begin_recorded));
    config::value all = config::value::map({{"duration_cycles", config::number(predicted)},
                                            {"recorded_duration_cycles", config::number(recorded)},
                                            {"deviation", config::number(deviation(predicted, recorded))},
                                            {"barriers", summary(std::move(ends))},
                                            {"kernels", summary(std::move(kernels))}});
    if (m_chips == 1) return all;
    std::uint64_t last = 0;
    for (const processor& p : m_recording.processors) last = std::max(last, p.last);
    const double mean = m_between.packets == 0
                            ? 0
                            : static_cast<double>(m_between.cycles) / static_cast<double>(m_between.packets);
    all.set("last_move_cycle", config::number(m_last_move - m_port->first_cycle()));
    all.set("recorded_last_move_cycle", config::number(last));
    all.set("forwarded", config::value::map({{"packets", config::number(m_between.packets)},
                                             {"mean_cycles", config::number(mean)}}));
    return all;
}

std::vector<std::pair<std::string, std::string>> data_moves::tables() const {
    table barriers(barriers_form), kernels(kernels_form);
    for (const barrier_end& e : m_ends) {
        const processor& p = m_recording.processors[e.actor];
        barriers.row(p.name, p.at.chip, p.at.x, p.at.y, e.kernel, e.recorded, e.predicted);
    }
    for (const barrier_end& e : last_ends()) {
        const processor& p = m_recording.processors[e.actor];
        kernels.row(p.name, p.at.chip, p.at.x, p.at.y, e.kernel, e.begin_recorded, e.begin_predicted,
                    e.recorded - e.begin_recorded, e.predicted - e.begin_predicted);
    }
    return {{barriers_form.file(), barriers.text()}, {kernels_form.file(), kernels.text()}};
}

}  // namespace sare::traffic
