// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/regress_measure.h"

#include "tb/sare/process/process.h"
#include "tb/sare/regress/judged_figure.h"
#include "tb/sare/results/result_set.h"
#include "tb/sare/run/input.h"

#include <fmt/format.h>

#include <chrono>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Returns the seeds of the entry's cases. Throws config::error for a wrong experiment.
std::vector<std::uint64_t> seeds_of(const regress_entry& e) {
    if (!e.only.empty()) return e.only;
    input_options its;
    its.file = e.measure;
    its.sets = e.set;
    std::vector<std::uint64_t> all;
    const std::uint64_t first = e.seed != 0 ? e.seed : its.read().seed;
    for (std::uint64_t k = 0; k < e.seeds; ++k) all.push_back(first + k);
    return all;
}

/// Runs the case under one seed, with its result in `folder`.
void measure_one(const regress_entry& e, std::uint64_t seed, const fs::path& folder, regress_case& c) {
    std::vector<std::string> line = measure_words(e, seed);
    line.front() = fs::read_symlink("/proc/self/exe").string();
    line.insert(line.end(), {"--out", folder.string(), "--overwrite", "--quiet", "--no-store"});
    const auto begin = std::chrono::steady_clock::now();
    const child_result done = run_child(std::move(line), rules_of(e));
    c.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!done.good()) {
        const regress_case failed = error_of(e, done);
        c.status = failed.status;
        c.message = failed.message;
        return;
    }
    const json summary = read_summary(folder / "summary.json");
    for (const std::string& condition : e.figures)
        if (const std::string wrong = judged_figure::read(condition, {}).wrong_in(summary); !wrong.empty())
            c.message += (c.message.empty() ? "" : "; ") + wrong;
    c.status = c.message.empty() ? "agrees" : "mismatch";
}

}  // namespace

regress_outcome measure_entry(const regress_entry& e, const fs::path& folder, const run_limits& limits) {
    regress_outcome o;
    std::size_t failures = 0;
    try {
        for (const std::uint64_t seed : seeds_of(e)) {
            const std::string name = fmt::format("{} seed {}", fs::path(e.measure).stem().string(), seed);
            regress_case c{e.name, name, "not run"};
            const bool enough = limits.failures != 0 && failures >= limits.failures;
            if (stop_requested() == 0 && !enough)
                measure_one(e, seed, folder / e.name / std::to_string(seed), c);
            failures += c.status == "mismatch" || c.status == "error" ? 1 : 0;
            o.cases.push_back(std::move(c));
        }
    } catch (const config::error& problem) {
        o.cases.push_back({e.name, "start", "error", problem.what()});
    }
    return o;
}

std::vector<std::string> measure_words(const regress_entry& e, std::uint64_t seed) {
    std::vector<std::string> line{"sare", "run", e.measure};
    for (const std::string& set : e.set) line.insert(line.end(), {"--set", set});
    line.insert(line.end(), {"--seed", std::to_string(seed)});
    return line;
}

}  // namespace sare::cli
