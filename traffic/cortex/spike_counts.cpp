// SPDX-License-Identifier: Apache-2.0
#include "traffic/cortex/spike_counts.h"

#include "tlm/stats/table.h"
#include "traffic/spatial/pattern.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

namespace sare::traffic {
namespace {

const table_form spikes_form{"spikes.csv", R"(
    step: count. Of the simulation, from 0.
    task: count. Its number.
    spikes: count. That its neurons emit in the step.
)"};

/// Reads three whole numbers between commas; returns false for any other text.
bool read_three(std::string_view text, std::uint64_t (&numbers)[3]) {
    for (int i = 0; i < 3; ++i) {
        const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
        if (problem != std::errc()) return false;
        text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
        if (i < 2 && (text.empty() || text[0] != ',')) return false;
        if (i < 2) text.remove_prefix(1);
    }
    return text.empty() || text == "\r";
}

}  // namespace

void spike_counts::check_size(const config::location& at, std::uint64_t steps, std::uint32_t tasks) {
    if (steps * tasks > most_counts)
        throw config::error(
            at, fmt::format("a file of spike counts has {} steps of {} tasks; at most 100 million counts",
                            steps, tasks));
}

spike_counts::spike_counts(const config::location& at, const std::string& folder, const std::string& file,
                           std::uint64_t steps, std::uint32_t tasks)
    : m_tasks(tasks) {
    check_size(at, steps, tasks);
    std::istringstream in(read_text(at, folder, file));
    const std::string path = file_path(folder, file);
    std::vector<bool> said;
    std::string text;
    for (int number = 1; std::getline(in, text); ++number) {
        if (number == 1 && text.rfind("step,task,spikes", 0) == 0) continue;
        const config::location place{path, number, 1};
        std::uint64_t entry[3];
        if (!read_three(text, entry))
            throw config::error(place, "a line must be 'step,task,spikes', all whole numbers");
        const auto [step, task, spikes] = entry;
        if (task >= tasks)
            throw config::error(place, fmt::format("task {} does not exist; there are {}", task, tasks));
        if (spikes > most_spikes)
            throw config::error(
                place, fmt::format("{} spikes of a task in a step; at most {}", spikes, most_spikes));
        if (step >= steps) continue;  // of a longer recording
        const std::size_t i = step * tasks + task;
        if (i >= said.size()) {
            said.resize((step + 1) * tasks);
            m_all.resize(said.size());
        }
        if (said[i]) throw config::error(place, fmt::format("task {} in step {} once more", task, step));
        said[i] = true;
        m_all[i] = static_cast<std::uint32_t>(spikes);
    }
    if (m_all.size() < steps * tasks)
        throw config::error(at, fmt::format("the spike counts of '{}' are of {} steps; 'steps' is {}", file,
                                            m_all.size() / tasks, steps));
}

std::vector<std::uint32_t> spike_counts::of(std::uint64_t step) const {
    const auto first = m_all.begin() + static_cast<std::ptrdiff_t>(step * m_tasks);
    return {first, first + m_tasks};
}

std::string spike_table(std::uint64_t steps,
                        const std::function<std::vector<std::uint32_t>(std::uint64_t step)>& counts) {
    table rows(spikes_form);
    for (std::uint64_t step = 0; step < steps; ++step) {
        const std::vector<std::uint32_t> all = counts(step);
        for (std::size_t task = 0; task < all.size(); ++task)
            rows.row(step, std::uint64_t{task}, std::uint64_t{all[task]});
    }
    return rows.text();
}

}  // namespace sare::traffic
