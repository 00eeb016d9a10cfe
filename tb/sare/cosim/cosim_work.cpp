// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/cosim_work.h"

#include "cosim/axi/attach.h"
#include "cosim/bench/plugin_bench.h"
#include "cosim/cosim_params.h"
#include "cosim/network_run.h"
#include "tb/sare/cosim/wave_format.h"
#include "tb/sare/process/process.h"
#include "tlm/config/yaml.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Cycles of waves before the cause of the first divergence, and after it.
constexpr cycle_t waves_before = 200, waves_after = 20;

/// Takes a random_outcome or a network_outcome.
template <class Outcome>
json as_json(const Outcome& o, const std::string& parameters, const std::string& place) {
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

}  // namespace

void read_plugin(const input_options& input, cosim_subject& subject) {
    cosim::plugin_case& c =
        subject.plugin.emplace(cosim::case_of_file(input.file, [&input] { return input.tree(); }));
    const experiment e = experiment::read(c.experiment, c.folder);
    const auto& rtl = e.sections.of<cosim::cosim_params>();
    if (rtl.kinds().size() > 1)
        throw config::error(rtl.at, "--pins runs one kind of routers: name one in cosim.rtl");
    const std::uint32_t first = rtl.replace.ranges.empty() ? 0 : rtl.replace.ranges[0].first;
    c.experiment.set_path("cosim.rtl", config::value::scalar(cosim::plugin_file(e, first), rtl.at));
    subject.routers = cosim::possible_routers(e);
}

json cosim_worker::run(const cosim_job& job, const std::function<void(double)>& progress) const {
    const auto begin = std::chrono::steady_clock::now();
    json result = job.what == cosim_job::kind::network  ? whole_network(job, progress)
                  : job.what == cosim_job::kind::block  ? block_alone(job, progress)
                  : job.what == cosim_job::kind::plugin ? plugin_alone(job, progress)
                                                        : router_alone(job, progress);
    if (const fs::path asked = asked_window(job).file; !asked.empty() && fs::exists(asked))
        change_wave_format(asked, m_options.wave_format);
    result["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

std::string cosim_worker::waves_of(const cosim_job& job, const char* ending) const {
    return m_folder / "waves" / fmt::format("{:04d}{}", job.number, ending);
}

cosim::wave_window cosim_worker::window(const cosim_job& job) const {
    const cycle_t begin = job.caused_in != 0 ? job.caused_in : job.differs_in;
    return {waves_of(job, ".fst"), begin > waves_before ? begin - waves_before : 1,
            job.differs_in + waves_after};
}

cosim::wave_window cosim_worker::asked_window(const cosim_job& job) const {
    if (m_options.window.empty()) return {};
    const auto [first, last] = m_options.window_cycles();
    return {waves_of(job, "-window.fst"), first, last};
}

/// Returns a function that says what is compiled in one write(): several processes do so, and the
/// parent's progress may be on the line.
std::function<void(const std::string&)> cosim_worker::says_what_is_compiled(const cosim_job& job) const {
    return [this, &job](const std::string& what) {
        if (m_options.quiet) return;
        const char* fresh_line = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
        const std::string line = fmt::format("{}{}: compiling {}\n", fresh_line, job.name, what);
        if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return;  // no output, no news
    };
}

cosim::random_run cosim_worker::random_run_of(const cosim_job& job) const {
    cosim::random_run what;
    what.seed = job.seed;
    what.cycles = m_options.cycles;
    what.most_vcs = m_options.most_vcs;
    what.held = m_options.held();
    what.on_build = says_what_is_compiled(job);
    what.speed = speed();
    what.old_sources = m_options.old_rtl;
    what.drains = m_options.drain || m_options.steer;
    return what;
}

/// Runs a random router, or the one of the file.
json cosim_worker::router_alone(const cosim_job& job, const std::function<void(double)>& progress) const {
    cosim::random_run what = random_run_of(job);
    what.waves = job.differs_in != 0 ? window(job) : asked_window(job);
    if (job.differs_in == 0 && m_options.coverage)
        what.coverage = m_counters / fmt::format("{:04d}.dat", job.number);
    if (job.what == cosim_job::kind::pins) {
        const auto o = cosim::run(*m_subject.pins, what);
        return as_json(o, o.parameters, o.place);
    }
    cosim::router_points points;
    what.points = &points;
    if (m_options.steer && job.differs_in == 0)
        what.seed = cosim::steered_seed(job.seed, steer_candidates, m_options.most_vcs, what.held,
                                        m_coverage.points());
    const auto o = cosim::run(what, progress);
    json result = as_json(o, o.parameters, o.place);
    result["seed"] = what.seed;
    result["hits"] = points.table.text(false);
    return result;
}

/// Runs a router of one's own at its pins: probes and random traffic, or events.
json cosim_worker::plugin_alone(const cosim_job& job, const std::function<void(double)>& progress) const {
    cosim::plugin_case c = *m_subject.plugin;
    cosim::plugin_outcome o;
    if (job.differs_in != 0 || !m_options.pins) {
        if (!job.events.empty()) c = cosim::read_plugin_case(config::parse_document(job.events, job.name));
        cosim::plugin_run how;
        if (job.differs_in != 0) how.waves = window(job);
        o.found = cosim::run(*cosim::make_place(c), c, how);
    } else {
        const std::size_t n = m_subject.routers.size();
        c.router = m_subject.routers[(n / 3 + job.number) % n];
        c.seed = job.seed;
        const std::string counters =
            m_options.coverage ? (m_counters / fmt::format("{:04d}.dat", job.number)).string() : "";
        o = cosim::plugin_test(c, m_options.cycles, job.number == 0, counters, progress);
        if (job.number == 0 && !counters.empty() && o.probe.empty() && !fs::exists(counters))
            warn("the library counts no coverage; build it with COVERAGE, or leave out --coverage");
    }
    json result{{"message", (o.probe.empty() ? "" : o.probe + ": ") + o.found.text},
                {"history", o.found.history},
                {"cycle", o.found.cycle},
                {"since", o.found.since},
                {"router", c.router},
                {"router_cycles", o.found.router_cycles},
                {"packets", o.found.packets},
                {"parameters", m_options.input.stem()},
                {"place", fmt::format("router {}", c.router)}};
    if (!o.found.text.empty()) result["events"] = text(o.events);  // with no packets, if none has come yet
    return result;
}

json cosim_worker::whole_network(const cosim_job& job, const std::function<void(double)>& progress) const {
    experiment e = *m_subject.network;
    e.seed = job.seed;
    const auto ends = axi::attach(e, speed(), true);
    if (auto& rtl = e.sections.of<cosim::cosim_params>(); rtl.empty()) rtl.shadow.all = ends->empty();
    cosim::network_run what;
    what.cycles = m_options.cycles;
    what.how.speed = speed();
    what.how.on_build = says_what_is_compiled(job);
    what.how.old_rtl = m_options.old_rtl;
    what.how.two_states = true;
    const bool again = job.differs_in != 0;
    what.how.waves = again ? window(job) : asked_window(job);
    what.how.waves_router = again ? job.router : m_options.router;
    if (again && job.node >= 0) what.how.waves_node = static_cast<std::uint32_t>(job.node);
    if (!again && m_options.coverage) {
        what.how.coverage = true;
        what.how.coverage_folder = m_counters / fmt::format("{:04d}", job.number);
        fs::create_directory(what.how.coverage_folder);
    }
    what.ends = ends.get();
    const cosim::network_outcome o = cosim::run(e, what, progress);
    json result = as_json(o, settings_of(e), m_options.input.file);
    if (!o.first) result["history"] = o.ends;
    if (!o.first && o.problem_of) {
        result["cycle"] = o.problem_in;
        result["node"] = *o.problem_of;
    }
    if (!again && !what.how.waves.file.empty() && !fs::exists(what.how.waves.file))
        throw std::runtime_error(
            fmt::format("--window: no waves: router {} is not in RTL", m_options.router));
    return result;
}

axi::block_case cosim_worker::block_of(const cosim_job& job) const {
    if (m_subject.block && job.name == m_options.input.stem()) return *m_subject.block;
    const auto of = m_options.of == "nics" ? axi::block_kind::nic : axi::block_kind::bridges;
    return axi::draw_block(of, job.seed, m_options.cycles);
}
json cosim_worker::block_alone(const cosim_job& job, const std::function<void(double)>& progress) const {
    const axi::block_case c = block_of(job);
    axi::random_run how;
    how.speed = speed();
    how.on_build = says_what_is_compiled(job);
    how.on_cycle = progress;
    if (job.differs_in != 0) how.waves = window(job);
    const axi::random_outcome o = axi::run(c, how);
    return {{"message", o.wrong()},
            {"history", json::array()},
            {"cycle", c.of == axi::block_kind::nic ? o.cycle : 0},  // else there are no waves
            {"router_cycles", o.bridge_cycles},
            {"packets", o.transactions},
            {"parameters", axi::parameters_of(c)},
            {"place", ""}};
}

cosim::rtl_speed cosim_worker::speed() const {
    if (m_options.speed == "quick") return cosim::rtl_speed::quick;
    return m_options.speed == "fast" ? cosim::rtl_speed::fast : cosim::rtl_speed::checked;
}

}  // namespace sare::cli
