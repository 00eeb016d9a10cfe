// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/run/block_case.h"
#include "cosim/bench/plugin_case.h"
#include "cosim/random/pin_case.h"
#include "cosim/random/random_run.h"
#include "tb/sare/cosim/cosim_coverage.h"
#include "tb/sare/cosim/cosim_options.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sare::cli {

/// A case of `sare cosim` that is to be run: a network from the file under one seed; a random router; a
/// router at its pins from the file; a router of one's own at its pins; or bridges or a NIC, from the file or
/// random.
struct cosim_job {
    enum class kind { network, random, pins, plugin, block };
    std::size_t number = 0;  ///< number among the cases of the command, from 0
    std::string name;
    std::uint64_t seed = 0;
    kind what = kind::network;
    cycle_t differs_in = 0;    ///< cycle in which it differs; 0: it does not
    cycle_t caused_in = 0;     ///< cycle of the cause; 0: differs_in
    std::uint32_t router = 0;  ///< router that differs
    std::string events = {};   ///< events that fail, a plugin_case as YAML; "": none are known
    int node = -1;             ///< node whose NIC differs, not a router; -1: none
};

/// What the file of the command line describes: at most one of these.
struct cosim_subject {
    std::optional<experiment> network;
    std::optional<cosim::pin_case> pins;
    /// Router of one's own, with --pins without events; `routers`: those of which each seed takes one.
    std::optional<cosim::plugin_case> plugin;
    std::vector<std::uint32_t> routers;
    std::optional<axi::block_case> block;
};

/// Number of random routers among which --steer chooses one.
constexpr std::uint32_t steer_candidates = 64;

/// Runs one case in the present process. All arguments must outlive the worker.
class cosim_worker {
  public:
    /// `folder`: folder of the result, with waves; `counters`: folder that gets the counters of lines and
    /// toggles, one file or folder for each case; `coverage`: coverage so far, for --steer.
    cosim_worker(const cosim_options& options, const cosim_subject& subject,
                 const std::filesystem::path& folder, const std::filesystem::path& counters,
                 const cosim_coverage& coverage)
        : m_options(options),
          m_subject(subject),
          m_folder(folder),
          m_counters(counters),
          m_coverage(coverage) {}

    /// Runs a case and returns its result as JSON: `message` ("": it agrees) and the other members of
    /// cosim_case, and for what differs the members of cosim_job. If job.differs_in is not 0, waves around
    /// that cycle are written.
    json run(const cosim_job& job, const std::function<void(double)>& progress) const;
    /// Returns the file of the waves of a case: those around the first difference, with `ending` ".fst".
    std::string waves_of(const cosim_job& job, const char* ending) const;
    /// Returns the cycles that --window asks for, with their file; without a file if it asks for none.
    cosim::wave_window asked_window(const cosim_job& job) const;
    cosim::random_run random_run_of(const cosim_job& job) const;  ///< a random router, without waves
    axi::block_case block_of(const cosim_job& job) const;         ///< bridges or a NIC

  private:
    cosim::rtl_speed speed() const;
    cosim::wave_window window(const cosim_job& job) const;
    std::function<void(const std::string&)> says_what_is_compiled(const cosim_job& job) const;
    json router_alone(const cosim_job& job, const std::function<void(double)>& progress) const;
    json plugin_alone(const cosim_job& job, const std::function<void(double)>& progress) const;
    json whole_network(const cosim_job& job, const std::function<void(double)>& progress) const;
    json block_alone(const cosim_job& job, const std::function<void(double)>& progress) const;

    const cosim_options& m_options;
    const cosim_subject& m_subject;
    const std::filesystem::path &m_folder, &m_counters;
    const cosim_coverage& m_coverage;
};

}  // namespace sare::cli
