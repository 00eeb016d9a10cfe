// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/random/block_case.h"
#include "cosim/network_run.h"
#include "cosim/random/pin_case.h"
#include "cosim/rtl/rtl_build.h"
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/cosim/cosim_coverage.h"
#include "tb/sare/cosim/cosim_options.h"
#include "tb/sare/cosim/cosim_results.h"
#include "tb/sare/cosim/cosim_shrink.h"
#include "tb/sare/cosim/new_adapter.h"
#include "tb/sare/cosim/wave_format.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/run/input.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/runs/run_recorder.h"
#include "tb/sare/sweep/job_pool.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Cycles of waves before the cause of the first divergence, and after it.
constexpr cycle_t waves_before = 200, waves_after = 20;

/// Number of random routers among which --steer chooses.
constexpr std::uint32_t candidates = 64;

/// Seconds of all processes that have ended, compilers too.
double processor_seconds() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// A job: a network from the file under one seed; a random router; a router at its pins from the file; or
/// bridges or a NIC, from the file or random.
struct cosim_job {
    enum class kind { network, random, pins, block };
    std::string name;
    std::uint64_t seed;
    kind what;
    cycle_t differs_in = 0;    ///< cycle in which it differs; 0: it does not
    cycle_t caused_in = 0;     ///< cycle of the cause; 0: differs_in
    std::uint32_t router = 0;  ///< router that differs
    int node = -1;             ///< node whose NIC differs, not a router; -1: none
};

class cosim_session {
  public:
    explicit cosim_session(const cosim_options& options)
        : m_options(options),
          m_recorder(options.store),
          m_directory(
              options.out.empty() ? free_name("out/cosim") : fs::path(options.out),
              options.overwrite ? result_directory::existing::replace : result_directory::existing::refuse) {
        read_file();
        for (const std::string& folder : options.earlier) m_coverage.add_result(folder);
        const std::uint64_t first = m_experiment ? m_experiment->seed : seed_of(options);
        if (m_experiment)
            for (std::size_t k = 0; k < options.seeds; ++k)
                m_jobs.push_back({fmt::format("{} seed {}", options.input.stem(), first + k), first + k,
                                  cosim_job::kind::network});
        for (std::size_t k = 0; k < options.random; ++k)
            m_jobs.push_back({fmt::format("random {}", first + k),
                              first + k * (options.steer ? candidates : 1),
                              options.of == "routers" ? cosim_job::kind::random : cosim_job::kind::block});
        if (m_block) m_jobs.push_back({options.input.stem(), first, cosim_job::kind::block});
        if (m_case) m_jobs.push_back({options.input.stem(), first, cosim_job::kind::pins});
        for (const char* folder : {"coverage", "shrunk", "waves"})
            fs::create_directory(m_directory.path() / folder);
        m_results.cases.resize(m_jobs.size());
        for (std::size_t k = 0; k < m_jobs.size(); ++k) m_results.cases[k].name = m_jobs[k].name;
    }

    int run() {
        catch_stop_signals();
        progress_line line(m_options.quiet);
        job_pool pool(m_jobs.size(), m_options.jobs);
        pool.run([this](std::size_t k, const auto& progress) { return work(k, progress); },
                 [&](std::size_t k, const json& result, const std::string& problem) {
                     line.erase();
                     take(k, result, problem);
                     const double most = static_cast<double>(m_options.cpu_seconds);
                     if (most != 0 && processor_seconds() >= most) pool.begin_no_more();
                 },
                 [this, &line](double fraction) { line.show(progress_text(fraction, line.elapsed())); });
        if (!m_options.no_waves) record_waves(line);
        if (m_options.shrink != 0) shrink(line);
        line.erase();
        write_files();
        return tell();
    }

  private:
    void read_file() {
        if (m_options.input.file.empty()) return;
        const config::value tree = m_options.input.tree();
        if (tree.find("pin_case") != nullptr) {
            m_options.check_pin_case();
            m_case = cosim::read_pin_case(tree);
        } else if (tree.find("block_case") != nullptr) {
            m_options.check_block_case();
            m_block = axi::read_block_case(tree);
            m_block->seed = m_options.input.seed.empty() ? m_block->seed : seed_of(m_options);
            m_block->cycles = m_options.cycles_of(m_block->cycles);
        } else {
            m_experiment = m_options.input.read();
        }
    }

    static std::uint64_t seed_of(const cosim_options& options) {
        if (options.input.seed.empty()) return 1;
        const config::value text = config::value::scalar(options.input.seed, {"--seed", 0, 0});
        return static_cast<std::uint64_t>(config::to_integer(text, "seed", 0, INT64_MAX));
    }

    cosim::rtl_speed speed() const {
        if (m_options.speed == "quick") return cosim::rtl_speed::quick;
        return m_options.speed == "fast" ? cosim::rtl_speed::fast : cosim::rtl_speed::checked;
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
        pool.run([&](std::size_t k, const auto& progress) { return work(again[k], progress); },
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
        fs::path found = file("waves", number, ".fst");
        for (const std::string half : {"inject", "eject", "receive"}) {
            const fs::path one = file("waves", number, ("-" + half + ".fst").c_str());
            if (!fs::exists(one)) continue;
            if (!fs::exists(found) ||
                m_results.cases[number].message.find("sare_nic_" + half) != std::string::npos)
                found = one;
        }
        return found;
    }

    /// Shrinks one random router for each kind of mismatch.
    void shrink(progress_line& line) {
        const std::vector<std::size_t> failing = worth_shrinking(m_results);
        job_pool pool(failing.size(), m_options.jobs);
        pool.run(
            [&](std::size_t k, const auto&) {
                const cosim_job& job = m_jobs[failing[k]];
                if (job.what == cosim_job::kind::block)
                    return shrink_one(block_of(job), static_cast<double>(m_options.shrink), job.name);
                return shrink_one(random_run_of(job), static_cast<double>(m_options.shrink), job.name, {});
            },
            [&](std::size_t k, const json& found, const std::string& problem) {
                line.erase();
                cosim_case& c = m_results.cases[failing[k]];
                const std::string said = problem.empty()
                                             ? write_shrunk(found, m_directory.path() / "shrunk", c)
                                             : "not shrunk: " + problem;
                if (!m_options.quiet) show(fmt::format("  {}: {}\n", c.name, said));
            },
            [&](double) { line.show("shrinking what differs"); });
    }

    // ---- in a process of its own

    json work(std::size_t number, const std::function<void(double)>& progress) const {
        const auto begin = std::chrono::steady_clock::now();
        json result = m_jobs[number].what == cosim_job::kind::network ? whole_network(number, progress)
                      : m_jobs[number].what == cosim_job::kind::block ? block_alone(number, progress)
                                                                      : router_alone(number, progress);
        if (const fs::path asked = asked_window(number).file; !asked.empty() && fs::exists(asked))
            change_wave_format(asked, m_options.wave_format);
        result["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return result;
    }

    std::string file(const char* folder, std::size_t number, const char* ending) const {
        return m_directory.path() / folder / fmt::format("{:04d}{}", number, ending);
    }

    cosim::wave_window window(std::size_t number) const {
        const cosim_job& job = m_jobs[number];
        const cycle_t begin = job.caused_in != 0 ? job.caused_in : job.differs_in;
        return {file("waves", number, ".fst"), begin > waves_before ? begin - waves_before : 1,
                job.differs_in + waves_after};
    }

    /// Returns the window of cycles that the user asks for.
    cosim::wave_window asked_window(std::size_t number) const {
        if (m_options.window.empty()) return {};
        const auto [first, last] = m_options.window_cycles();
        return {file("waves", number, "-window.fst"), first, last};
    }

    /// Returns a function that says what is compiled in one write(): several processes do so, and the
    /// parent's progress may be on the line.
    std::function<void(const std::string&)> says_what_is_compiled(const cosim_job& job) const {
        return [this, &job](const std::string& what) {
            if (m_options.quiet) return;
            const char* fresh_line = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
            const std::string line = fmt::format("{}{}: compiling {}\n", fresh_line, job.name, what);
            if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return;  // no output, no news
        };
    }

    /// Takes a random_outcome or a network_outcome.
    template <class Outcome>
    static json as_json(const Outcome& o, const std::string& parameters, const std::string& place) {
        json result{{"message", o.problem}, {"history", json::array()},
                    {"cycle", 0},           {"router_cycles", o.router_cycles},
                    {"packets", o.packets}, {"parameters", parameters},
                    {"place", place}};
        if (!o.first) return result;
        result["message"] = o.first->text();
        result["history"] = o.first->history;
        result["cycle"] = o.first->cycle;
        result["since"] = o.first->since;
        result["router"] = o.first->router;
        if (o.first->node) result["node"] = *o.first->node;
        return result;
    }

    cosim::random_run random_run_of(const cosim_job& job) const {
        cosim::random_run what;
        what.seed = job.seed;
        what.cycles = m_options.cycles;
        what.most_vcs = m_options.most_vcs;
        what.on_build = says_what_is_compiled(job);
        what.speed = speed();
        what.old_sources = m_options.old_rtl;
        what.drains = m_options.drain || m_options.steer;
        return what;
    }

    /// Runs a random router, or the one of the file.
    json router_alone(std::size_t number, const std::function<void(double)>& progress) const {
        const cosim_job& job = m_jobs[number];
        cosim::random_run what = random_run_of(job);
        what.waves = job.differs_in != 0 ? window(number) : asked_window(number);
        if (job.differs_in == 0 && m_options.coverage) what.coverage = file("coverage", number, ".dat");
        if (job.what == cosim_job::kind::pins) {
            const auto o = cosim::run(*m_case, what);
            return as_json(o, o.parameters, o.place);
        }
        cosim::router_points points;
        what.points = &points;
        if (m_options.steer && job.differs_in == 0)
            what.seed = cosim::steered_seed(job.seed, candidates, m_options.most_vcs, m_coverage.points());
        const auto o = cosim::run(what, progress);
        json result = as_json(o, o.parameters, o.place);
        result["seed"] = what.seed;
        result["hits"] = points.table.text(false);
        return result;
    }

    json whole_network(std::size_t number, const std::function<void(double)>& progress) const {
        const cosim_job& job = m_jobs[number];
        experiment e = *m_experiment;
        e.seed = job.seed;
        if (auto& rtl = e.sections.of<cosim::cosim_params>(); rtl.empty()) rtl.shadow.all = true;
        cosim::network_run what;
        what.cycles = m_options.cycles;
        what.how.speed = speed();
        what.how.on_build = says_what_is_compiled(job);
        what.how.old_rtl = m_options.old_rtl;
        const bool again = job.differs_in != 0;
        what.how.waves = again ? window(number) : asked_window(number);
        what.how.waves_router = again ? job.router : m_options.router;
        if (again && job.node >= 0) what.how.waves_node = static_cast<std::uint32_t>(job.node);
        if (!again && m_options.coverage) {
            what.how.coverage = true;
            what.how.coverage_folder = file("coverage", number, "");
            fs::create_directory(what.how.coverage_folder);
        }
        const cosim::network_outcome o = cosim::run(e, what, progress);
        json result = as_json(o, settings_of(e), m_options.input.file);
        if (!o.first && o.problem_of) {
            result["cycle"] = o.problem_in;
            result["node"] = *o.problem_of;
        }
        if (!again && !what.how.waves.file.empty() && !fs::exists(what.how.waves.file))
            throw std::runtime_error(
                fmt::format("--window: no waves: router {} is not in RTL", m_options.router));
        return result;
    }

    axi::block_case block_of(const cosim_job& job) const {
        if (m_block && job.name == m_options.input.stem()) return *m_block;
        const auto of = m_options.of == "nics" ? axi::block_kind::nic : axi::block_kind::bridges;
        return axi::draw_block(of, job.seed, m_options.cycles);
    }
    json block_alone(std::size_t number, const std::function<void(double)>& progress) const {
        const cosim_job& job = m_jobs[number];
        const axi::block_case c = block_of(job);
        axi::random_run how;
        how.speed = speed();
        how.on_build = says_what_is_compiled(job);
        how.on_cycle = progress;
        if (job.differs_in != 0) how.waves = window(number);
        const axi::random_outcome o = axi::run(c, how);
        return {{"message", o.wrong()},
                {"history", json::array()},
                {"cycle", c.of == axi::block_kind::nic ? o.cycle : 0},  // else there are no waves
                {"router_cycles", o.bridge_cycles},
                {"packets", o.transactions},
                {"parameters", axi::parameters_of(c)},
                {"place", ""}};
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
        }
        note_asked_waves(number);
        if (c.status == "agrees") return;
        complain(c.name + ": " + c.message);
        if (m_options.quiet) return;
        if (m_options.random != 0 && m_jobs[number].what != cosim_job::kind::network)
            show(fmt::format("  {}\n  {}\n", c.parameters, c.place));
        for (const auto& line : c.history) show(fmt::format("  {}\n", line));
        std::fflush(stdout);
    }

    void note_asked_waves(std::size_t number) {
        fs::path waves = asked_window(number).file;
        waves.replace_extension("." + m_options.wave_format);
        if (m_options.window.empty() || !fs::exists(waves)) return;
        cosim_case& c = m_results.cases[number];
        c.waves = fs::relative(waves, m_directory.path());
        if (!m_options.quiet)
            show(fmt::format("  {}: waves of cycles {} in {}\n", c.name, m_options.window,
                             (m_directory.final_path() / c.waves).string()));
    }

    void write_files() {
        m_coverage.write(m_directory.path(), m_results);
        m_results.rtl = rtl_text();
        for (const char* folder : {"shrunk", "waves"})
            if (fs::is_empty(m_directory.path() / folder)) fs::remove(m_directory.path() / folder);
        write_file(m_directory.path() / "cosim.json", text_of(to_json(m_results)));
        write_file(m_directory.path() / "junit.xml", junit_text(m_results));
        if (m_options.random != 0)
            write_file(m_directory.path() / "parameters.txt", parameter_table(m_results));
        m_directory.commit();
        record();
    }

    /// Returns a number for the sources of sare_router, or size and time of another router's library.
    std::string rtl_text() const {
        try {
            const std::string own = "sare_router";
            const std::string rtl = m_experiment ? m_experiment->sections.of<cosim::cosim_params>().rtl : own;
            if (rtl == own) return fs::path(cosim::library_file({own})).stem();
            const fs::path file = m_options.input.folder() / fs::path(rtl);
            return fmt::format("{} {} {}", file.string(), fs::file_size(file),
                               fs::last_write_time(file).time_since_epoch().count());
        } catch (const std::exception&) {
            return "";  // there is none, as each case says
        }
    }

    void record() {
        if (!m_recorder.is_on()) return;
        run_record r = new_record("cosim", m_directory.final_path());
        if (m_experiment) add_configuration(r, *m_experiment);
        if (r.name.empty()) r.name = m_experiment ? m_options.input.stem() : "random routers";
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
        fmt::print("router_cycles={} configurations={} mismatches={}{}\n", m_results.router_cycles(),
                   m_results.configurations(), wrong,
                   stopped ? fmt::format(" interrupted=yes, {} of {} were run", m_results.configurations(),
                                         m_jobs.size())
                           : "");
        if (stopped) return exit_status::interrupted;
        return wrong + failed != 0 ? exit_status::failure : exit_status::good;
    }

    cosim_options m_options;
    run_recorder m_recorder;
    std::optional<experiment> m_experiment;
    std::optional<cosim::pin_case> m_case;
    std::optional<axi::block_case> m_block;
    std::vector<cosim_job> m_jobs;
    result_directory m_directory;
    cosim_results m_results;
    cosim_coverage m_coverage;
};

int cosim(const cosim_options& options) {
    if (!options.new_adapter.empty()) return write_new_adapter(options.new_adapter, options.out);
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
