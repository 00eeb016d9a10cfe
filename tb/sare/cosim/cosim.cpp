// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/attach.h"
#include "cosim/cosim_params.h"
#include "cosim/rtl/rtl_build.h"
#include "tb/sare/adapter/assertions.h"
#include "tb/sare/adapter/new_adapter.h"
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/cosim/cosim_journal.h"
#include "tb/sare/cosim/cosim_results.h"
#include "tb/sare/cosim/cosim_shrink.h"
#include "tb/sare/cosim/cosim_work.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/run/input.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/runs/run_recorder.h"
#include "tb/sare/sweep/job_pool.h"
#include "tb/sare/usage.h"
#include "tlm/config/yaml.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Seconds of all processes that have ended, compilers too.
double processor_seconds() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

class cosim_session {
  public:
    explicit cosim_session(const cosim_options& options)
        : m_options(options),
          m_recorder(options.store),
          m_directory(
              options.out.empty() ? free_name("out/cosim") : fs::path(options.out),
              options.overwrite ? result_directory::existing::replace : result_directory::existing::refuse),
          m_counters(m_directory.path() / "counters"),
          m_worker(m_options, m_subject, m_directory.path(), m_counters, m_coverage) {
        read_file();
        for (const std::string& folder : options.earlier) m_coverage.add_result(folder);
        make_jobs();
        fs::create_directory(m_counters);
        for (const char* folder : {"shrunk", "waves"}) fs::create_directory(m_directory.path() / folder);
        m_results.cases.resize(m_jobs.size());
        for (std::size_t k = 0; k < m_jobs.size(); ++k) m_results.cases[k].name = m_jobs[k].name;
    }

    int run() {
        catch_stop_signals();
        progress_line line(m_options.quiet);
        const std::vector<std::size_t> left = take_finished();
        job_pool pool(left.size(), m_options.jobs);
        pool.run([&](std::size_t k, const auto& progress) { return m_worker.run(m_jobs[left[k]], progress); },
                 [&](std::size_t k, const json& result, const std::string& problem) {
                     line.erase();
                     take(left[k], result, problem);
                     if (m_journal && problem.empty()) m_journal->add(left[k], result);
                     if (is_enough()) pool.begin_no_more();
                 },
                 [this, &line](double fraction) { line.show(progress_text(fraction, line.elapsed())); });
        if (!m_options.no_waves) record_waves(line);
        if (m_options.shrink != 0) shrink(line);
        line.erase();
        write_files();
        return tell();
    }

  private:
    void make_jobs() {
        const auto add = [this](const std::string& name, std::uint64_t seed, cosim_job::kind what) {
            m_jobs.push_back({m_jobs.size(), name, seed, what});
        };
        const std::uint64_t first = m_subject.network ? m_subject.network->seed : seed_of(m_options);
        const bool at_pins = m_options.pins;
        const std::string file = m_options.input.stem();
        if (m_subject.network)
            for (const std::uint64_t seed : m_options.seeds_from(first, m_options.seeds))
                add(fmt::format("{} seed {}", file, seed), seed, cosim_job::kind::network);
        if (m_options.random != 0) {
            const auto what = at_pins                     ? cosim_job::kind::plugin
                              : m_options.of == "routers" ? cosim_job::kind::random
                                                          : cosim_job::kind::block;
            for (const std::uint64_t seed : m_options.seeds_from(first, m_options.random)) {
                const std::uint64_t stride = m_options.steer ? steer_candidates : 1;
                add(fmt::format("random {}", seed), first + (seed - first) * stride, what);
            }
        }
        if (m_subject.block) add(file, first, cosim_job::kind::block);
        if (m_subject.pins) add(file, first, cosim_job::kind::pins);
        if (m_subject.plugin && !at_pins) add(file, first, cosim_job::kind::plugin);
    }

    /// Takes the cases that the journal has, and returns the numbers of those that are left.
    std::vector<std::size_t> take_finished() {
        if (!m_options.journal.empty()) {
            m_journal.emplace(m_options.journal, identity());
            m_counters = m_journal->counters();
            m_journal->replay([this](std::size_t k, const json& result) { take(k, result, ""); });
        }
        std::vector<std::size_t> left;
        for (std::size_t k = 0; k < m_jobs.size(); ++k)
            if (!m_journal || !m_journal->has(k)) left.push_back(k);
        return left;
    }
    /// Returns all on which the results of cases depend.
    json identity() const {
        json names = json::array();
        for (const cosim_job& job : m_jobs) names.push_back({job.name, job.seed});
        const std::string file = m_options.input.file.empty() ? ""
                                 : m_subject.plugin           ? text(*m_subject.plugin)
                                                              : config::flow_style(m_options.input.tree());
        return {{"program", version()},
                {"rtl", rtl_text()},
                {"file", file},
                {"cases", names},
                {"cycles", m_options.cycles},
                {"speed", m_options.speed},
                {"of", m_options.of},
                {"with", m_options.with},
                {"most_vcs", m_options.most_vcs},
                {"steer", m_options.steer},
                {"drain", m_options.drain},
                {"old_rtl", m_options.old_rtl},
                {"coverage", m_options.coverage}};
    }
    /// True if no more cases shall begin.
    bool is_enough() const {
        const auto seconds = static_cast<double>(m_options.cpu_seconds);
        const std::size_t failures = m_results.mismatches() + m_results.errors();
        return (m_options.cpu_seconds != 0 && processor_seconds() >= seconds) ||
               (m_options.stop_after != 0 && failures >= m_options.stop_after);
    }

    void read_file() {
        if (m_options.input.file.empty()) return;
        if (m_options.pins) return read_plugin(m_options.input, m_subject);
        const config::value tree = m_options.input.tree();
        if (tree.find("plugin_case") != nullptr) {
            m_options.check_pin_case();
            m_subject.plugin = cosim::read_plugin_case(tree);
        } else if (tree.find("pin_case") != nullptr) {
            m_options.check_pin_case();
            m_subject.pins = cosim::read_pin_case(tree);
        } else if (tree.find("block_case") != nullptr) {
            m_options.check_block_case();
            m_subject.block = axi::read_block_case(tree);
            m_subject.block->seed = m_options.input.seed.empty() ? m_subject.block->seed : seed_of(m_options);
            m_subject.block->cycles = m_options.cycles_of(m_subject.block->cycles);
        } else {
            m_subject.network = m_options.input.read();
        }
    }

    static std::uint64_t seed_of(const cosim_options& options) {
        if (options.input.seed.empty()) return 1;
        const config::value text = config::value::scalar(options.input.seed, {"--seed", 0, 0});
        return static_cast<std::uint64_t>(config::to_integer(text, "seed", 0, INT64_MAX));
    }

    std::string progress_text(double fraction, double elapsed) const {
        std::string text = fmt::format("{} of {} done", m_results.configurations(), m_jobs.size());
        if (const auto wrong = m_results.mismatches(); wrong != 0) text += fmt::format(", {} differ", wrong);
        if (fraction > 0.01 && fraction < 1)
            text += fmt::format("  {} left", duration(elapsed * (1 - fraction) / fraction));
        return text;
    }

    /// Runs cases that differ once more, with waves of the cycles around the first difference.
    void record_waves(progress_line& line) {
        std::vector<std::size_t> again;
        for (std::size_t k = 0; k < m_jobs.size(); ++k)
            if (m_jobs[k].differs_in != 0) again.push_back(k);
        job_pool pool(again.size(), m_options.jobs);
        pool.run(
            [&](std::size_t k, const auto& progress) { return m_worker.run(m_jobs[again[k]], progress); },
            [&](std::size_t k, const json&, const std::string& problem) {
                line.erase();
                take_waves(again[k], problem);
            },
            [&](double) { line.show("recording waves"); });
    }

    void take_waves(std::size_t number, const std::string& problem) {
        cosim_case& c = m_results.cases[number];
        if (problem.empty()) c.waves = fs::relative(recorded(number), m_directory.path());
        if (m_options.quiet) return;
        if (problem.empty())
            show(fmt::format("  {}: waves around it in {}\n", c.name,
                             (m_directory.final_path() / c.waves).string()));
        else
            show(fmt::format("  {}: no waves: {}\n", c.name, problem));
    }

    /// Returns the file; for a NIC, whose halves have one each, the one that the line names.
    fs::path recorded(std::size_t number) const {
        fs::path found = m_worker.waves_of(m_jobs[number], ".fst");
        for (const std::string half : {"inject", "eject", "receive"}) {
            const fs::path one = m_worker.waves_of(m_jobs[number], ("-" + half + ".fst").c_str());
            if (!fs::exists(one)) continue;
            if (!fs::exists(found) ||
                m_results.cases[number].message.find("sare_nic_" + half) != std::string::npos)
                found = one;
        }
        return found;
    }

    /// Shrinks one random router for each kind of mismatch, and says which are not shrunk.
    void shrink(progress_line& line) {
        const std::map<std::size_t, std::size_t> alike = smallest_alike(m_results);
        std::vector<std::size_t> failing;
        for (const auto& [number, smallest] : alike)
            if (number == smallest) failing.push_back(number);
        std::set<std::size_t> tried;
        job_pool pool(failing.size(), m_options.jobs);
        pool.run(
            [&](std::size_t k, const auto&) {
                const cosim_job& job = m_jobs[failing[k]];
                if (job.what == cosim_job::kind::block)
                    return shrink_one(m_worker.block_of(job), static_cast<double>(m_options.shrink),
                                      job.name);
                if (job.what == cosim_job::kind::plugin)
                    return shrink_one(cosim::read_plugin_case(config::parse_document(job.events, job.name)),
                                      static_cast<double>(m_options.shrink), job.name);
                return shrink_one(m_worker.random_run_of(job), static_cast<double>(m_options.shrink),
                                  job.name, {});
            },
            [&](std::size_t k, const json& found, const std::string& problem) {
                line.erase();
                tried.insert(failing[k]);
                cosim_case& c = m_results.cases[failing[k]];
                const std::string said = problem.empty()
                                             ? write_shrunk(found, m_directory.path() / "shrunk", c)
                                             : "not shrunk: " + problem;
                if (!m_options.quiet) show(fmt::format("  {}: {}\n", c.name, said));
            },
            [&](double) { line.show("shrinking what differs"); });
        line.erase();
        for (const auto& [number, smallest] : alike)
            if (tried.count(number) == 0 && !m_options.quiet)
                show(fmt::format(
                    "  {}: not shrunk: {}\n", m_results.cases[number].name,
                    number == smallest ? "interrupted" : "it differs as " + m_results.cases[smallest].name));
    }

    // ---- in the parent

    void take(std::size_t number, const json& result, const std::string& problem) {
        cosim_case& c = m_results.cases[number];
        if (!problem.empty()) {
            c.status = "error";
            c.message = problem;
        } else {
            c.message = result.at("message");
            c.status = c.message.empty() ? "agrees" : "mismatch";
            c.parameters = result.at("parameters");
            c.place = result.at("place");
            c.history = result.at("history").get<std::vector<std::string>>();
            c.router_cycles = result.at("router_cycles");
            c.packets = result.at("packets");
            c.seconds = result.at("seconds");
            if (result.contains("seed")) {
                m_jobs[number].seed = result.at("seed");
                c.name = m_jobs[number].name = fmt::format("random {}", m_jobs[number].seed);
                m_coverage.add_hits(result.at("hits"));
            }
            m_jobs[number].differs_in = result.at("cycle");
            m_jobs[number].caused_in = result.value("since", cycle_t{0});
            m_jobs[number].router = result.value("router", 0u);
            m_jobs[number].node = result.value("node", -1);
            m_jobs[number].events = result.value("events", "");
        }
        note_asked_waves(number);
        if (c.status == "agrees") {
            for (const auto& line : c.history)
                if (!m_options.quiet) show(fmt::format("  {}\n", line));
            return;
        }
        complain(c.name + ": " + c.message);
        if (m_options.quiet) return;
        if (m_options.random != 0 && m_jobs[number].what != cosim_job::kind::network)
            show(fmt::format("  {}\n  {}\n", c.parameters, c.place));
        for (const auto& line : c.history) show(fmt::format("  {}\n", line));
        std::fflush(stdout);
    }

    void note_asked_waves(std::size_t number) {
        fs::path waves = m_worker.asked_window(m_jobs[number]).file;
        waves.replace_extension("." + m_options.wave_format);
        if (m_options.window.empty() || !fs::exists(waves)) return;
        cosim_case& c = m_results.cases[number];
        c.waves = fs::relative(waves, m_directory.path());
        if (!m_options.quiet)
            show(fmt::format("  {}: waves of cycles {} in {}\n", c.name, m_options.window,
                             (m_directory.final_path() / c.waves).string()));
    }

    void write_files() {
        m_coverage.write(m_directory.path(), m_counters, m_results);
        fs::remove_all(m_directory.path() / "counters");
        m_results.rtl = rtl_text();
        for (const char* folder : {"shrunk", "waves"})
            if (fs::is_empty(m_directory.path() / folder)) fs::remove(m_directory.path() / folder);
        write_file(m_directory.path() / "cosim.json", text_of(to_json(m_results)));
        write_file(m_directory.path() / "junit.xml", junit_text(m_results));
        if (m_options.random != 0 && !m_options.pins)
            write_file(m_directory.path() / "parameters.txt", parameter_table(m_results));
        m_directory.commit();
        record();
    }

    /// Returns a number for the sources of sare_router, or size and time of another router's library.
    std::string rtl_text() const {
        try {
            const std::string own = cosim::cosim_params::own_router;
            const std::vector<std::string> kinds =
                m_subject.network ? m_subject.network->sections.of<cosim::cosim_params>().kinds()
                : m_subject.plugin
                    ? std::vector{m_subject.plugin->experiment.find("cosim")->find("rtl")->text()}
                    : std::vector{own};
            std::string all;
            for (const std::string& rtl : kinds) {
                const fs::path file = m_options.input.folder() / fs::path(rtl);
                all += (all.empty() ? "" : ", ") +
                       (rtl == own ? fs::path(cosim::library_file({own})).stem().string()
                                   : fmt::format("{} {} {}", file.string(), fs::file_size(file),
                                                 fs::last_write_time(file).time_since_epoch().count()));
            }
            return m_subject.network
                       ? all + axi::attach(*m_subject.network, cosim::rtl_speed::checked, true)->libraries()
                       : all;
        } catch (const std::exception&) {
            return "";  // there is none, as each case says
        }
    }

    void record() {
        if (!m_recorder.is_on()) return;
        run_record r = new_record("cosim", m_directory.final_path());
        if (m_subject.network) add_configuration(r, *m_subject.network);
        if (r.name.empty()) r.name = m_subject.network ? m_options.input.stem() : "random routers";
        r.seed = static_cast<std::int64_t>(m_jobs.front().seed);
        const std::size_t wrong = m_results.mismatches(), failed = m_results.errors();
        r.status = wrong != 0              ? "mismatch"
                   : failed != 0           ? "error"
                   : stop_requested() != 0 ? "interrupted"
                                           : "agrees";
        const json all = {{"configurations", m_results.configurations()},
                          {"mismatches", wrong},
                          {"errors", failed},
                          {"router_cycles", m_results.router_cycles()},
                          {"seeds", m_jobs.size()}};
        add_values(r.values, all, "cosim.found");
        m_recorder.add(r);
    }

    int tell() const {
        if (!m_options.quiet) {
            if (!m_results.coverage.empty()) fmt::print("{}", coverage_table(m_results.coverage));
            if (m_results.bins != 0) fmt::print("{}", m_coverage.points().table.summary());
            fmt::print("{}\n", m_directory.final_path().string());
        }
        const std::size_t wrong = m_results.mismatches(), failed = m_results.errors();
        if (failed != 0) complain(fmt::format("{} of {} could not be run", failed, m_jobs.size()));
        const bool stopped = stop_requested() != 0;
        // Where some could not be run, "mismatches=0" must not read as success.
        const std::string differ = wrong != 0 || failed == 0 ? fmt::format(" mismatches={}", wrong) : "";
        fmt::print("router_cycles={} configurations={}{}{}{}\n", m_results.router_cycles(),
                   m_results.configurations(), differ, failed != 0 ? fmt::format(" errors={}", failed) : "",
                   stopped ? fmt::format(" interrupted=yes, {} of {} were run", m_results.configurations(),
                                         m_jobs.size())
                           : "");
        if (stopped) return exit_status::interrupted;
        return wrong + failed != 0 ? exit_status::failure : exit_status::good;
    }

    cosim_options m_options;
    run_recorder m_recorder;
    cosim_subject m_subject;
    std::vector<cosim_job> m_jobs;
    result_directory m_directory;
    fs::path m_counters;  ///< folder for the counters of lines and toggles
    cosim_results m_results;
    cosim_coverage m_coverage;
    cosim_worker m_worker;
    std::optional<cosim_journal> m_journal;
};

int cosim(const cosim_options& options) {
    if (!options.assertions.empty()) return print_assertions(options.assertions);
    if (!options.new_adapter.files.empty()) {
        adapter_request request = options.new_adapter;
        request.out = options.out;
        return write_new_adapter(request);
    }
    options.check();
    return cosim_session(options).run();
}

}  // namespace

void add_cosim(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("cosim", "Run RTL routers against the model, cycle by cycle");
    auto options = std::make_shared<cosim_options>();
    options->add_to(*command);
    command->callback([&chosen, options] { chosen = [options] { return cosim(*options); }; });
}

}  // namespace sare::cli
