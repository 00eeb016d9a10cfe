// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/regress/regress_choice.h"
#include "tb/sare/regress/regress_coverage.h"
#include "tb/sare/regress/regress_jobs.h"
#include "tb/sare/regress/regress_plan.h"
#include "tb/sare/regress/regress_results.h"
#include "tb/sare/regress/regress_run.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/runs/run_recorder.h"
#include "tb/sare/runs/run_store.h"
#include "tb/sare/usage.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

struct regress_options {
    std::string file, out;
    std::size_t jobs = 1;
    std::size_t stop_after = 0;  ///< number of failures after which nothing begins; 0: any
    bool quiet = false, overwrite = false, no_waves = false;
    std::string resume;  ///< directory of a regression that goes on; "": a new one begins
    regress_choice choice;
    array_options array;
    store_options store;
};

/// Number of recorded regressions that are looked at.
constexpr std::size_t most_history = 20;

class regress_session {
  public:
    explicit regress_session(const regress_options& options)
        : m_options(options),
          m_plan(read_regress_plan(options.file)),
          m_recorder(options.store),
          m_directory(options.out.empty() ? free_name("out/regress") : fs::path(options.out),
                      options.overwrite || !options.resume.empty() ? result_directory::existing::replace
                                                                   : result_directory::existing::refuse) {
        m_results.name = m_plan.name;
        m_results.version = version();
        if (!options.resume.empty()) take_journal(m_directory.final_path(), at("journal"));
        fs::create_directory(at("journal"));
        fix_seeds(m_plan, at("journal") / "seeds.json");
        choose_runs(m_plan, options.choice);
        write_choice(options.choice, at("journal") / "choice.json");
    }

    int run() {
        catch_stop_signals();
        if (m_options.array.on == this_machine)
            run_here();
        else
            run_on_cluster();
        run_failures_again();
        m_results.coverage = merge_coverage(m_directory.path());
        read_history();
        m_results.compare_with_history();
        m_results.when = fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)));
        m_results.verdict = status();
        write_files();
        return end();
    }

  private:
    fs::path at(const std::string& name) const { return m_directory.path() / name; }

    void run_here() {
        for (const regress_entry& entry : m_plan.entries) {
            if (stop_requested() != 0 || !may_begin()) break;
            if (entry.nightly && !m_options.quiet) show(fmt::format("{}: seed {}\n", entry.name, entry.seed));
            progress_line line(m_options.quiet);
            line.show(entry.name);
            const regress_outcome found = run_or_recall(entry);
            line.erase();
            take(entry, found);
        }
    }
    /// False after --stop-after failures.
    bool may_begin() const { return m_options.stop_after == 0 || failures() < m_options.stop_after; }
    std::size_t failures() const { return m_results.count("mismatch") + m_results.count("error"); }
    run_limits limits() const {
        return {m_options.jobs, m_options.stop_after == 0 ? 0 : m_options.stop_after - failures()};
    }
    /// Runs an entry. The outcome of one that is no `sare cosim`, which has a journal of its own, is kept for
    /// --resume when it is complete.
    regress_outcome run_or_recall(const regress_entry& e) const {
        const fs::path kept = at("journal") / (e.name + ".json");
        const bool has_journal = e.random != 0 || !e.experiment.empty();
        if (!has_journal && fs::exists(kept))
            if (const json its = read_json(kept); its.at("program") == version()) return outcome_of(its);
        const regress_outcome found = run_entry(e, m_directory.path(), limits());
        if (has_journal || stop_requested() != 0) return found;
        json its = to_json(found);
        its["program"] = version();
        replace_file(kept, text_of(its));
        return found;
    }
    void run_on_cluster() {
        progress_line line(m_options.quiet);
        const std::size_t count = m_plan.entries.size();
        const auto found = run_jobs(
            m_plan, m_options.file, m_directory.path(), m_options.jobs, m_options.array,
            [&](std::size_t done) { line.show(fmt::format("{} of {} runs are done", done, count)); });
        line.erase();
        for (std::size_t k = 0; k < count; ++k) take(m_plan.entries[k], found[k]);
    }
    /// Keeps the outcome of a run, and prints it.
    void take(const regress_entry& e, const regress_outcome& found) {
        for (regress_case c : found.cases) {
            if (!c.good() && c.name != "start") c.command = command_again(e, c.name);
            m_results.cases.push_back(std::move(c));
        }
        if (!found.rtl.empty()) m_results.rtl[e.name] = found.rtl;
        if (e.seed != 0) m_results.seeds[e.name] = e.seed;
        std::size_t good = 0, not_run = 0;
        for (const regress_case& c : found.cases) {
            good += c.good() ? 1 : 0;
            if (c.status == "not run" && c.message.empty())
                ++not_run;
            else if (!c.good())
                complain(c.path() + ": " + (c.message.empty() ? c.status : c.message));
        }
        if (not_run != 0)
            complain(fmt::format("{}: not run: {} of {} cases", e.name, not_run, found.cases.size()));
        if (!m_options.quiet) show(fmt::format("{}: {} of {} agree\n", e.name, good, found.cases.size()));
    }

    // ---- failures

    /// Runs each failed case once more, the first with waves.
    void run_failures_again() {
        bool first = !m_options.no_waves;
        for (regress_case& c : m_results.cases) {
            const regress_entry& e = *std::find_if(m_plan.entries.begin(), m_plan.entries.end(),
                                                   [&](const auto& its) { return its.name == c.run; });
            const bool compares = e.mutants.empty() && e.measure.empty() && e.expect == "agree";
            if (c.status != "mismatch" || !compares || stop_requested() != 0) continue;
            run_again(e, c, first);
            first = false;
        }
    }
    void run_again(const regress_entry& e, regress_case& c, bool waves) {
        const fs::path folder = at(waves ? "first_failure" : "again");
        std::vector<std::string> more = options_again(e, c.name);
        if (e.random != 0) more.insert(more.end(), {"--shrink", "0"});
        if (!waves) more.emplace_back("--no-waves");
        run_cosim(e, folder, more);
        if (fs::exists(folder / "cosim.json")) {
            const json again = read_json(folder / "cosim.json").at("cases").at(0);
            c.again_agrees = again.at("status") == "agrees";
            const std::string file = again.at("waves");
            c.has_waves = waves && !file.empty();
            if (c.has_waves) m_results.waves = "first_failure/" + file;
        }
        if (!waves) fs::remove_all(folder);
    }

    // ---- the end

    void read_history() {
        const std::string file = m_options.store.none ? "" : m_options.store.place();
        if (file.empty() || !fs::exists(file)) return;
        const auto store = open_store(file, store_use::look);
        // By its record, not by a condition: a name may have quotation marks.
        const std::vector<std::int64_t> all = store->find("kind=regress");
        for (auto id = all.rbegin(); id != all.rend() && m_results.history.size() < most_history; ++id)
            if (const run_record r = store->read(*id); r.name == m_plan.name)
                m_results.history.insert(m_results.history.begin(), earlier_of(r));
    }
    static earlier_regression earlier_of(const run_record& r) {
        earlier_regression e{r.recorded, r.version, {}, {}, {}};
        for (const auto& [path, its] : r.values) {
            if (path.rfind("case.", 0) == 0) e.status[path.substr(5)] = its.get<std::string>();
            if (path.rfind("rtl.", 0) == 0) e.rtl[path.substr(4)] = its.get<std::string>();
            if (path.rfind("coverage.", 0) == 0) e.coverage[path.substr(9)] = its.get<double>();
        }
        return e;
    }
    std::string status() const {
        if (stop_requested() != 0) return "interrupted";
        return m_results.count("mismatch") != 0 ? "mismatch"
               : m_results.count("error") != 0  ? "error"
                                                : "agrees";
    }
    bool is_complete() const { return stop_requested() == 0 && m_results.count("not run") == 0; }
    void write_files() {
        if (is_complete()) fs::remove_all(at("journal"));
        write_file(at("regress.json"), text_of(to_json(m_results)));
        write_file(at("junit.xml"), junit_of(m_results));
        write_file(at("index.html"), page_of(m_results));
        m_directory.commit();
        if (!m_recorder.is_on()) return;
        run_record r = new_record("regress", m_directory.final_path());
        r.name = m_plan.name;
        r.status = status();
        r.identity = r.recorded;  // every one is kept
        for (const regress_case& c : m_results.cases) r.values.emplace_back("case." + c.path(), c.status);
        for (const auto& [run, its] : m_results.rtl) r.values.emplace_back("rtl." + run, its);
        for (const auto& [what, percent] : m_results.coverage)
            r.values.emplace_back("coverage." + what, percent);
        m_recorder.add(r);
    }
    int end() const {
        if (!m_options.quiet) show((m_directory.final_path() / "index.html").string() + "\n");
        const auto flaky = std::count_if(m_results.cases.begin(), m_results.cases.end(),
                                         [](const regress_case& c) { return c.flaky(); });
        const bool stopped = stop_requested() != 0;
        fmt::print("cases={} mismatches={} errors={} flaky={}{}\n", m_results.cases.size(),
                   m_results.count("mismatch"), m_results.count("error"), flaky,
                   stopped ? " interrupted" : "");
        if (stopped) return exit_status::interrupted;
        return status() == "agrees" && is_complete() ? exit_status::good : exit_status::failure;
    }

    const regress_options m_options;
    regress_plan m_plan;
    run_recorder m_recorder;
    result_directory m_directory;
    regress_results m_results;
};

}  // namespace

void add_regress(command_parser& app, action& chosen) {
    auto* command =
        app.add_subcommand("regress", "Run a regression of RTL: random, directed, mutants, foreign");
    auto options = std::make_shared<regress_options>();
    command->add_option("FILE", options->file, "The regression (YAML)")->required();
    command->add_jobs(options->jobs);
    command->add_option("--out", options->out, "DIR",
                        "Directory for the results (default: out/regress, out/regress-2, ...)");
    command->add_option("--resume", options->resume, "DIR",
                        "Go on with the interrupted or killed regression whose results were to be in DIR");
    command->add_repeated("--run", options->choice.runs, "NAME", "Run this one alone; may be given again");
    command->add_repeated("--tag", options->choice.tags, "TAG", "Run what has this tag; may be given again");
    command->add_repeated("--not-tag", options->choice.not_tags, "TAG",
                          "Do not run what has this tag; may be given again");
    command->add_option("--rerun-failed", options->choice.failed_of, "DIR",
                        "Run the cases alone that did not agree in an earlier result");
    command->add_count("--stop-after", options->stop_after, 1, 1000000,
                       "Begin no more after so many failures, on this machine");
    command->add_flag("--overwrite", options->overwrite,
                      "Replace an existing result when the new one is complete");
    command->add_flag("--no-waves", options->no_waves, "Write no waves of the first failure");
    options->store.add_to(*command, store_options::use::records);
    const auto cluster = options->array.add_to(*command, "runs");
    command->add_flag("--quiet", options->quiet, "Print nothing but errors and the last line");
    command->footer(
        "Example:\n"
        "  sare regress nightly.yaml -j 8 --store runs.db\n"
        "  sare regress nightly.yaml -j 8 --on slurm --time 4:00:00\n"
        "  sare regress nightly.yaml -j 8 --resume out/night\n"
        "  sare regress nightly.yaml --rerun-failed out/night\n"
        "The last line is cases=... mismatches=... errors=... flaky=...; the exit status is not 0 unless "
        "all\n"
        "agree. DIR has index.html, junit.xml, regress.json, and a result of sare cosim for each run.");
    command->callback([&chosen, options, cluster] {
        if (!options->resume.empty() && !options->out.empty())
            throw usage_error("--resume names the directory: leave out --out");
        if (!options->resume.empty()) options->out = options->resume;
        refuse_without_cluster(cluster, options->array.on);
        chosen = [options] { return regress_session(*options).run(); };
    });
}

}  // namespace sare::cli
