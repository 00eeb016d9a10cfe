// SPDX-License-Identifier: Apache-2.0
#include "traffic/moves/data_moves.h"

#include <algorithm>
#include <cmath>
#include <map>

/// What the run predicts beside what the chip did.
namespace sare::traffic {
namespace {

double deviation(cycle_t predicted, cycle_t recorded) {
    return recorded == 0 ? 0 : static_cast<double>(predicted) / static_cast<double>(recorded) - 1;
}

/// Median and worst of absolute values.
config::value summary(std::vector<double> deviations) {
    for (double& d : deviations) d = std::abs(d);
    std::sort(deviations.begin(), deviations.end());
    const std::size_t n = deviations.size();
    const double median = n == 0 ? 0 : (deviations[(n - 1) / 2] + deviations[n / 2]) / 2;
    return config::value::map({{"count", config::number(n)},
                               {"median_deviation", config::number(median)},
                               {"worst_deviation", config::number(n == 0 ? 0 : deviations.back())}});
}

std::string row(std::initializer_list<std::string> fields) {
    std::string line;
    for (const std::string& f : fields) line += (line.empty() ? "" : ",") + f;
    return line + "\n";
}

}  // namespace

/// The last barrier of each kernel that has one.
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
    return config::value::map({{"duration_cycles", config::number(predicted)},
                               {"recorded_duration_cycles", config::number(recorded)},
                               {"deviation", config::number(deviation(predicted, recorded))},
                               {"barriers", summary(std::move(ends))},
                               {"kernels", summary(std::move(kernels))}});
}

std::vector<std::pair<std::string, std::string>> data_moves::tables() const {
    const auto text = [](auto n) { return std::to_string(n); };
    std::string barriers = "processor,x,y,kernel,recorded_end,predicted_end\n";
    std::string kernels =
        "processor,x,y,kernel,recorded_begin,predicted_begin,recorded_cycles,predicted_cycles\n";
    for (const barrier_end& e : m_ends) {
        const processor& p = m_recording.processors[e.actor];
        barriers +=
            row({p.name, text(p.at.x), text(p.at.y), text(e.kernel), text(e.recorded), text(e.predicted)});
    }
    for (const barrier_end& e : last_ends()) {
        const processor& p = m_recording.processors[e.actor];
        kernels += row({p.name, text(p.at.x), text(p.at.y), text(e.kernel), text(e.begin_recorded),
                        text(e.begin_predicted), text(e.recorded - e.begin_recorded),
                        text(e.predicted - e.begin_predicted)});
    }
    return {{"barriers.csv", barriers}, {"kernels.csv", kernels}};
}

}  // namespace sare::traffic
