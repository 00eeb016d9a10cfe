// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/random/block_case.h"
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
    std::string name;        ///< name as cosim_case::name: "random 17"; for pins and blocks that of the file
    /// Seed of the network's run, or of a random router, bridges or NIC and their traffic. With --steer,
    /// before the run: the first of steer_candidates seeds, one of which is chosen.
    std::uint64_t seed = 0;
    kind what = kind::network;  ///< kind of the case
    cycle_t differs_in = 0;     ///< cycle of the first difference, found by an earlier run; 0: none
    cycle_t caused_in = 0;      ///< cycle of the earlier event that explains the difference; 0: differs_in
    std::uint32_t router = 0;   ///< number of the router that differs
    std::string events = {};    ///< failing events, a plugin_case as YAML; "": none are known
    int node = -1;              ///< node whose NIC differs; -1: a router differs
};

/// Content of the command line's file. At most one of network, pins, plugin and block has a value; none if
/// there is no file.
struct cosim_subject {
    std::optional<experiment> network;
    std::optional<cosim::pin_case> pins;
    /// Router of one's own at its pins (with --pins, without events), and numbers of the routers in its
    /// network, of which each seed takes one.
    std::optional<cosim::plugin_case> plugin;
    std::vector<std::uint32_t> routers;
    std::optional<axi::block_case> block;
};

/// Sets `plugin` and `routers` of `subject`. The file of `input` is the router's library, or an experiment
/// whose section `cosim` names one. Throws config::error if the library fits no router of the network.
void read_plugin(const input_options& input, cosim_subject& subject);

/// Number of random routers, of consecutive seeds, among which --steer chooses one.
constexpr std::uint32_t steer_candidates = 64;

/// Runs cases, one after another, in the present process.
class cosim_worker {
  public:
    /// `folder`: folder of the result, whose folder `waves` gets the waves; `counters`: folder that gets
    /// Verilator's counters of lines and toggles, a file for a router alone and a folder for a network;
    /// `coverage`: functional coverage so far, for whose holes --steer chooses routers. All arguments must
    /// outlive the worker, which reads each anew for each case.
    cosim_worker(const cosim_options& options, const cosim_subject& subject,
                 const std::filesystem::path& folder, const std::filesystem::path& counters,
                 const cosim_coverage& coverage)
        : m_options(options),
          m_subject(subject),
          m_folder(folder),
          m_counters(counters),
          m_coverage(coverage) {}

    /// Runs a case and returns its result as JSON: `message` ("": it agrees), `history`, `parameters`,
    /// `place`, `router_cycles`, `packets` and `seconds` of cosim_case; the first difference as `cycle` (0:
    /// none), `since`, `router` and `node`; for a random router also `seed`, which --steer has chosen, and
    /// `hits` of functional coverage. If job.differs_in is not 0, waves are written from 200 cycles before
    /// the cause to 20 cycles after that cycle, and no counters. Throws std::runtime_error if the RTL cannot
    /// be built, or has no router for the waves of --window. During the run calls `progress` with the share
    /// of cycles run, 0 to 1; does not call it for a case at the pins.
    json run(const cosim_job& job, const std::function<void(double)>& progress) const;
    /// Returns the path waves/NUMBER + `ending` of a case, with the folder of the result before it. `ending`:
    /// ".fst" for waves around the first difference, "-window.fst" for those of --window, "-MODULE.fst" for
    /// one of several modules.
    std::string waves_of(const cosim_job& job, const char* ending) const;
    /// Returns the cycles of --window, with their file; a window without a file, which writes no waves, if
    /// the option is not given.
    cosim::wave_window asked_window(const cosim_job& job) const;
    /// Returns the run of a random router under job.seed, with the options of the command, without waves and
    /// coverage.
    cosim::random_run random_run_of(const cosim_job& job) const;
    /// Returns the bridges or the NIC of a case: those of the file if the case has the file's name, else
    /// random ones.
    axi::block_case block_of(const cosim_job& job) const;

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
