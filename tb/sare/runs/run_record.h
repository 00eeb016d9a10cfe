// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <filesystem>

/// What a store keeps of a directory of results.
namespace sare::cli {

struct run_record {
    std::int64_t id = 0;  ///< in the store, from 1
    std::string kind;     ///< run | sweep | cosim | regress
    std::string name;     ///< of the experiment, or of its file
    std::string status;   ///< as in summary.json; of a sweep: running, completed, failed, interrupted
    std::string version;  ///< of the program
    std::int64_t seed = 0;
    std::string identity;  ///< the same: the same configuration, and the same files that it names
    std::string recorded;  ///< when, in UTC: 2026-11-26T01:24:30Z
    std::string host, machine;
    std::string directory;      ///< whole name; "": written over since by other results
    std::int64_t sweep = 0;     ///< the record of the sweep that it is a point of; 0: of none
    std::string configuration;  ///< resolved, as JSON
    /// Parameters and headline figures by their paths: numbers and texts.
    std::vector<std::pair<std::string, json>> values;
};

/// The whole name of a directory, by which a store knows it.
std::string stored_name(const std::filesystem::path& directory);

/// Program, time and machine.
run_record new_record(const std::string& kind, const std::filesystem::path& directory);

/// Of a directory with the summary of a run of `e`, called `name` where `e` has none; config::error where it
/// cannot be read.
run_record record_of_run(const experiment& e, const std::string& name,
                         const std::filesystem::path& directory);

/// Adds `e` as what was run: configuration, seed, and who is the same.
void add_configuration(run_record& record, const experiment& e);

/// The same for two experiments that have the same resolved configuration, and whose files are the same by
/// place, size and time.
std::string identity_of(const experiment& e);

/// Whether a summary is that of a run of `e` by this program.
bool is_summary_of(const json& summary, const experiment& e);

/// Whether a path of a record is a parameter of the experiment, and no figure.
bool is_parameter(const std::string& path);

/// The scalars of a tree by their dotted paths; a list is one text, in YAML.
void add_values(std::vector<std::pair<std::string, json>>& to, const json& tree, const std::string& path);

}  // namespace sare::cli
